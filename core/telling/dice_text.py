"""Describes dice and how remembered numbers add up: faces, those that count, modifiers, the sum, and the number needed."""

from collections.abc import Callable, Sequence

from core.telling.names import Names
from core.telling.phrases import signed
from core.wording import counted, does
from events.ids import NO_SIDE, Side
from events.vocabulary import (
    AttributeSet,
    DiceRolled,
    Event,
    HiddenDiceRolled,
    Modifier,
    PhaseBegan,
    PieceMoved,
    PieceRemoved,
    PieceReturned,
    PieceTurned,
    SequenceBegan,
    SequenceEnded,
    StepBegan,
    TurnBegan,
)
from projections.state.table import Table

Favours = Callable[[Table, DiceRolled], Side]
"""Returns the side for which a higher result of dice is better; see `core.narration.narration_port.Narration.favours`."""


def added_up(parts: Sequence[Modifier], what: Callable[[str], str] = str) -> str:
    """Return how a number adds up: `+4 Combat, +1 note`."""
    return ", ".join(f"{signed(part.amount)} {what(part.what)}" for part in parts)


def dice_behind(events: Sequence[Event], first: int) -> list[tuple[int, DiceRolled]]:
    """Return an event's own dice, or for any other event the dice rolled directly before it in its command, with their numbers.

    Args:
        events: The events of the command up to this one; at least this one.
        first: The number of the first of them.
    """
    *earlier, last = enumerate(events, start=first)
    if isinstance(last[1], DiceRolled):
        return [(last[0], last[1])]
    found: list[tuple[int, DiceRolled]] = []
    for number, event in reversed(earlier):
        if not isinstance(event, DiceRolled):
            break
        found.insert(0, (number, event))
    return found


def dice_of(events: Sequence[Event], first: int, names: Names, favours: Favours | None) -> list[tuple[int, DiceRolled]]:
    """Return the dice of the last event as `dice_behind` does, but for a loss those of the enemy in the step in which it falls.

    Dice of the enemy are those of which each counts alone and for which a higher result is better for another side. A loss may follow a question
    or other losses. If there are none in its step, but the piece was named as a casualty before in the same sequence, they are those of that step. Without such dice, as for a hit by dice of its own side, it is all dice of the step.

    Args:
        events: What the reader has seen up to this event; not empty.
        first: The number of the first event of its command.
        names: On the table as the reader knew it before.
        favours: Says for which side a higher result of dice is better; None if that is not known.
    """
    before, side = dice_behind(events[first - 1 :], first), _losing(names, events[-1])
    if side is None or favours is None:
        return before

    def is_hostile(rolled: tuple[int, DiceRolled]) -> bool:
        return rolled[1].each and favours(names.table, rolled[1]) not in (NO_SIDE, side)

    in_step = _in_step(events)
    for found in (before, in_step, _in_step(_until_named(events))):
        if hostile := [*filter(is_hostile, found)]:
            return hostile
    return before or in_step


def _losing(names: Names, event: Event) -> Side | None:
    """Return the side whose piece is lost by an event, or loses steps; None for any other event."""
    match event:
        case PieceTurned(steps=int(steps), steps_was=int(was)):
            is_loss = steps < was
        case PieceMoved(to=to):
            is_loss = not names.is_in_play(to)
        case PieceRemoved() | PieceReturned():
            is_loss = True
        case _:
            return None
    piece = names.table.pieces.get(event.piece)
    return piece.side if is_loss and piece is not None else None


def _until_named(events: Sequence[Event]) -> Sequence[Event]:
    """Return what had happened when the rules last remembered a list with the piece of the last event in the sequence that goes on; empty if they did not."""
    piece = getattr(events[-1], "piece", None)
    for number in range(len(events), 0, -1):
        event = events[number - 1]
        if isinstance(event, SequenceBegan | SequenceEnded | TurnBegan | PhaseBegan):
            break
        if isinstance(event, AttributeSet) and isinstance(event.value, tuple) and piece in event.value:
            return events[:number]
    return ()


def _in_step(events: Sequence[Event]) -> list[tuple[int, DiceRolled]]:
    """Return the dice since the step began in which the last event falls, of which each counts alone, with their numbers."""
    found: list[tuple[int, DiceRolled]] = []
    for number in range(len(events), 0, -1):
        event = events[number - 1]
        if isinstance(event, StepBegan | SequenceBegan | SequenceEnded | TurnBegan | PhaseBegan):
            break
        if isinstance(event, DiceRolled) and event.each and event.needed is not None:
            found.insert(0, (number, event))
    return found


class Roll:
    """One roll with its sum or, where each die counts by itself, with how many of them reach the number needed.

    Dice that count each by themselves without a number needed have no sum: each chooses something, such as a row.

    Args:
        event: The dice as rolled.
    """

    def __init__(self, event: DiceRolled) -> None:
        self.event = event
        kept = event.keep or len(event.faces)
        self.counted = tuple(sorted(event.faces, reverse=True)[:kept]) if event.keep else event.faces
        added = sum(part.amount for part in event.modifiers)
        self.total = sum(self.counted) + added
        if event.each and event.needed is not None:
            if event.or_less:
                self.total = sum(face <= event.needed + added for face in self.counted)
            else:
                self.total = sum(face + added >= event.needed for face in self.counted)

    def counting(self) -> tuple[bool, ...]:
        """Return which faces count, in the order in which they were rolled: the highest, or those that reach the number needed."""
        event = self.event
        if event.each and event.needed is not None:
            added = sum(part.amount for part in event.modifiers)
            if event.or_less:
                return tuple([face <= event.needed + added for face in event.faces])
            return tuple([face + added >= event.needed for face in event.faces])
        kept = list(self.counted)
        found = []
        for face in event.faces:
            found.append(face in kept)
            if found[-1]:
                kept.remove(face)
        return tuple(found)

    def shown(self) -> str:
        """Return the same as `words`, with each face that counts in square brackets and each other one in round ones."""
        faces = zip(self.event.faces, self.counting(), strict=True)
        return self._words(" ".join(f"[{face}]" if counts else f"({face})" for face, counts in faces))

    def words(self) -> str:
        """Return faces, modifiers and sum: `5, 2 = 7, +1 terrain = 8; needed: 9`.

        Where each die counts by itself there is no sum: `5, 2, each +1 terrain; needed: 6; reached by 1 of 2`, or
        `5, 2; needed: 2 or less (1, +1 terrain); reached by 1 of 2`.
        """
        return self._words(", ".join(str(face) for face in self.event.faces))

    def _words(self, said: str) -> str:
        """Return what follows from faces that are told like this."""
        event = self.event
        if event.each and event.needed is not None:
            if event.or_less:
                return f"{said}; needed: {self.limit()}; reached by {self.total} of {len(self.counted)}"
            said += f", each {added_up(event.modifiers)}" if event.modifiers else ""
            return f"{said}; needed: {event.needed}; reached by {self.total} of {len(self.counted)}"
        if event.each:
            return said
        if event.keep:
            said += f", the highest {event.keep} count"
        if len(event.faces) > 1:
            said += f" = {sum(self.counted)}"
        if event.modifiers:
            said += f", {added_up(event.modifiers)} = {self.total}"
        return said if event.needed is None else f"{said}; needed: {event.needed}"

    def reach(self) -> str:
        """Return what each die needs, its modifiers taken in: `3 or less`, or `5 or more`; only where each counts by itself."""
        needed, added = self.event.needed or 0, sum(part.amount for part in self.event.modifiers)
        return f"{needed + added} or less" if self.event.or_less else f"{needed - added} or more"

    def limit(self) -> str:
        """Return the number at most needed with what it is made of: `3 or less (2, +1 terrain)`."""
        needed, parts = self.event.needed or 0, self.event.modifiers
        made_of = f" ({needed}, {added_up(parts)})" if parts else ""
        return f"{self.reach()}{made_of}"


def hidden_dice_rolled(names: Names, run: Sequence[HiddenDiceRolled]) -> str:
    """Return who rolls how many dice, and what they show if the reader knows it."""
    said = []
    for event in run:
        dice = counted(event.count, "die")
        shown = ", unseen" if event.faces is None else f": {', '.join(map(str, event.faces))}"
        said.append(f"{does(names.anything(event.on), 'roll')} {dice} for {event.purpose}{shown}.")
    return " ".join(said)
