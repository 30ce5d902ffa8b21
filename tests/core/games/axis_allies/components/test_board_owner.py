"""An owner's boards may differ in all that the rulebook's text leaves open; they are built, named by their bytes, and used."""

from core.games.axis_allies.components.board_file import BOARD_FILE
from events.ids import CardId, PlaceId
from tests.support.component_texts import owned

TEXT = BOARD_FILE.shipped_bytes.decode()
changed = owned(BOARD_FILE)


def test_other_borders_where_the_text_gives_none() -> None:
    board = changed(('["dubovka", "kotluban"],', ""), ('["kotluban", "rynok"],', '["kotluban", "pitomnik"],'))

    assert "dubovka" not in board.zones[PlaceId("kotluban")].near
    assert "kotluban" in board.zones[PlaceId("pitomnik")].near


def test_another_gate_to_the_city() -> None:
    board = changed(('["orlovka", "rynok"]', '["mechetka_ravine", "rynok"]'))

    assert "rynok" in board.zones[PlaceId("mechetka_ravine")].near


def test_other_reinforcement_points_and_weather() -> None:
    """RuleId("zone.rp-value"), ruling.weather-table."""
    board = changed(
        ('y = 280, sector = "gray", rp = 1', 'y = 280, sector = "gray", rp = 2'),
        ("{ round = 6, faces = [5, 6] }", "{ round = 6, faces = [6] }"),
    )

    assert board.zones[PlaceId("bread_factory")].rp == 2
    assert board.bad_faces[6] == {6}


def test_another_uranus_card() -> None:
    """ruling.uranus-card-data."""
    board = changed(
        ("units = { sov_infantry = 2, sov_mech_infantry = 1, sov_tank = 1 }", "units = { sov_bomber = 1, supply = 2 }")
    )

    assert board.uranus_cards[CardId("uranus_1")].units == {"sov_bomber": 1, "supply": 2}


def test_a_road_that_passes_the_others() -> None:
    """RuleId("movement.road.contiguous")."""
    board = changed(('  { zone = "terkin", roads = ["serafimovich_road", "veshenskaya_road"] },\n', ""))

    assert len(board.zones[PlaceId("terkin")].strands) == 2


def test_a_landing_of_the_gray_ferry() -> None:
    """RuleId("zone.sectors")."""
    board = changed(('landing = "barrikady_factory"', 'landing = "tractor_factory"'))
    crossing = board.crossing_of(PlaceId("orlovka"))

    assert crossing is not None
    assert crossing.landing == "tractor_factory"
