"""The log of a seat in sentences, as it grows; it marks what was taken back and what is new since the player's last visit."""

from typing import NamedTuple

from core.telling.dice_text import Roll
from core.telling.names import Names
from core.telling.narrator import Narrator
from events.vocabulary import CardDiscarded, CommandsUndone, DeckFormed, DiceRolled, Event, StandingAnswerGiven
from projections.chronicle import Chronicler, Entry, Heading, Restored
from projections.state.table import Table
from projections.state.undo_history import undone_events
from projections.state.view import EventSlice

MINOR = (CardDiscarded, DeckFormed, StandingAnswerGiven)
"""Events that follow from what was told before them, or that only the seat itself has caused."""


class DiaryLine(NamedTuple):
    """A sentence about the events `first` to `last` under a heading, or a heading alone if the sentence is empty."""

    first: int
    last: int
    heading: str
    sentence: str
    is_undone: bool = False
    is_new: bool = False

    @property
    def numbers(self) -> str:
        """The numbers of its events, as in `7` or `7-9`."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    @property
    def text(self) -> str:
        """The sentence, with what became of it."""
        return f"{self.sentence} (taken back)" if self.is_undone else self.sentence


class News(NamedTuple):
    """Something that has happened; what is minor gives way if there is not room for all."""

    text: str
    is_minor: bool = False


class Diary:
    """Tells the stream of a seat.

    Args:
        names: The names of the match.
        before: The table as the seat knew it before the first event that is told.
        heading: The point in the sequence of play before that event, unless it is the first of the match.
        restored: Returns the heading after an earlier event, to which commands may be taken back.
        seen: The last event that the player saw on an earlier visit, or None if this is the first one.

    Attributes:
        lines: All sentences so far.
    """

    def __init__(
        self, names: Names, before: Table, heading: Heading | None, restored: Restored, seen: int | None
    ) -> None:
        self._teller = Narrator(names, before)
        self._chronicler = Chronicler(heading, restored)
        self._first = before.seq + 1
        self._events: list[Event] = []
        self._seen = seen
        self.lines: list[DiaryLine] = []

    def take(self, slice_: EventSlice) -> list[News]:
        """Tell the next events.

        Returns:
            What is news of them, a line each: the sentences, and each roll of dice with its faces.
        """
        self._events += slice_.events
        entries = self._chronicler.take(slice_)
        headings = {entry.number: self._teller.heading(entry.heading) for entry in entries}
        said = self._teller.lines(entries)
        told = [DiaryLine(one.first, one.last, headings[one.first], one.sentence) for one in said]
        self.lines += [line._replace(is_new=self._seen is not None and line.first > self._seen) for line in told]
        if any(isinstance(event, CommandsUndone) for event in slice_.events):
            undone = undone_events(self._events, self._first)
            self.lines = [line._replace(is_undone=line.first in undone) for line in self.lines]
        return self._news(entries, told)

    def _news(self, entries: list[Entry], told: list[DiaryLine]) -> list[News]:
        """Put rolls of dice, with their faces, in the place of their sentences."""
        minor = {entry.number for entry in entries if isinstance(entry.event, MINOR)}
        rolls = {entry.number: entry.event for entry in entries if isinstance(entry.event, DiceRolled)}
        news = [(number, News(self._rolled(event))) for number, event in rolls.items()]
        news += [(line.first, News(line.sentence, line.first in minor)) for line in told if line.first not in rolls]
        return [one for _, one in sorted(news, key=lambda one: one[0])]

    def _rolled(self, event: DiceRolled) -> str:
        about = f", {self._teller.names.anything(event.about)}" if event.about else ""
        return f"Dice for {event.purpose}{about}: {Roll(event).shown()}"
