"""The boards as they are drawn before a match: as text, and as a picture."""

from itertools import combinations
from xml.etree import ElementTree

from core.games.axis_allies.components.board_model import BOARD_FILE
from core.games.axis_allies.components.view.map import make_report, map_lines, map_places, sheet
from core.geometry.outlines import shared_border
from events.ids import PlaceId

BOARD = BOARD_FILE.load()
REPORT = make_report(None)
GROUP = "{http://www.w3.org/2000/svg}g"
CIRCLE = "{http://www.w3.org/2000/svg}circle"


def test_both_boards_are_drawn_with_crossings_and_sites() -> None:
    """RuleId("components.boards"), RuleId("ambush.sites")."""
    places = map_places(BOARD)

    assert [sum(place.map == board for place in places) for board in ("region", "city")] == [35, 23 + 3 + 5]
    assert {place.kind for place in places} == {"", "crossing", "ambush site"}


def test_links_of_one_board_are_drawn_and_name_the_don_and_the_roads() -> None:
    """RuleId("zone.don.crossing"), RuleId("zone.roads")."""
    (place,) = [place for place in map_places(BOARD) if place.id == "surovikino"]

    assert {border.to: border.features for border in place.borders} == {
        "gromoslavka": ("don",),
        "kopania": ("road",),
        "manoilin": ("road",),
        "novomoskovsk": ("road",),
        "oblivskaya": ("road",),
        "tormosin": ("road",),
    }
    (gate,) = [place for place in map_places(BOARD) if place.id == "rynok"]
    assert "spartanovka" not in gate.neighbours


def test_zones_share_a_border_exactly_if_they_are_linked_on_a_board() -> None:
    """RuleId("zone.adjacency")."""
    places = map_places(BOARD)[: len(BOARD.zones)]
    outlines = {(place.map, place.id): place.outline for place in places if place.outline}

    assert {
        frozenset((one[1], other[1]))
        for one, other in combinations(outlines, 2)
        if one[0] == other[0] and shared_border(outlines[one], outlines[other])
    } == {frozenset((place.id, other)) for place in places for other in place.neighbours}
    assert [place.id for place in places if not place.outline] == ["srednyaya_akhtuba", "krasnaya_sloboda"]


def test_the_picture_shows_every_place() -> None:
    drawing = ElementTree.fromstring(REPORT.svg)

    drawn = {group.attrib["id"] for group in drawing.iter(GROUP) if "id" in group.attrib}
    assert drawn == {f"place-{place.id}" for place in map_places(BOARD)}
    assert len(list(drawing.iter(CIRCLE))) == 2 + 3 + 5
    assert "Region Board" in REPORT.svg
    assert "reconstructed" in REPORT.svg


def test_a_zone_says_what_it_is() -> None:
    land = sheet(BOARD).land

    assert land[PlaceId("pavlovs_house")].title == "Pavlov's House, brown sector, 1 RP, fortified, landing zone"
    assert land[PlaceId("veshenskaya")].words == ("Uranus 7", "entry")
    assert land[PlaceId("tatsinskaya")].title == (
        "Tatsinskaya, west of the Don, base zone of the Axis, airfield, Axis exit west"
    )


def test_the_list_names_neighbours_with_river_road_and_the_other_board() -> None:
    (line,) = [line for line in map_lines(BOARD) if line.startswith("gumrak ")]

    assert " ".join(line.split()) == (
        "gumrak Gumrak white sector, airfield =pitomnik* =gorodishche mamayev_kurgan =train_station_1 army_camp leather_factory"
    )


def test_the_list_has_all_places() -> None:
    lines = map_lines(BOARD)

    assert [
        place
        for place in (*BOARD.zones, *BOARD.crossings, *BOARD.sites)
        if not any(line.startswith(place) for line in lines)
    ] == []
