"""The vector of a seat's view: numbers in the order of a layout, of which only those are set anew that have changed."""

from array import array
from collections.abc import Iterator, Mapping, MutableMapping
from typing import TypeVar

from core.environments.layout import Layout
from events.ids import AttributeKey, MarkerId, PieceId, PileId, PlaceId, Seat, Side
from events.vocabulary import Value
from projections.state.table import EMPTY_PILE, Piece, Pile, Table

K = TypeVar("K")
V = TypeVar("V")

_NOTHING: Mapping[MarkerId, int] = {}
_NO_VALUES: Mapping[AttributeKey, Value] = {}


class VectorEncoder:
    """Encodes the views of one seat, one after the other, of any episodes.

    Attributes:
        values: The numbers of the view that was encoded last (32-bit floats).

    Args:
        layout: The layout of the vector.
        seat: The seat.
    """

    def __init__(self, layout: Layout, seat: Seat) -> None:
        self._layout = layout
        self._seat = seat
        self.values = array("f", bytes(4 * len(layout)))
        self.values[layout.own_seat[seat]] = 1.0
        self._flags: list[int] = []
        self._pieces: dict[PieceId, Piece] = {}
        self._counted: dict[PieceId, tuple[tuple[int, int], ...]] = {}
        self._ways: dict[tuple[PlaceId, Side, str, int, bool], tuple[tuple[int, int], ...]] = {}
        self._control: Mapping[PlaceId, Side] = {}
        self._markers: dict[str, Mapping[MarkerId, int]] = {}
        self._piles: dict[PileId, Pile] = {}
        self._attributes: dict[str, Mapping[AttributeKey, Value]] = {}

    def encode(self, table: Table) -> "array[float]":
        """Return the vector of a view; it is valid until the next one is encoded.

        Args:
            table: The table as the seat sees it.
        """
        self._set_header(table)
        moved = [*_changes(self._pieces, table.pieces)]
        for piece, was, now in moved:
            self._recount(table, piece, was, now)
        if table.control is not self._control:
            self._set_control(table.control)
        for on, lay, lie in _changes(self._markers, table.markers):
            self._set_markers(on, lay or _NOTHING, lie or _NOTHING)
        for pile, held, holds in _changes(self._piles, table.piles):
            self._set_pile(pile, held or EMPTY_PILE, holds or EMPTY_PILE)
        for on, had, has in _changes(self._attributes, table.attributes):
            self._set_attributes(on, had or _NO_VALUES, has or _NO_VALUES)
        return self.values

    def _set_header(self, table: Table) -> None:
        """Set what is told of the sequence of play, and the tracks."""
        layout, values = self._layout, self.values
        for flag in self._flags:
            values[flag] = 0.0
        flags = [layout.own_side.get(table.side_of(self._seat)), layout.turn.get(table.turn)]
        top = table.top
        if top is not None:
            flags += [layout.asked.get(top.seat), layout.question.get(top.kind)]
        if table.ended is not None:
            flags.append(layout.ended)
        self._flags = [flag for flag in flags if flag is not None]
        for flag in self._flags:
            values[flag] = 1.0
        values[layout.picked] = 0 if top is None else len(top.picked)
        values[layout.round] = table.round
        for track, index in layout.tracks.items():
            values[index] = table.tracks.get(track, 0)

    def _recount(self, table: Table, id_: PieceId, was: Piece | None, now: Piece | None) -> None:
        """Count a piece where it lies now, and what lies on it."""
        values = self.values
        for index, amount in self._counted.pop(id_, ()):
            values[index] -= amount
        if now is not None:
            place = now.place if now.place in self._layout.places else table.ground(now.place)
            how = (place, now.side, now.face, now.steps, not now.kind)
            way = self._ways.get(how)
            if way is None:
                way = self._ways[how] = self._way(*how)
            for index, amount in way:
                values[index] += amount
            self._counted[id_] = way
        if self._layout.carries and (was is None or now is None or was.place != now.place):
            for cargo in table.cargo(id_):
                self._recount(table, cargo, None, table.pieces[cargo])

    def _way(self, place: PlaceId, side: Side, face: str, steps: int, is_unknown: bool) -> tuple[tuple[int, int], ...]:  # noqa: FBT001 - A key.
        """Return the numbers to which a piece adds, with how much."""
        block = self._layout.blocks.get((place, side))
        if block is None:
            return ()
        found = [(block.pieces, 1), (block.steps, steps), (block.unknown, int(is_unknown))]
        if face in block.faces:
            found.append((block.faces[face], 1))
        return tuple([(index, amount) for index, amount in found if amount])

    def _set_control(self, control: Mapping[PlaceId, Side]) -> None:
        places = self._layout.control
        for (place, was), (_, now) in _pairs(self._control, control):
            for side, value in ((was, 0.0), (now, 1.0)):
                index = places.get((place, side))
                if index is not None:
                    self.values[index] = value
        self._control = control

    def _set_markers(self, on: str, lay: Mapping[MarkerId, int], lie: Mapping[MarkerId, int]) -> None:
        for marker in lay.keys() | lie.keys():
            index = self._layout.markers.get((on, marker))
            if index is not None:
                self.values[index] = lie.get(marker, 0)

    def _set_pile(self, name: PileId, held: Pile, holds: Pile) -> None:
        there = self._layout.piles.get(name)
        if there is None:
            return
        values, cards = self.values, there.cards
        for card in held.cards:
            if card in cards:
                values[cards[card]] = 0.0
        for card in holds.cards:
            if card in cards:
                values[cards[card]] = 1.0
        values[there.known], values[there.hidden] = len(holds.cards), holds.hidden

    def _set_attributes(self, on: str, had: Mapping[AttributeKey, Value], has: Mapping[AttributeKey, Value]) -> None:
        known = self._layout.attributes.get(on)
        if known is None:
            return
        for key in had.keys() | has.keys():
            if key in known:
                told = known[key]
                self.values[told.index] = told.number(has[key]) if key in has else 0.0


def _changes(kept: MutableMapping[K, V], now: Mapping[K, V]) -> Iterator[tuple[K, V | None, V | None]]:
    """Yield what is not the same object as before, with its key, and keep it."""
    # Most often nothing has changed, which is found out at once.
    if kept == now:
        return
    changed = [key for key, value in now.items() if kept.get(key) is not value]
    for key in changed:
        was, kept[key] = kept.get(key), now[key]
        yield key, was, now[key]
    if len(kept) > len(now):
        for key in kept.keys() - now.keys():
            yield key, kept.pop(key), None


def _pairs(
    was: Mapping[PlaceId, Side], now: Mapping[PlaceId, Side]
) -> Iterator[tuple[tuple[PlaceId, Side], tuple[PlaceId, Side]]]:
    """Yield each place whose control has changed, with the side before and the side now; an empty side for none."""
    for place in was.keys() | now.keys():
        before, after = was.get(place, Side("")), now.get(place, Side(""))
        if before != after:
            yield (place, before), (place, after)
