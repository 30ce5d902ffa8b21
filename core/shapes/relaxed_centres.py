"""Centres of a map of areas, moved apart so that each cell has room for what is written and lies in it.

The drawn map keeps its shape: a centre stays near its wish, inside the frame, and on its side of every border.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import atan2, hypot

from core.shapes.outlines import Outline, Point, contains
from events.ids import PlaceId

ROUNDS = 60
"""How often all centres are moved."""
PULL, PUSH, STEP = 0.02, 0.18, 9.0
"""How strong a wish and a crowd are, in parts of the way; and how far a centre moves at once."""
HEIGHT = 0.62
"""How far a centre keeps from a link of its neighbours, in parts of the room."""
RIM = 0.55
"""How far a centre keeps from the frame, in parts of the room."""

Place = tuple[float, float]
Corner = tuple[PlaceId, PlaceId, PlaceId]


def relaxed(
    wishes: Mapping[PlaceId, Point],
    near: Mapping[PlaceId, Sequence[PlaceId]],
    frame: Outline,
    room: tuple[int, int],
) -> dict[PlaceId, Point]:
    """Return centres that are moved apart.

    Args:
        wishes: Where each area wants to lie.
        near: The areas with which each is linked, both ways; links do not cross as straight lines, and still do not afterwards if three
            linked areas always form a triangle.
        frame: The edge of the map.
        room: How wide and high the room of a centre is at best.
    """
    return _Relaxing(wishes, near, frame, room).done()


class _Relaxing:
    """Centres on their way."""

    def __init__(
        self,
        wishes: Mapping[PlaceId, Point],
        near: Mapping[PlaceId, Sequence[PlaceId]],
        frame: Outline,
        room: tuple[int, int],
    ) -> None:
        self.wishes, self.frame, self.room = wishes, frame, room
        self.spots: dict[PlaceId, Place] = {place: (float(x), float(y)) for place, (x, y) in wishes.items()}
        self.corners = _corners(self.spots, near)

    def done(self) -> dict[PlaceId, Point]:
        """Return where the centres come to lie."""
        for place in list(self.wishes) * ROUNDS:
            right, down = self._wanted(place)
            far = max(1.0, hypot(right, down) / STEP)
            old = self.spots[place]
            for part in (1.0, 0.4, 0.0):
                self.spots[place] = (old[0] + right / far * part, old[1] + down / far * part)
                if self._is_right(place):
                    break
        return {place: _rounded(spot) for place, spot in self.spots.items()}

    def _is_right(self, place: PlaceId) -> bool:
        """Return whether a centre lies inside the frame, and all its corners still go round the same way."""
        inside = contains(self.frame, _rounded(self.spots[place]))
        return inside and all(_turn(self.spots, corner) > 1 for corner in self.corners[place])

    def _wanted(self, place: PlaceId) -> Place:
        """Return how a centre would move: to its wish, away from others, from the links of its neighbours and from the frame."""
        x, y = self.spots[place]
        wide, high = self.room
        move = ((self.wishes[place][0] - x) * PULL, (self.wishes[place][1] - y) * PULL)
        for other, (there, below) in self.spots.items():
            across, along = (x - there) / wide, (y - below) / high
            far = hypot(across, along)
            if other != place and 0 < far < 1:
                force = (1 - far) / far * PUSH
                move = (move[0] + across * force * wide, move[1] + along * force * high)
        for corner in self.corners[place]:
            one, other = [end for end in corner if end != place]
            move = _away((x, y), (self.spots[one], self.spots[other]), HEIGHT * high, move)
        for start, end in pairwise((*self.frame, self.frame[0])):
            is_upright = abs(start[0] - end[0]) < abs(start[1] - end[1])
            move = _away((x, y), (start, end), RIM * (wide if is_upright else high), move)
        return move


def _away(spot: Place, line: tuple[Place, Place], wanted: float, move: Place) -> Place:
    """Add to a move what keeps a spot at a distance from a line."""
    one, other = line
    along = (other[0] - one[0], other[1] - one[1])
    length = along[0] ** 2 + along[1] ** 2
    if not length:
        return move
    part = ((spot[0] - one[0]) * along[0] + (spot[1] - one[1]) * along[1]) / length
    part = min(1.0, max(0.0, part))
    right, down = spot[0] - one[0] - along[0] * part, spot[1] - one[1] - along[1] * part
    far = hypot(right, down)
    if not 0 < far < wanted:
        return move
    force = (wanted - far) / far * PUSH
    return move[0] + right * force, move[1] + down * force


def _corners(spots: Mapping[PlaceId, Place], near: Mapping[PlaceId, Sequence[PlaceId]]) -> dict[PlaceId, list[Corner]]:
    """Return for each area the threes of areas that meet there and go round one way, as they do now."""
    found: dict[PlaceId, dict[frozenset[PlaceId], Corner]] = {place: {} for place in spots}
    for place, (x, y) in spots.items():
        there = sorted(near[place], key=lambda other: atan2(spots[other][1] - y, spots[other][0] - x))
        for one, other in pairwise((*there, *there[:1])):
            corner = (place, one, other)
            if one != other and _turn(spots, corner) > 0:
                for end in corner:
                    found[end].setdefault(frozenset(corner), corner)
    return {place: list(corners.values()) for place, corners in found.items()}


def _turn(spots: Mapping[PlaceId, Place], corner: Corner) -> float:
    (x, y), (right, down), (there, below) = (spots[place] for place in corner)
    return (right - x) * (below - y) - (there - x) * (down - y)


def _rounded(spot: Place) -> Point:
    return (round(spot[0]), round(spot[1]))
