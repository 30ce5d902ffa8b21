"""Follow a match live."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from cli.commands.log import event_shapes, heading_of, told_line
from cli.commands.remote import client_of, match_on
from cli.context import Context
from cli.match_view import parse_whole
from cli.names import Names
from cli.narration import Narrator
from cli.render import decision_lines
from core.bound_games import bound_game
from core.match_reader import find_match
from events.ids import ARBITER, MatchId, Seat
from projections.chronicle import Chronicler, Heading, Restored
from projections.view import EventSlice
from server.client.client import Client
from server.client.local import local_client

LOOK_S = 0.5
"""How long to wait for events before checking for a request to stop (seconds)."""


class Watching(NamedTuple):
    """The arguments of `watch`."""

    match: str
    connect: str
    server_key: str
    seat: str
    token: str
    is_from_start: bool
    client_key: str


def watch(context: Context, wish: Watching) -> None:
    """Print events until the match ends.

    Raises:
        UnknownMatch: There is no such match.
        RequestFailed: The secret does not open the seat's view.
        TimedOut: The server does not answer.
    """
    seat = Seat(wish.seat)
    with _client(context, wish, seat) as (client, match), client.follow(match, seat) as following:
        bound = bound_game(following.table.game, client.board(match, seat), following.table.variant)
        teller = Narrator(Names(bound.narration), None if wish.is_from_start else following.table)

        def restored(to: int) -> Heading:
            return heading_of(client.state(match, seat, to).table)

        told = _Telling(context, teller, match, None if wish.is_from_start else heading_of(following.table), restored)
        if wish.is_from_start:
            for slice_ in client.log(match, seat):
                if slice_.last <= following.seq:
                    told.tell(slice_)
        else:
            context.echo_err(f"following match {match} from event {following.seq}; Ctrl-C stops")
        while following.table.ended is None:
            news = following.next(LOOK_S)
            if news is not None:
                told.tell(news)
        if not context.is_json:
            for line in decision_lines(teller.names, following.table):
                context.echo(line)


@contextmanager
def _client(context: Context, wish: Watching, seat: Seat) -> Iterator[tuple[Client, MatchId]]:
    """Return the client of a server or of the local store, and the match there."""
    if not wish.connect:
        match = find_match(context.log, parse_whole(wish.match))
        yield local_client(context.log), match
        return
    owner = wish.token if seat == ARBITER else ""
    with client_of(context, wish.connect, wish.server_key, wish.client_key, owner) as client:
        match = match_on(client, parse_whole(wish.match))
        if wish.token:
            client.add_token(match, seat, wish.token)
        yield client, match


class _Telling:
    """Prints slices as they arrive, with a heading when it changes."""

    def __init__(
        self, context: Context, teller: Narrator, match: MatchId, heading: Heading | None, restored: Restored
    ) -> None:
        self._context = context
        self._teller = teller
        self._match = match
        self._chronicler = Chronicler(heading, restored)
        self._told: Heading | None = None

    def tell(self, slice_: EventSlice) -> None:
        """Print one slice and flush."""
        if self._context.is_json:
            for shape in event_shapes(self._match, [slice_], self._teller):
                self._context.print_json(shape)
        else:
            self._say(slice_)
        self._context.flush()

    def _say(self, seen: EventSlice) -> None:
        entries = self._chronicler.take(seen)
        for line in self._teller.lines(entries, is_full=self._context.is_verbose):
            heading = next(entry.heading for entry in entries if entry.number == line.first)
            if heading != self._told:
                self._context.echo(self._context.paint(self._teller.heading(heading), ""))
                self._told = heading
            for text in told_line(self._context, line):
                self._context.echo(text)
