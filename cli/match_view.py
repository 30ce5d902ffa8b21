"""Resolves matches named on the command line, and reads what one seat sees of a match up to an event."""

from collections.abc import Callable, Iterator
from copy import copy
from typing import TYPE_CHECKING

from cli.context import Context
from cli.exit_codes import usage
from core.match_reader import check_seat, find_match, read_match
from events.commit import Commit
from events.ids import ARBITER, MatchId, Seat
from events.log import Log
from events.vocabulary import Event
from projections.fold import fold
from projections.table import Table
from projections.view import EventSlice, SeatView, log_number, seat_number

if TYPE_CHECKING:
    from cli.names import Names
    from core.game import Game
    from core.ports import BoundGame

# What knows the rules takes longer to load than a long match to read, and is imported only where it is needed.


def parse_point(text: str) -> tuple[str, int | None]:
    """Split MATCH@SEQ.

    Returns:
        The match, or the beginning of its id, and the number if there is one.

    Raises:
        UserError: The text does not name a point in a match.
    """
    match, at, number = text.partition("@")
    if not match:
        raise usage("a match is named by its id or the beginning of it; `wardiary list` shows them")
    if not at:
        return match, None
    if not (number.isascii() and number.isdecimal() and len(number) <= 15):
        raise usage(f"{text!r} is not a point in a match: write MATCH@SEQ with an event's number")
    return match, int(number)


def parse_whole(text: str) -> str:
    """Return the match, or the beginning of its id, that is named for a verb that takes no event.

    Raises:
        UserError: The text names no match, or an event of one.
    """
    match, number = parse_point(text)
    if number is not None:
        raise usage(f"this takes a whole match: write {match}, without the event's number")
    return match


class MatchView:
    """A match as one seat sees it, up to one of its events.

    Args:
        log: The log that holds it.
        match: Its id.
        seat: The seat whose view it is.
        number: The last event of the view, by the seat's own count; None for the latest.
        advise: Receives one warning if names are missing because the rules or the board of the match are not here.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: The match fails its chain check.
        UnknownName: It has no such seat.
        UserError: The seat has not seen so many events.
    """

    def __init__(
        self, log: Log, match: MatchId, seat: Seat, number: int | None, advise: Callable[[str], None] | None = None
    ) -> None:
        self.log = log
        self.match = match
        kept = read_match(log, match)
        self._commits, self._now, self.head = kept.commits, kept.table, kept.head
        self.seat = check_seat(self._now, seat)
        self.last = seat_number(self._now, seat, self._now.seq)
        self.number = self.last if number is None else self.checked(number)
        self._bound: BoundGame | None = None
        self._names: Names | None = None
        self._advise = advise

    def checked(self, number: int) -> int:
        """Return a number if the seat has seen such an event.

        Raises:
            UserError: It has not.
        """
        if not 1 <= number <= self.last:
            raise usage(
                f"match {self.match} has events 1 to {self.last}; there is no event {number}", "unknown_sequence"
            )
        return number

    @property
    def seq(self) -> int:
        """The log's own number of the last event of the view."""
        return self.log_number(self.number)

    def log_number(self, number: int) -> int:
        """Turn the seat's number of an event into the log's."""
        return log_number(self._now, self.seat, number)

    @property
    def true_table(self) -> Table:
        """The table at the head with all its secrets."""
        return self._now

    @property
    def game(self) -> "Game":
        """The key of the game."""
        from core.games import load_game

        return load_game(self._now.game)

    @property
    def title(self) -> str:
        """The title of the game, or its key if the game is not installed."""
        from core.errors import UnknownName

        try:
            return self.game.title
        except UnknownName:
            return self._now.game

    @property
    def bound(self) -> "BoundGame":
        """The game of the match, on its board.

        Raises:
            RulesetMissing: The rules are not installed, or the board is missing or not valid.
        """
        if self._bound is None:
            from core.match import game_of

            self._bound = game_of(self.log, self._now)
        return self._bound

    @property
    def names(self) -> "Names":
        """The names of this match; ids if its rules or its board are not here."""
        if self._names is None:
            from cli.names import IdsOnly, Names
            from core.errors import RulesetMissing

            try:
                self._names = Names(self.bound.narration)
            except RulesetMissing as error:
                if self._advise is not None:
                    self._advise(f"names are missing: {error}")
                self._names = Names(IdsOnly(self._now.game))
        return self._names

    def true_table_at(self, seq: int) -> Table:
        """Return the table with all its secrets after the log's event `seq`, 0 or more."""
        table = Table()
        for commit in self._between(0, seq):
            fold(commit.events[: seq + 1 - commit.first], table)
        return table

    def commit_of(self, seq: int) -> Commit:
        """Return the commit that the log's event `seq` is part of."""
        return next(self._between(seq - 1, seq))

    def seen(self, commit: Commit) -> EventSlice | None:
        """Return the seat's slice of a commit, or None if it sees nothing of it."""
        return SeatView.after(self._now, self.seat, commit.first - 1).take(commit.events, commit.at, commit.last)

    def table(self, number: int | None = None) -> Table:
        """Return the table as the seat sees it after an event, by default the last of the view."""
        upto = self.number if number is None else number
        if self.seat == ARBITER:
            return self._now if upto == self.last else self.true_table_at(upto)
        return fold(self.events(upto=upto))

    def by(self, seat: Seat) -> "MatchView":
        """Return the same match, at its latest event, as another seat sees it."""
        other = copy(self)
        other.seat = seat
        other.last = other.number = seat_number(self._now, seat, self._now.seq)
        return other

    def events(self, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        """Return what the seat has seen after an event and up to another, one by one."""
        for seen in self.stream(after, upto):
            yield from seen.events

    def stream(self, after: int = 0, upto: int | None = None) -> Iterator[EventSlice]:
        """Return what the seat has seen after an event and up to another, commit by commit."""
        last = self.number if upto is None else upto
        if last <= after:
            return
        first_seq, last_seq = self.log_number(after), self.log_number(last)
        view: SeatView | None = None
        for commit in self._between(first_seq, last_seq):
            if view is None:
                view = SeatView.after(self._now, self.seat, commit.first - 1)
            seen = view.take(commit.events, commit.at, commit.last)
            if seen is None:
                continue
            start, end = max(seen.first, after + 1), min(view.count, last)
            if start <= end:
                yield EventSlice(start, seen.at, seen.events[start - seen.first : end + 1 - seen.first])

    def _between(self, after: int, upto: int) -> Iterator[Commit]:
        """Return the commits with events after one and up to another, by the log's count."""
        for commit in self._commits:
            if commit.last > after and commit.first <= upto:
                yield commit


def view_match(context: Context, text: str, seat: str) -> MatchView:
    """Look at MATCH or MATCH@SEQ of the store as a seat sees it."""
    prefix, number = parse_point(text)
    return MatchView(context.log, find_match(context.log, prefix), Seat(seat), number, context.echo_err)
