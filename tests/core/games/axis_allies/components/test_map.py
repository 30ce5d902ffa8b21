"""The boards as they are drawn before a match: as text, and as a picture."""

from functools import cache
from itertools import combinations
from xml.etree import ElementTree

from core.game.game_record import BoardReport
from core.games.axis_allies.components.board_file import BOARD_FILE
from core.games.axis_allies.components.view.map import drawn_boards, make_report, map_lines, map_places, sheet
from core.shapes.outlines import contains, shared_border
from events.ids import PlaceId

BOARD = BOARD_FILE.load()
GROUP = "{http://www.w3.org/2000/svg}g"


@cache
def report() -> BoardReport:
    """Return what is shown of the shipped board."""
    return make_report(None)


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
    assert all(place.outline for place in places), "those east of the Volga lie on its other bank"


def test_the_picture_shows_every_place() -> None:
    drawing = ElementTree.fromstring(report().svg)

    drawn = {group.attrib["id"] for group in drawing.iter(GROUP) if "id" in group.attrib}
    assert drawn == {f"place-{place.id}" for place in map_places(BOARD)}
    assert "Region Board" in report().svg
    assert "reconstructed" in report().svg


def test_a_zone_says_what_it_is() -> None:
    there = sheet(BOARD).land

    assert there[PlaceId("pavlovs_house")].title == "Pavlov's House, brown sector, 1 RP, fortified, landing zone"
    assert [(badge.shape, badge.text) for badge in there[PlaceId("veshenskaya")].badges] == [
        ("star", "7"),
        ("entry", ""),
    ]
    assert there[PlaceId("tatsinskaya")].title == (
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


def test_every_way_between_the_boards_is_a_gate_with_one_number_on_both() -> None:
    """RuleId("zone.city-access")."""
    found = {(mark.map, mark.text): mark.title for mark in sheet(BOARD).marks if mark.shape == "gate"}
    names = {
        zone.name for zone in BOARD.zones.values() if any(BOARD.zones[near].board != zone.board for near in zone.near)
    }

    assert [key for key, _ in sorted(found.items())] == [
        (board, number) for board in ("city", "region") for number in "123"
    ]
    assert all(found["city", number] == found["region", number] for number in "123")
    assert [name for name in names if not any(name in title for title in found.values())] == []


def test_supply_lines_leave_the_board_where_the_file_says() -> None:
    """RuleId("supply.region.exit-zones")."""
    exits = [mark for mark in sheet(BOARD).marks if mark.shape == "exit"]

    assert len(exits) == sum(map(len, BOARD.exits.values()))
    assert {mark.tone for mark in exits} == {"first", "second"}


def test_roads_meet_where_they_are_joined_and_keep_apart_elsewhere() -> None:
    """RuleId("movement.road.contiguous")."""
    printed = sheet(BOARD)
    roads = [course.points for course in printed.courses if course.feature.key == "road"]
    dots = {mark.at for mark in printed.marks if mark.shape == "dot"}
    (pitomnik,) = [(place.x, place.y) for place in printed.places if place.id == "pitomnik"]

    assert len(dots) == len(BOARD.file.roads.junctions)
    assert all(sum(dot in points for points in roads) > 1 for dot in dots)
    assert sum(pitomnik in points for points in roads) == 1


def test_an_ambush_site_is_a_star_with_a_point_for_each_of_its_zones() -> None:
    """RuleId("ambush.sites")."""
    there = sheet(BOARD).land

    assert {place: there[place].points for place in BOARD.sites} == {
        place: site.zones for place, site in BOARD.sites.items()
    }


def test_zones_lie_on_their_side_of_the_volga() -> None:
    places = {place.id: place for place in map_places(BOARD)}
    banks = {name: plan.land for name, plan in drawn_boards(BOARD).plans.items()}
    east = {"srednyaya_akhtuba", "krasnaya_sloboda"}

    assert [
        zone
        for zone, row in BOARD.zones.items()
        if contains(banks[row.board], (places[zone].x, places[zone].y)) == (zone in east)
    ] == []
