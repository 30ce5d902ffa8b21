"""Story of a match as one seat has seen it, as it grows: events, sentences, and the table after any event."""

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby
from typing import NamedTuple

from core.chance.schemes import keeps_promise
from core.engine.reactions import PASSES
from core.narration.narration_port import Narration
from core.telling.names import Names
from core.telling.narrator import Narrator
from core.telling.shared_sentences import Line, shares
from events.ids import NO_SEAT, MatchId, PlaceId, Seat
from events.vocabulary import (
    CommandsUndone,
    DecisionOpened,
    Event,
    MatchEnded,
    PieceMoved,
    PiecePlaced,
    RemarkOnEvent,
    RoundBegan,
    RuleApplied,
    SeedRevealed,
)
from projections.chronicle import Chronicler, Entry, Heading
from projections.combats import Combat, Combats
from projections.losses import Loss, Losses
from projections.state.table import Table
from projections.state.undo_history import KEPT, Undone
from projections.state.view import EventSlice
from projections.table_at import Tables

PARTS_MAX = 24
"""How many parts of pages are kept, so that many readers of one moment cost little more than one."""


TALK = KEPT - {CommandsUndone}
"""Events that change nothing on the picture."""


class Told(NamedTuple):
    """A sentence under a heading."""

    line: Line
    heading: Heading


class Story:
    """A match as a seat has seen it.

    Args:
        match: The match.
        seat: The seat.
        names: The names of the match.
        narration: What pictures are drawn with; None if the game is not installed, or its board is not valid here.

    Attributes:
        told: The sentences about them.
        rounds: The number of the event with which each round began, in order, with the round.
        remarks: The numbers of the notes, disputes, rulings and appeals on each event that has any.
        parts: Parts of pages that were made lately; see `made_once`.
    """

    def __init__(self, match: MatchId, seat: Seat, names: Names, narration: Narration | None = None) -> None:
        self.match = match
        self.seat = seat
        self.names = names
        self.narration = narration
        self.told: list[Told] = []
        self.rounds: list[tuple[int, int]] = []
        self.remarks: dict[int, list[int]] = {}
        self.parts: OrderedDict[Hashable, str] = OrderedDict()
        self._joined: dict[tuple[int, int], str] = {}
        self._ends: list[int] = []
        self._decisions: list[int] = []
        self._played: list[int] = []
        self._deed = self._deed_begun = 0
        self._deed_places: frozenset[PlaceId] = frozenset()
        self._deciders: list[Seat] = []
        self._seeds: list[tuple[int, str]] = []
        self._times: list[int] = []
        self._tables = Tables()
        self._teller = Narrator(names)
        self._chronicler = Chronicler()
        self._undone = Undone()
        self._losses = Losses(names.is_in_play, names.is_force)
        self._combats = Combats()

    def take(self, slice_: EventSlice) -> None:
        """Take the next events; older ones are left out."""
        if slice_.last <= self.last:
            return
        new = EventSlice(self.last + 1, slice_.at, slice_.events[self.last + 1 - slice_.first :])
        for entry in (entries := self._chronicler.take(new)):
            if isinstance(entry.event, RoundBegan):
                self.rounds.append((entry.number, entry.event.number))
        headings = {entry.number: entry.heading for entry in entries}
        self.told += [Told(line, headings[line.first]) for line in self._teller.lines(entries)]
        for number, event in enumerate(new.events, start=new.first):
            if isinstance(event, SeedRevealed):
                self._seeds.append((number, event.seed))
            elif isinstance(event, RemarkOnEvent) and event.at is not None:
                self.remarks.setdefault(event.at, []).append(number)
        asked = self._tables.now.top
        self._deciders.append(NO_SEAT if asked is None else asked.seat)
        if self._deciders[-1] == self.seat and _is_deed(new.events):
            places = _entered(new.events)
            if not places or places != self._deed_places or self.commit_of(self._deed)[1] + 1 != new.first:
                self._deed_begun = new.first
            self._deed, self._deed_places = new.first, places
        self._undone.take(new.events)
        for event in new.events:
            is_lost = self._losses.take(self._tables.now, event) is not None
            self._combats.take(event, is_lost=is_lost)
            self._tables.take([event])
        if any(type(event) not in TALK for event in new.events):
            self._played.append(new.first)
        self._ends.append(self.last)
        self._times.append(slice_.at)
        if self.now.top is None or self.now.top.seat:
            self._decisions.append(self.last)

    @property
    def events(self) -> Sequence[Event]:
        """All events that were taken, the first with number 1."""
        return self._tables.events

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self.events)

    @property
    def first_question(self) -> int | None:
        """The event with which the first decision opens: what lies before is seats and the set-up; None if none was asked yet."""
        return next((at for at, event in enumerate(self.events, 1) if isinstance(event, DecisionOpened)), None)

    @property
    def last_deed(self) -> int:
        """The first event of the viewer's last command that did more than pass; 0 if there is none."""
        return self._deed

    @property
    def last_deed_begun(self) -> int:
        """The first event of the commands in a row that end with the last deed, and took pieces to the same places: an order is played one by one; 0 if there is none."""
        return self._deed_begun

    @property
    def now(self) -> Table:
        """The table after the last event; not to be changed."""
        return self._tables.now

    @property
    def revealed(self) -> int | None:
        """The number of the event that opened the sealed seed of the dice; None if it is not open. A fork has a seed of its own."""
        promised = self.now.chance
        return next((number for number, seed in self._seeds if keeps_promise(seed, promised)), None)

    def table(self, number: int | None = None) -> Table:
        """Return the table after an event, 0 or more, by default the last one; it is the caller's own."""
        return self._tables.table(self.last if number is None else number)

    def stream(self, after: int = 0, upto: int | None = None) -> Iterator[EventSlice]:
        """Return the events after one and up to another, by default all that follow, commit by commit."""
        last = self.last if upto is None else upto
        for index in range(bisect_right(self._ends, after), len(self._ends)):
            first = max(after, self._ends[index - 1] if index else 0) + 1
            if first > last:
                return
            end = min(self._ends[index], last)
            yield EventSlice(first, self._times[index], tuple(self.events[first - 1 : end]))

    def at(self, number: int) -> int:
        """Return when an event was accepted, in milliseconds since 1970 (UTC); the event is 1 or more."""
        return self._times[bisect_left(self._ends, number)]

    @property
    def set_up_end(self) -> int:
        """The last event of the set-up, which may be the first command of the first round; the last one there is while the set-up goes on."""
        return self.commit_of(self.rounds[0][0])[1] if self.rounds else self.last

    def commit_of(self, number: int) -> tuple[int, int]:
        """Return the first and the last event of the commit of an event."""
        index = bisect_left(self._ends, number)
        return (self._ends[index - 1] if index else 0) + 1, self._ends[index]

    def decider_of(self, number: int) -> Seat:
        """Return the seat that was asked when the commit of an event came; empty for none."""
        return self._deciders[bisect_left(self._ends, number)]

    def last_played(self, number: int) -> int:
        """Return the first event of the last commit up to an event that is about the game, not a note, a standing answer or the like; 1 if there is none."""
        place = bisect_right(self._played, number) - 1
        return self._played[place] if place >= 0 else 1

    def line_of(self, number: int) -> int | None:
        """Return the place in `told` of the sentence about an event, or of the last one before it; None if there is none."""
        place = bisect_right(self.told, number, key=lambda told: told.line.first) - 1
        return None if place < 0 else place

    def joined(self, first: int, last: int) -> list[Told]:
        """Return the sentences between two places of `told`, both included; moves of one stack by several commands in a row share one."""
        places = groupby(range(first, last + 1), self._likeness)
        return [self._as_one([self.told[place] for place in group]) for _, group in places]

    def joined_at(self, place: int) -> Line:
        """Return the sentence at a place of `told`, as `joined` does."""
        first = last = place
        while first and self._likeness(first - 1) == self._likeness(place):
            first -= 1
        while last + 1 < len(self.told) and self._likeness(last + 1) == self._likeness(place):
            last += 1
        return self.joined(first, last)[0].line

    def _likeness(self, place: int) -> Hashable:
        """Return what the sentence at a place must have in common with the next one to be joined with it."""
        line, heading = self.told[place]
        event = self.events[line.first - 1]
        if not isinstance(event, PieceMoved):
            return place
        return shares(Entry(line.first, 0, heading, is_told=True, event=event, is_undone=line.first in self.undone))

    def _as_one(self, told: Sequence[Told]) -> Told:
        """Return sentences that share one."""
        (first, heading), last = told[0], told[-1].line.last
        if len(told) == 1:
            return told[0]
        if (first.first, last) not in self._joined:
            parts = [event for line, _ in told for event in self.events[line.first - 1 : line.last]]
            moves = [event for event in parts if isinstance(event, PieceMoved) and event.rule == first.rule]
            teller = Narrator(self.names, self.table(first.first - 1))
            self._joined[first.first, last] = teller.sentence_of(moves)
        return Told(Line(first.first, last, self._joined[first.first, last], first.rule), heading)

    @property
    def undone(self) -> AbstractSet[int]:
        """The numbers of the events that were taken back."""
        return self._undone.numbers

    def losses(self) -> list[Loss]:
        """Return the losses that were not taken back."""
        return self._losses.all()

    def combats(self) -> list[Combat]:
        """Return the combats that are over."""
        return self._combats.all()

    def last_combat(self) -> tuple[int, int]:
        """Return the first and the last event of the last combat, which may go on; zeros without any."""
        return self._combats.last()

    @property
    def end(self) -> int:
        """The event with which the match ended; 0 if it goes on."""
        if self.now.ended is None:
            return 0
        return next((at for at in range(self.last, 0, -1) if isinstance(self.events[at - 1], MatchEnded)), 0)

    def made_once(self, key: Hashable, make: Callable[[], str]) -> str:
        """Return a part of a page that depends on nothing but the story and a key, made now or kept from an earlier page."""
        if key not in self.parts:
            self.parts[key] = make()
            while len(self.parts) > PARTS_MAX:
                self.parts.popitem(last=False)
        self.parts.move_to_end(key)
        return self.parts[key]

    def heading(self, heading: Heading) -> str:
        """Return the heading of a chapter in words."""
        return self._teller.heading(heading)

    # Steps

    def stops(self, kind: str) -> Sequence[int]:
        """Return the events after which the steps of a kind end, in order.

        Args:
            kind: `commit`, `decision` (a seat is to decide, or the match is over) or `round` (the events with which rounds begin).
        """
        if kind == "commit":
            return self._ends
        return self._decisions if kind == "decision" else [number for number, _ in self.rounds]

    def step(self, kind: str, number: int, *, is_back: bool) -> int | None:
        """Return the event to which a step leads, or None if there is none.

        Args:
            kind: `event`, or one of `stops`.
            number: Where the step begins.
            is_back: Whether it goes back.
        """
        if kind == "event":
            to = number - 1 if is_back else number + 1
            return to if 1 <= to <= self.last else None
        stops = self.stops(kind)
        if is_back:
            place = bisect_left(stops, number) - 1
            return stops[place] if place >= 0 else None
        place = bisect_right(stops, number)
        return stops[place] if place < len(stops) else None


def _is_deed(events: Sequence[Event]) -> bool:
    """Return whether events come from a command about the game that did more than pass, or pick an item of an answer."""
    return not is_pass(events) and type(events[0]) not in KEPT and not all(event.traits.is_pick for event in events)


def _entered(events: Sequence[Event]) -> frozenset[PlaceId]:
    """Return the places to which events bring pieces."""
    return frozenset([event.to for event in events if isinstance(event, PieceMoved | PiecePlaced)])


def is_pass(events: Sequence[Event]) -> bool:
    """Return whether events come from a command that passed."""
    return any(isinstance(event, RuleApplied) and event.outcome == PASSES for event in events)
