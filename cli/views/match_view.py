"""Views of a match: all that one seat sees of it, up to an event.

A match lies in the store (`cli.views.stored_match`) or on a server (`cli.views.served_match`); what is shown of it is the same. A view is of one
moment: what is appended after its state was read is not in it, so that everything told of it belongs together.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from typing_extensions import override

from cli.shell.exit_codes import usage
from core.history.match_reader import check_seat
from events.commit import Commit
from events.ids import ARBITER, MatchId, Seat
from events.vocabulary import Event
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import EventSlice, SeatView, log_number, seat_number

if TYPE_CHECKING:
    from core.game.bound_game import BoundGame
    from core.game.game_record import Game
    from core.telling.names import Names
    from projections.catalogue import InstalledRules

# What knows the rules takes longer to load than a long match to read, and is imported only where it is needed.


class MatchView(ABC):
    """A match as one seat sees it, up to one of its events.

    Args:
        match: Its id.
        seat: The seat whose view it is.
        now: The table at the head: with all its secrets if the match lies in the store, else as the seat sees it.
        last: The number of the last event that the seat has seen.
        advise: Receives one warning if names are missing because the rules or the board of the match are not here.

    Attributes:
        number: The last event of the view, by the seat's own count.
    """

    def __init__(
        self,
        match: MatchId,
        seat: Seat,
        now: Table,
        last: int,
        advise: Callable[[str], None] | None,
    ) -> None:
        self.match = match
        self.seat = seat
        self._now = now
        self.number = self.last = last
        self._bound: BoundGame | None = None
        self._names: Names | None = None
        self._advise = advise

    @abstractmethod
    def _bind(self) -> "BoundGame":
        """Return the game of the match, on its board; see `bound`."""

    @abstractmethod
    def stream(self, after: int = 0, upto: int | None = None) -> Iterator[EventSlice]:
        """Return what the seat has seen after an event and up to another, commit by commit."""

    @abstractmethod
    def slice_at(self, number: int) -> EventSlice:
        """Return what the seat has seen of the commit of an event."""

    def time_at(self, number: int) -> int:
        """Return when an event happened, in milliseconds since 1970 (UTC); 0 for no event."""
        return self.slice_at(number).at if number else 0

    @abstractmethod
    def commit_at(self, number: int) -> Commit | None:
        """Return the commit of an event, or None if only its events are known."""

    def upto(self, number: int | None) -> Self:
        """Return the same reading of the match up to another event; None for the latest.

        Raises:
            UserError: The seat has not seen so many events.
        """
        other = copy(self)
        other.number = self.last if number is None else self.checked(number)
        return other

    @abstractmethod
    def by(self, seat: Seat) -> "MatchView":
        """Return the same match, at its latest event, as another seat sees it."""

    def checked(self, number: int) -> int:
        """Return a number if the seat has seen such an event.

        Raises:
            UserError: It has not.
        """
        if not 1 <= number <= self.last:
            raise usage(
                f"match {self.match} has events 1 to {self.last} for {self.seat}; there is no event {number}",
                "unknown_sequence",
            )
        return number

    @property
    def has_begun(self) -> bool:
        """Whether play has begun."""
        return self._now.began

    @property
    def closed_upto(self) -> int:
        """The last event at which the viewer cannot fork, by the seat's count; 0 if any will do, as for a store's owner."""
        return 0

    @property
    def game(self) -> "Game":
        """The key of the game."""
        from core.registry.games import load_game

        return load_game(self._now.game)

    @property
    def installed(self) -> "InstalledRules | None":
        """The installed rules, if the match stands still because it is played under others."""
        from core.registry.installed_rules import standing_still

        return standing_still(self._now)

    @property
    def title(self) -> str:
        """The title of the game, or its key if the game is not installed."""
        from core.telling.chosen_options import title_of

        return title_of(self._now.game)

    @property
    def bound(self) -> "BoundGame":
        """The game of the match, on its board.

        Raises:
            RulesetMissing: The rules are not installed, or the board is missing or not valid.
        """
        if self._bound is None:
            self._bound = self._bind()
        return self._bound

    @property
    def names(self) -> "Names":
        """The names of this match; ids if its rules or its board are not here."""
        if self._names is None:
            from core.errors import RulesetMissing
            from core.telling.names import IdsOnly, Names

            try:
                self._names = Names(self.bound.narration)
            except RulesetMissing as error:
                if self._advise is not None:
                    self._advise(f"names are missing: {error}")
                self._names = Names(IdsOnly(self._now.game))
        return self._names

    def table(self, number: int | None = None) -> Table:
        """Return the table as the seat sees it after an event, by default the last of the view."""
        return fold(self.events(upto=self.number if number is None else number))

    def events(self, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        """Return what the seat has seen after an event and up to another, one by one."""
        for seen in self.stream(after, upto):
            yield from seen.events


def cut(seen: EventSlice, after: int, last: int) -> Iterator[EventSlice]:
    """Return the part of a slice after an event and up to another, if there is one."""
    start, end = max(seen.first, after + 1), min(seen.last, last)
    if start <= end:
        yield EventSlice(start, seen.at, seen.events[start - seen.first : end + 1 - seen.first])


C = TypeVar("C", Commit, EventSlice)
"""A commit with all its events; as the arbiter of a match on a server sees it, a slice."""


class WholeMatch(MatchView, Generic[C]):
    """A match of which everything is known, so that the view of each seat can be made here.

    Args:
        match: Its id.
        seat: The seat whose view it is.
        table: The table at the head with all its secrets.
        commits: All its commits, in order.
        advise: As for every view.

    Raises:
        UnknownName: It has no such seat.
    """

    def __init__(
        self, match: MatchId, seat: Seat, table: Table, commits: Sequence[C], advise: Callable[[str], None] | None
    ) -> None:
        self._commits: Sequence[C] = commits
        last = seat_number(table, check_seat(table, seat), table.seq)
        super().__init__(match, seat, table, last, advise)

    @property
    def seq(self) -> int:
        """The log's own number of the last event of the view."""
        return log_number(self._now, self.seat, self.number)

    @property
    def true_table(self) -> Table:
        """The table at the head with all its secrets."""
        return self._now

    @override
    def by(self, seat: Seat) -> Self:
        other = copy(self)
        other.seat = seat
        other.last = other.number = seat_number(self._now, seat, self._now.seq)
        return other

    @override
    def table(self, number: int | None = None) -> Table:
        upto = self.number if number is None else number
        if self.seat == ARBITER:
            return self._now if upto == self.last else self.true_table_at(upto)
        return super().table(upto)

    def true_table_at(self, seq: int) -> Table:
        """Return the table with all its secrets after the log's event `seq`, 0 or more."""
        table = Table()
        for commit in self._between(0, seq):
            fold(commit.events[: seq + 1 - commit.first], table)
        return table

    def whole_commit_at(self, number: int) -> C:
        """Return the commit of an event with all its events, under the log's own numbers."""
        seq = log_number(self._now, self.seat, number)
        return next(self._between(seq - 1, seq))

    @override
    def slice_at(self, number: int) -> EventSlice:
        commit = self.whole_commit_at(number)
        seen = SeatView.after(self._now, self.seat, commit.first - 1).take(commit.events, commit.at, commit.last)
        assert seen is not None, "a seat's number is that of an event it has seen"
        return seen

    def end_of_command(self, number: int) -> int:
        """Return the log's number of the last event of a command that ends for the seat with an event.

        Raises:
            UserError: The event lies in the middle of a command.
        """
        slice_ = self.slice_at(number)
        if slice_.last != number:
            from core.legal.legal_options import between_decisions

            raise usage(between_decisions(number, slice_.first - 1, slice_.last), "within_command")
        return self.whole_commit_at(number).last

    @override
    def stream(self, after: int = 0, upto: int | None = None) -> Iterator[EventSlice]:
        last = self.number if upto is None else upto
        if last <= after:
            return
        first_seq, last_seq = (log_number(self._now, self.seat, number) for number in (after, last))
        view: SeatView | None = None
        for commit in self._between(first_seq, last_seq):
            if view is None:
                view = SeatView.after(self._now, self.seat, commit.first - 1)
            seen = view.take(commit.events, commit.at, commit.last)
            if seen is not None:
                yield from cut(seen, after, min(view.count, last))

    def _between(self, after: int, upto: int) -> Iterator[C]:
        """Return the commits with events after one and up to another, by the log's count."""
        for commit in self._commits:
            if commit.last > after and commit.first <= upto:
                yield commit
