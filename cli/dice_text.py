"""Describes dice: faces, those that count, modifiers, the sum, and the number needed."""

from cli.phrases import signed
from events.vocabulary import DiceRolled


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
            parts = ", ".join(f"{signed(part.amount)} {part.what}" for part in event.modifiers)
            said += f", {parts} = {self.total}"
        return said if event.needed is None else f"{said}; needed: {event.needed}"
