"""Entities of a seat's view: a row of whole numbers for each piece, each card that the seat knows, and each marker and attribute."""

from collections.abc import Iterator

from core.components.inventory import Inventory
from core.environments.layout import NUMBER_MOST
from events.ids import Side
from events.vocabulary import Value
from projections.state.table import Table

PIECE, CARD, MARKER, ATTRIBUTE = 1, 2, 3, 4
"""The sorts of rows, in the order in which they are listed."""

COLUMNS = ("sort", "id", "kind", "side", "place", "face", "amount", "known")
"""The columns. Ids, kinds, sides, places and faces are numbers of names (`Names`), 0 for none or for what the seat does not know.

`amount` are the steps of a piece, how many markers there are, or the value of an attribute if it is a number; `known` is 1, or 0 for a piece
that the seat does not know. Of a card `place` is its pile, of a marker and an attribute what it lies on; `kind` is the marker, the key of the
attribute, and `face` the thing that the value names.
"""

ROWS_MOST = 2_048
"""The most rows; what is beyond is left out, attributes first."""

Row = tuple[int, int, int, int, int, int, int, int]


class Names:
    """Numbers of all that an inventory names, from 1, in the order of the names.

    Args:
        inventory: What is in play.
    """

    def __init__(self, inventory: Inventory) -> None:
        kinds = [kind for group in inventory.pieces for kinds in group.kinds.values() for kind in kinds]
        faces = [face for group in inventory.pieces for face in group.faces]
        keys = [declared.key for declared in {one for there in inventory.memory.of.values() for one in there}]
        named = {
            *inventory.group_of,
            *inventory.cards_of,
            *inventory.piles_of,
            *inventory.counters_of,
            *inventory.track_of,
            *kinds,
            *faces,
            *keys,
        }
        self.numbers = {name: number for number, name in enumerate(sorted(named - {""}), start=1)}

    def __len__(self) -> int:
        """Return the largest number."""
        return len(self.numbers)


def entities(names: Names, table: Table) -> list[Row]:
    """Return the rows of a view: each sort in the order of ids.

    Args:
        names: The numbers of names.
        table: The table as the seat sees it.
    """
    found: list[Row] = []
    for rows in (_pieces, _cards, _markers, _attributes):
        found += sorted(rows(names, table))
    return found[:ROWS_MOST]


def _pieces(names: Names, table: Table) -> Iterator[Row]:
    number = names.numbers.get
    for piece in table.pieces.values():
        kind, known = number(piece.kind, 0), int(bool(piece.kind))
        where = number(piece.side, 0), number(piece.place, 0), number(piece.face, 0)
        yield PIECE, number(piece.id, 0), kind, *where, piece.steps, known


def _cards(names: Names, table: Table) -> Iterator[Row]:
    number = names.numbers.get
    for name, pile in table.piles.items():
        for card in pile.cards:
            yield CARD, number(card, 0), number(card, 0), 0, number(name, 0), 0, 1, 1


def _markers(names: Names, table: Table) -> Iterator[Row]:
    number = names.numbers.get
    for on, there in table.markers.items():
        for marker, count in there.items():
            yield MARKER, number(on, 0), number(marker, 0), _side(names, table, on), number(on, 0), 0, count, 1


def _attributes(names: Names, table: Table) -> Iterator[Row]:
    number = names.numbers.get
    for on, there in table.attributes.items():
        for key, value in there.items():
            named = number(value, 0) if isinstance(value, str) else 0
            yield (
                ATTRIBUTE,
                number(on, 0),
                number(key, 0),
                _side(names, table, on),
                number(on, 0),
                named,
                _amount(value),
                1,
            )


def _side(names: Names, table: Table, on: str) -> int:
    piece = table.pieces.get(on)  # type: ignore[call-overload]
    return names.numbers.get(piece.side if piece is not None else Side(""), 0)


def _amount(value: Value) -> int:
    if isinstance(value, int):
        return max(-NUMBER_MOST, min(NUMBER_MOST, int(value)))
    return len(value) if isinstance(value, tuple) else 1
