"""Relaxed centres have more room, stay inside the frame, and keep the shape of the map."""

from itertools import combinations
from math import hypot

from core.geometry.paths import neighbourhood
from core.shapes.cells import cells
from core.shapes.outlines import contains, touching
from core.shapes.relaxed_centres import relaxed
from events.ids import PlaceId
from tests.support.rows import each_row

FRAME = ((0, 0), (600, 0), (600, 400), (0, 400))
WISHES = {
    PlaceId(place): spot for place, spot in {"a": (280, 180), "b": (320, 180), "c": (300, 220), "d": (340, 225)}.items()
}
LINKS = [(PlaceId(one), PlaceId(other)) for one, other in ("ab", "bc", "ca", "bd", "cd")]
NEAR = neighbourhood(LINKS, WISHES)
ROOM = (150, 110)


def least(spots: dict[PlaceId, tuple[int, int]]) -> float:
    return min(hypot(one[0] - other[0], one[1] - other[1]) for one, other in combinations(spots.values(), 2))


def test_crowded_centres_move_apart_inside_the_frame() -> None:
    found = relaxed(WISHES, NEAR, FRAME, ROOM)

    assert least(found) > 2 * least(WISHES)
    assert all(contains(FRAME, spot) for spot in found.values())


def test_centres_with_room_stay() -> None:
    far = {place: (x * 5 - 1250, y * 5 - 800) for place, (x, y) in WISHES.items()}

    assert relaxed(far, NEAR, ((-900, -900), (1500, -900), (1500, 1500), (-900, 1500)), (60, 40)) == far


def test_the_cells_of_relaxed_centres_fill_the_frame_and_touch_where_they_are_linked() -> None:
    found = cells(relaxed(WISHES, NEAR, FRAME, ROOM), NEAR, 0, FRAME)
    area = sum(
        abs(sum(x * below - right * y for (x, y), (right, below) in zip(one, (*one[1:], one[0]), strict=True)))
        for one in found.values()
    )

    assert {frozenset(pair) for pair in touching(found)} == {frozenset(pair) for pair in LINKS}
    assert abs(area / 2 - 600 * 400) < 600
    assert {corner for corner in FRAME if any(corner in one for one in found.values())} == set(FRAME)


@each_row("is_upright", [False, True])
def test_two_crowded_centres_move_apart_on_their_line_and_equally_far(is_upright: bool) -> None:
    frame = ((0, 0), (2000, 0), (2000, 2000), (0, 2000))
    wishes = {PlaceId("a"): (1000, 970), PlaceId("b"): (1000, 1030)}
    if not is_upright:
        wishes = {place: (y, x) for place, (x, y) in wishes.items()}
    found = relaxed(wishes, neighbourhood([], wishes), frame, ROOM)
    spots = [spot if is_upright else spot[::-1] for spot in found.values()]

    assert [x for x, _ in spots] == [1000, 1000]
    assert spots[0][1] < 960
    assert abs(spots[0][1] + spots[1][1] - 2000) <= 1


@each_row(("wish", "moves"), [((20, 300), (1, 0)), ((880, 300), (-1, 0)), ((450, 20), (0, 1)), ((450, 580), (0, -1))])
def test_a_centre_near_the_frame_moves_straight_away_from_it(wish: tuple[int, int], moves: tuple[int, int]) -> None:
    frame = ((0, 0), (900, 0), (900, 600), (0, 600))
    alone = PlaceId("a")
    x, y = relaxed({alone: wish}, neighbourhood([], [alone]), frame, ROOM)[alone]

    assert ((x > wish[0]) - (x < wish[0]), (y > wish[1]) - (y < wish[1])) == moves
