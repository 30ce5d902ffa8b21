"""Losses: pieces that left the field, returned, lost steps or were removed for good, by side and round."""

from collections.abc import Callable, Iterable

from events.codec import Struct
from events.ids import PieceId, PlaceId, Side
from events.vocabulary import Event, PieceMoved, PiecePlaced, PieceRemoved, PieceReturned, PieceTurned
from projections.fold import evolve
from projections.table import Piece, Table
from projections.way_back import taken_back

LEFT = "left"
RETURNED = "returned"
REMOVED = "removed"
STEPS = "steps"


class Loss(Struct, frozen=True):
    """One loss or recovery.

    `change` is `left` (the field, to the place `to`), `returned`, `removed` (from the table) or `steps` (`steps` lost, a
    negative number regained). `number` is the event's.
    """

    number: int
    round: int
    side: Side
    piece: PieceId
    kind: str
    change: str
    was: PlaceId = PlaceId("")
    to: PlaceId = PlaceId("")
    steps: int = 0


class RoundLosses(Struct, frozen=True):
    """The losses of one side in one round: pieces that left the field, that returned, that were removed, and steps."""

    round: int
    side: Side
    lost: int
    returned: int
    removed: int
    steps: int


def losses(events: Iterable[Event], is_field: Callable[[PlaceId], bool]) -> list[Loss]:
    """List all losses of a stream from its first event, except those that were taken back.

    Args:
        events: The events that one seat sees, in order.
        is_field: Whether a place is on the map, not a box beside it. The first arrival of a piece on the field is not a
            return.
    """
    table = Table()
    away: set[PieceId] = set()
    found: list[Loss] = []
    known = list(events)
    undone = taken_back(known)
    for number, event in enumerate(known, start=1):
        loss = None if number in undone else _loss(table, event, is_field, away)
        evolve(table, event)
        if loss is not None:
            found.append(loss)
    return found


def _loss(table: Table, event: Event, is_field: Callable[[PlaceId], bool], away: set[PieceId]) -> Loss | None:
    if isinstance(event, PieceMoved | PiecePlaced):
        piece = table.pieces.get(event.piece)
        # A piece on another piece is in that piece's place.
        if piece is None or (was := is_field(table.ground(piece.place))) == is_field(table.ground(event.to)):
            return None
        if was:
            away.add(piece.id)
            return _said(table, piece, LEFT, event.to)
        if piece.id in away:
            away.discard(piece.id)
            return _said(table, piece, RETURNED, event.to)
        return None
    if isinstance(event, PieceRemoved | PieceReturned):
        return _said(table, table.pieces[event.piece], REMOVED, PlaceId(""))
    if isinstance(event, PieceTurned) and event.steps is not None:
        piece = table.pieces[event.piece]
        lost = piece.steps - event.steps
        return None if lost == 0 else _said(table, piece, STEPS, PlaceId(""), lost)
    return None


def _said(table: Table, piece: Piece, change: str, to: PlaceId, steps: int = 0) -> Loss:
    number = table.seq + 1
    return Loss(number, table.round, piece.side, piece.id, piece.kind, change, piece.place, to, steps)


def by_round(found: Iterable[Loss]) -> list[RoundLosses]:
    """Sum losses by round and side, in order of round and then of the sides' names."""
    sums: dict[tuple[int, Side], RoundLosses] = {}
    for loss in found:
        old = sums.get((loss.round, loss.side)) or RoundLosses(loss.round, loss.side, 0, 0, 0, 0)
        sums[loss.round, loss.side] = RoundLosses(
            loss.round,
            loss.side,
            old.lost + (loss.change == LEFT),
            old.returned + (loss.change == RETURNED),
            old.removed + (loss.change == REMOVED),
            old.steps + loss.steps,
        )
    return sorted(sums.values(), key=lambda entry: (entry.round, entry.side))
