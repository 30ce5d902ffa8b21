"""The whole check of a component file that is not the shipped one. Knows no game."""

from typing import Generic, TypeVar

from core.components.component_file import ComponentFile, Source, component_digest
from core.components.fields import ProvenanceSections
from core.file_checks.file_differences import Difference, contradict_printed, differences
from core.file_checks.provenance import check_provenance
from core.file_checks.schema import check_form
from core.toml.findings import BoardInvalid, Findings, shown
from core.toml.outside_toml import OutsideText, TextDefect, outside_bytes, read_outside
from events.codec import Struct, convert

_File = TypeVar("_File", bound=ProvenanceSections)
_Components = TypeVar("_Components")


class CheckedFile(Struct, Generic[_File], frozen=True):
    """A valid file.

    `differences` are all figures that are not as in the shipped file; `contradictions` are what contradicts the printed game besides,
    which only a variant does.
    """

    text: OutsideText
    file: _File
    source: Source
    differences: tuple[Difference, ...]
    contradictions: tuple[TextDefect, ...]


def checked_file(
    components: ComponentFile[_File, _Components], text: bytes | str, variant: str = ""
) -> CheckedFile[_File]:
    """Check a file.

    Args:
        components: The game's component file.
        text: The file's exact bytes, or its text.
        variant: The name under which the file may contradict the printed game; empty if it may not.

    Raises:
        BoardInvalid: The file has defects; all of them are listed.
    """
    checked = read_file(components, outside_bytes(text), variant)
    if isinstance(checked, tuple):
        raise BoardInvalid(checked)
    return checked


def load_file(
    components: ComponentFile[_File, _Components], text: bytes | str | None = None, variant: str = ""
) -> _Components:
    """Return the components of another file than the shipped one after it has been checked.

    Args:
        components: The game's component file.
        text: The file's exact bytes, or its text if it never was a file; None for the shipped file.
        variant: As for `checked_file`.

    Raises:
        BoardInvalid: The file has defects; all of them are listed.
    """
    if text is None and not variant:
        return components.load()
    checked = checked_file(components, components.shipped_bytes if text is None else text, variant)
    return components.build(checked.file, checked.source)


def read_file(
    components: ComponentFile[_File, _Components], data: bytes, variant: str = ""
) -> CheckedFile[_File] | tuple[TextDefect, ...]:
    """Check a file; never raises.

    What concerns several places at once is looked at in a file of the right form only, and the form only in a file of this game.

    Args:
        components: The game's component file.
        data: The bytes of the file.
        variant: As for `checked_file`.

    Returns:
        The checked file, or its defects in the order of their places, at least one.
    """
    text = read_outside(data)
    if isinstance(text, TextDefect):
        return (text,)
    findings = Findings(text)
    _check_schema(components, text.plain, findings)
    if findings.has_any():
        return findings.defects()
    check_form(components.struct, text.plain, findings)
    check_provenance(text.plain, findings)
    found = differences(components.struct, text.plain, components.shipped_plain)
    contradict_printed(found, findings)
    if findings.has_any():
        return findings.defects(is_variant=bool(variant))
    as_figures = set(findings.contradictions())
    file = convert(text.plain, components.struct)
    components.check(file, findings)
    defects = findings.defects(is_variant=bool(variant)) or _needless(findings, variant)
    if defects:
        return defects
    source = Source(component_digest(data), is_shipped=data == components.shipped_bytes, variant=variant)
    others = tuple(defect for defect in findings.contradictions() if defect not in as_figures)
    return CheckedFile(text, file, source, found, others)


def _check_schema(components: ComponentFile[_File, _Components], plain: dict[str, object], findings: Findings) -> None:
    """Record that a file names another schema: nothing else in it is then worth a word."""
    named, own = plain.get("schema"), components.shipped_plain.get("schema")
    if isinstance(named, str) and isinstance(own, str) and named != own:
        problem = f"is {shown(named)}, so the file is of another game or of another version"
        findings.add(("schema",), problem, shown(own))


def _needless(findings: Findings, variant: str) -> tuple[TextDefect, ...]:
    """Return the defect of a variant that contradicts nothing: to correct what is reconstructed makes no variant."""
    if not variant or findings.contradictions():
        return ()
    return (TextDefect(1, "file", "contradicts nothing that is printed", "no variant's name, or another figure"),)
