"""Draws a map as text: each place with two lines, in rows from north to south, so that none overlaps another."""

from collections.abc import Iterator, Sequence

from events.codec import Struct

GAP = 2
SCALE = 1000
"""The width of a map in its own units."""


class Spot(Struct, frozen=True):
    """A place for drawing: its centre, from 0 to 1000 eastward and southward, and its lines."""

    x: int
    y: int
    lines: tuple[str, str]

    @property
    def width(self) -> int:
        """The number of characters side by side."""
        return max(map(len, self.lines))


def abbreviated(name: str, most: int) -> str:
    """Return a name with initials for its last words, but not for the first, until it has at most so many characters, if it can."""
    words = name.split(" ")
    for place in reversed(range(1, len(words))):
        if len(" ".join(words)) > most:
            words[place] = f"{words[place][0]}."
    return " ".join(words)


def draw_map(spots: Sequence[Spot], width: int, band: int) -> Iterator[str]:
    """Draw places.

    Args:
        spots: The places; none is wider than the map.
        width: How many characters fit side by side.
        band: How far apart from north to south, in units of the map, places of one row may lie.

    Returns:
        The lines, without white space at their ends.
    """
    row: list[Spot] = []
    for spot in sorted(spots, key=lambda one: one.y):
        is_full = sum([one.width + GAP for one in (*row, spot)]) - GAP > width
        if row and (is_full or spot.y - row[0].y > band):
            yield from _row(row, width)
            row = []
        row.append(spot)
    if row:
        yield from _row(row, width)


def _row(row: Sequence[Spot], width: int) -> Iterator[str]:
    """Lay places of a row out as near to their places on the map as there is room."""
    row = sorted(row, key=lambda one: one.x)
    starts: list[int] = []
    left = 0
    for number, spot in enumerate(row):
        right = width - sum([one.width + GAP for one in row[number:]]) + GAP
        starts.append(min(max(left, spot.x * width // SCALE - spot.width // 2), right))
        left = starts[-1] + spot.width + GAP
    for line in (0, 1):
        text = ""
        for start, spot in zip(starts, row, strict=True):
            text = f"{text.ljust(start)}{spot.lines[line]}"
        yield text.rstrip()
