"""Where in a place its name and counters fit best, and how far a map must be enlarged for them."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from math import hypot, sqrt
from statistics import median

from core.geometry.outlines import crossings
from core.render_model import MapPlace

MEASURES = 15
"""How many points of a box are measured."""
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

    sides: dict[int, tuple[float, ...]] = {}
    best = (-2, wish)
    # From the wish outwards, so that the first spot with room for all of the box is the nearest one.
    for x, y in sorted([wish, middle, *tried], key=lambda spot: hypot(spot[0] - wish[0], spot[1] - wish[1])):
        box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        inside = 0
        if any(box[0] < one[2] and one[0] < box[2] and box[1] < one[3] and one[1] < box[3] for one in taken):
            inside = -1
        for at in (box[1], y, box[3]) if not inside else ():
            level = round(at)
            if level not in sides:
                sides[level] = crossings(outline, level)
            # Whoever has crossed an odd number of sides is inside.
            inside += sum(bisect_left(sides[level], x + width * across / 2) % 2 for across in (-1, -0.5, 0, 0.5, 1))
        if inside > best[0]:
            best = (inside, (x, y))
        if inside == MEASURES:
            break
    return (*best[1], best[0])


def _area(outline: Sequence[tuple[int, int]]) -> float:
    ends = zip(outline, (*outline[1:], *outline[:1]), strict=True)
    return abs(sum(x * below - right * y for (x, y), (right, below) in ends)) / 2
