"""Follow a match live."""

from cli.output.log_text import event_shapes, told_line
from cli.output.table_text import decision_lines
from cli.shell.arguments import parse_whole
from cli.shell.context import Context
from cli.views.named_match import named_match
from cli.views.served_match import bound_on
from core.telling.names import Names
from core.telling.narrator import Narrator
from events.codec import replace
from events.ids import MatchId, Seat
from projections.chronicle import Chronicler, Heading, Restored
from projections.state.undo_history import undone_events
from projections.state.view import EventSlice
from server.client.local import local_client

LOOK_S = 0.5
"""How long to wait for events before checking for a request to stop (seconds)."""


def watch(context: Context, match: str, seat: Seat, *, is_from_start: bool) -> None:
    """Print events until the match ends.

    Raises:
        UnknownMatch: There is no such match.
        RequestFailed: The secret does not open the seat's view.
        TimedOut: The server does not answer.
    """
    known = named_match(context, parse_whole(match), seat)
    # To watch needs no right to write to the store.
    client = context.client if context.address else local_client(context.log)
    with client.follow(known, seat) as following:
        bound = bound_on(client, known, seat, following.table)
        teller = Narrator(Names(bound.narration), None if is_from_start else following.table)

        def restored(to: int) -> Heading:
            return Heading.of(client.state(known, seat, to).table)

        told = _Telling(context, teller, known, None if is_from_start else Heading.of(following.table), restored)
        if is_from_start:
            past = [slice_ for slice_ in client.log(known, seat) if slice_.last <= following.seq]
            told.undone = undone_events([event for slice_ in past for event in slice_.events])
            for slice_ in past:
                told.tell(slice_)
        else:
            context.echo_err(f"following match {known} from event {following.seq}; Ctrl-C stops")
        while following.table.ended is None:
            news = following.next(LOOK_S)
            if news is not None:
                told.tell(news)
        if not context.is_json:
            for line in decision_lines(teller.names, following.table):
                context.echo(line)


class _Telling:
    """Prints slices as they arrive, with a heading when it changes.

    Attributes:
        undone: The numbers of the events that are known to have been taken back.
    """

    def __init__(
        self, context: Context, teller: Narrator, match: MatchId, heading: Heading | None, restored: Restored
    ) -> None:
        self._context = context
        self._teller = teller
        self._match = match
        self._chronicler = Chronicler(heading, restored)
        self._told: Heading | None = None
        self.undone: frozenset[int] = frozenset()

    def tell(self, slice_: EventSlice) -> None:
        """Print one slice and flush."""
        if self._context.is_json:
            for shape in event_shapes(self._match, [slice_], self._teller, self.undone):
                self._context.print_json(shape)
        else:
            self._say(slice_)
        self._context.flush()

    def _say(self, seen: EventSlice) -> None:
        entries = [replace(one, is_undone=one.number in self.undone) for one in self._chronicler.take(seen)]
        for line in self._teller.lines(entries, is_full=self._context.is_verbose):
            heading = next(entry.heading for entry in entries if entry.number == line.first)
            if heading != self._told:
                self._context.echo(self._context.paint(self._teller.heading(heading), ""))
                self._told = heading
            for text in told_line(self._context, line):
                self._context.echo(text)
