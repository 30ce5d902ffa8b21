"""The account of a chapter: what was told from the beginning to the end of the declared sequence of which an event is part."""

from collections.abc import Iterable
from typing import Protocol

from core.telling.names import Names
from core.telling.narrator import Narrator
from core.telling.shared_sentences import Line
from events.codec import replace
from events.vocabulary import CommandsUndone, NoteAdded, RulingMade, SequenceBegan, SequenceEnded
from projections.chronicle import Chronicler
from projections.state.table import Table
from projections.state.undo_history import KEPT, undone_events
from projections.state.view import EventSlice

BESIDES = tuple(KEPT - {NoteAdded, RulingMade, CommandsUndone})
"""What happens beside a chapter: players come, go and answer in advance."""


class Told(Protocol):
    """A match as one seat has seen it."""

    @property
    def last(self) -> int:
        """The number of the last event that the seat has seen."""

    @property
    def names(self) -> Names:
        """The names of the match."""

    def table(self, number: int | None = None) -> Table:
        """Return the table after an event."""

    def stream(self, after: int = 0, upto: int | None = None) -> Iterable[EventSlice]:
        """Return the events after one and up to another."""


def account(seen: Told, number: int) -> tuple[Line, ...]:
    """Return the sentences of the innermost sequence around an event whose beginning the game tells, such as a combat.

    Args:
        seen: The match and the seat.
        number: The event; it counts as part of a sequence from the sequence's first event to its last.

    Returns:
        The sentences as far as the sequence has been played, or none if the event is part of no such sequence.
    """
    span = _span(seen, number)
    if span is None:
        return ()
    first, last = span
    teller, chronicler = Narrator(seen.names, seen.table(first - 1)), Chronicler()
    undone = undone_events([event for slice_ in seen.stream(0, seen.last) for event in slice_.events])
    entries = [
        replace(entry, is_undone=entry.number in undone, is_told=entry.is_told and not isinstance(entry.event, BESIDES))
        for slice_ in seen.stream(first - 1, last)
        for entry in chronicler.take(slice_)
    ]
    return tuple(teller.lines(entries))


def _span(seen: Told, number: int) -> tuple[int, int] | None:
    """Return the first and the last event of the sequence; the last known one if the sequence goes on."""
    begun: list[tuple[int, SequenceBegan]] = []
    found: int | None = None
    events = (event for slice_ in seen.stream(0, seen.last) for event in slice_.events)
    for at, event in enumerate(events, start=1):
        if isinstance(event, SequenceBegan):
            begun.append((at, event))
        elif isinstance(event, CommandsUndone):
            begun = [one for one in begun if one[0] <= event.to]
        if at == number:
            # Only the sequences around the event are looked at, since a game tells them by the table.
            tell = seen.names.narration.tell
            found = next((first for first, began in reversed(begun) if tell(seen.table(first - 1), [began])), None)
            if found is None:
                return None
        if isinstance(event, SequenceEnded) and begun and begun.pop()[0] == found:
            return found, at
    return None if found is None else (found, seen.last)
