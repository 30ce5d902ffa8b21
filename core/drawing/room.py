"""Where in a place its name and counters fit best, and how far a map must be enlarged for them."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from math import hypot, sqrt
from statistics import median

from core.geometry.outlines import crossings
from core.render_model import MapPlace

GRID = 8
"""So many times so many points of a place are tried."""
CELL = 165
"""How wide a place of middling size is drawn, in pixels."""
SPOT_SCALE = 2.0
KEPT_MAX = 8_192
"""How many middles are kept: most places look alike from one picture to the next."""

Outline = Sequence[tuple[float, float]]


def scale_for(places: Sequence[MapPlace]) -> float:
    """Return by what a map is enlarged so that its places have room for names and counters."""
    areas = [_area(place.outline) for place in places if place.outline]
    return CELL / sqrt(median(areas)) if areas else SPOT_SCALE


@lru_cache(maxsize=KEPT_MAX)
def best_middle(outline: tuple[tuple[int, int], ...], width: float, height: float) -> tuple[float, float]:
    """Return where in a polygon the middle of a box lies with as much of the box inside as can be, near the polygon's own middle."""
    corners = len(outline)
    wish = (sum(x for x, _ in outline) / corners, sum(y for _, y in outline) / corners)
    whole = tuple((round(x), round(y)) for x, y in outline)
    left, right = min(x for x, _ in whole), max(x for x, _ in whole)
    top, bottom = min(y for _, y in whole), max(y for _, y in whole)
    tried = [
        (left + (right - left) * across / GRID, top + (bottom - top) * down / GRID)
        for across in range(1, GRID)
        for down in range(1, GRID)
    ]

    def fit(middle: tuple[float, float]) -> tuple[int, float]:
        inside = 0
        for down in (-1, 0, 1):
            sides = crossings(whole, round(middle[1] + height * down / 2))
            for across in (-1, -0.5, 0, 0.5, 1):
                # Whoever has crossed an odd number of sides is inside.
                inside += bisect_left(sides, middle[0] + width * across / 2) % 2
        return inside, -hypot(middle[0] - wish[0], middle[1] - wish[1])

    return max([wish, *tried], key=fit)


def _area(outline: Sequence[tuple[int, int]]) -> float:
    ends = zip(outline, (*outline[1:], *outline[:1]), strict=True)
    return abs(sum(x * below - right * y for (x, y), (right, below) in ends)) / 2
