"""Hexes: coordinates as printed, neighbours, distances, rings, lines and edges.

A hex has axial coordinates: `q` is its column and `r` its place on the axis that goes down in a column (or, turned by 90
degrees, its row and its place along it). Directions are 0 to 5, clockwise from straight up where hexes have a flat top.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from core.geometry.adjacency import Adjacency, Border
from events.ids import PlaceId


class Hex(NamedTuple):
    """A hex by its axial coordinates."""

    q: int
    r: int


DIRECTIONS = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
"""The change of coordinates in each direction. Opposite directions are three apart."""


class HexEdge(NamedTuple):
    """An edge between two hexes, the same from both sides: it lies in a direction, 0 to 2, of `hex`."""

    hex: Hex
    direction: int

    def sides(self) -> tuple[Hex, Hex]:
        """Return the two hexes that meet here."""
        return self.hex, neighbour(self.hex, self.direction)


def neighbour(hex_: Hex, direction: int) -> Hex:
    """Return the next hex in a direction."""
    step = DIRECTIONS[direction % 6]
    return Hex(hex_.q + step.q, hex_.r + step.r)


def neighbours(hex_: Hex) -> tuple[Hex, ...]:
    """Return the six hexes around one, clockwise from direction 0."""
    return tuple([Hex(hex_.q + step.q, hex_.r + step.r) for step in DIRECTIONS])


def direction(one: Hex, other: Hex) -> int | None:
    """Return the direction of a neighbour, or None if the hexes do not touch."""
    step = Hex(other.q - one.q, other.r - one.r)
    return DIRECTIONS.index(step) if step in DIRECTIONS else None


def edge(hex_: Hex, direction: int) -> HexEdge:
    """Return the edge of a hex in a direction."""
    way = direction % 6
    return HexEdge(hex_, way) if way < 3 else HexEdge(neighbour(hex_, way), way - 3)


def distance(one: Hex, other: Hex) -> int:
    """Return the number of steps from one hex to another."""
    q, r = other.q - one.q, other.r - one.r
    return max(abs(q), abs(r), abs(q + r))


def ring(centre: Hex, radius: int) -> tuple[Hex, ...]:
    """Return the hexes at a distance, clockwise from direction 0; at 0 the centre alone."""
    if radius == 0:
        return (centre,)
    here = Hex(centre.q + DIRECTIONS[0].q * radius, centre.r + DIRECTIONS[0].r * radius)
    found: list[Hex] = []
    for way in range(2, 8):
        for _ in range(radius):
            found.append(here)
            here = neighbour(here, way)
    return tuple(found)


def within(centre: Hex, radius: int) -> tuple[Hex, ...]:
    """Return the hexes at a distance or nearer, ring by ring."""
    return tuple(hex_ for far in range(radius + 1) for hex_ in ring(centre, far))


def line(one: Hex, other: Hex, *, side: int = 1) -> tuple[Hex, ...]:
    """Return the hexes on a straight line, both ends included; from the other end the same ones in reverse.

    Args:
        one: The first hex.
        other: The last hex.
        side: 1 or -1. Where the line runs along an edge, this settles which of the two hexes counts; a line of sight that is
            clear on either side is looked at on both.
    """
    steps = distance(one, other)
    # Whole numbers: in parts of `scale`, a nudge is too small to count except along an edge.
    scale = 100 * steps
    found: list[Hex] = []
    for done in range(steps + 1):
        left = steps - done
        q = 100 * (one.q * left + other.q * done) + side
        r = 100 * (one.r * left + other.r * done) + 2 * side
        found.append(_rounded(q, r, scale) if steps else one)
    return tuple(found)


def _rounded(q: int, r: int, scale: int) -> Hex:
    """Return the hex in which a point lies that is given in parts of a hex."""
    s = -q - r
    whole = [(2 * part + scale) // (2 * scale) for part in (q, r, s)]
    off = [abs(part - near * scale) for part, near in zip((q, r, s), whole, strict=True)]
    if off[0] > off[1] and off[0] > off[2]:
        return Hex(-whole[1] - whole[2], whole[1])
    if off[1] > off[2]:
        return Hex(whole[0], -whole[0] - whole[2])
    return Hex(whole[0], whole[1])


class Numbering(NamedTuple):
    """Numbering of hexes on a printed grid: a column and a row, each in so many digits, such as 0507.

    `is_flat`: hexes have a flat top, so that columns are straight and neighbouring ones lie half a hex apart; else rows are.
    `is_odd_later`: the odd columns lie half a hex lower (or the odd rows half a hex to the right); else the even ones do.
    """

    is_flat: bool = True
    is_odd_later: bool = True
    digits: int = 2

    def hex_of(self, text: str) -> Hex:
        """Return the hex of a printed number."""
        column, row = int(text[: self.digits]), int(text[self.digits :])
        straight, across = (column, row) if self.is_flat else (row, column)
        shifted = across - self._shift(straight)
        return Hex(straight, shifted) if self.is_flat else Hex(shifted, straight)

    def text_of(self, hex_: Hex) -> str:
        """Return the printed number of a hex."""
        straight, shifted = (hex_.q, hex_.r) if self.is_flat else (hex_.r, hex_.q)
        across = shifted + self._shift(straight)
        column, row = (straight, across) if self.is_flat else (across, straight)
        return f"{column:0{self.digits}}{row:0{self.digits}}"

    def _shift(self, straight: int) -> int:
        odd = straight % 2
        return (straight - odd if self.is_odd_later else straight + odd) // 2


class HexMap:
    """The hexes of a map under the ids that are printed in them.

    Args:
        hexes: Every hex of the map, in printed order.
    """

    def __init__(self, hexes: Mapping[PlaceId, Hex]) -> None:
        self.hexes: dict[PlaceId, Hex] = dict(hexes)
        self._places: dict[Hex, PlaceId] = {hex_: place for place, hex_ in self.hexes.items()}

    def place(self, hex_: Hex) -> PlaceId | None:
        """Return the place of a hex, or None off the map."""
        return self._places.get(hex_)

    def places(self, hexes: Iterable[Hex]) -> Iterator[PlaceId]:
        """Yield the places of hexes, without those off the map."""
        for hex_ in hexes:
            if hex_ in self._places:
                yield self._places[hex_]

    def neighbour(self, place: PlaceId, direction: int) -> PlaceId | None:
        """Return the next place in a direction, or None at the edge of the map."""
        return self._places.get(neighbour(self.hexes[place], direction))

    def direction(self, one: PlaceId, other: PlaceId) -> int | None:
        """Return the direction of a neighbour, or None if the places do not touch."""
        return direction(self.hexes[one], self.hexes[other])

    def distance(self, one: PlaceId, other: PlaceId) -> int:
        """Return the number of hexes from one place to another, ignoring terrain."""
        return distance(self.hexes[one], self.hexes[other])

    def adjacency(self, features: Mapping[HexEdge, tuple[str, ...]] | None = None) -> Adjacency:
        """Return the adjacency of the places, with the features of the edges between them."""
        edges = features or {}
        borders: list[Border] = []
        for place, hex_ in self.hexes.items():
            for way in range(3):
                other = self.neighbour(place, way)
                if other is not None:
                    borders.append(Border(place, other, edges.get(HexEdge(hex_, way), ())))
        return Adjacency(borders, self.hexes)
