"""The stream as a seat may see it: events with secrets redacted, numbered for that seat.

A seat's numbering has no gaps, so that hidden events leave no trace, not even a missing number. The arbiter
sees everything under the log's own numbers.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Self, get_args

from events.codec import Struct, replace
from events.ids import ARBITER, Seat
from events.vocabulary import (
    SECRETS,
    WITHHELD,
    BaseEvent,
    CommandsUndone,
    DisputeOpened,
    Event,
    MatchForked,
    NoteAdded,
    RulingAppealed,
    RulingMade,
    SeatViewed,
    UndoAsked,
)
from projections.state.forks import limit_of, limited_by
from projections.state.limits import Limit
from projections.state.table import Table

_GUARDED: frozenset[type[BaseEvent]] = frozenset(
    event for event in get_args(Event) if "seen_by" in event.__struct_fields__
)
"""The events that may be visible to some seats only."""


_NUMBERED: frozenset[type[BaseEvent]] = frozenset({MatchForked, CommandsUndone, UndoAsked})
"""The events that name another event, which is renumbered for each viewer."""

_REMARKS = (NoteAdded, RulingMade, SeatViewed, DisputeOpened, RulingAppealed)
"""The events that may name another event, in `at`."""

# Most events are of these kinds, and every event of every seat passes here.
_OPEN: frozenset[type[BaseEvent]] = frozenset(get_args(Event)) - _GUARDED - _NUMBERED - frozenset(_REMARKS)


def is_open(events: Iterable[Event]) -> bool:
    """Return quickly whether every seat sees events after the last fork unchanged."""
    for event in events:
        kind: type = type(event)
        if kind in _OPEN:
            continue
        if kind in _NUMBERED or getattr(event, "seen_by", None) is not None:
            return False
        if isinstance(event, _REMARKS) and event.at is not None:
            return False
    return True


def is_known_to_all(events: Iterable[Event]) -> bool:
    """Return whether every seat sees events whole, if no earlier ones were hidden from it: no number that they name differs then."""
    return all(getattr(event, "seen_by", None) is None for event in events)


def public_events(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events of a commit that every seat sees whole, without the numbers of other events in them, which differ."""
    if is_open(events):
        return events
    return tuple([_unnumbered(event) for event in events if getattr(event, "seen_by", None) is None])


def _unnumbered(event: Event) -> Event:
    if isinstance(event, CommandsUndone | UndoAsked):
        return replace(event, to=0)
    if isinstance(event, MatchForked) or (isinstance(event, _REMARKS) and event.at is not None):
        return replace(event, at=0)
    return event


def see(event: Event, seat: Seat) -> Event | None:
    """Return an event as a seat may see it, or None if the seat may not know of it."""
    if type(event) not in _GUARDED:
        return event
    seen_by: tuple[Seat, ...] | None = getattr(event, "seen_by", None)
    if seen_by is None or seat == ARBITER or seat in seen_by:
        return event
    if type(event) in WITHHELD:
        return None
    return replace(event, **dict.fromkeys(SECRETS[type(event)]))


def sees_whole(event: Event, seat: Seat) -> bool:
    """Return whether a seat sees an event as it is."""
    return is_same(see(event, seat), event)


def is_same(one: object, other: object) -> bool:
    """Compare two events: to compare unions of all types with each other takes the type checker a second for each place."""
    return one == other


class EventSlice(Struct, frozen=True, gc=False):
    """Events of one commit as a seat sees them, numbered from `first`; `at` is its time (milliseconds since 1970, UTC)."""

    first: int
    at: int
    events: tuple[Event, ...]

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self.first + len(self.events) - 1


class SeatView:
    """Converts a match's commits to one seat's stream.

    Args:
        seat: The viewing seat.
        count: The number of events that this seat has seen so far.
        limits: The events that forks hide (`Table.limits` at the head of the match).
        start: The log's number of the last event before the view.
        table: The match at any point after that event, unless it is 0.
    """

    __slots__ = ("_earlier", "_start", "_unseen", "count", "limits", "seat")

    def __init__(
        self, seat: Seat, count: int = 0, limits: Sequence[Limit] = (), start: int = 0, table: Table | None = None
    ) -> None:
        self.seat = seat
        self.count = count
        self.limits = () if seat == ARBITER else limits
        self._start = start
        self._earlier = table
        # The log's numbers of the events of the view that were hidden from the seat.
        self._unseen: list[int] = []

    @classmethod
    def after(cls, table: Table, seat: Seat, seq: int) -> Self:
        """Return the view of a match after the log's event `seq`.

        Args:
            table: The table at the head, or at any point after the last fork.
            seat: The viewing seat.
            seq: 0 for the whole stream.
        """
        return cls(seat, seat_number(table, seat, seq), table.limits, seq, table)

    def take(self, events: Sequence[Event], at: int, seq: int) -> EventSlice | None:
        """Return the seat's slice of a commit whose last event has number `seq`, or None if it sees nothing of it."""
        before = seq - len(events)
        if is_open(events) and not (self.limits and before < self.limits[-1].upto):
            # The most frequent case.
            seen = tuple(events)
        else:
            seen = tuple(self._events(events, before))
        if not seen:
            return None
        first = self.count + 1
        self.count += len(seen)
        return EventSlice(first, at, seen)

    def _events(self, events: Sequence[Event], before: int) -> Iterator[Event]:
        """Return the visible form of events that follow the log's event `before`."""
        unseen = before - self.count
        for seq, event in enumerate(events, start=before + 1):
            within = _limited(event, seq, self.limits)
            seen = None if within is None else see(within, self.seat)
            if seen is None:
                unseen += 1
                self._unseen.append(seq)
            elif type(seen) is MatchForked:
                # The fork point is renumbered for the viewer, like everything else.
                yield replace(seen, at=seen.at - unseen)
            elif isinstance(seen, CommandsUndone | UndoAsked):
                yield replace(seen, to=self._number(seen.to))
            elif isinstance(seen, _REMARKS) and seen.at is not None:
                yield replace(seen, at=self._number(seen.at))
            else:
                yield seen

    def _number(self, seq: int) -> int:
        """Convert the log's number of an event before the end of the view to the seat's."""
        earlier = min(seq, self._start)
        number = earlier if self._earlier is None else seat_number(self._earlier, self.seat, earlier)
        return number + seq - earlier - bisect_right(self._unseen, seq)


def _limited(event: Event, seq: int, limits: Iterable[Limit]) -> Event | None:
    """Return an event as the forking seats could see it."""
    for limit in limits:
        if seq <= limit.upto and (limit.is_whole or type(event) in WITHHELD):
            shown = see(event, limit.seat)
            if shown is None:
                return None
            event = shown
    return event


def hides_nothing(events: Iterable[Event], seen: Iterable[Event]) -> bool:
    """Return whether a seat sees every event whole, except those whose existence is secret.

    Those must not count: otherwise the result would disclose whether other seats wrote private notes.

    Args:
        events: All events from the first on.
        seen: The same events as the seat sees them.
    """
    return _known_of(events) == _known_of(seen)


def _known_of(events: Iterable[Event]) -> list[Event]:
    # The fork point is renumbered for each viewer.
    return [event for event in events if type(event) not in WITHHELD and type(event) is not MatchForked]


def seen_events(events: Iterable[Event], seat: Seat) -> Iterator[Event]:
    """Return a whole stream as a seat may see it.

    Args:
        events: All from the first on; or any that follow the last fork, if no further fork is among them.
        seat: The viewing seat.
    """
    listed = list(events)
    seen = whole_view(listed, seat).take(listed, 0, len(listed))
    return iter(() if seen is None else seen.events)


def whole_view(events: Iterable[Event], seat: Seat) -> SeatView:
    """Return a view before the first event of a stream, made without a table.

    Args:
        events: All events that the view is to convert, from the first on.
        seat: The viewing seat.
    """
    forks = [(seq, event) for seq, event in enumerate(events, start=1) if type(event) is MatchForked]
    limits: tuple[Limit, ...] = ()
    for seq, event in forks:
        limit = limit_of(event, seq - 1)
        limits = limits if limit is None else limited_by(limits, limit)
    return SeatView(seat, 0, limits)


def seat_number(table: Table, seat: Seat, seq: int) -> int:
    """Convert the log's number of an event to a seat's: the number of events up to it that the seat has seen."""
    if seat == ARBITER or not table.private_events:
        return seq
    known = bisect_right(table.private_events_of.get(seat, ()), seq)
    return seq - bisect_right(table.private_events, seq) + known


def log_number(table: Table, seat: Seat, number: int) -> int:
    """Convert a seat's number of an event to the log's."""
    if seat == ARBITER or not table.private_events:
        return number
    later = range(number, number + len(table.private_events) + 1)
    return later[bisect_left(later, number, key=lambda seq: seat_number(table, seat, seq))]
