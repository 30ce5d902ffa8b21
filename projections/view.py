"""What a seat may see of the stream: facts with their secrets taken out, numbered for that seat.

A seat's own numbering is gap-free, so that what it may not see leaves no trace, not even a missing number. The arbiter
sees everything under the log's own numbers.
"""

from collections.abc import Iterable, Iterator
from typing import get_args

from events.codec import Struct, replace
from events.ids import ARBITER, Seat
from events.vocabulary import SECRETS, WITHHELD, Event
from projections.table import Table

_GUARDED: frozenset[type[Event]] = frozenset(fact for fact in get_args(Event) if "seen_by" in fact.__struct_fields__)
"""The facts that may be meant for some seats alone. Most are not, and every seat's every event passes here."""


def see(event: Event, seat: Seat) -> Event | None:
    """Return a fact as a seat may see it; nothing where it must not know of it."""
    if type(event) not in _GUARDED:
        return event
    seen_by: tuple[Seat, ...] | None = getattr(event, "seen_by", None)
    if seen_by is None or seat == ARBITER or seat in seen_by:
        return event
    if type(event) in WITHHELD:
        return None
    return replace(event, **dict.fromkeys(SECRETS[type(event)]))


class Seen(Struct, frozen=True):
    """A stretch of a seat's stream: events numbered from `first`, all of one commit.

    `seq` is the log's number of the last event of that commit, for the server's use; it never leaves it.
    """

    first: int
    events: tuple[Event, ...]
    at: int
    seq: int


class SeatView:
    """Turns a match's commits into one seat's stream.

    Args:
        seat: Who looks.
        count: How many events this seat has seen so far.
    """

    __slots__ = ("count", "seat")

    def __init__(self, seat: Seat, count: int = 0) -> None:
        """Start after `count` seen events."""
        self.seat = seat
        self.count = count

    def take(self, events: Iterable[Event], at: int, seq: int) -> Seen | None:
        """Return what the seat sees of a commit; nothing where it sees nothing at all."""
        seen = tuple([fact for fact in (see(event, self.seat) for event in events) if fact is not None])
        if not seen:
            return None
        first = self.count + 1
        self.count += len(seen)
        return Seen(first, seen, at, seq)


def seen_events(events: Iterable[Event], seat: Seat) -> Iterator[Event]:
    """Return a stream as a seat may see it."""
    for event in events:
        fact = see(event, seat)
        if fact is not None:
            yield fact


def seat_number(table: Table, seat: Seat, seq: int) -> int:
    """Turn the log's number of an event into a seat's: how many events up to it the seat has seen."""
    return seq - sum(1 for at, known_to in table.withheld if at <= seq and not _knows(seat, known_to))


def log_number(table: Table, seat: Seat, number: int) -> int:
    """Turn a seat's number of an event into the log's."""
    seq = number
    for at, known_to in table.withheld:
        if at <= seq and not _knows(seat, known_to):
            seq += 1
    return seq


def _knows(seat: Seat, known_to: tuple[Seat, ...]) -> bool:
    return seat == ARBITER or seat in known_to
