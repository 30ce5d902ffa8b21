"""The hex map as it is drawn before a match: as text, and as a picture with a polygon for each hex."""

from xml.etree import ElementTree

from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.components.view.map import make_report, map_lines, map_places, sheet
from core.geometry.outlines import shared_border
from events.ids import PlaceId

BOARD = BOARD_FILE.load()
REPORT = make_report(None)


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
    drawing = ElementTree.fromstring(REPORT.svg)
    classes = [cell.attrib.get("class", "") for cell in drawing.iter("{http://www.w3.org/2000/svg}polygon")]

    assert sum(class_.startswith("f-") for class_ in classes) == 109 + len(BOARD.river)
    assert sum(class_.startswith("f-heavy") for class_ in classes) == 27
    assert sum(class_.startswith("f-water") for class_ in classes) == len(BOARD.river)


def test_a_hex_says_what_it_is() -> None:
    land = sheet(BOARD).land

    assert land[PlaceId("26")].title == "26 Martin Furnace, Urban, Setup hex, red Fortification"
    assert land[PlaceId("3")].title == "3 Latoshinka, Clear, Soviet Spawn Hex, Setup hex, coast"
    assert [(badge.shape, badge.text) for badge in land[PlaceId("26")].badges] == [("setup", ""), ("fort", "R")]
    assert land[PlaceId("36")].title == "36, Clear"


def test_the_sketch_fits_into_a_terminal_and_shows_every_hex() -> None:
    lines = map_lines(BOARD)
    sketch = lines[: lines.index("")]

    assert max(map(len, sketch)) == 77
    assert [hex_ for hex_ in BOARD.hexes if not any(f"/{hex_:^3}\\" in line for line in sketch)] == []


def test_the_list_names_the_neighbours_by_the_faces_of_the_compass() -> None:
    (line,) = [line for line in map_lines(BOARD) if line.lstrip().startswith("7 ")]

    assert " ".join(line.split()) == "7 Tractor Factory Urban Soviet Spawn Hex, Setup hex, coast 2:8 3:24 4:23 5:22 6:6"


def test_the_report_says_how_far_the_map_can_be_trusted() -> None:
    assert "reconstructed" in REPORT.svg
    assert REPORT.differences == ()
    assert REPORT.counts["rulebook"] > 300
