"""Where each field of a card file says that it comes from."""

from collections.abc import Iterator

from core.board_provenance import OWNER, BoardFact, ProvenanceReport, make_report
from core.board_rows import at_path
from core.components.findings import Findings, shown, some_of
from core.outside_toml import OutsideText
from core.toml_lines import Path

FITS = "fits"
"""Says that an invented fact was made to agree with the sentences that follow."""

_RECORDS = ("components", "counter", "rules", "location", "force", "action", "uranus")
_HEAD = "game"
_HEAD_FIELDS = ("game", "publisher", "players", "sides")


def check_provenance(plain: dict[str, object], findings: Findings) -> None:
    """Ask for words that the file explains, about fields that exist. Source: ruling.reconstructed-cards."""
    if findings.has_any(("provenance",)) or findings.has_any(("constraint",)):
        return
    words, constraints = plain.get("provenance"), plain.get("constraint")
    known = {OWNER, *(words if isinstance(words, dict) else ())}
    cited = {FITS, *(constraints if isinstance(constraints, dict) else ())}
    wanted = f"a word of [provenance]: {some_of(sorted(known))}"
    for path, record in records(plain):
        for key, word in provenance_of(record).items():
            where: Path = (*path, "prov") if isinstance(record["prov"], str) else (*path, "prov", key)
            if findings.has_any(where):
                continue
            code, *others = word.split()
            if code not in known:
                findings.add(where, f"is {shown(word)}", wanted)
            for other in others:
                if other not in cited:
                    findings.add(where, f"names {shown(other)}", f"{FITS} or a key of [constraint]")
            if key != "_" and at_path(record, tuple(key.split("."))) is None:
                findings.add(where, f"there is no field {shown(key)}", "a field of the record, or of one of its tables")


def provenance_of(record: dict[str, object]) -> dict[str, str]:
    """Return where the fields of a record come from: words by field, `_` for all others; empty where nothing is said."""
    said = record.get("prov")
    if isinstance(said, dict):
        return {key: word for key, word in said.items() if isinstance(word, str)}
    return {"_": said} if isinstance(said, str) else {}


def records(plain: dict[str, object]) -> Iterator[tuple[Path, dict[str, object]]]:
    """Yield every record that can say where it comes from, with its path: the file's head first, then as it stands."""
    yield (), plain
    for key in ("components", "counter", "rules", "location", "force", "action", "uranus"):
        node = plain.get(key)
        if key == "rules" and isinstance(node, dict):
            yield from (((key, name), one) for name, one in node.items() if isinstance(one, dict))
        elif isinstance(node, dict):
            yield (key,), node
        elif isinstance(node, list):
            yield from (((key, index), one) for index, one in enumerate(node) if isinstance(one, dict))


def report_provenance(text: OutsideText) -> ProvenanceReport:
    """Count and list where a card file's fields come from.

    Args:
        text: A card file in which no check has found a defect.
    """
    sections: dict[str, list[BoardFact]] = {_HEAD: [], **{key: [] for key in _RECORDS if key in text.plain}}
    for path, record in records(text.plain):
        section = str(path[0]) if path else _HEAD
        sections[section] += _facts(text, section, path, record)
    words = _tables(text.plain.get("provenance"))
    return make_report(
        sections.items(),
        words={code: str(one["text"]) for code, one in words.items()},
        sources=_texts(text.plain.get("constraint")),
        settled=tuple(code for code, one in words.items() if one["kind"] == "rulebook"),
    )


class Origins:
    """Tells what of a card file is neither from the rulebook's text nor from the printed game.

    Args:
        plain: The data of a file in which no check has found a defect.
    """

    def __init__(self, plain: dict[str, object]) -> None:
        self._plain = plain
        words = _tables(plain.get("provenance"))
        self._trusted = {OWNER, *(code for code, one in words.items() if one["kind"] in ("rulebook", OWNER))}

    def is_invented(self, path: Path, field: str) -> bool:
        """Whether a field of the record at a path, or a part of it, is reconstructed."""
        record = at_path(self._plain, path)
        said = provenance_of(record) if isinstance(record, dict) else {}
        words = [word for key, word in said.items() if key.startswith(f"{field}.")]
        words.append(said.get(field, said.get("_", OWNER)))
        return any(word.split()[0] not in self._trusted for word in words)


def _facts(text: OutsideText, section: str, path: Path, record: dict[str, object]) -> Iterator[BoardFact]:
    """Yield the fields of a record; a table is one field, unless something is said about a part of it."""
    said = provenance_of(record)
    split = {key.partition(".")[0] for key in said if "." in key}
    row = "" if len(path) < 2 else _row_name(path, record)
    for key, value in record.items():
        if key == "prov" or (not path and key not in _HEAD_FIELDS):
            continue
        parts = value.items() if key in split and isinstance(value, dict) else [("", value)]
        for part, content in parts:
            field = f"{key}.{part}" if part else key
            word, *sources = said.get(field, said.get(key, said.get("_", OWNER))).split()
            yield BoardFact(
                section=section,
                row=row,
                field=field,
                value=_written(content),
                word=word,
                sources=tuple(sources),
                line=text.places.line_of((*path, *field.split("."))),
            )


def _row_name(path: Path, record: dict[str, object]) -> str:
    """Name a record: by its printed name, its id, or the section it is."""
    return str(record.get("name", record.get("id", path[1])))


def _written(value: object) -> str:
    """Write a value for people; of a word of the rules the word and its figures, and charts as they are printed."""
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return ", ".join(_written(one) for one in value)
    if isinstance(value, dict):
        return " ".join(f"{key} {_written(one)}" if key != "op" else str(one) for key, one in value.items())
    return shown(value)


def _tables(node: object) -> dict[str, dict[str, object]]:
    """Return the tables within a table, or nothing."""
    return {key: one for key, one in node.items() if isinstance(one, dict)} if isinstance(node, dict) else {}


def _texts(node: object) -> dict[str, str]:
    """Return the texts within a table, or nothing."""
    return {key: str(one) for key, one in node.items()} if isinstance(node, dict) else {}
