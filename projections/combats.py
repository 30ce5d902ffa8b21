"""Finds the combats of a match: the smallest sequences in which, as a rule, dice fall; where a game has no dice, pieces are lost."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from events.ids import PlaceId
from events.vocabulary import DiceRolled, Event, SequenceBegan, SequenceEnded, StepBegan, TakenBack
from projections.losses import losses

AS_A_RULE = 0.6
"""A kind of sequence is one of combats if at least this part of its sequences has dice in it, or losses."""


class Combat(NamedTuple):
    """A combat: its kind as the game calls it, and its first and last event by the count of the stream."""

    kind: str
    first: int
    last: int


class _Begun:
    """A sequence that goes on.

    Args:
        kind: Its kind.
        first: The number of the event with which it began.
    """

    def __init__(self, kind: str, first: int) -> None:
        self.kind = kind
        self.first = first
        self.has_others = False
        self.is_bloody = False


def combats(events: Iterable[Event], is_field: Callable[[PlaceId], bool]) -> list[Combat]:
    """Return the combats that are over, in order; a sequence that has others in it is none.

    Args:
        events: What one viewer has seen, from the first event on.
        is_field: Whether a place is on the map, not a box beside it.
    """
    known = list(events)
    marks = {number for number, event in enumerate(known, start=1) if isinstance(event, DiceRolled)}
    marks = marks or {loss.number for loss in losses(known, is_field)}
    found: list[tuple[Combat, bool]] = []
    open_: list[_Begun] = []
    for number, event in enumerate(known, start=1):
        if isinstance(event, SequenceBegan):
            for outer in open_:
                outer.has_others = True
            open_.append(_Begun(event.kind, number))
        elif isinstance(event, TakenBack):
            open_ = [one for one in open_ if one.first <= event.to]
            found = [one for one in found if one[0].first <= event.to]
        elif isinstance(event, SequenceEnded | StepBegan):
            place = max([at for at, one in enumerate(open_) if one.kind == event.kind], default=len(open_))
            ended = open_[place:] if isinstance(event, SequenceEnded) else open_[place + 1 :]
            found += [(Combat(one.kind, one.first, number), one.is_bloody) for one in ended if not one.has_others]
            open_ = open_[: len(open_) - len(ended)]
        elif open_ and number in marks:
            open_[-1].is_bloody = True
    return _as_a_rule(found)


def _as_a_rule(found: Sequence[tuple[Combat, bool]]) -> list[Combat]:
    every = Counter(one.kind for one, _ in found)
    bloody = Counter(one.kind for one, is_bloody in found if is_bloody)
    return [one for one, _ in found if bloody[one.kind] >= AS_A_RULE * every[one.kind]]
