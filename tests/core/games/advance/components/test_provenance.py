"""What the shipped board takes from the rulebook's text, and what it does not."""

from collections import Counter

import pytest

from core.drawing.board_report import component_text
from core.file_checks.provenance import Figure, ProvenanceReport, provenance_lines, report_provenance
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.board_records import BoardFile


@pytest.fixture(scope="module")
def report() -> ProvenanceReport:
    return report_provenance(BoardFile, component_text(BOARD_FILE, None))


def figures(report: ProvenanceReport, section: str, **wanted: str) -> list[Figure]:
    """Return the fields of a section with these attributes."""
    found = report.sections[section]
    return [figure for figure in found if all(getattr(figure, name) == value for name, value in wanted.items())]


def test_p9_the_volga_is_the_rulebooks(report: ProvenanceReport) -> None:
    """Rules 3.1.volga-areas and 3.1.1.identifier."""
    assert Counter(figure.word for figure in figures(report, "areas", field="volga")) == {"rulebook": 50}


def test_p9_the_terrain_of_18_soviet_areas_is_the_rulebooks(report: ProvenanceReport) -> None:
    words = ("rulebook", "rulebook-placed")
    settled = {figure.row for word in words for figure in figures(report, "areas", field="terrain", word=word)}
    german = {"1", "2", "3", "4", "5", "6", "48", "49", "50"}
    of_14_5_1 = {"14", "21", "22", "25", "26", *(str(number) for number in range(35, 45))}

    assert settled == german | of_14_5_1 | {"10", "15", "19"}


def test_p9_one_pair_of_areas_is_the_rulebooks(report: ProvenanceReport) -> None:
    """Rule 3.1.adjacency."""
    assert [(figure.field, figure.word) for figure in figures(report, "adjacency")] == [
        ("printed_pairs", "rulebook"),
        ("pairs", "reconstructed"),
    ]


def test_p9_defence_factors_of_the_factory_counters_are_the_rulebooks(report: ProvenanceReport) -> None:
    board = BOARD_FILE.load()
    factory = board.scenarios["factory"]
    used = {*factory.pool, *(row.counter for row in factory.soviet_setup if row.counter)}

    assert {figure.row for figure in figures(report, "soviet_units", field="defence", word="rulebook")} == used


def test_the_main_chart_is_reconstructed_but_for_what_the_text_gives(report: ProvenanceReport) -> None:
    """Rules 6.2.chart.3 and 6.2.chart.15-16 are certain, the bands are not."""
    rows = [figure for figure in figures(report, "scenarios", word="rulebook") if figure.row.startswith("main events ")]

    assert [figure.row for figure in rows if figure.field == "low"] == ["main events 3"]
    assert [figure.row for figure in rows if figure.field in ("division", "artillery_bonus")] == [
        "main events 3 withdraws",
        "main events 5",
        "main events 15",
    ]


def test_the_lines_list_what_the_text_does_not_give(report: ProvenanceReport) -> None:
    lines = provenance_lines(report)

    assert "markers: 2 reconstructed, 1 rulebook-derived, 1 rulebook" in lines
    assert "markers: reconstructed: artillery 8, engineer 4" in lines
    assert "areas 12: history H8: name 'Food Combine'" in lines
