"""Facts are counted by their words, and those that the rulebook's text does not give are listed row by row."""

from core.board_provenance import OWNER, BoardFact, ProvenanceReport, make_report, provenance_lines


def fact(section: str, row: str, field: str, word: str, *sources: str) -> BoardFact:
    return BoardFact(section=section, row=row, field=field, value="7", word=word, sources=sources, line=1)


def report() -> ProvenanceReport:
    return make_report(
        [
            ("units", [fact("units", "1 Guards", "attack", "text"), fact("units", "1 Guards", "moves", "guess", "H1")]),
            ("map", [fact("map", "", "x", "guess"), fact("map", "", "y", "guess"), fact("map", "", "z", OWNER)]),
            ("rest", []),
        ],
        words={"text": "Said by the text.", "guess": "Our guess."},
        sources={"H1": "A history"},
        settled=("text",),
    )


def test_facts_are_counted_by_section_and_in_all() -> None:
    found = report()

    assert [(one.section, one.counts) for one in found.sections] == [
        ("units", {"text": 1, "guess": 1}),
        ("map", {"guess": 2, "owner": 1}),
        ("rest", {}),
    ]
    assert found.counts == {"guess": 3, "text": 1, "owner": 1}


def test_the_lines_begin_with_totals_and_leave_out_what_is_settled() -> None:
    assert provenance_lines(report()) == (
        "in all: 3 guess, 1 text, 1 owner",
        "units: 1 text, 1 guess",
        "map: 2 guess, 1 owner",
        "rest: nothing",
        "units 1 Guards: guess H1: moves 7",
        "map: guess: x 7, y 7",
        "map: owner: z 7",
    )
