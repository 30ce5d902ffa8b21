"""Words of studies: the events about which something was said, and where a line leaves the match."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from core.telling.names import Names
from core.telling.narrator import Narrator
from events.codec import Struct
from events.vocabulary import Event
from projections.chronicle import Chronicler
from projections.diff import parting
from projections.state.fold import fold
from projections.state.view import EventSlice

AFTER_MAX = 60
"""How many events after the first difference are searched for a sentence; bookkeeping has none."""


class FirstDifference(Struct, frozen=True):
    """The first event that differs: its number in the match, and what is told from there on in the match and in the line; one that has ended tells nothing."""

    number: int
    played: str
    instead: str


def told_events(names: Names, events: Iterable[Event], numbers: Collection[int]) -> Mapping[int, str]:
    """Return the sentences of events by their numbers.

    Args:
        names: The names of the match.
        events: All events that the reader has seen, from the first on.
        numbers: Which of them are told.
    """
    teller, found = Narrator(names), dict[int, str]()
    last = max(numbers, default=0)
    for number, event in enumerate(events, start=1):
        if number > last:
            break
        if number in numbers:
            found[number] = teller.sentence(event)
        teller.follow(event)
    return found


def first_difference(names: Names, match: Iterable[Event], line: Iterable[Event]) -> FirstDifference | None:
    """Return where a line leaves the match, in words; None if it has nothing else yet."""
    played, tried = list(match), list(line)
    found = parting(played, tried)
    if found is None:
        return None
    told, other = _told(names, played, found.number_a, found.a), _told(names, tried, found.number_b, found.b)
    # One that has ended parts from the other behind its last event.
    return FirstDifference(found.number_a + (found.a is None), told, other)


def _told(names: Names, events: Sequence[Event], number: int, event: Event | None) -> str:
    """Return the first sentence that is worth telling from an event on, or that of the event; empty where there is no more."""
    if event is None:
        return ""
    before, after = tuple(events[: number - 1]), tuple(events[number - 1 : number + AFTER_MAX])
    chronicler, table = Chronicler(), fold(before)
    if before:
        chronicler.take(EventSlice(1, 0, before))
    lines = Narrator(names, table).lines(chronicler.take(EventSlice(number, 0, after)))
    return lines[0].sentence if lines else Narrator(names, table).sentence(event)
