"""Hexes as the printed boards use them."""

from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from core.geometry.hexes import (
    DIRECTIONS,
    Hex,
    HexEdge,
    HexMap,
    Numbering,
    direction,
    distance,
    edge,
    line,
    neighbour,
    neighbours,
    ring,
    within,
)
from core.geometry.paths import distances
from events.ids import PlaceId
from tests.support.rows import each_row

HEXES = st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9))
CENTRE = Hex(0, 0)


@given(HEXES)
def test_a_hex_has_six_neighbours_in_opposite_directions(hex_: Hex) -> None:
    around = neighbours(hex_)

    assert len(set(around)) == 6
    assert [direction(hex_, other) for other in around] == [0, 1, 2, 3, 4, 5]
    assert [neighbour(other, way + 3) for way, other in enumerate(around)] == [hex_] * 6


def test_hexes_that_do_not_touch_have_no_direction() -> None:
    assert (direction(CENTRE, CENTRE), direction(CENTRE, Hex(1, 1))) == (None, None)


@given(HEXES, HEXES)
def test_the_distance_is_the_length_of_a_shortest_walk(one: Hex, other: Hex) -> None:
    far = distance(one, other)

    assert far == distance(other, one)
    if far <= 5:
        field = set(within(one, 6))
        assert distances((one,), lambda at: [near for near in neighbours(at) if near in field])[other] == far


@given(HEXES, st.integers(0, 6))
def test_a_ring_holds_exactly_the_hexes_at_its_distance(centre: Hex, radius: int) -> None:
    found = ring(centre, radius)
    square = (Hex(centre.q + q, centre.r + r) for q, r in product(range(-6, 7), repeat=2))

    assert len(set(found)) == len(found) == max(1, 6 * radius)
    assert set(found) == {hex_ for hex_ in square if distance(centre, hex_) == radius}
    assert found[0] == Hex(centre.q, centre.r - radius)
    assert all(distance(one, other) == 1 for one, other in pairwise(found))


def test_a_disc_is_the_union_of_its_rings() -> None:
    assert len(within(CENTRE, 3)) == 37
    assert within(CENTRE, 1) == (CENTRE, *DIRECTIONS)


@given(HEXES, HEXES, st.sampled_from((1, -1)))
def test_a_line_is_a_shortest_connected_path(one: Hex, other: Hex, side: int) -> None:
    found = line(one, other, side=side)

    assert (found[0], found[-1]) == (one, other)
    assert len(found) == distance(one, other) + 1
    assert all(distance(here, there) == 1 for here, there in pairwise(found))
    assert found == tuple(reversed(line(other, one, side=side)))


def test_a_line_along_an_edge_passes_through_either_hex() -> None:
    assert {line(CENTRE, Hex(1, 1), side=side)[1] for side in (1, -1)} == {Hex(1, 0), Hex(0, 1)}


def test_a_line_off_the_edges_is_unique() -> None:
    assert line(CENTRE, Hex(4, 1), side=1) == line(CENTRE, Hex(4, 1), side=-1)
    assert line(CENTRE, Hex(2, 1)) == (CENTRE, Hex(1, 0), Hex(1, 1), Hex(2, 1))
    assert line(CENTRE, Hex(0, 3)) == (CENTRE, Hex(0, 1), Hex(0, 2), Hex(0, 3))


@given(HEXES, st.integers(0, 5))
def test_an_edge_is_the_same_from_both_sides(hex_: Hex, way: int) -> None:
    one = edge(hex_, way)

    assert one == edge(neighbour(hex_, way), way + 3)
    assert set(one.sides()) == {hex_, neighbour(hex_, way)}
    assert 0 <= one.direction < 3


@each_row("numbering", [Numbering(*flags) for flags in product((True, False), repeat=2)])
def test_a_printed_number_survives_a_round_trip(numbering: Numbering) -> None:
    texts = [f"{column:02}{row:02}" for column, row in product(range(1, 12), repeat=2)]

    assert [numbering.text_of(numbering.hex_of(text)) for text in texts] == texts


@each_row(
    ("numbering", "around"),
    [
        (Numbering(is_flat=True, is_odd_later=True), {"0505", "0507", "0406", "0407", "0606", "0607"}),
        (Numbering(is_flat=True, is_odd_later=False), {"0505", "0507", "0405", "0406", "0605", "0606"}),
        (Numbering(is_flat=False, is_odd_later=False), {"0406", "0606", "0505", "0605", "0507", "0607"}),
        (Numbering(is_flat=False, is_odd_later=True), {"0406", "0606", "0405", "0505", "0407", "0507"}),
    ],
)
def test_neighbours_of_a_printed_number_depend_on_how_the_grid_is_shifted(
    numbering: Numbering, around: set[str]
) -> None:
    assert {numbering.text_of(other) for other in neighbours(numbering.hex_of("0506"))} == around


def places(**hexes: tuple[int, int]) -> HexMap:
    return HexMap({PlaceId(name[1:]): Hex(*at) for name, at in hexes.items()})


# A few hexes of a board whose printed numbers do not follow a grid, with its compass of six directions.
VOLGA = places(_6=(6, -2), _7=(7, -2), _8=(8, -3), _9=(9, -4), _24=(8, -2), _25=(9, -3), _W=(4, 1))


def test_a_compass_names_the_directions() -> None:
    assert (VOLGA.neighbour(PlaceId("7"), 5), VOLGA.neighbour(PlaceId("25"), 4)) == ("6", "24")
    assert VOLGA.neighbour(PlaceId("9"), 0) is None
    assert VOLGA.direction(PlaceId("25"), PlaceId("9")) == 0


def test_adjacency_follows_from_position_in_printed_order() -> None:
    adjacency = VOLGA.adjacency({edge(Hex(7, -2), 5): ("river",)})

    assert adjacency.near(PlaceId("24")) == ("7", "8", "25")
    assert not adjacency.are_adjacent(PlaceId("9"), PlaceId("24"))
    assert adjacency.near(PlaceId("W")) == ()
    assert adjacency.has(PlaceId("6"), PlaceId("7"), "river")
    assert not adjacency.has(PlaceId("7"), PlaceId("8"), "river")


def test_hexes_off_the_map_are_left_out() -> None:
    assert list(VOLGA.places(line(Hex(6, -2), Hex(9, -4)))) == ["6", "8", "9"]
    assert VOLGA.place(Hex(0, 0)) is None
    assert VOLGA.distance(PlaceId("W"), PlaceId("9")) == 5


def test_an_edge_is_a_value() -> None:
    assert {HexEdge(CENTRE, 0): 1}[edge(Hex(0, -1), 3)] == 1
