"""Cells share a border exactly if their areas are linked, and each has its own centre inside."""

from itertools import pairwise
from math import hypot

from core.geometry.paths import neighbourhood
from core.shapes.cells import cells
from core.shapes.outlines import contains, segments, shared_border, touching
from events.ids import PlaceId
from tests.support.rows import each_row

TRIANGLE = ({"a": (100, 100), "b": (300, 100), "c": (200, 250)}, [("a", "b"), ("b", "c"), ("c", "a")])
SQUARE = (
    {"a": (100, 100), "b": (300, 100), "c": (300, 300), "d": (100, 300)},
    [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")],
)
TAIL = ({**TRIANGLE[0], "d": (200, 400), "e": (200, 600)}, [*TRIANGLE[1], ("c", "d"), ("d", "e")])
HOLLOW = (
    {"a": (100, 100), "b": (300, 180), "c": (500, 100), "d": (300, 500), "e": (300, 320)},
    [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("b", "e"), ("e", "d"), ("a", "e"), ("c", "e")],
)
PAIR = ({"a": (100, 100), "b": (300, 100)}, [("a", "b")])
MAPS = {"triangle": TRIANGLE, "square": SQUARE, "tail": TAIL, "hollow": HOLLOW, "pair": PAIR}


def drawn(
    name: str,
) -> tuple[dict[PlaceId, tuple[int, int]], set[frozenset[str]], dict[PlaceId, tuple[tuple[int, int], ...]]]:
    """Return the centres, the links and the cells of a map."""
    spots, pairs = MAPS[name]
    centres = {PlaceId(place): spot for place, spot in spots.items()}
    near = neighbourhood([(PlaceId(one), PlaceId(other)) for one, other in pairs], centres)
    return centres, {frozenset(pair) for pair in pairs}, cells(centres, near, 40)


@each_row("name", MAPS)
def test_cells_touch_exactly_where_areas_are_linked(name: str) -> None:
    _, links, found = drawn(name)

    assert {frozenset(pair) for pair in touching(found)} == links


@each_row("name", MAPS)
def test_each_cell_has_its_own_centre_inside_and_no_other(name: str) -> None:
    centres, _, found = drawn(name)

    assert found.keys() == centres.keys()
    assert [
        (place, other)
        for place, outline in found.items()
        for other, spot in centres.items()
        if contains(outline, spot) != (place == other)
    ] == []


def test_a_border_is_a_smooth_line_from_corner_to_edge_or_to_another_corner() -> None:
    _, _, found = drawn("triangle")
    border = shared_border(found[PlaceId("a")], found[PlaceId("b")])
    _, _, hollow = drawn("hollow")
    inner = shared_border(hollow[PlaceId("b")], hollow[PlaceId("e")])

    assert border == (((200, 100), (200, 150)), ((200, 60), (200, 100))), (
        "straight from the edge to the corner of three"
    )
    assert len(inner) > 3
    assert max(hypot(x - right, y - down) for (x, y), (right, down) in inner) < 70
    assert all(len(segments(outline)) == len(outline) for outline in hollow.values()), (
        "no point is there twice in a row"
    )


def test_the_outermost_cells_reach_beyond_their_centres() -> None:
    _, _, found = drawn("square")
    outermost = min(x for outline in found.values() for x, _ in outline)

    assert 100 - 40 <= outermost < 100


def test_an_area_that_is_linked_with_none_has_no_cell() -> None:
    alone = PlaceId("z")
    centres, _, _ = drawn("pair")
    near = neighbourhood([(PlaceId("a"), PlaceId("b"))], [*centres, alone])

    assert cells({**centres, alone: (900, 900)}, near, 40).keys() == centres.keys()


def test_the_same_map_has_the_same_cells() -> None:
    assert all(one == other for one, other in pairwise([drawn("hollow")[2] for _ in range(3)]))


def test_an_outermost_border_ends_where_the_frame_is_nearest() -> None:
    """Four areas in a ring: each border goes out to another side of the frame, which does not begin at 0."""
    centres = {
        PlaceId(name): spot for name, spot in zip("abcd", ((200, 300), (400, 300), (420, 500), (180, 500)), strict=True)
    }
    near = neighbourhood([(PlaceId(one), PlaceId(other)) for one, other in ("ab", "bc", "cd", "da")], centres)
    frame = ((100, 200), (500, 200), (500, 600), (100, 600))
    found = cells(centres, near, 0, frame)

    for link, end in (("ab", (300, 200)), ("bc", (500, 400)), ("cd", (300, 600)), ("da", (100, 400))):
        one, other = (found[PlaceId(name)] for name in link)
        assert end in one
        assert end in other
    assert [place for corner in frame for place, outline in found.items() if corner in outline] == [*"abcd"]
