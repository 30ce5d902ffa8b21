"""Losses: pieces that left the field, returned, lost steps or were removed for good, by side and round."""

from collections.abc import Callable, Iterable

from events.codec import Struct
from events.ids import PieceId, PlaceId, Side
from events.vocabulary import Event, PieceMoved, PiecePlaced, PieceRemoved, PieceReturned, PieceTurned, TakenBack
from projections.fold import evolve
from projections.table import Piece, Table

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


class Losses:
    """The losses of a stream as it grows, except those that were taken back.

    Args:
        is_field: Whether a place is on the map, not a box beside it. The first arrival of a piece on the field is not a return.
    """

    def __init__(self, is_field: Callable[[PlaceId], bool]) -> None:
        self._is_field = is_field
        self._away: set[PieceId] = set()
        # Each loss with what it replaced: whether the piece was away before.
        self._found: list[tuple[Loss, bool]] = []

    def take(self, table: Table, event: Event) -> Loss | None:
        """Take the next event, and return the loss that it is.

        Args:
            table: The table before the event.
            event: The event.
        """
        if isinstance(event, TakenBack):
            self._go_back(event.to)
            return None
        loss = self._loss(table, event)
        if loss is not None:
            self._found.append((loss, loss.piece in self._away))
            if loss.change in (LEFT, RETURNED):
                self._mark(loss.piece, is_away=loss.change == LEFT)
        return loss

    def all(self) -> list[Loss]:
        """Return the losses that were not taken back, in order."""
        return [loss for loss, _ in self._found]

    def _go_back(self, to: int) -> None:
        while self._found and self._found[-1][0].number > to:
            loss, was_away = self._found.pop()
            self._mark(loss.piece, is_away=was_away)

    def _mark(self, piece: PieceId, *, is_away: bool) -> None:
        if is_away:
            self._away.add(piece)
        else:
            self._away.discard(piece)

    def _loss(self, table: Table, event: Event) -> Loss | None:
        if isinstance(event, PieceMoved | PiecePlaced):
            piece = table.pieces.get(event.piece)
            # A piece on another piece is in that piece's place.
            if piece is None:
                return None
            was = self._is_field(table.ground(piece.place))
            if was == self._is_field(table.ground(event.to)):
                return None
            if was:
                return _said(table, piece, LEFT, event.to)
            return _said(table, piece, RETURNED, event.to) if piece.id in self._away else None
        if isinstance(event, PieceRemoved | PieceReturned):
            return _said(table, table.pieces[event.piece], REMOVED, PlaceId(""))
        if isinstance(event, PieceTurned) and event.steps is not None:
            piece = table.pieces[event.piece]
            lost = piece.steps - event.steps
            return None if lost == 0 else _said(table, piece, STEPS, PlaceId(""), lost)
        return None


def losses(events: Iterable[Event], is_field: Callable[[PlaceId], bool]) -> list[Loss]:
    """List all losses of a stream from its first event; see `Losses`.

    Args:
        events: The events that one seat sees, in order.
        is_field: Whether a place is on the map.
    """
    table, found = Table(), Losses(is_field)
    for event in events:
        found.take(table, event)
        evolve(table, event)
    return found.all()


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
