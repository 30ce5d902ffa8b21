"""Boards of hexes and of squares, as places for drawing, with labels as on a chessboard: a1 in the lower left corner of squares, the upper left of hexes."""

from collections.abc import Iterable
from string import ascii_lowercase

from core.geometry.hexes import Hex, HexMap
from core.narration.render_model import MapPlace
from core.shapes.outlines import HexLayout
from events.ids import PlaceId

ROOM = 940
"""The width and height of a board on the map."""


def hex_board(size: int) -> tuple[MapPlace, ...]:
    """Return a rhombus of hexes, `size` to each side, from 1 to 26: a1 touches b1 and a2, and row by row lies half a hex to the right."""
    hexes = {
        PlaceId(f"{letter}{row + 1}"): Hex(column, row) for row in range(size) for column, letter in _letters(size)
    }
    side = ROOM / (1.5 * size * 3**0.5)
    layout = HexLayout(side, round(side), round(side), is_flat=False)
    adjacency = HexMap(hexes).adjacency()
    places = []
    for place, hex_ in hexes.items():
        (x, y), name = layout.centre(hex_), place.upper()
        places.append(MapPlace(place, name, name, x, y, adjacency.near(place), outline=layout.outline(hex_)))
    return tuple(places)


def square_board(columns: int, rows: int) -> tuple[MapPlace, ...]:
    """Return a board of squares, 1 to 26 each way; squares that share a side are neighbours."""
    side = ROOM // max(columns, rows)
    known = {
        (column, row): PlaceId(f"{letter}{row + 1}") for row in range(rows) for column, letter in _letters(columns)
    }
    places = []
    for (column, row), place in known.items():
        near = ((column, row + 1), (column + 1, row), (column, row - 1), (column - 1, row))
        left, top = column * side, (rows - 1 - row) * side
        outline = ((left, top), (left + side, top), (left + side, top + side), (left, top + side))
        neighbours = tuple([known[one] for one in near if one in known])
        middle = (left + side // 2, top + side // 2)
        places.append(MapPlace(place, place.upper(), place.upper(), *middle, neighbours, outline=outline))
    return tuple(places)


def _letters(count: int) -> Iterable[tuple[int, str]]:
    return enumerate(ascii_lowercase[:count])
