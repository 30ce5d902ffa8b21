"""Cells of a map of areas: outlines that follow from centres and links, so that two areas share a border exactly if they are linked.

Three linked areas meet in one corner, the middle of their centres, and each border runs through the middle of its link, rounded and a
little uneven as on a map drawn by hand. The links must not cross when they are drawn as straight lines.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import atan2, hypot
from zlib import crc32

from core.shapes.outlines import Outline, Point
from events.ids import PlaceId

SHORT = 0.01
"""The length below which a sum of two directions has none."""

WOBBLE = 0.09
"""How far a border swings to one side at most, in parts of its length."""
ROUNDS = 2
"""How often the corners of a border are cut."""

STRAIGHT = 0.9
"""How far a point lies beside the line of its neighbours at least, so that it stays."""
BESIDE = 0.02
"""How far two borders end from each other on a frame where they would cross, in parts of its side."""

Step = tuple[PlaceId, PlaceId]
"""A link in one of its two directions; the face on its left is the one that it goes round."""


def cells(
    centres: Mapping[PlaceId, Point], near: Mapping[PlaceId, Sequence[PlaceId]], margin: int, frame: Outline = ()
) -> dict[PlaceId, Outline]:
    """Return the outline of each area that is linked with another.

    Args:
        centres: Where each area lies.
        near: The areas with which each is linked, both ways.
        margin: How far the cells reach beyond the outermost centres.
        frame: The edge of the map, clockwise where y grows downwards: the outermost cells fill it. Empty for none.
    """
    around = {place: _in_a_circle(centres, place, there) for place, there in near.items()}
    corners = _corners(centres, around)
    ends = _ends(centres, around, corners, frame) if frame else {}
    found: dict[PlaceId, Outline] = {}
    for place, there in around.items():
        points: list[Point] = []
        for number, other in enumerate(there):
            beyond = there[(number + 1) % len(there)]
            points += _border(centres, corners, (place, other))
            corner = corners[beyond, place]
            if corner is not None:
                points.append(corner)
            elif ends:
                points += _along(frame, ends[place, other], ends[beyond, place])
            else:
                points += _outside(centres, (beyond, place, other), margin)
        if points:
            found[place] = tuple(points)
    return found


def _in_a_circle(centres: Mapping[PlaceId, Point], place: PlaceId, near: Sequence[PlaceId]) -> list[PlaceId]:
    """Return the areas around one in the order of their directions."""
    x, y = centres[place]
    return sorted(near, key=lambda other: atan2(centres[other][1] - y, centres[other][0] - x))


def _corners(centres: Mapping[PlaceId, Point], around: Mapping[PlaceId, Sequence[PlaceId]]) -> dict[Step, Point | None]:
    """Return for each step the corner in the middle of its face; None for the face around all cells."""
    corners: dict[Step, Point | None] = {}
    for place, there in around.items():
        for other in there:
            step, face = (place, other), list[Step]()
            while step not in corners and step not in face:
                face.append(step)
                turn = around[step[1]]
                step = (step[1], turn[turn.index(step[0]) - 1])
            points = [centres[start] for start, _ in face]
            corner = _middle(points) if _area(points) > 0 else None
            corners.update(dict.fromkeys(face, corner))
    return corners


def _border(centres: Mapping[PlaceId, Point], corners: Mapping[Step, Point | None], link: Step) -> Iterable[Point]:
    """Return the points of a border between its two corners, on the way round the first area of a link; both areas get the same ones."""
    one, other = min(link), max(link)
    middle = _middle((centres[one], centres[other]))
    start, end = corners[other, one], corners[one, other]
    if start is None or end is None:
        return (middle,)
    swing = WOBBLE * (crc32(f"{one} {other}".encode()) / 2**31 - 1)
    right, down = end[0] - start[0], end[1] - start[1]
    line: list[tuple[float, float]] = [start, (middle[0] - down * swing, middle[1] + right * swing), end]
    for _ in range(ROUNDS):
        line = _cut(line)
    points = dict.fromkeys((round(x), round(y)) for x, y in line[1:-1])
    inside = _bent(start, [point for point in points if point not in (start, end)], end)
    return inside if link[0] == one else reversed(inside)


def _bent(start: Point, points: Sequence[Point], end: Point) -> list[Point]:
    """Leave out the points of a line at which it hardly bends; at least one stays."""
    kept: list[Point] = []
    for number, (x, y) in enumerate(points):
        (left, top), (right, below) = (kept or [start])[-1], (*points, end)[number + 1]
        along = hypot(right - left, below - top)
        aside = abs((right - left) * (y - top) - (below - top) * (x - left)) / along if along else 0.0
        if aside > STRAIGHT:
            kept.append((x, y))
    return kept or [points[len(points) // 2]] if points else []


def _cut(line: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Cut the corners of a line, whose ends stay."""
    cut = [line[0]]
    for (x, y), (right, below) in pairwise(line):
        cut += [(x * 0.75 + right * 0.25, y * 0.75 + below * 0.25), (x * 0.25 + right * 0.75, y * 0.25 + below * 0.75)]
    return [*cut, line[-1]]


def _outside(
    centres: Mapping[PlaceId, Point], way: tuple[PlaceId, PlaceId, PlaceId], margin: int
) -> tuple[Point, Point, Point]:
    """Return the points of an outermost area beyond its centre and beyond its two outermost links, against the way along them."""
    before, at, after = (centres[place] for place in way)
    first, last = _normal(before, at), _normal(at, after)
    across = (first[0] + last[0], first[1] + last[1])
    if hypot(*across) < SHORT:
        across = (at[0] - before[0], at[1] - before[1])
    scale = margin / hypot(*across)
    return (
        _moved(_middle((at, after)), last, margin),
        (round(at[0] + across[0] * scale), round(at[1] + across[1] * scale)),
        _moved(_middle((before, at)), first, margin),
    )


def _ends(
    centres: Mapping[PlaceId, Point],
    around: Mapping[PlaceId, Sequence[PlaceId]],
    corners: Mapping[Step, Point | None],
    frame: Outline,
) -> dict[Step, float]:
    """Return where on the frame the border of each outermost link ends: a side, counted from 0, and the part of it before that."""
    found: dict[Step, float] = {}
    for first in [step for step, corner in corners.items() if corner is None]:
        step, last, free = first, len(frame) * 1.0, len(frame) * 1.0
        while step not in found:
            end = _nearest(frame, _middle((centres[step[0]], centres[step[1]])))
            # The walk around all cells goes against the frame; an end that lies out of turn comes right after the one before.
            back = (last - end) % len(frame) if found and last < len(frame) else 0.0
            back = back if back < min(len(frame) / 2, free) else min(BESIDE, free / 2)
            end = end if last == len(frame) else (last - back) % len(frame)
            found[step], last, free = end, end, free - back
            turn = around[step[1]]
            step = (step[1], turn[turn.index(step[0]) - 1])
    return found


def _nearest(frame: Outline, spot: Point) -> float:
    """Return the place on a frame that is nearest to a spot."""
    found: list[tuple[float, float]] = []
    for number, ((x, y), (right, down)) in enumerate(pairwise((*frame, frame[0]))):
        along = (right - x, down - y)
        part = ((spot[0] - x) * along[0] + (spot[1] - y) * along[1]) / (along[0] ** 2 + along[1] ** 2)
        part = min(0.999, max(0.0, part))
        found.append((hypot(spot[0] - x - along[0] * part, spot[1] - y - along[1] * part), number + part))
    return min(found)[1]


def _along(frame: Outline, start: float, end: float) -> Iterable[Point]:
    """Return the points of a frame from one place on it to another, clockwise."""
    end += len(frame) if end < start else 0
    corners = [frame[number % len(frame)] for number in range(int(start) + 1, int(end) + 1)]
    return dict.fromkeys((_on(frame, start), *corners, _on(frame, end)))


def _on(frame: Outline, place: float) -> Point:
    """Return a place on a frame as a point."""
    side, part = int(place) % len(frame), place % 1
    (x, y), (right, down) = frame[side], frame[(side + 1) % len(frame)]
    return (round(x + (right - x) * part), round(y + (down - y) * part))


def _normal(start: Point, end: Point) -> tuple[float, float]:
    """Return the direction from a step into its face."""
    right, down = end[0] - start[0], end[1] - start[1]
    length = hypot(right, down)
    return (-down / length, right / length)


def _moved(point: Point, direction: tuple[float, float], far: int) -> Point:
    return (round(point[0] + direction[0] * far), round(point[1] + direction[1] * far))


def _middle(points: Sequence[Point]) -> Point:
    """Return the mean of points; at least one."""
    return (round(sum(x for x, _ in points) / len(points)), round(sum(y for _, y in points) / len(points)))


def _area(points: Sequence[Point]) -> int:
    """Return twice the area of a polygon, below 0 if its corners go round the other way."""
    ends = zip(points, (*points[1:], *points[:1]), strict=True)
    return sum(x * below - right * y for (x, y), (right, below) in ends)
