"""Matches as they are named on the command line, and what one seat sees of one of them up to a point."""

from collections.abc import Iterator

from cli.faults import usage
from cli.names import Names
from core.game import BoundRules, Game
from core.games import load_game
from core.match import apply_commit, check_seat, edition_of, find_match, table_at
from events.commit import Commit, decode_commit
from events.ids import ARBITER, MatchId, Seat
from events.log import Log
from events.vocabulary import Event
from projections.fold import fold
from projections.table import Table
from projections.view import SeatView, Seen, log_number, seat_number


def parse_point(text: str) -> tuple[str, int | None]:
    """Split MATCH@SEQ.

    Returns:
        The match, or the beginning of its id, and the number if there is one.

    Raises:
        Fault: It is no point.
    """
    match, at, number = text.partition("@")
    if not match:
        raise usage("a match is named by its id or the beginning of it; `wardiary list` shows them")
    if not at:
        return match, None
    if not (number.isascii() and number.isdecimal() and len(number) <= 15):
        raise usage(f"{text!r} is no point in a match: after the @ stands the number of an event")
    return match, int(number)


class Sight:
    """A match as one seat sees it, up to one of its events.

    Args:
        log: Where it is kept.
        match: Its id.
        seat: Who looks.
        number: The last event that is looked at, by the seat's own count; nothing for the latest.
        is_whole: Whether the whole stream will be read: then it is read once, and no snapshot is asked for.

    Raises:
        UnknownMatch: There is no such match.
        UnknownName: It has no such seat.
        Fault: The seat has not seen so many events.
    """

    def __init__(self, log: Log, match: MatchId, seat: Seat, number: int | None, *, is_whole: bool = False) -> None:
        """Look where the match stands."""
        self.log = log
        self.match = match
        head = log.head(match)
        self._commits: list[Commit] = []
        if is_whole:
            self._now = Table()
            self._commits = [apply_commit(self._now, stored, head.seq) for stored in log.read(match, 0, head.seq)]
        else:
            self._now = table_at(log, match, head.seq)
        self.seat = check_seat(self._now, seat)
        self.last = seat_number(self._now, seat, head.seq)
        self.number = self.last if number is None else self.checked(number)
        self._rules: BoundRules | None = None

    def checked(self, number: int) -> int:
        """Return a number if the seat has seen such an event.

        Raises:
            Fault: It has not.
        """
        if not 1 <= number <= self.last:
            raise usage(
                f"match {self.match} has events 1 to {self.last}; there is no event {number}", "unknown_sequence"
            )
        return number

    @property
    def seq(self) -> int:
        """The log's own number of the last event that is looked at."""
        return self.log_number(self.number)

    def log_number(self, number: int) -> int:
        """Turn the seat's number of an event into the log's."""
        return log_number(self._now, self.seat, number)

    @property
    def true_table(self) -> Table:
        """The table at the head with all its secrets."""
        return self._now

    @property
    def game(self) -> Game:
        """What is played."""
        return load_game(self._now.game)

    @property
    def rules(self) -> BoundRules:
        """The rules of the match, on its board."""
        if self._rules is None:
            self._rules = edition_of(self.log, self._now).rules
        return self._rules

    @property
    def names(self) -> Names:
        """What things are called in this match."""
        return Names(self.rules)

    def seen(self, commit: Commit) -> Seen | None:
        """Return what the seat sees of one of the match's commits; nothing where it sees nothing of it."""
        return SeatView.after(self._now, self.seat, commit.first - 1).take(commit.events, commit.at, commit.last)

    def table(self, number: int | None = None) -> Table:
        """Return the table as the seat sees it after an event, by default the last that is looked at."""
        upto = self.number if number is None else number
        if self.seat == ARBITER:
            return self._now if upto == self.last else table_at(self.log, self.match, upto)
        return fold(self.events(upto=upto))

    def events(self, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        """Return what the seat has seen after an event and up to another, one by one."""
        for seen in self.stream(after, upto):
            yield from seen.events

    def stream(self, after: int = 0, upto: int | None = None) -> Iterator[Seen]:
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
                yield Seen(start, seen.events[start - seen.first : end + 1 - seen.first], seen.at, seen.seq)

    def _between(self, after: int, upto: int) -> Iterator[Commit]:
        """Return the commits with events after one and up to another, by the log's count."""
        if not self._commits:
            for stored in self.log.read(self.match, after, upto):
                yield decode_commit(stored.body)
        for commit in self._commits:
            if commit.last > after and commit.first <= upto:
                yield commit


def sight(log: Log, text: str, seat: str, *, is_whole: bool = False) -> Sight:
    """Look at MATCH or MATCH@SEQ as a seat sees it."""
    prefix, number = parse_point(text)
    return Sight(log, find_match(log, prefix), Seat(seat), number, is_whole=is_whole)
