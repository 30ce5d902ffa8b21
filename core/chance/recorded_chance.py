"""Recorded results of chance, judged by the source from which they must come."""

from collections.abc import Callable, Sequence

from typing_extensions import override

from core.engine.chance_port import Chance
from core.errors import (
    ChanceWaits,
    RecordDiffers,
)
from events.vocabulary import (
    CardDrawn,
    ChanceCalled,
    ChosenByChance,
    DiceRolled,
    Event,
    HiddenDiceRolled,
    LinksOpened,
    PieceDrawn,
    SeedRevealed,
)

Rolled = DiceRolled | HiddenDiceRolled
"""The events that record a roll."""


Drawn = CardDrawn | PieceDrawn | ChosenByChance
"""The events that record a pick."""


Judge = Callable[[int, bool], Chance | None]
"""Returns the source that must agree with the outcome of an event's number, which is veiled or not, or None if its seed is not known."""


def is_use(event: Event) -> bool:
    """Return whether an event opens the links of a command that uses chance."""
    return isinstance(event, LinksOpened) and bool(event.number)


def faces_of(event: Event) -> tuple[int, ...] | None:
    """Return the faces of a roll; None if it is not known, or if the event is not a roll."""
    return event.faces if isinstance(event, Rolled) else None


def drawn_name(event: Drawn) -> str | None:
    """Return the result of a pick, or None if it is redacted."""
    if isinstance(event, CardDrawn):
        return event.card
    return event.drawn if isinstance(event, PieceDrawn) else event.chosen


class RecordedChance(Chance):
    """The outcomes of recorded events, in order; after them another source, if given.

    Args:
        events: Events of one commit, or the first few of it.
        after: The source once the record is used up; without it that is an error.
        judge: Returns the source that must agree with the record of an event's number, which is veiled or not, or None if its seed is not known.
        uncounted: The number of earlier events that are hidden from some seats: the log's numbers are higher by it.
    """

    __slots__ = ("_after", "_judge", "_outcomes", "_seed", "_uncounted")

    def __init__(
        self,
        events: Sequence[Event],
        after: Chance | None = None,
        judge: Judge | None = None,
        uncounted: int = 0,
    ) -> None:
        self._uncounted = uncounted
        self._outcomes = [
            event for event in events if isinstance(event, Rolled | Drawn | ChanceCalled) or is_use(event)
        ]
        self._is_veiled = False
        self._after = after
        self._judge = judge
        self._seed = next((event.seed for event in events if isinstance(event, SeedRevealed)), "")

    @override
    def prepare(self, *, is_veiled: bool) -> LinksOpened | None:
        """Return the recorded links before a result; see `Chance.prepare`."""
        self._is_veiled = is_veiled
        if not self._outcomes:
            return None if self._after is None else self._after.prepare(is_veiled=is_veiled)
        event = self._outcomes[0]
        if isinstance(event, ChanceCalled):
            raise ChanceWaits("the recorded command waits for a link")
        if isinstance(event, LinksOpened):
            del self._outcomes[0]
            return event
        return None

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Return recorded faces.

        Raises:
            RecordDiffers: The record is of another kind, or the seed gives other dice.
        """
        if not self._outcomes and self._after is not None:
            return self._after.dice(seq, count, sides, purpose)
        event = self._outcomes.pop(0) if self._outcomes else None
        faces = event.faces if isinstance(event, Rolled) and event.sides == sides else None
        if faces is None or len(faces) != count:
            raise RecordDiffers(
                seq + self._uncounted, f"the rules roll {count} dice for {purpose}; recorded is {_said(event)}"
            )
        if any(not 1 <= face <= sides for face in faces):
            raise RecordDiffers(seq + self._uncounted, f"no die for {purpose} shows {faces}")
        judge = None if self._judge is None else self._judge(seq + self._uncounted, self._is_veiled)
        if judge is not None and judge.dice(seq, count, sides, purpose) != faces:
            raise RecordDiffers(seq + self._uncounted, f"the seed does not give {faces} for {purpose}")
        return faces

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Return the recorded draw.

        Raises:
            RecordDiffers: The record is of another kind, or the seed gives another draw.
        """
        if not self._outcomes and self._after is not None:
            return self._after.pick(seq, candidates, purpose)
        event = self._outcomes.pop(0) if self._outcomes else None
        name = drawn_name(event) if isinstance(event, Drawn) else None
        if name is None or name not in candidates:
            raise RecordDiffers(seq + self._uncounted, f"the rules draw for {purpose}; recorded is {_said(event)}")
        judge = None if self._judge is None else self._judge(seq + self._uncounted, self._is_veiled)
        if judge is not None and candidates[judge.pick(seq, candidates, purpose)] != name:
            raise RecordDiffers(seq + self._uncounted, f"the seed does not give {name} for {purpose}")
        return candidates.index(name)

    @override
    def reveal(self) -> str:
        """Return the recorded seed."""
        return self._seed or ("" if self._after is None else self._after.reveal())


def _said(event: Event | None) -> str:
    return "nothing" if event is None else type(event).__name__
