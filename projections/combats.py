"""Finds the combats of a match: the smallest sequences in which, as a rule, dice fall, and pieces are lost now and then.

In a game without dice, places change hands or pieces are lost instead.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from events.ids import PlaceId
from events.vocabulary import ControlChanged, DiceRolled, Event, SequenceBegan, SequenceEnded, StepBegan, TakenBack
from projections.losses import losses

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
    """A sequence that goes on.

    Args:
        kind: Its kind.
        first: The number of the event with which it began.
    """

    def __init__(self, kind: str, first: int) -> None:
        self.kind = kind
        self.first = first
        self.has_others = False
        self.is_fought = False
        self.is_bloody = False


def combats(events: Iterable[Event], is_field: Callable[[PlaceId], bool]) -> list[Combat]:
    """Return the combats that are over, in order; a sequence that has others in it is none.

    Args:
        events: What one viewer has seen, from the first event on.
        is_field: Whether a place is on the map, not a box beside it.
    """
    known = list(events)
    lost = {loss.number for loss in losses(known, is_field)}
    dice = _of_kind(known, DiceRolled)
    marks = dice or lost | _of_kind(known, ControlChanged)
    found: list[tuple[Combat, _Begun]] = []
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
            found += [(Combat(one.kind, one.first, number), one) for one in ended if not one.has_others]
            open_ = open_[: len(open_) - len(ended)]
        elif open_:
            open_[-1].is_fought |= number in marks
            open_[-1].is_bloody |= number in lost
    return _as_a_rule(found, NOW_AND_THEN if dice else 0)


def _of_kind(events: Sequence[Event], kind: type[Event]) -> set[int]:
    return {number for number, event in enumerate(events, start=1) if isinstance(event, kind)}


def _as_a_rule(found: Sequence[tuple[Combat, _Begun]], now_and_then: float) -> list[Combat]:
    every = Counter(one.kind for one, _ in found)
    fought = Counter(one.kind for one, begun in found if begun.is_fought)
    bloody = Counter(one.kind for one, begun in found if begun.is_bloody)
    kinds = {
        kind
        for kind, number in every.items()
        if fought[kind] >= AS_A_RULE * number and (not bloody or bloody[kind] > now_and_then * number)
    }
    return [one for one, _ in found if one.kind in kinds]
