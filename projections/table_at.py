"""The table after any event of a growing list, without folding from the start."""

from collections.abc import Iterable

from events.vocabulary import Event
from projections.state.fold import fold
from projections.state.table import Table

KEYFRAME_EVERY = 64
"""Events between two kept tables, so that any table is at most so many events away."""


class Tables:
    """The tables of one list of events.

    Attributes:
        events: All events that were taken, the first with number 1; not to be changed.
        now: The table after the last event; not to be changed.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.now = Table()
        self._keyframes = [Table()]

    def take(self, events: Iterable[Event]) -> None:
        """Take the next events."""
        for event in events:
            fold([event], self.now)
            self.events.append(event)
            if len(self.events) % KEYFRAME_EVERY == 0:
                self._keyframes.append(self.now.clone())

    def table(self, number: int) -> Table:
        """Return the table after an event, 0 (before the first) or more; it is the caller's own."""
        if number == len(self.events):
            return self.now.clone()
        place = number // KEYFRAME_EVERY
        return fold(self.events[place * KEYFRAME_EVERY : number], self._keyframes[place].clone())
