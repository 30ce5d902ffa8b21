"""Records the source of each figure of a component file, so that no reader mistakes a reconstruction for the printed game.

Any table of a file may say under `prov` where its fields come from: one text for all of them, or a table of texts, by field. A
field of a table or row within is named with dots, without the numbers of rows and without `rows`; `_` stands for all others. The
innermost statement holds. A field of which nothing is said was read by an owner from the printed game.

The first word of a text is a key of `[provenance]`, which says what kind of word it is; the words after it are keys of
`[sources]`.
"""

from collections import Counter
from collections.abc import Iterator

from core.components.fields import OTHERS, PROV, ProvenanceSections
from core.file_checks.schema import Leaf, at_path, leaves
from core.toml.findings import Findings, shown, some_of
from core.toml.outside_toml import OutsideText
from core.toml.toml_lines import Path
from events.codec import Struct

OWNER = "owner"
"""The word for what carries none: an owner read it from the printed game."""

RULEBOOK = "rulebook"
"""The kind of word that means: the rulebook's text says or forces it."""


class Provenance:
    """The provenance statements of a file.

    Args:
        plain: The file's data.
    """

    def __init__(self, plain: dict[str, object]) -> None:
        self._plain = plain
        words = plain.get("provenance")
        self._printed = {
            code for code, word in (words.items() if isinstance(words, dict) else ()) if _kind(word) == RULEBOOK
        }

    def of(self, path: Path) -> tuple[str, ...]:
        """Return the word for a field, followed by its sources."""
        for depth in range(len(path) - 1, -1, -1):
            table = at_path(self._plain, path[:depth])
            said = table.get(PROV) if isinstance(table, dict) else None
            if isinstance(said, str) and said.strip():
                return tuple(said.split())
            if isinstance(said, dict):
                inner = _named(path[depth:])
                names = [".".join(inner[:length]) for length in range(len(inner), 0, -1)]
                found = next((said[name] for name in (*names, OTHERS) if name in said), None)
                if isinstance(found, str) and found.strip():
                    return tuple(found.split())
        return (OWNER,)

    def is_printed(self, path: Path) -> bool:
        """Return whether the rulebook's text says or forces a field."""
        return self.of(path)[0] in self._printed

    def is_invented(self, path: Path) -> bool:
        """Return whether a field is neither in the rulebook's text nor read by an owner."""
        word = self.of(path)[0]
        return word != OWNER and word not in self._printed


def _kind(word: object) -> object:
    return word.get("kind") if isinstance(word, dict) else None


def _named(path: Path) -> list[str]:
    """Return the names by which a statement may call a field below it."""
    return [step for step in path if isinstance(step, str) and step != "rows"]


def check_provenance(plain: dict[str, object], findings: Findings) -> None:
    """Ask that each statement begins with a word that the file explains and names known sources."""
    if findings.has_any(("provenance",)) or findings.has_any(("sources",)):
        return
    words, sources = plain.get("provenance"), plain.get("sources")
    known = {OWNER, *(words if isinstance(words, dict) else ())}
    cited = sources if isinstance(sources, dict) else {}
    for path, text in _statements(plain):
        if findings.has_any(path):
            continue
        word, *others = text.split()
        if word not in known:
            findings.add(path, f"begins with {shown(word)}", f"a word of [provenance]: {some_of(sorted(known))}")
        unknown = [other for other in others if other not in cited]
        if unknown:
            findings.add(path, f"names {shown(unknown[0])}", "keys of [sources] after the first word")


def _statements(plain: dict[str, object]) -> Iterator[tuple[Path, str]]:
    """Yield each statement with its path."""
    # The walk keeps its own stack: a file may nest deeper than calls can.
    waiting: list[tuple[Path, object]] = [((), plain)]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(((*path, index), one) for index, one in enumerate(node))
        elif isinstance(node, dict):
            said = node.get(PROV)
            if isinstance(said, str):
                yield (*path, PROV), said
            elif isinstance(said, dict):
                for name, text in said.items():
                    if isinstance(text, str):
                        yield (*path, PROV, name), text
            waiting.extend(((*path, key), one) for key, one in node.items() if key != PROV)


class Figure(Struct, frozen=True):
    """One field of a file: in which row it stands (empty if in none), its value in words, and where that comes from.

    `word` is a provenance word, `sources` are the keys that follow it.
    """

    section: str
    row: str
    field: str
    value: str
    word: str
    sources: tuple[str, ...]
    line: int


class ProvenanceReport(Struct, frozen=True):
    """Provenance of the fields of a whole file: by section, in all, and the meaning of the words and sources.

    `settled` are the words that mean: the rulebook's text says or forces it.
    """

    sections: dict[str, tuple[Figure, ...]]
    words: dict[str, str]
    sources: dict[str, str]
    settled: frozenset[str]

    @property
    def counts(self) -> dict[str, int]:
        """How many fields there are of each word, the most frequent first."""
        return counted(figure for figures in self.sections.values() for figure in figures)


def report_provenance(struct: type[ProvenanceSections], text: OutsideText) -> ProvenanceReport:
    """List where a file's fields come from.

    Args:
        struct: The struct of the whole file.
        text: A file in which no check has found a defect.
    """
    provenance = Provenance(text.plain)
    sections: dict[str, list[Figure]] = {}
    for leaf in leaves(struct, text.plain):
        if leaf.is_written and len(leaf.path) > 1 and leaf.path[0] not in ("provenance", "sources"):
            sections.setdefault(leaf.address[0], []).append(_figure(leaf, provenance, text))
    words, sources = text.plain.get("provenance"), text.plain.get("sources")
    listed = words if isinstance(words, dict) else {}
    return ProvenanceReport(
        sections={section: tuple(figures) for section, figures in sections.items()},
        words={code: str(word["text"]) for code, word in listed.items()},
        sources={key: str(one) for key, one in (sources if isinstance(sources, dict) else {}).items()},
        settled=frozenset(code for code, word in listed.items() if _kind(word) == RULEBOOK),
    )


def _figure(leaf: Leaf, provenance: Provenance, text: OutsideText) -> Figure:
    word, *sources = provenance.of(leaf.path)
    return Figure(
        section=leaf.address[0],
        row=" ".join(step for step in leaf.address[1:-1] if step != "rows"),
        field=leaf.address[-1],
        value=written(leaf.value),
        word=word,
        sources=tuple(sources),
        line=text.places.line_of(leaf.path),
    )


def written(value: object) -> str:
    """Write a field for readers; of an effect its word and its figures."""
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return ", ".join(written(one) for one in value)
    if isinstance(value, dict):
        return " ".join(
            str(one) if key == "op" else f"{key} {written(one)}" for key, one in value.items() if key != PROV
        )
    return shown(value)


def provenance_lines(report: ProvenanceReport) -> tuple[str, ...]:
    """Return a report as text: totals, one line per section, then each row that the rulebook's text does not give."""
    lines = [f"in all: {_in_words(report.counts)}"]
    lines += [f"{section}: {_in_words(counted(figures))}" for section, figures in report.sections.items()]
    for section, figures in report.sections.items():
        rows: dict[tuple[str, str], list[str]] = {}
        for figure in figures:
            if figure.word not in report.settled:
                word = " ".join((figure.word, *figure.sources))
                rows.setdefault((figure.row, word), []).append(f"{figure.field} {figure.value}".strip())
        lines += [f"{f'{section} {row}'.strip()}: {word}: {', '.join(fields)}" for (row, word), fields in rows.items()]
    return tuple(lines)


def counted(figures: Iterator[Figure] | tuple[Figure, ...]) -> dict[str, int]:
    """Count the words, the most frequent first."""
    return dict(Counter(figure.word for figure in figures).most_common())


def _in_words(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {word}" for word, number in counts.items()) or "nothing"
