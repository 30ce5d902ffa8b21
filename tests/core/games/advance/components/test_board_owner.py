"""An owner's board may differ in all that the rulebook's text leaves open; it is built, named by its bytes, and used."""

import re

from core.file_checks.checked_file import load_file
from core.games.advance.components.board import BOARD_FILE
from events.ids import PieceId, PlaceId
from tests.support.component_texts import owned
from tests.support.rows import each_row

TEXT = BOARD_FILE.shipped_bytes.decode()
changed = owned(BOARD_FILE)


def test_another_name_where_the_text_gives_none() -> None:
    board = changed(('"Yelshanka"', '"Kuporosnoye"'))

    assert board.areas[PlaceId("7")].name == "Kuporosnoye"


@each_row("name", ["Red October Worker\u2019s Settlement", "RED OCTOBER  WORKER'S SETTLEMENT"])
def test_a_printed_name_with_other_apostrophes_capitals_and_spaces(name: str) -> None:
    assert changed(('"Red October Worker\'s Settlement"', f'"{name}"')).areas[PlaceId("24")].name == name


def test_another_terrain_where_the_text_gives_none() -> None:
    old = re.search(r'name = "Food Combine", +terrain = "light_urban", tem = 3', TEXT)

    assert old

    board = changed((old[0], 'name = "Food Combine", terrain = "heavy_urban", tem = 4'))

    assert board.areas[PlaceId("12")].terrain == "heavy_urban"
    assert [row.terrain for row in board.scenarios["main"].soviet_setup if row.area == "12"] == ["heavy_urban"]


def test_an_exception_may_have_another_number() -> None:
    board = changed(
        ('id = "15", name = "Central Rail Station",            terrain = "light_urban", tem = 4', "FIRST"),
        (
            'id = "16", name = "Kavkaz Suburb",                   terrain = "light_urban", tem = 3',
            'id = "16", name = "Central Rail Station", terrain = "light_urban", tem = 4',
        ),
        ("FIRST", 'id = "15", name = "Kavkaz Suburb", terrain = "light_urban", tem = 3'),
    )

    assert [board.areas[PlaceId(number)].tem for number in ("15", "16")] == [3, 4]


def test_other_boundaries_where_the_text_gives_none() -> None:
    board = changed(('["24", "25"], ["24", "26"],', '["25", "24"], ["24", "36"],'))

    assert board.adjacency.near(PlaceId("24")) == ("23", "25", "27", "28", "35", "36")


def test_other_units_and_factors_where_the_text_gives_none() -> None:
    board = changed(
        (
            '"16/RCN",  division = "16",  kind = "armor",    attack = 7',
            '"16/2", division = "16", kind = "armor", attack = 8',
        )
    )

    assert board.units[PieceId("16/2")].attack_factor == 8
    assert PieceId("16/2") in board.scenarios["factory"].out_of_action


def test_another_main_chart_within_what_the_text_says() -> None:
    board = changed(
        (
            '{ low = 4, high = 4,   name = "64th Army Offensive",       no_air_placement = true },\n  { low = 5,',
            '{ low = 4, high = 5, name = "Mud", movement_cap = 3 },\n  { low = 6,',
        )
    )
    rows = [board.scenarios["main"].events.row(roll) for roll in (4, 5, 6)]

    assert [row.name for row in rows] == ["Mud", "Mud", "Artillery Shell Shortages"]
    assert rows[2].artillery_bonus == 1


def test_more_markers_than_the_example_needs() -> None:
    board = changed(("artillery = 8", "artillery = 12"), ("engineer = 4", "engineer = 2"))

    assert (board.markers.artillery, board.markers.engineer) == (12, 2)


def test_coordinates_of_any_scale_are_drawn_to_ours() -> None:
    bare = re.sub(r"(?<=\bx = )(\d+)", lambda found: str(500 + 2 * int(found[0])), TEXT)
    board = load_file(BOARD_FILE, bare.replace("x_range = [0, 1000]", "x_range = [500, 2500]"))

    assert {one.x for one in board.areas.values()} == {one.x for one in BOARD_FILE.load().areas.values()}


def test_rows_in_another_order_make_the_same_map() -> None:
    lines = TEXT.split("\n")
    at = [number for number, line in enumerate(lines) if line.startswith("  { id = ") and "volga = " in line]
    lines[at[0] : at[-1] + 1] = reversed(lines[at[0] : at[-1] + 1])
    board = load_file(BOARD_FILE, "\n".join(lines))

    assert list(board.areas.items()) == list(BOARD_FILE.load().areas.items())
