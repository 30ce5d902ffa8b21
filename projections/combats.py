"""Finds the combats of a match: the smallest sequences in which, as a rule, dice fall, and pieces are lost now and then.

In a game without dice, places change hands or pieces are lost instead.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from events.ids import PlaceId
from events.vocabulary import CommandsUndone, ControlChanged, DiceRolled, Event, SequenceBegan, SequenceEnded, StepBegan
from projections.losses import Losses
from projections.state.fold import evolve
from projections.state.table import Table

AS_A_RULE = 0.6
"""A kind of sequence is one of combats if at least this part of its sequences has dice in it, or what stands for them."""
NOW_AND_THEN = 0.25
"""In more than this part of them pieces are lost, once any are in a sequence: dice fall for reinforcements and the weather, too. Without dice one is enough."""


class Combat(NamedTuple):
    """A combat: its kind as the game calls it, and its first and last event by the count of the stream."""

    kind: str
    first: int
    last: int


class _Begun:
    """A sequence that goes on or is over.

    Each mark is the number of the first event that made it, 0 for none.

    Args:
        kind: Its kind.
        first: The number of the event with which it began.
    """

    __slots__ = ("first", "kind", "last", "lost", "others", "rolled", "taken")

    def __init__(self, kind: str, first: int) -> None:
        self.kind = kind
        self.first = first
        self.last = 0
        self.others = 0
        self.rolled = 0
        self.lost = 0
        self.taken = 0

    def undo_events(self, to: int) -> None:
        """Drop the marks that were made after an event."""
        self.others, self.lost = _kept(self.others, to), _kept(self.lost, to)
        self.rolled, self.taken = _kept(self.rolled, to), _kept(self.taken, to)


def _kept(number: int, to: int) -> int:
    return number if number <= to else 0


class Combats:
    """The combats of a stream as it grows; a sequence that has others in it is none."""

    def __init__(self) -> None:
        self._number = 0
        self._has_dice = False
        self._found: list[_Begun] = []
        self._open: list[_Begun] = []

    def take(self, event: Event, *, is_lost: bool) -> None:
        """Take the next event.

        Args:
            event: The event, the first one with number 1.
            is_lost: Whether it is a loss (`projections.losses`).
        """
        self._number += 1
        if isinstance(event, SequenceBegan):
            for outer in self._open:
                outer.others = outer.others or self._number
            self._open.append(_Begun(event.kind, self._number))
        elif isinstance(event, CommandsUndone):
            self._undo(event.to)
        elif isinstance(event, SequenceEnded | StepBegan):
            self._end(event)
        else:
            self._has_dice |= isinstance(event, DiceRolled)
            if self._open:
                self._mark(self._open[-1], event, is_lost=is_lost)

    def _end(self, event: SequenceEnded | StepBegan) -> None:
        open_ = self._open
        place = max([at for at, one in enumerate(open_) if one.kind == event.kind], default=len(open_))
        ended = open_[place:] if isinstance(event, SequenceEnded) else open_[place + 1 :]
        for one in ended:
            one.last = self._number
        self._found += ended
        del open_[len(open_) - len(ended) :]

    def _mark(self, inner: _Begun, event: Event, *, is_lost: bool) -> None:
        if isinstance(event, DiceRolled):
            # Nothing before a die is taken back, so that the last one is as good as the first.
            inner.rolled = self._number
        elif isinstance(event, ControlChanged):
            inner.taken = inner.taken or self._number
        if is_lost:
            inner.lost = inner.lost or self._number

    def _undo(self, to: int) -> None:
        """Restore what was open after an event: what began later never was, and what ended later goes on."""
        reopened: list[_Begun] = []
        while self._found and self._found[-1].last > to:
            reopened.append(self._found.pop())
        every = [*self._open, *reopened]
        self._open = sorted((one for one in every if one.first <= to), key=lambda one: one.first)
        for one in self._open:
            one.last = 0
            one.undo_events(to)

    def all(self) -> list[Combat]:
        """Return the combats that are over, in order."""
        kinds = self._kinds()
        return [Combat(one.kind, one.first, one.last) for one in self._found if not one.others and one.kind in kinds]

    def last(self) -> tuple[int, int]:
        """Return the first and the last event of the last combat; up to the last event of the stream if it goes on, and zeros without any."""
        kinds = self._kinds()
        found = [(one.last or self._number, one.first) for one in (*self._found, *self._open) if one.kind in kinds]
        last, first = max(found, default=(0, 0))
        return first, last

    def _kinds(self) -> set[str]:
        """Return the kinds of sequences that are combats."""
        found = [one for one in self._found if not one.others]
        fought = Counter(one.kind for one in found if one.rolled or (not self._has_dice and (one.lost or one.taken)))
        bloody = Counter(one.kind for one in found if one.lost)
        now_and_then = NOW_AND_THEN if self._has_dice else 0
        return {
            kind
            for kind, number in Counter(one.kind for one in found).items()
            if fought[kind] >= AS_A_RULE * number and (not bloody or bloody[kind] > now_and_then * number)
        }


def combats(events: Iterable[Event], is_field: Callable[[PlaceId], bool]) -> list[Combat]:
    """Return the combats that are over, in order; see `Combats`.

    Args:
        events: What one viewer has seen, from the first event on.
        is_field: Whether a place is on the map, not a box beside it.
    """
    table, lost, found = Table(), Losses(is_field), Combats()
    for event in events:
        found.take(event, is_lost=lost.take(table, event) is not None)
        evolve(table, event)
    return found.all()
