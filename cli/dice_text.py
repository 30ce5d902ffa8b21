"""Describes dice and how remembered numbers add up: faces, those that count, modifiers, the sum, and the number needed."""

from collections.abc import Callable, Sequence

from cli.phrases import signed
from events.vocabulary import DiceRolled, Modifier


def added_up(parts: Sequence[Modifier], what: Callable[[str], str] = str) -> str:
    """Return how a number adds up: `+4 Combat, +1 note`."""
    return ", ".join(f"{signed(part.amount)} {what(part.what)}" for part in parts)


class Roll:
    """One roll with its sum or, where each die counts by itself, with how many of them reach the number needed.

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

    def words(self) -> str:
        """Return faces, modifiers and sum: `5, 2 = 7, +1 terrain = 8; needed: 9`.

        Where each die counts by itself there is no sum: `5, 2, each +1 terrain; needed: 6; reached by 1 of 2`, or
        `5, 2; needed: 1, +1 terrain, or less; reached by 1 of 2`.
        """
        event = self.event
        said = ", ".join(str(face) for face in event.faces)
        if event.each and event.needed is not None:
            if event.or_less:
                return f"{said}; needed: {self.limit()}; reached by {self.total} of {len(self.counted)}"
            said += f", each {added_up(event.modifiers)}" if event.modifiers else ""
            return f"{said}; needed: {event.needed}; reached by {self.total} of {len(self.counted)}"
        if event.keep:
            said += f", the highest {event.keep} count"
        if len(event.faces) > 1:
            said += f" = {sum(self.counted)}"
        if event.modifiers:
            said += f", {added_up(event.modifiers)} = {self.total}"
        return said if event.needed is None else f"{said}; needed: {event.needed}"

    def limit(self) -> str:
        """Return the number at most needed with what is added to it: `2, +1 terrain, or less`."""
        added = f", {added_up(self.event.modifiers)}," if self.event.modifiers else ""
        return f"{self.event.needed}{added} or less"
