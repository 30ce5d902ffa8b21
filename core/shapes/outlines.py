"""Outlines of places on a drawn map: polygons of hexes and areas, and the borders that two of them share. For pictures and checks."""

from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache
from math import sqrt

from core.geometry.hexes import Hex
from events.codec import Struct
from events.ids import PlaceId

Point = tuple[int, int]
Outline = tuple[Point, ...]
"""The corners of a polygon in order; neighbours have the corners of their common border in common, exactly."""
Segment = tuple[Point, Point]

KEPT_MAX = 32_768
"""How many crossings are kept: pictures of one board ask for the same lines over and over."""


class HexLayout(Struct, frozen=True):
    """The layout of drawn hexes.

    `side` is the length of an edge, `x` and `y` the centre of the hex (0, 0). With `is_flat` hexes have a flat top.
    """

    side: float
    x: int = 0
    y: int = 0
    is_flat: bool = True

    def centre(self, hex_: Hex) -> Point:
        """Return the centre of a hex."""
        return self._point(hex_, 0, 0)

    def outline(self, hex_: Hex) -> Outline:
        """Return the six corners of a hex; neighbours round their common corners alike."""
        corners = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
        return tuple(self._point(hex_, *corner) for corner in corners)

    def _point(self, hex_: Hex, along: int, across: int) -> Point:
        """Return a point of the lattice of half edges and half heights on which centres and corners lie."""
        straight, slanted = (hex_.q, hex_.r) if self.is_flat else (hex_.r, hex_.q)
        far = round((3 * straight + along) * self.side / 2)
        aside = round((2 * slanted + straight + across) * self.side * sqrt(3) / 2)
        return (self.x + far, self.y + aside) if self.is_flat else (self.x + aside, self.y + far)


def segments(outline: Outline) -> list[Segment]:
    """Return the sides of a polygon, each with its lesser end first, so that both neighbours name it alike."""
    ends = zip(outline, (*outline[1:], *outline[:1]), strict=True)
    return [(min(one, other), max(one, other)) for one, other in ends if one != other]


def shared_border(one: Outline, other: Outline) -> tuple[Segment, ...]:
    """Return the sides that two polygons have in common; empty if they touch only at a corner or not at all."""
    there = set(segments(other))
    return tuple(side for side in segments(one) if side in there)


def touching(outlines: Mapping[PlaceId, Outline]) -> set[tuple[PlaceId, PlaceId]]:
    """Return the pairs of places that share a side, each once, in the order of the places.

    A board that has both outlines and adjacency checks one by the other.
    """
    owners: dict[Segment, list[PlaceId]] = {}
    for place, outline in outlines.items():
        for side in segments(outline):
            owners.setdefault(side, []).append(place)
    return {
        (one, other)
        for there in owners.values()
        for number, one in enumerate(there)
        for other in there[number + 1 :]
        if one != other
    }


def contains(outline: Outline, point: Point) -> bool:
    """Return whether a point lies inside a polygon; on its sides either answer is possible."""
    return bisect_left(crossings(outline, point[1]), point[0]) % 2 == 1


@lru_cache(maxsize=KEPT_MAX)
def crossings(outline: Outline, y: int) -> tuple[float, ...]:
    """Return where a horizontal line crosses the sides of a polygon, from left to right."""
    ends = zip(outline, (*outline[1:], *outline[:1]), strict=True)
    return tuple(
        sorted(
            left + (right - left) * (y - top) / (bottom - top)
            for (left, top), (right, bottom) in ends
            if (top > y) != (bottom > y)
        )
    )
