"""Outlines share borders exactly where places touch."""

from hypothesis import given
from hypothesis import strategies as st

from core.geometry.hexes import Hex, neighbours, within
from core.shapes.outlines import HexLayout, contains, segments, shared_border, touching
from events.ids import PlaceId
from tests.support.rows import each_row

LAYOUTS = st.builds(HexLayout, st.floats(8, 90), st.integers(-500, 500), st.integers(-500, 500), st.booleans())
HEXES = st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9))
SQUARE = ((0, 0), (10, 0), (10, 10), (0, 10))


@given(LAYOUTS, HEXES)
def test_hexes_share_one_side_with_each_neighbour_and_none_with_others(layout: HexLayout, hex_: Hex) -> None:
    outline = layout.outline(hex_)
    shared = [shared_border(outline, layout.outline(other)) for other in neighbours(hex_)]

    assert [len(sides) for sides in shared] == [1] * 6
    assert {side for sides in shared for side in sides} == set(segments(outline))
    assert shared_border(outline, layout.outline(Hex(hex_.q + 2, hex_.r - 1))) == ()
    assert contains(outline, layout.centre(hex_))


def test_flat_hexes_form_columns_and_pointed_hexes_form_rows() -> None:
    flat, pointed = HexLayout(100, 10, 20), HexLayout(100, 10, 20, is_flat=False)

    assert [flat.centre(Hex(*at)) for at in ((0, 0), (0, 1), (1, 0))] == [(10, 20), (10, 193), (160, 107)]
    assert [pointed.centre(Hex(*at)) for at in ((0, 0), (1, 0), (0, 1))] == [(10, 20), (183, 20), (97, 170)]


def test_touching_places_are_those_whose_hexes_touch() -> None:
    layout = HexLayout(20)
    hexes = {PlaceId(f"{hex_.q},{hex_.r}"): hex_ for hex_ in within(Hex(0, 0), 2)}
    found = touching({place: layout.outline(hex_) for place, hex_ in hexes.items()})

    assert found == {
        (one, other)
        for number, one in enumerate(hexes)
        for other in list(hexes)[number + 1 :]
        if hexes[other] in neighbours(hexes[one])
    }


def test_areas_that_meet_at_a_corner_do_not_touch() -> None:
    corner = ((10, 10), (20, 10), (20, 20), (10, 20))
    side = ((10, 0), (20, 0), (20, 10), (10, 10))

    assert shared_border(SQUARE, corner) == ()
    assert shared_border(SQUARE, side) == (((10, 0), (10, 10)),)
    assert touching({PlaceId("a"): SQUARE, PlaceId("b"): corner, PlaceId("c"): side}) == {("a", "c"), ("b", "c")}


@each_row(("point", "inside"), [((5, 5), True), ((15, 5), False), ((5, -1), False), ((-5, 5), False)])
def test_a_point_is_inside_or_outside(point: tuple[int, int], inside: bool) -> None:
    assert contains(SQUARE, point) is inside


def test_a_point_in_a_notch_is_outside() -> None:
    assert not contains(((0, 0), (10, 0), (10, 10), (5, 3), (0, 10)), (5, 8))
