"""The components of a game, shown to readers before a match. Knows no game."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from core.components.component_file import ComponentFile, Source, component_digest
from core.components.fields import ProvenanceSections
from core.file_checks.checked_file import checked_file, load_file
from core.file_checks.provenance import provenance_lines, report_provenance
from core.game.game_record import BoardDifference, BoardReport
from core.narration.sheet import Sheet
from core.toml.findings import BoardInvalid
from core.toml.outside_toml import OutsideText, TextDefect, outside_bytes, read_outside

_File = TypeVar("_File", bound=ProvenanceSections)
_Components = TypeVar("_Components")


def component_text(components: ComponentFile[_File, _Components], text: str | None) -> OutsideText:
    """Return the data of a file that has been checked, with the lines of its text; None is the shipped one.

    Raises:
        BoardInvalid: The file is not TOML.
    """
    read = read_outside(components.shipped_bytes if text is None else text)
    if isinstance(read, TextDefect):
        raise BoardInvalid((read,))
    return read


def make_board_report(
    components: ComponentFile[_File, _Components], text: str | None, variant: str, lines: tuple[str, ...], svg: str
) -> BoardReport:
    """Return the report of a valid file.

    Args:
        components: The game's component file.
        text: The file's text, or None for the shipped one.
        variant: The name of the variant, or empty.
        lines: The components for a terminal.
        svg: A drawing of the map.
    """
    report = report_provenance(components.struct, component_text(components, text))
    told = provenance_lines(report)
    summary = 1 + len(report.sections)
    data = components.shipped_bytes if text is None else outside_bytes(text)
    checked = None if text is None else checked_file(components, text, variant)
    return BoardReport(
        digest=component_digest(data),
        map_lines=lines,
        svg=svg,
        counts=report.counts,
        words={**report.words, **report.sources},
        provenance=told[:summary],
        doubtful=told[summary:],
        differences=tuple(
            BoardDifference(one.where, one.shipped, one.own, one.is_printed)
            for one in ([] if checked is None else checked.differences)
        ),
        contradictions=tuple(defect.sentence() for defect in ([] if checked is None else checked.contradictions)),
    )


class MapReporter(Generic[_File, _Components]):
    """Shows a game's shipped components, or others, with their map.

    Args:
        components: The game's component file.
        lines: Returns the components for a terminal.
        sheet: Returns the map.
    """

    def __init__(
        self,
        components: ComponentFile[_File, _Components],
        lines: Callable[[_Components], tuple[str, ...]],
        sheet: Callable[[_Components], Sheet],
    ) -> None:
        self._components = components
        self._lines = lines
        self._sheet = sheet

    def __call__(self, text: str | None, variant: str = "") -> BoardReport:
        """Return the report of a file; None is the shipped one.

        Raises:
            BoardInvalid: The file has defects; all of them are listed.
        """
        # Pictures of matches import a game's map, and need not import what draws it.
        from core.drawing.picture_svg import draw_picture

        loaded = load_file(self._components, text, variant)
        return make_board_report(
            self._components, text, variant, self._lines(loaded), draw_picture(self._sheet(loaded))
        )


def source_remark(source: Source, shipped: str) -> str:
    """Return in one line how far components can be trusted.

    Args:
        source: Which file they were read from.
        shipped: The line about the shipped file.
    """
    if source.is_shipped:
        return shipped
    if source.variant:
        return f"A variant, {source.variant}: it contradicts the printed game, and `wardiary board` lists where."
    return f"An owner's own file, {source.digest[:12]}; it agrees with everything the rulebook's text says."


def columns(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> tuple[str, ...]:
    """Align the cells of a table below its header; `right` are the columns, counted from 0, that are set flush right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    return tuple(
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (header, *rows)
    )
