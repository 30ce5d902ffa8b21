"""The chronicle: a seat's stream as entries under the headings of round, turn and phase.

It holds ids; narration adds printed names and sentences.
"""

from collections.abc import Callable, Iterable
from itertools import groupby

from events.codec import Struct, replace
from events.ids import NO_SEAT, NO_SIDE, Seat, Side
from events.vocabulary import CommandsUndone, Event, PhaseBegan, RoundBegan, TurnBegan, events_with
from projections.state.table import Table
from projections.state.undo_history import undone_events
from projections.state.view import EventSlice

BOOKKEEPING = events_with(lambda traits: traits.is_bookkeeping)
"""Bookkeeping events, which are not worth a sentence."""

_HEADINGS = (RoundBegan, TurnBegan, PhaseBegan)


class Heading(Struct, frozen=True):
    """A point in the sequence of play. Round 0, no turn and no phase: before play began.

    `turn` is the side whose turn it is, `seat` its seat that has the turn, if it is a single one.
    """

    round: int = 0
    turn: Side = NO_SIDE
    phase: str = ""
    seat: Seat = NO_SEAT

    @classmethod
    def of(cls, table: Table) -> "Heading":
        """Return the point in the sequence of play at which a table stands."""
        return cls(table.round, table.turn, table.phase, table.turn_seat)


Restored = Callable[[int], Heading]
"""Returns the heading after an event."""


class Entry(Struct, frozen=True):
    """One event of the stream.

    `number` is the seat's own. `is_told` is whether it is worth a sentence: headings and bookkeeping are not. `at` is
    milliseconds since 1970 (UTC). `is_undone` is whether it was taken back later in the same slice.
    """

    number: int
    at: int
    heading: Heading
    is_told: bool
    event: Event
    is_undone: bool = False


class Chapter(Struct, frozen=True):
    """All entries under one heading, `first` to `last` by number."""

    heading: Heading
    first: int
    last: int
    entries: tuple[Entry, ...]


class Chronicler:
    """Converts slices of a stream to entries as they arrive.

    Args:
        heading: The heading at the start of the stream, if it does not begin at the first event.
        restored: Returns the heading after an event before the stream, to which commands may be taken back.
    """

    __slots__ = ("_before", "_earlier", "_restored", "heading")

    def __init__(self, heading: Heading | None = None, restored: Restored | None = None) -> None:
        self.heading = heading or Heading()
        self._restored = restored
        # The number of the last event before the stream.
        self._before: int | None = None
        # The first number of each heading: taking back restores an earlier one.
        self._earlier: list[tuple[int, Heading]] = [(0, self.heading)]

    def take(self, seen: EventSlice) -> list[Entry]:
        """Return the entries of a slice, in order."""
        entries: list[Entry] = []
        if self._before is None:
            self._before = seen.first - 1
        for number, event in enumerate(seen.events, start=seen.first):
            if isinstance(event, CommandsUndone):
                if self._restored is not None and event.to < self._before:
                    self._earlier = [(0, self._restored(event.to))]
                self._earlier = [known for known in self._earlier if known[0] <= event.to]
                self.heading = self._earlier[-1][1]
            elif isinstance(event, _HEADINGS):
                self.heading = _moved_on(self.heading, event)
                self._earlier.append((number, self.heading))
            is_told = not (type(event) in BOOKKEEPING or isinstance(event, _HEADINGS))
            entries.append(Entry(number, seen.at, self.heading, is_told, event))
        return entries


def _moved_on(heading: Heading, event: Event) -> Heading:
    """Return the heading after an event; a phase or turn lasts until the next one."""
    if isinstance(event, RoundBegan):
        return Heading(event.number, heading.turn, heading.phase, heading.seat)
    if isinstance(event, TurnBegan):
        return Heading(heading.round, event.side, heading.phase, event.seat)
    if isinstance(event, PhaseBegan):
        return Heading(heading.round, heading.turn, event.phase, heading.seat)
    return heading


def chronicle(
    stream: Iterable[EventSlice],
    start: Heading | None = None,
    restored: Restored | None = None,
    undone: frozenset[int] | None = None,
    *,
    is_full: bool = False,
) -> list[Chapter]:
    """Group a seat's stream into chapters; a heading with nothing under it is merged with the next one.

    Bookkeeping stays under its own heading, too: a game may have sentences for it.

    Args:
        stream: Slices in order.
        start: The heading at the start of the stream, if it does not begin at the first event.
        restored: As for a `Chronicler`.
        undone: The numbers of the events that were taken back; by default those that the stream itself takes back.
        is_full: Whether every event will be told, so that each phase keeps its own heading.
    """
    chronicler = Chronicler(start, restored)
    chapters: list[Chapter] = []
    waiting: list[Entry] = []
    entries = [entry for seen in stream for entry in chronicler.take(seen)]
    without = (RoundBegan, TurnBegan) if is_full else _HEADINGS
    if undone is None:
        undone = undone_events([entry.event for entry in entries], entries[0].number if entries else 1)
    if undone:
        entries = [replace(entry, is_undone=True) if entry.number in undone else entry for entry in entries]
    for heading, group in groupby(entries, lambda entry: entry.heading):
        waiting += group
        if not all(isinstance(entry.event, without) for entry in waiting):
            chapters.append(_chapter(heading, waiting))
            waiting = []
    if waiting:
        last = chapters.pop() if chapters else None
        chapters.append(_chapter(waiting[-1].heading if last is None else last.heading, [*_entries(last), *waiting]))
    return chapters


def _chapter(heading: Heading, entries: list[Entry]) -> Chapter:
    return Chapter(heading, entries[0].number, entries[-1].number, tuple(entries))


def _entries(chapter: Chapter | None) -> tuple[Entry, ...]:
    return () if chapter is None else chapter.entries
