"""Sums of the sides of a combat that is not decided yet, part by part."""

from events.codec import Struct
from events.ids import Side
from events.vocabulary import Modifier


class SideSum(Struct, frozen=True):
    """Value of a side in a combat, part by part.

    Attributes:
        side: The side.
        title: What the value is called.
        parts: What it adds up from, each with its printed name.
        note: What is still to come, in few words, such as `less 1d6`; may be empty.
    """

    side: Side
    title: str
    parts: tuple[Modifier, ...]
    note: str = ""

    @property
    def total(self) -> int:
        """The sum of the parts."""
        return sum([part.amount for part in self.parts])
