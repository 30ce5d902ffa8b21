"""Words of studies: the events about which something was said, and where a line leaves the match."""

from collections.abc import Collection, Iterable, Mapping

from core.telling.names import Names
from core.telling.narrator import Narrator
from events.codec import Struct
from events.vocabulary import Event
from projections.diff import parting
from projections.state.fold import fold


class FirstDifference(Struct, frozen=True):
    """The first events that differ: the number in the match and its sentence, and the sentence in the line; one that has ended has none."""

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
    teller = Narrator(names, fold(played[: found.number_a - 1]))
    told = "" if found.a is None else teller.sentence(found.a)
    other = "" if found.b is None else Narrator(names, fold(tried[: found.number_b - 1])).sentence(found.b)
    return FirstDifference(found.number_a, told, other)
