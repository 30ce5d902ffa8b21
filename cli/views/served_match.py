"""A match on a server, as one seat sees it."""

from collections.abc import Callable, Iterator
from functools import cache

from typing_extensions import override

from cli.views.match_view import MatchView, WholeMatch, cut
from core.errors import RulesetMissing, SetupInvalid, UnknownName
from core.game.bound_game import BoundGame
from core.match.arbitration.seat_views import ViewSeat
from core.match.bound_games import bound_game, is_on_shipped_board
from events.codec import encode
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from projections.catalogue import InstalledRules
from projections.fork_points import closed_upto
from projections.state.table import Table
from projections.state.view import EventSlice
from server.client.client import Client
from server.protocol.identity import credential
from server.protocol.replies import StateReply


class ServedMatch(MatchView):
    """A match that is viewed over sockets. Its commands stay on the server, which shows a seat only events.

    Args:
        client: Knows the secret of the seat.
        state: The table that the server returned, which the view ends with.
        advise: As for every view.
    """

    def __init__(self, client: Client, state: StateReply, advise: Callable[[str], None] | None = None) -> None:
        self._client = client
        self._advised = advise
        self._installed = state.installed
        super().__init__(state.match, state.seat, state.table, state.seq, advise)
        # Views up to several events share what was read.
        self._slices = cache(lambda: client.log(state.match, state.seat))

    @property
    @override
    def installed(self) -> InstalledRules | None:
        return self._installed

    @property
    @override
    def closed_upto(self) -> int:
        return closed_upto(self._now, self.seat)

    @override
    def _bind(self) -> BoundGame:
        return bound_on(self._client, self.match, self.seat, self._now)

    @override
    def by(self, seat: Seat) -> MatchView:
        return view_served(self._client, self.match, seat, None, self._advised)

    @override
    def table(self, number: int | None = None) -> Table:
        upto = self.number if number is None else number
        return self._now if upto == self.last else super().table(upto)

    @override
    def stream(self, after: int = 0, upto: int | None = None) -> Iterator[EventSlice]:
        last = self.number if upto is None else upto
        for seen in self._slices():
            yield from cut(seen, after, last)

    @override
    def slice_at(self, number: int) -> EventSlice:
        return next(seen for seen in self._slices() if seen.last >= number)

    @override
    def time_at(self, number: int) -> int:
        if number != self.last:
            return super().time_at(number)
        # The end of a long match takes a small request.
        latest = self._client.log(self.match, self.seat, max(0, number - 1))
        return latest[0].at if latest else 0

    @override
    def commit_at(self, number: int) -> None:
        return None


class ArbitersMatch(WholeMatch[EventSlice]):
    """A match on a server as its arbiter knows it, who sees everything and so what each seat saw.

    Nothing is asked for that the arbiter may not see; `view_of_seat` puts on record that it is looked at.

    Args:
        client: Knows the arbiter's secret.
        match: Its id.
        seat: The seat whose view it is.
        advise: As for every view.

    Raises:
        RequestFailed: The secret does not prove the office.
        UnknownName: There is no such seat.
    """

    def __init__(self, client: Client, match: MatchId, seat: Seat, advise: Callable[[str], None] | None = None) -> None:
        self._client = client
        state = client.state(match, ARBITER)
        self._installed = state.installed
        commits = [one for one in client.log(match, ARBITER) if one.last <= state.seq]
        super().__init__(match, seat, state.table, commits, advise)

    @property
    @override
    def installed(self) -> InstalledRules | None:
        return self._installed

    @override
    def _bind(self) -> BoundGame:
        return bound_on(self._client, self.match, ARBITER, self._now)

    @override
    def commit_at(self, number: int) -> None:
        return None


def is_seen_by_arbiter(client: Client, match: MatchId, seat: Seat) -> bool:
    """Return whether a client can see a match as a seat only as its arbiter."""
    return seat not in (PUBLIC, ARBITER) and not client.token(match, seat) and bool(client.token(match, ARBITER))


def view_of_seat(
    client: Client, match: MatchId, seat: Seat, number: int | None, advise: Callable[[str], None] | None = None
) -> ArbitersMatch:
    """Return a match as a seat saw it, for the arbiter, of whom everybody is told before anything of it is shown.

    The same view is told once, however often it is shown: its key says whose view it is, of which moment, and who looks.

    Raises:
        RequestFailed: The secret does not prove the office.
        UnknownName: There is no such seat.
        UserError: The seat has not seen so many events.
    """
    seen = ArbitersMatch(client, match, seat, advise).upto(number)
    tell_view(client, seen)
    return seen


def tell_view(client: Client, seen: ArbitersMatch) -> None:
    """Put on record that the arbiter looks at a match as a seat saw it.

    Raises:
        RequestFailed: The secret does not prove the office.
    """
    who = credential(client.token(seen.match, ARBITER))[:32]
    looked = ViewSeat(seat=seen.seat, at=seen.number)
    client.play(seen.match, ARBITER, encode(looked), key=f"view-{seen.seat}-{seen.number}-{who}")


def view_served(
    client: Client, match: MatchId, seat: Seat, number: int | None, advise: Callable[[str], None] | None = None
) -> MatchView:
    """Return a match of a server as a seat sees it, up to an event by the seat's own count; None for the latest.

    Raises:
        RequestFailed: There is no such seat, or the secret does not prove it.
        UserError: The seat has not seen so many events.
    """
    if is_seen_by_arbiter(client, match, seat):
        return view_of_seat(client, match, seat, number, advise)
    return ServedMatch(client, client.state(match, seat), advise).upto(number)


def bound_on(client: Client, match: MatchId, seat: Seat, table: Table) -> BoundGame:
    """Return the game of a client's match, on its board.

    Raises:
        RulesetMissing: The game is not installed here, or its board is not valid here.
    """
    try:
        board = None if is_on_shipped_board(table) else client.board(match, seat)
        return bound_game(table.game, board, table.variant)
    except (UnknownName, SetupInvalid) as error:
        raise RulesetMissing(f"match {match} cannot be told here: {error}") from None
