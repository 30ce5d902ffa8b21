"""What the shipped boards take from the rulebook's text, and what they do not."""

import tomllib
from importlib import resources

import pytest

from core.drawing.board_plans import PLANS_FILE
from core.drawing.board_report import component_text
from core.file_checks.provenance import Figure, Provenance, ProvenanceReport, report_provenance
from core.games.axis_allies.components.board_file import BOARD_FILE
from core.games.axis_allies.components.board_records import BoardFile
from core.games.axis_allies.ids import PACKAGE
from tests.support.rows import each_row


@pytest.fixture(scope="module")
def report() -> ProvenanceReport:
    return report_provenance(BoardFile, component_text(BOARD_FILE, None))


def rows(report: ProvenanceReport, section: str, field: str, word: str) -> set[str]:
    """Return the rows of a section whose field comes from a source of a kind."""
    figures: tuple[Figure, ...] = report.sections[section]
    return {figure.row for figure in figures if (figure.field, figure.word) == (field, word)}


def test_the_names_of_all_zones_are_the_rulebooks_and_no_spot_is(report: ProvenanceReport) -> None:
    assert len(rows(report, "zones", "name", "rulebook")) == 58
    assert len(rows(report, "zones", "x", "drawn")) == 58


def test_seven_exits_and_four_airfields_are_named_in_the_text(report: ProvenanceReport) -> None:
    """RuleId("supply.region.exit-zones"), RuleId("zone.airfield")."""
    assert rows(report, "zones", "exit", "reconstructed") == {
        "tormosin",
        "petrovka",
        "perelazovskii",
        "veshenskaya",
    }
    assert len(rows(report, "zones", "exit", "rulebook")) == 7
    assert rows(report, "zones", "airfield", "rulebook") == {
        "tatsinskaya",
        "srednyaya_akhtuba",
        "pitomnik",
        "oblivskaya",
    }


def test_no_reinforcement_points_of_a_zone_are_the_rulebooks(report: ProvenanceReport) -> None:
    """RuleId("zone.rp-value")."""
    assert rows(report, "zones", "rp", "rulebook") == set()


def test_one_uranus_card_is_printed(report: ProvenanceReport) -> None:
    """ruling.uranus-card-data."""
    assert rows(report, "uranus", "units", "rulebook") == {"cards uranus_2"}
    assert len(rows(report, "uranus", "units", "reconstructed")) == 13


def test_the_faces_of_bad_weather_are_reconstructed(report: ProvenanceReport) -> None:
    """ruling.weather-table."""
    assert len(rows(report, "weather", "faces", "reconstructed")) == 8


@each_row("board", ["region", "city"])
def test_everything_of_the_plans_is_for_drawing_only(board: str) -> None:
    plain = tomllib.loads(resources.files(PACKAGE).joinpath(*PLANS_FILE).read_text())
    provenance = Provenance(plain)

    assert {provenance.of(("plans", board, field))[0] for field in plain["plans"][board]} == {"drawn"}
    assert provenance.is_invented(("plans", board, "west_bank"))
