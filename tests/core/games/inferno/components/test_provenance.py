"""What the shipped board takes from the rulebook's text, and what it does not."""

import pytest

from core.drawing.board_report import component_text
from core.file_checks.provenance import Figure, ProvenanceReport, provenance_lines, report_provenance
from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.components.board_records import BoardFile


@pytest.fixture(scope="module")
def report() -> ProvenanceReport:
    return report_provenance(BoardFile, component_text(BOARD_FILE, None))


def rows(report: ProvenanceReport, section: str, field: str, word: str) -> set[str]:
    """Return the rows of a section whose field comes from a source of a kind."""
    figures: tuple[Figure, ...] = report.sections[section]
    return {figure.row for figure in figures if (figure.field, figure.word) == (field, word)}


def test_no_position_of_a_hex_is_the_rulebooks(report: ProvenanceReport) -> None:
    """Only those around the examples' hexes follow from the text."""
    assert rows(report, "hexes", "q", "rulebook") == set()
    assert rows(report, "hexes", "q", "inferred") == {"6", "7", "8", "9", "24", "25"}


def test_the_text_names_five_fortified_hexes_and_the_terrain_of_three(report: ProvenanceReport) -> None:
    assert rows(report, "hexes", "name", "rulebook") == {"4", "21", "26", "28", "32"}
    assert rows(report, "hexes", "terrain", "rulebook") == {"9", "26", "32"}
    assert len(rows(report, "hexes", "setup", "reconstructed")) == 23


def test_no_strength_of_a_block_is_the_rulebooks(report: ProvenanceReport) -> None:
    for section in ("german_blocks", "soviet_blocks"):
        assert rows(report, section, "edges", "rulebook") == set()


def test_the_cards_are_the_rulebooks_but_for_their_copies(report: ProvenanceReport) -> None:
    figures = report.sections["cards"]

    assert {figure.field for figure in figures if figure.word != "rulebook"} <= {"id", "name", "hex", "extra"}
    assert [figure.value for figure in figures if figure.field == "hex" and figure.word == "rulebook"] == ["'7'"]


def test_the_lines_list_what_the_text_does_not_give(report: ProvenanceReport) -> None:
    lines = provenance_lines(report)

    assert "rubble: 5 rulebook" in lines
    assert "compass: inferred: directions ['east', 'southeast', 'southwest', 'west', 'northwest', '..." in lines
    assert "soviet_blocks 84-tank: history S7: name '84th Tank Brigade'" in lines
