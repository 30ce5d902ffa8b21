"""The hex map as it is drawn before a match: as text, and as a picture with a polygon for each hex."""

from collections import Counter
from functools import cache
from math import atan2, pi
from xml.etree import ElementTree

from core.game.game_record import BoardReport
from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.components.view.map import make_report, map_lines, map_places, sheet
from core.shapes.outlines import shared_border
from core.svg.scenery import COMPASS
from events.ids import PlaceId

BOARD = BOARD_FILE.load()
SVG = "{http://www.w3.org/2000/svg}"


@cache
def report() -> BoardReport:
    """Return what is shown of the shipped board."""
    return make_report(None)


def marks_of(drawing: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the parts of the groups that say what they are: badges and marks."""
    return [part for group in drawing.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None for part in group.iter()]


def test_the_map_names_the_volga_and_the_four_directions() -> None:
    """RuleId("components.orientation")."""
    marks = {mark.text: mark.at for mark in sheet(BOARD).marks}

    assert "VOLGA" in marks
    assert marks["← NORTH"][0] < marks["EAST ↑"][0] < marks["SOUTH →"][0]
    assert marks["EAST ↑"][1] < marks["WEST ↓"][1]


def test_the_soviet_compass_has_the_faces_in_the_directions_in_which_they_lead() -> None:
    """RuleId("ai.compass")."""
    (compass,) = [mark for mark in sheet(BOARD).marks if mark.shape == COMPASS]
    faces = [int(face) for face in compass.text.split()]
    here = BOARD.hexes[PlaceId("71")]
    places = {place.id: (place.x, place.y) for place in map_places(BOARD)}
    next_hexes = [places[to] for face in faces if (to := here.next_hex(face)) is not None]
    turns = [atan2(x - places[here.id][0], places[here.id][1] - y) for x, y in next_hexes]

    assert [round(turn / pi * 3) % 6 for turn in turns] == list(range(6)), "clockwise from straight up"


def test_a_soviet_spawn_hex_shows_what_a_spawn_action_brings_by_the_reading_of_the_match() -> None:
    """RuleId("ruling.spawn-icons")."""
    shown = {
        table: [badge.shape for badge in sheet(BOARD, table).land[PlaceId("13")].badges if badge.shape != "setup"]
        for table in BOARD.spawn_tables
    }

    assert shown["A"] == ["infantry", "infantry"]
    assert shown["B"] == ["infantry", "armour"]
    assert {"infantry", "armour"} < sheet(BOARD).badges.keys(), "the legend has them"


def test_neighbours_share_a_side_and_others_do_not() -> None:
    places = map_places(BOARD)
    touching = {
        (one.id, other.id)
        for one in places
        for other in places
        if one.id != other.id and shared_border(one.outline, other.outline)
    }

    assert touching == {(place.id, other) for place in places for other in place.neighbours}


def test_the_picture_lies_in_the_quarter_that_is_drawn() -> None:
    corners = [corner for place in map_places(BOARD) for corner in place.outline]

    assert min(x for x, _ in corners) == 0
    assert min(y for _, y in corners) > 0, "the river lies above the hexes"


def test_north_is_left_and_the_volga_is_above() -> None:
    """RuleId("components.orientation")."""
    spots = {place.id: (place.x, place.y) for place in map_places(BOARD)}

    assert spots[PlaceId("7")][0] < spots[PlaceId("9")][0] == spots[PlaceId("25")][0]
    assert spots[PlaceId("9")][1] < spots[PlaceId("25")][1]


def test_the_picture_shows_every_hex_and_the_river() -> None:
    drawing = ElementTree.fromstring(report().svg)
    marks = marks_of(drawing)
    shapes = [one for name in ("polygon", "path") for one in drawing.iter(f"{SVG}{name}") if one not in marks]
    outlines: Counter[str] = Counter()
    for shape in shapes:
        # One shape holds the outlines of all hexes of a terrain.
        outlines[shape.attrib.get("class", "").partition(" ")[0]] += shape.attrib.get("d", "z").count("z")
    hexes = {ground: number for ground, number in outlines.items() if ground.startswith("f-")}

    assert sum(hexes.values()) == 109 + len(BOARD.river) + 1, "and the open water"
    assert hexes["f-heavy"] == 27
    assert hexes["f-water"] == len(BOARD.river) + 1, "and the open water"


def test_a_hex_says_what_it_is() -> None:
    land = sheet(BOARD).land

    assert land[PlaceId("26")].title == "26 Martin Furnace, Urban, Setup hex, red Fortification"
    assert land[PlaceId("3")].title == "3 Latoshinka, Clear, Soviet Spawn Hex of Infantry and Tank, Setup hex, coast"
    assert [(badge.shape, badge.text) for badge in land[PlaceId("26")].badges] == [("setup", ""), ("fort", "R")]
    assert land[PlaceId("36")].title == "36, Clear"


def test_the_sketch_fits_into_a_terminal_and_shows_every_hex() -> None:
    lines = map_lines(BOARD)
    sketch = lines[: lines.index("")]

    assert max(map(len, sketch)) == 77
    assert [hex_ for hex_ in BOARD.hexes if not any(f"/{hex_:^3}\\" in line for line in sketch)] == []


def test_the_list_names_the_neighbours_by_the_faces_of_the_compass() -> None:
    (line,) = [line for line in map_lines(BOARD) if line.lstrip().startswith("7 ")]

    assert (
        " ".join(line.split())
        == "7 Tractor Factory Urban Soviet Spawn Hex of Tank, Setup hex, coast 2:8 3:24 4:23 5:22 6:6"
    )


def test_the_report_says_how_far_the_map_can_be_trusted() -> None:
    assert "reconstructed" in report().svg
    assert report().differences == ()
    assert report().counts["rulebook"] > 300
