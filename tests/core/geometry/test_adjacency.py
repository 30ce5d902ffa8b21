"""A relation between places holds the neighbours in printed order and the borders between them."""

from core.geometry.adjacency import Adjacency, Border
from events.ids import PlaceId

A, B, C, D = (PlaceId(name) for name in "abcd")
LAND = Adjacency([Border(B, A, ("river", "road")), Border(C, B), Border(C, A, is_one_way=True)], [A, B, C, D])


def test_neighbours_are_in_printed_order_and_an_isolated_place_has_none() -> None:
    assert LAND.neighbours == {A: (B,), B: (A, C), C: (A, B), D: ()}


def test_a_border_is_the_same_from_both_sides() -> None:
    assert LAND.border(A, B) == LAND.border(B, A) == Border(B, A, ("river", "road"))
    assert (LAND.has(A, B, "river"), LAND.has(B, A, "road"), LAND.has(B, C, "road")) == (True, True, False)


def test_a_one_way_border_is_crossed_one_way_only() -> None:
    assert (LAND.are_adjacent(C, A), LAND.are_adjacent(A, C)) == (True, False)
    assert LAND.border(A, C) is None


def test_places_that_do_not_touch_or_do_not_exist_have_no_border() -> None:
    assert LAND.border(A, D) is None
    assert not LAND.has(A, D, "river")
    assert not LAND.are_adjacent(A, PlaceId("nowhere"))
    assert LAND.near(PlaceId("nowhere")) == ()
