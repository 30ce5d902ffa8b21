"""Maps as text: places in rows from north to south, near their places from west to east, none over another."""

from core.shapes.map_text import Spot, abbreviated, draw_map


def test_places_of_one_row_stand_from_west_to_east() -> None:
    spots = [Spot(900, 10, ("East", "e")), Spot(100, 20, ("West", "w")), Spot(500, 30, ("Middle", "m"))]

    assert list(draw_map(spots, 30, 50)) == [" West       Middle       East", " w          m            e"]


def test_a_place_farther_south_begins_a_row() -> None:
    assert list(draw_map([Spot(0, 0, ("North", "n")), Spot(0, 60, ("South", "s"))], 20, 50)) == [
        "North",
        "n",
        "South",
        "s",
    ]


def test_places_that_do_not_fit_side_by_side_begin_a_row() -> None:
    spots = [Spot(0, number, ("x" * 9, "")) for number in range(3)]

    assert list(draw_map(spots, 20, 50)) == [f"{'x' * 9}  {'x' * 9}", "", "x" * 9, ""]


def test_places_at_the_same_spot_do_not_overlap() -> None:
    spots = [Spot(990, 0, ("first", "")), Spot(1000, 1, ("second", ""))]

    assert next(draw_map(spots, 16, 50)) == "   first  second"


def test_a_map_without_places_is_empty() -> None:
    assert list(draw_map([], 10, 10)) == []


def test_long_names_are_shortened_from_their_end() -> None:
    assert [abbreviated("Red October Steel Works", most) for most in (23, 20, 15, 3)] == [
        "Red October Steel Works",
        "Red October Steel W.",
        "Red O. S. W.",
        "Red O. S. W.",
    ]
