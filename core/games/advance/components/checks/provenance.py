"""Where each field of this game's board file says that it comes from."""

from core.board_file import shown
from core.board_provenance import OWNER, BoardFact, ProvenanceReport, make_report
from core.outside_toml import OutsideText
from core.toml_lines import Path

RULEBOOK_WORDS = ("rulebook", "rulebook-derived")
"""Words that mean: the rulebook's text says or forces it."""

_NESTED = ("random_events", "scenarios")
_APART = ("schema", "provenance", "sources")
_UNCOUNTED = ("provenance", "prov", "overrides", "note")


def report_provenance(text: OutsideText) -> ProvenanceReport:
    """Count and list where a board's fields come from.

    Args:
        text: A board file in which no check has found a defect.
    """
    sections: list[tuple[str, list[BoardFact]]] = []
    for path, node in _sections(text.plain):
        walk = _SectionWalk(text, ".".join(map(str, path)))
        walk.visit(path, node, _base_of(node, OWNER), "")
        sections.append((walk.section, walk.facts))
    return make_report(
        sections,
        words=_texts(text.plain.get("provenance"), "words"),
        sources=_source_titles(text.plain.get("sources")),
        settled=RULEBOOK_WORDS,
    )


def _sections(plain: dict[str, object]) -> list[tuple[Path, object]]:
    """List the sections that carry a provenance of their own."""
    found: list[tuple[Path, object]] = []
    for key, node in plain.items():
        if key in _NESTED and isinstance(node, dict):
            found += [((key, name), one) for name, one in node.items()]
        elif key not in _APART:
            found.append(((key,), node))
    return found


class _SectionWalk:
    """One pass over a section, which gathers its fields."""

    __slots__ = ("_text", "facts", "section")

    def __init__(self, text: OutsideText, section: str) -> None:
        self._text = text
        self.section = section
        self.facts: list[BoardFact] = []

    def visit(self, path: Path, node: object, base: object, row: str) -> None:
        """Gather the fields below a table or an array of tables.

        Args:
            path: Where the node stands.
            node: A table or an array.
            base: The provenance that holds unless a row has its own: one word, or words by field.
            row: How to call the row that the node is in; empty outside of rows.
        """
        if isinstance(node, list):
            for index, one in enumerate(node):
                self.visit((*path, index), one, _base_of(one, base), _row_name(row, one, index))
        elif isinstance(node, dict):
            for key, value in node.items():
                if key == "pairs" and isinstance(value, list):
                    self._visit_pairs((*path, key), value, node, base)
                elif isinstance(value, dict) or _is_table_array(value):
                    if key not in _UNCOUNTED:
                        self.visit((*path, key), value, base, row if key == "rows" else f"{row} {key}".strip())
                elif key not in _UNCOUNTED:
                    self._note((*path, key), row, shown(value), _word_of(key, node.get("prov"), base))

    def _visit_pairs(self, path: Path, pairs: list[object], node: dict[str, object], base: object) -> None:
        """Gather adjacent pairs, each of which is one fact."""
        overrides = node.get("overrides")
        known = {_pair_name(one["pair"]): one["prov"] for one in (overrides if isinstance(overrides, list) else [])}
        for index, pair in enumerate(pairs):
            name = _pair_name(pair)
            self._note((*path, index), name, "", known.get(name, base))

    def _note(self, path: Path, row: str, value: str, provenance: object) -> None:
        word, *sources = str(provenance).split()
        field = path[-1]
        self.facts.append(
            BoardFact(
                section=self.section,
                row=row,
                field=field if isinstance(field, str) else "pair",
                value=value,
                word=word,
                sources=tuple(sources),
                line=self._text.places.line_of(path),
            )
        )


def _base_of(node: object, outer: object) -> object:
    """Return the provenance a table states for itself, else that of what it stands in."""
    return node.get("provenance", outer) if isinstance(node, dict) else outer


def _is_table_array(value: object) -> bool:
    """Return whether a value is an array of rows; an event's effects are one field, not rows."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "op" not in value[0]


def _pair_name(pair: object) -> str:
    assert isinstance(pair, list)
    return "-".join(str(number) for number in sorted(pair))


def _row_name(outer: str, row: object, index: int) -> str:
    """Name a row: by its id and name, its roll and event, its Area, or else its place, counted from 1."""
    name = str(index + 1)
    if isinstance(row, dict):
        if "id" in row:
            name = " ".join(str(row[key]) for key in ("id", "name") if key in row)
        elif "roll" in row:
            name = f"{row['roll']} {row.get('event', '')}".strip()
        elif "area" in row or "tag" in row or "name" in row:
            name = str(row.get("area", row.get("tag", row.get("name"))))
    return f"{outer} {name}".strip()


def _word_of(key: str, own_words: object, base: object) -> object:
    """Return the provenance of one field: the row's word for it, else the section's."""
    if isinstance(own_words, dict) and key in own_words:
        return own_words[key]
    return base.get(key, OWNER) if isinstance(base, dict) else base


def _source_titles(sources: object) -> dict[str, str]:
    """Return the title of each source, or its key where it has none."""
    keys = list(sources) if isinstance(sources, dict) else []
    return {key: _texts(sources, key).get("title") or str(key) for key in keys}


def _texts(node: object, key: str) -> dict[str, str]:
    """Return a table of texts below a key, or nothing."""
    table = node.get(key) if isinstance(node, dict) else None
    return {name: str(value) for name, value in table.items()} if isinstance(table, dict) else {}
