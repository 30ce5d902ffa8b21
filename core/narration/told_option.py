"""Words of a command: its act, and what it costs, begins or leads to."""

from events.codec import Struct

OPENINGS = (" (", "; ", ": ", ", ", " ")
"""How a sentence goes on after its act, the longest first."""


class Told(Struct, frozen=True):
    """A sentence about a command, told once and read in parts: `act` is what is done, `tail` goes on with what comes of it.

    The tail begins with the space or the sign that joins it to the act, as in ` for 1 Ration` or ` (this decides the match)`; it is
    empty if nothing is to be said besides. `group` is what the command is for, where a question has commands for one thing and for another; it is a heading
    above those for the same.
    """

    act: str
    tail: str = ""
    group: str = ""

    @property
    def words(self) -> str:
        """The whole sentence."""
        return f"{self.act}{self.tail}"

    @property
    def consequence(self) -> str:
        """The tail without what joins it to the act; empty without one."""
        opening = next((one for one in OPENINGS if self.tail.startswith(one)), "")
        said = self.tail.removeprefix(opening)
        return said.removesuffix(")") if opening == " (" else said
