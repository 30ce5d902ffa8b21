"""The data from which the fold restores an earlier game state when a seat takes commands back.

It reaches back to the last fence: an event of chance, a reveal, the beginning or a fork. The rules of taking back have
further fences (`core.match.undo`), which always come after that one.
"""

from collections.abc import Callable, Iterable, Sequence
from copy import copy

from events.vocabulary import CommandsUndone, Event, events_with
from projections.state.table import GamePart, Table, UndoHistory

FENCES = events_with(lambda traits: traits.fence)
"""Events that can never be taken back."""

KEPT = events_with(lambda traits: traits.is_beside_game)
"""Events that are not about the game: taking commands back does not undo them."""

SINCE_MAX = 256
SINCE_DROPPED = 128
"""The most game events that an undo history holds, and how many of the oldest it drops beyond that."""

PICKS = events_with(lambda traits: traits.is_pick)
"""Game events that some seats may not know of: they count neither for dice nor for the length of an undo history."""

Apply = Callable[[Table, Sequence[Event]], None]
"""Applies events to a table as the fold does, without adding them to the undo history."""


def is_secret_pick(event: Event) -> bool:
    """Return whether an event is a pick that some seats do not know of."""
    return type(event) in PICKS and getattr(event, "seen_by", None) is not None


def begin_undo_history(table: Table) -> None:
    """Set a fence: nothing before it can be taken back."""
    table.past = UndoHistory(table.seq)


def note(table: Table, past: UndoHistory, events: Sequence[Event], apply: Apply) -> None:
    """Add game events that were just applied, at least one and none of them a fence, to the undo history of a table."""
    since, runs, seq = past.since, past.runs, table.seq
    since += events
    count = len(since)
    # The numbers of a run are all ahead of their indexes by the same.
    if not runs or seq + 1 - count != runs[-1][1] - runs[-1][0]:
        added = len(events)
        past.runs = (*runs, (count - added, seq + 1 - added))
    if count > SINCE_MAX:
        _shorten(table, past, apply)


def _shorten(table: Table, past: UndoHistory, apply: Apply) -> None:
    """Drop the oldest events while there are too many."""
    while _counted(past.since) > SINCE_MAX:
        past = table.past = _shortened(table, past, apply)


def _counted(events: Sequence[Event]) -> int:
    """Return how many of some game events all viewers know of."""
    return sum(1 for event in events if type(event) not in PICKS)


def _shortened(table: Table, past: UndoHistory, apply: Apply) -> UndoHistory:
    """Return a undo history without the oldest events."""
    counted = [number for number, event in past.numbered() if type(event) not in PICKS]
    number = counted[SINCE_DROPPED - 1]
    count = past.count(number)
    game = _table_after(table, past, count, apply).game_part()
    runs = tuple([(index - count, first) for index, first in past.runs if index >= count])
    if not runs or runs[0][0] > 0:
        runs = ((0, number + 1), *runs)
    return UndoHistory(number, game, past.since[count:], runs)


def undo_events(table: Table, to: int, apply: Apply) -> None:
    """Restore the game state after an event.

    Raises:
        KeyError: The table's undo history does not reach the event, so no rules can have allowed it.
    """
    past = table.past
    if past is None or not past.seq <= to < table.seq:
        raise KeyError(f"no undo history to event {to}")
    count = past.count(to)
    table.restore(_table_after(table, past, count, apply))
    # The event that takes back does not count for dice either.
    table.unnumbered += _counted(past.since[count:]) + 1
    runs = tuple([run for run in past.runs if run[0] < count])
    table.past = UndoHistory(past.seq, past.game if count else None, past.since[:count], runs)


def _table_after(table: Table, past: UndoHistory, count: int, apply: Apply) -> Table:
    """Return a table with the game state after this many events of an undo history."""
    found = table.clone()
    if past.game is not None:
        found.restore(past.game)
    apply(found, past.since[:count])
    return found


def rewound(table: Table) -> Table:
    """Return a table whose game state is the one at the beginning of its undo history, from which `replay` restores it.

    It is for encoding only: it shares its dictionaries with the table.
    """
    past = table.past
    if past is None or past.game is None:
        return table
    found = copy(table)
    for name in GamePart.__struct_fields__:
        setattr(found, name, getattr(past.game, name))
    found.past = UndoHistory(past.seq, None, past.since, past.runs)
    return found


def replay(table: Table, apply: Apply) -> None:
    """Restore the game state of a table, if it was rewound."""
    past = table.past
    if past is None or not past.since:
        return
    past.game = table.game_part()
    table.restore(_table_after(table, past, len(past.since), apply))


class Undone:
    """The numbers of the events that were taken back, as a stream grows.

    Args:
        first: The number of the first event that is taken.

    Attributes:
        numbers: The numbers; not to be changed.
    """

    __slots__ = ("_number", "_since", "numbers")

    def __init__(self, first: int = 1) -> None:
        self.numbers: set[int] = set()
        self._number = first
        # The numbers of the game events since the last fence that still stand, in order.
        self._since: list[int] = []

    def take(self, events: Iterable[Event]) -> None:
        """Take the next events."""
        for number, event in enumerate(events, start=self._number):
            self._number = number + 1
            if isinstance(event, CommandsUndone):
                while self._since and self._since[-1] > event.to:
                    self.numbers.add(self._since.pop())
            elif type(event) in FENCES:
                self._since.clear()
            elif type(event) not in KEPT:
                self._since.append(number)


def undone_events(events: Iterable[Event], first: int = 1) -> frozenset[int]:
    """Return the numbers of the events that were taken back, as far as the `CommandsUndone` events are among the events.

    Args:
        events: The events that one seat sees, in order.
        first: The number of the first of them.
    """
    undone = Undone(first)
    undone.take(events)
    return frozenset(undone.numbers)
