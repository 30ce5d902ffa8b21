"""Losses: pieces that left the field or returned to it, and steps lost and regained, by side and round."""

from collections.abc import Callable, Iterable

from events.codec import Struct
from events.ids import PieceId, PlaceId, Side
from events.vocabulary import CommandsUndone, Event, PieceMoved, PiecePlaced, PieceRemoved, PieceReturned, PieceTurned
from projections.state.fold import evolve
from projections.state.table import Piece, Table

LEFT = "left"
RETURNED = "returned"
REDUCED = "reduced"
RESTORED = "restored"

OFF_TABLE = PlaceId("")
"""Where a piece is that has left the table."""


class Loss(Struct, frozen=True):
    """One loss or recovery.

    `change` is `left` (the field, for the place `to`, or off the table if that is empty), `returned`, `reduced` or `restored`. `steps` are those
    that were lost by it or regained, 0 or more: a piece that leaves the field takes its steps along, as far as the viewer knows them, and one that
    returns brings its own back. `number` is the event's.
    """

    number: int
    round: int
    side: Side
    piece: PieceId
    kind: str
    change: str
    was: PlaceId = OFF_TABLE
    to: PlaceId = OFF_TABLE
    steps: int = 0


class RoundLosses(Struct, frozen=True):
    """The losses of one side in one round: pieces that left the field and that returned, steps lost and regained; none is negative."""

    round: int
    side: Side
    left: int
    returned: int
    steps_lost: int
    steps_regained: int


def are_forces(_kind: str) -> bool:
    """Return True: every piece counts."""
    return True


class Losses:
    """The losses of a stream as it grows, except those that were taken back.

    Args:
        is_field: Whether a place is on the map, not a box beside it. The first arrival of a piece on the field is not a return.
        is_force: Whether pieces of a kind count; that a token is spent is no loss.
    """

    def __init__(self, is_field: Callable[[PlaceId], bool], is_force: Callable[[str], bool] = are_forces) -> None:
        self._is_field = is_field
        self._is_force = is_force
        self._away: set[PieceId] = set()
        # Pieces that have gone or come, with the number of the event and whether they were away before.
        self._moved: list[tuple[int, PieceId, bool]] = []
        self._found: list[Loss] = []

    def take(self, table: Table, event: Event) -> Loss | None:
        """Take the next event, and return the loss that it is.

        Args:
            table: The table before the event.
            event: The event.
        """
        if isinstance(event, CommandsUndone):
            self._undo(event.to)
            return None
        loss = self._loss(table, event)
        if loss is None or not self._is_force(loss.kind):
            return None
        self._found.append(loss)
        return loss

    def all(self) -> list[Loss]:
        """Return the losses that were not taken back, in order."""
        return [*self._found]

    def _undo(self, to: int) -> None:
        while self._found and self._found[-1].number > to:
            self._found.pop()
        while self._moved and self._moved[-1][0] > to:
            _, piece, was_away = self._moved.pop()
            (self._away.add if was_away else self._away.discard)(piece)

    def _mark(self, table: Table, piece: PieceId, *, is_away: bool) -> None:
        if (was_away := piece in self._away) != is_away:
            self._moved.append((table.seq + 1, piece, was_away))
            (self._away.add if is_away else self._away.discard)(piece)

    def _loss(self, table: Table, event: Event) -> Loss | None:
        if not isinstance(event, PieceMoved | PiecePlaced | PieceRemoved | PieceReturned | PieceTurned):
            return None
        piece = table.pieces.get(event.piece)
        if piece is None:
            return None
        # A piece on another piece is in that piece's place.
        was = self._is_field(table.ground(piece.place))
        if isinstance(event, PieceTurned):
            return _turned(table, piece, event) if was else None
        to = event.to if isinstance(event, PieceMoved | PiecePlaced) else OFF_TABLE
        is_there = to != OFF_TABLE and self._is_field(table.ground(to))
        has_returned = is_there and piece.id in self._away
        # The id of a piece that is off the table may be that of another one later on.
        self._mark(table, piece.id, is_away=to != OFF_TABLE and not is_there and (was or piece.id in self._away))
        if was and not is_there:
            return _said(table, piece, LEFT, piece.steps, to)
        return _said(table, piece, RETURNED, piece.steps, to) if has_returned else None


def losses(
    events: Iterable[Event], is_field: Callable[[PlaceId], bool], is_force: Callable[[str], bool] = are_forces
) -> list[Loss]:
    """List all losses of a stream from its first event; see `Losses`.

    Args:
        events: The events that one seat sees, in order.
        is_field: Whether a place is on the map.
        is_force: Whether pieces of a kind count.
    """
    table, found = Table(), Losses(is_field, is_force)
    for event in events:
        found.take(table, event)
        evolve(table, event)
    return found.all()


def _turned(table: Table, piece: Piece, event: PieceTurned) -> Loss | None:
    """Return the steps that a piece loses or regains; where it had none, its strength is only settled now."""
    if event.steps is None or not piece.steps or event.steps == piece.steps:
        return None
    change = REDUCED if event.steps < piece.steps else RESTORED
    return _said(table, piece, change, abs(piece.steps - event.steps), piece.place)


def _said(table: Table, piece: Piece, change: str, steps: int, to: PlaceId) -> Loss:
    number = table.seq + 1
    return Loss(number, table.round, piece.side, piece.id, piece.kind, change, piece.place, to, steps)


def by_round(found: Iterable[Loss]) -> list[RoundLosses]:
    """Sum losses by round and side, in order of round and then of the sides' names."""
    sums: dict[tuple[int, Side], RoundLosses] = {}
    for loss in found:
        old = sums.get((loss.round, loss.side)) or RoundLosses(loss.round, loss.side, 0, 0, 0, 0)
        is_lost = loss.change in (LEFT, REDUCED)
        sums[loss.round, loss.side] = RoundLosses(
            loss.round,
            loss.side,
            old.left + (loss.change == LEFT),
            old.returned + (loss.change == RETURNED),
            old.steps_lost + (loss.steps if is_lost else 0),
            old.steps_regained + (0 if is_lost else loss.steps),
        )
    return sorted(sums.values(), key=lambda entry: (entry.round, entry.side))
