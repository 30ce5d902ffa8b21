"""Describes dice and how remembered numbers add up: faces, those that count, modifiers, the sum, and the number needed."""

from collections.abc import Callable, Sequence

from cli.phrases import signed
from events.vocabulary import DiceRolled, Modifier


def added_up(parts: Sequence[Modifier], what: Callable[[str], str] = str) -> str:
    """Return how a number adds up: `+4 Combat, +1 note`."""
    return ", ".join(f"{signed(part.amount)} {what(part.what)}" for part in parts)


class Roll:
    """One roll with its sum.

    Args:
        event: The dice as rolled.
    """

    def __init__(self, event: DiceRolled) -> None:
        self.event = event
        kept = event.keep or len(event.faces)
        self.counted = tuple(sorted(event.faces, reverse=True)[:kept]) if event.keep else event.faces
        self.total = sum(self.counted) + sum(part.amount for part in event.modifiers)

    def words(self) -> str:
        """Return faces, modifiers and sum: `5, 2 = 7, +1 terrain = 8; needed: 9`."""
        event = self.event
        said = ", ".join(str(face) for face in event.faces)
        if event.keep:
            said += f", the highest {event.keep} count"
        if len(event.faces) > 1:
            said += f" = {sum(self.counted)}"
        if event.modifiers:
            said += f", {added_up(event.modifiers)} = {self.total}"
        return said if event.needed is None else f"{said}; needed: {event.needed}"
