"""Where each field of a board comes from, so that nobody takes a reconstruction for the printed game. Knows no game.

A game finds the words in its own file; here they are counted and listed.
"""

from collections import Counter
from collections.abc import Iterable

from events.codec import Struct

OWNER = "owner"
"""The word for what carries none: an owner wrote it down from the printed game."""


class BoardFact(Struct, frozen=True):
    """One field of a board: in which row it stands (empty if in none), its value in words, and where that comes from.

    `word` is a provenance word, `sources` are the keys that follow it.
    """

    section: str
    row: str
    field: str
    value: str
    word: str
    sources: tuple[str, ...]
    line: int


class SectionProvenance(Struct, frozen=True):
    """The fields of one section: how many there are of each provenance word, and which."""

    section: str
    counts: dict[str, int]
    facts: tuple[BoardFact, ...]


class ProvenanceReport(Struct, frozen=True):
    """A whole board's provenance: by section, in all, and what the words and sources mean.

    `settled` are the words that mean: the rulebook's text says or forces it.
    """

    sections: tuple[SectionProvenance, ...]
    counts: dict[str, int]
    words: dict[str, str]
    sources: dict[str, str]
    settled: tuple[str, ...]


def make_report(
    facts: Iterable[tuple[str, Iterable[BoardFact]]],
    *,
    words: dict[str, str],
    sources: dict[str, str],
    settled: tuple[str, ...],
) -> ProvenanceReport:
    """Count the facts of every section, in the order of the sections."""
    sections: list[SectionProvenance] = []
    for section, found in facts:
        listed = tuple(found)
        sections.append(SectionProvenance(section=section, counts=_counted(listed), facts=listed))
    everything = [fact for section in sections for fact in section.facts]
    return ProvenanceReport(
        sections=tuple(sections), counts=_counted(everything), words=words, sources=sources, settled=settled
    )


def provenance_lines(report: ProvenanceReport) -> tuple[str, ...]:
    """Write a report for a terminal: totals, one line per section, then each row that the rulebook's text does not give."""
    lines = [f"in all: {_in_words(report.counts)}"]
    lines += [f"{section.section}: {_in_words(section.counts)}" for section in report.sections]
    for section in report.sections:
        rows: dict[tuple[str, str], list[str]] = {}
        for fact in section.facts:
            if fact.word not in report.settled:
                word = " ".join((fact.word, *fact.sources))
                rows.setdefault((fact.row, word), []).append(f"{fact.field} {fact.value}".strip())
        lines += [
            f"{f'{section.section} {row}'.strip()}: {word}: {', '.join(fields)}" for (row, word), fields in rows.items()
        ]
    return tuple(lines)


def _counted(facts: Iterable[BoardFact]) -> dict[str, int]:
    """Count the words, the most frequent first."""
    return dict(Counter(fact.word for fact in facts).most_common())


def _in_words(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {word}" for word, number in counts.items()) or "nothing"
