"""Where in a place its name and counters fit best, and how far a map must be enlarged for them."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from math import hypot, sqrt
from statistics import median

from core.geometry.outlines import crossings
from core.render_model import MapPlace

GRID = 12
"""So many times so many points of a place are tried."""
CELL = 176
"""How wide a place of middling size is drawn, in pixels."""
SPOT_SCALE = 2.0
KEPT_MAX = 8_192
"""How many middles are kept: most places look alike from one picture to the next."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def scale_for(places: Sequence[MapPlace]) -> float:
    """Return by what a map is enlarged so that its places have room for names and counters."""
    areas = [_area(place.outline) for place in places if place.outline]
    return CELL / sqrt(median(areas)) if areas else SPOT_SCALE


@lru_cache(maxsize=KEPT_MAX)
def best_middle(
    outline: tuple[tuple[int, int], ...], width: float, height: float, taken: tuple[Box, ...] = ()
) -> tuple[float, float, int]:
    """Return where in a polygon a box fits best, near the polygon's own middle: its middle, and how many of its 15 points are inside.

    Args:
        outline: The polygon.
        width: Of the box.
        height: Of the box.
        taken: Boxes that it keeps clear of, if it can: left, top, right, bottom.
    """
    corners = len(outline)
    wish = (sum(x for x, _ in outline) / corners, sum(y for _, y in outline) / corners)
    left, right = min(x for x, _ in outline), max(x for x, _ in outline)
    top, bottom = min(y for _, y in outline), max(y for _, y in outline)
    middle = ((left + right) / 2, (top + bottom) / 2)
    tried = [
        (left + (right - left) * across / GRID, top + (bottom - top) * down / GRID)
        for across in range(1, GRID)
        for down in range(1, GRID)
    ]

    def fit(spot: tuple[float, float]) -> tuple[int, float]:
        x, y = spot
        box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        if any(box[0] < one[2] and one[0] < box[2] and box[1] < one[3] and one[1] < box[3] for one in taken):
            return -1, 0.0
        inside = 0
        for down in (-1, 0, 1):
            sides = crossings(outline, round(y + height * down / 2))
            for across in (-1, -0.5, 0, 0.5, 1):
                # Whoever has crossed an odd number of sides is inside.
                inside += bisect_left(sides, x + width * across / 2) % 2
        return inside, -hypot(x - wish[0], y - wish[1])

    best = max([wish, middle, *tried], key=fit)
    return (*best, fit(best)[0])


def _area(outline: Sequence[tuple[int, int]]) -> float:
    ends = zip(outline, (*outline[1:], *outline[:1]), strict=True)
    return abs(sum(x * below - right * y for (x, y), (right, below) in ends)) / 2
