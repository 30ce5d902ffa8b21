"""Room in a place for its name and counters, and the enlargement of a map that they need."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from math import hypot, sqrt
from statistics import median

from core.narration.render_model import MapPlace
from core.shapes.outlines import Outline, crossings

LINE, MEASURES = 5, 15
"""How many points of a line of a box are measured, and how many of three lines: what a box has that is inside wholly."""
GRID, FINE = 12, 20
"""So many times so many points of a place are tried, and of a place of any shape."""
CELL, SMALL_CELL, MANY = 176, 122, 60
"""How wide a place of middling size is drawn, in pixels: smaller on a map of more than so many, whose text is then larger beside its places."""
SPOT_SCALE = 2.0
KEPT_MAX = 8_192
"""How many middles are kept: most places look alike from one picture to the next."""
CELLS_MAX = 1_024
"""How many polygons are kept: those of the boards in use."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""
Lines = tuple[tuple[float, float], ...]
"""How far lines lie below a middle, and how far each reaches to either side of it."""


def scale_for(places: Sequence[MapPlace], cell: int = 0) -> float:
    """Return by what a map is enlarged so that its places have room for names and counters.

    Args:
        places: The places.
        cell: How wide one of middling size is drawn, in pixels; 0 for the usual width.
    """
    areas = [_area(place.outline) for place in places if place.outline]
    cell = cell or (CELL if len(areas) <= MANY else SMALL_CELL)
    return cell / sqrt(median(areas)) if areas else SPOT_SCALE


@lru_cache(maxsize=KEPT_MAX)
def best_middle(
    outline: tuple[tuple[int, int], ...],
    width: float,
    height: float,
    taken: tuple[Box, ...] = (),
    lines: Lines = (),
    *,
    enough: int = MEASURES,
    least: int | None = None,
    grid: int = GRID,
) -> tuple[float, float, int]:
    """Return where in a polygon a box fits best, near the polygon's own middle: its middle, and how many of its 15 points are inside.

    Args:
        outline: The polygon.
        width: Of the box.
        height: Of the box.
        taken: Boxes that it keeps clear of, if it can: left, top, right, bottom.
        lines: How far below the middle its lines are that are measured, and how far each reaches to either side; else its top, its middle
            and its bottom.
        enough: How many of its points must be inside: of the spots where they are, it is the nearest.
        least: If fewer of its points would be inside, it does not matter where; that is found out sooner.
        grid: So many times so many points are tried.
    """
    cell = _cell(outline, grid)
    half, down = width / 2, height / 2
    lines = lines or ((0.0, half), (-down, half), (down, half))
    # The spots are a grid, so that many have their lines in common.
    rows: dict[float, tuple[tuple[float, ...], ...]] = {}
    best, most = cell.spots[0], -LINE * len(lines) if least is None else least - 1
    for x, y in cell.spots:
        if y not in rows:
            rows[y] = tuple([cell.sides(y + below) for below, _ in lines])
        inside = MEASURES
        for sides, (_, wide) in zip(rows[y], lines, strict=True):
            inside += _inside(sides, x, wide, wide / 2) - LINE
            if inside <= most:
                break
        if inside > most and _is_taken((x - half, y - down, x + half, y + down), taken):
            inside = -1
        if inside > most:
            best, most = (x, y), inside
        if most >= enough:
            break
    return (*(best if most == MEASURES else cell.held(*best, half, down)), most)


def is_within(outline: Outline, x: float, y: float, share: float) -> bool:
    """Return whether a point lies in a polygon that is drawn towards its own middle, such as a frame inside of a place."""
    cell = _cell(outline, GRID)
    middle_x, middle_y = cell.middle
    sides = cell.sides(middle_y + (y - middle_y) / share)
    return bisect_left(sides, middle_x + (x - middle_x) / share) % 2 == 1


class _Cell:
    """A polygon in which boxes are placed.

    Attributes:
        middle: Of its corners.
        spots: The middles that are tried, from the polygon's own outwards, so that the first with room for all of a box is the nearest.
    """

    def __init__(self, outline: Outline, grid: int) -> None:
        self._outline = outline
        self._sides: dict[int, tuple[float, ...]] = {}
        self.middle = wish = (sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline))
        left, right = min(x for x, _ in outline), max(x for x, _ in outline)
        self._left, self._right = left, right
        self._top, self._bottom = top, bottom = min(y for _, y in outline), max(y for _, y in outline)
        middle = ((left + right) / 2, (top + bottom) / 2)
        tried = [
            (left + (right - left) * across / grid, top + (bottom - top) * down / grid)
            for across in range(1, grid)
            for down in range(1, grid)
        ]
        self.spots = sorted([wish, middle, *tried], key=lambda spot: hypot(spot[0] - wish[0], spot[1] - wish[1]))

    def held(self, x: float, y: float, half: float, down: float) -> tuple[float, float]:
        """Return a middle of which a box does not go beyond the polygon's own box, if it can: what lies there may be the frame of the map."""
        if half * 2 <= self._right - self._left:
            x = min(max(x, self._left + half), self._right - half)
        if down * 2 <= self._bottom - self._top:
            y = min(max(y, self._top + down), self._bottom - down)
        return x, y

    def sides(self, y: float) -> tuple[float, ...]:
        """Return where the polygon is crossed at a height, in whole pixels, from left to right."""
        level = round(y)
        if not self._top <= level <= self._bottom:
            return ()
        if level not in self._sides:
            self._sides[level] = crossings(self._outline, level)
        return self._sides[level]


@lru_cache(maxsize=CELLS_MAX)
def _cell(outline: Outline, grid: int) -> _Cell:
    return _Cell(outline, grid)


def _inside(sides: tuple[float, ...], x: float, half: float, across: float) -> int:
    """Return how many of five points of a line are inside; whoever has crossed an odd number of sides is."""
    if not sides or x + half <= sides[0] or x - half > sides[-1]:
        return 0
    if len(sides) == 2 and sides[0] < x - half and x + half <= sides[1]:
        return LINE
    return sum([bisect_left(sides, at) % 2 for at in (x - half, x - across, x, x + across, x + half)])


def _is_taken(box: Box, taken: tuple[Box, ...]) -> bool:
    """Return whether a box overlaps one that is taken."""
    left, top, right, bottom = box
    return any(left < one[2] and one[0] < right and top < one[3] and one[1] < bottom for one in taken)


def _area(outline: Sequence[tuple[int, int]]) -> float:
    ends = zip(outline, (*outline[1:], *outline[:1]), strict=True)
    return abs(sum(x * below - right * y for (x, y), (right, below) in ends)) / 2
