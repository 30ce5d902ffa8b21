"""The map is told in a list and drawn with every Area, its terrain and the Volga."""

import re
from xml.etree import ElementTree

import pytest

from core.drawing.picture_svg import draw_picture
from core.file_checks.checked_file import load_file
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.board_model import Board
from core.games.advance.components.view.map import REMARK, make_report, map_lines, map_places, sheet
from core.shapes.outlines import touching
from events.ids import PlaceId
from tests.support.rows import each_row


@pytest.fixture(scope="module")
def board() -> Board:
    return BOARD_FILE.load()


def test_the_list_has_one_line_per_area_below_its_heading(board: Board) -> None:
    lines = map_lines(board)

    assert len(lines) == 51
    assert re.sub(" +", " ", lines[0]) == "Area Name Terrain TEM River Adjacent to"
    assert [line.split()[0] for line in lines[1:]] == list(board.areas)


@each_row(
    ("number", "expected"),
    [
        (1, " 1 Hill 126.3 German - 2 19 27 31"),
        (10, " 10 Grain Elevator Heavy Urban +4 Volga 8 9 11 12"),
        (19, " 19 Stalingradski Airfield Clear +2 1 2 17 18 21 23 27"),
    ],
)
def test_a_line_tells_terrain_tem_river_and_neighbours(board: Board, number: int, expected: str) -> None:
    assert re.sub(" +", " ", map_lines(board)[number]) == expected


def test_columns_are_aligned_and_lines_end_without_blanks(board: Board) -> None:
    lines = map_lines(board)
    column = lines[0].index("Terrain")

    assert {line[column - 2 : column] for line in lines} == {"  "}
    assert [line for line in lines if line != line.rstrip()] == []


def test_places_are_the_areas_with_their_neighbours(board: Board) -> None:
    places = map_places(board)

    assert [(place.id, place.label, place.neighbours) for place in places] == [
        (area.id, area.id, board.adjacency.near(area.id)) for area in board.areas.values()
    ]


def test_the_land_shows_terrain_tem_and_volga(board: Board) -> None:
    land = sheet(board).land
    elevator, hill = land[PlaceId("10")], land[PlaceId("1")]

    assert elevator.title == "Area 10 (Grain Elevator): Heavy Urban, TEM +4, Adjacent to the Volga"
    assert [badge.text for badge in elevator.badges] == ["+4"]
    assert (hill.title, hill.badges) == ("Area 1 (Hill 126.3): German", ())
    assert {place for place, there in land.items() if there.is_coast} == board.volga


def test_every_terrain_of_the_map_is_in_its_legend(board: Board) -> None:
    printed = sheet(board)

    assert {there.ground for there in printed.land.values()} == {ground.key for ground in printed.grounds}


def test_areas_share_a_border_exactly_if_they_are_adjacent(board: Board) -> None:
    outlines = {place.id: place.outline for place in map_places(board)}

    assert {frozenset(pair) for pair in touching(outlines)} == {
        frozenset((area, other)) for area in board.areas for other in board.adjacency.near(area)
    }


def test_the_drawing_has_every_area(board: Board) -> None:
    drawing = ElementTree.fromstring(draw_picture(sheet(board)))
    space = "{http://www.w3.org/2000/svg}"
    names = " ".join(text.text or "" for text in drawing.iter(f"{space}text"))

    assert len([one for one in drawing.iter(f"{space}g") if "id" in one.attrib]) == 50
    assert {area.name for area in board.areas.values() if area.name not in names} == set()


def test_a_drawing_of_our_map_says_that_it_is_reconstructed() -> None:
    assert REMARK in make_report(None).svg.replace("&apos;", "'")


def test_a_drawing_of_an_owners_map_says_so() -> None:
    owners = BOARD_FILE.shipped_bytes + b"\n"

    assert (
        f"An owner's own file, {load_file(BOARD_FILE, owners).source.digest[:12]}" in make_report(owners.decode()).svg
    )
