"""What the kernel raises when the outside world, not a player, is at fault."""

from events.codec import one_line
from events.errors import Portable


class KernelError(Portable):
    """Base of the kernel's errors; the message is one line for people."""


class UnknownName(KernelError):
    """A game, scenario, option, rule, seat or sequence that does not exist; the message offers what does."""


class DiceMissing(KernelError):
    """Manual dice ran out: the command needs more than were given."""

    def __init__(self, count: int, sides: int, purpose: str) -> None:
        """Say which dice are wanted."""
        super().__init__(f"this needs {count} more {'die' if count == 1 else 'dice'} (1 to {sides}) for {purpose}")
        self.count = count
        self.sides = sides
        self.purpose = purpose


class DrawMissing(KernelError):
    """Manual draws ran out: the command needs to know what was drawn at the table."""

    def __init__(self, candidates: tuple[str, ...], purpose: str) -> None:
        """Say what may be named."""
        super().__init__(f"this needs to know what was drawn for {purpose}: one of {', '.join(candidates)}")
        self.candidates = candidates
        self.purpose = purpose


class DiceImpossible(KernelError):
    """Manual dice or draws that cannot be: wrong faces, too many, not in the deck."""


class RecordDiffers(KernelError):
    """The rules ask chance for something else than was recorded, or the seed gives something else."""

    def __init__(self, seq: int, problem: str) -> None:
        """Name the event (1-based) that should hold the outcome."""
        super().__init__(f"event {seq}: {problem}")
        self.seq = seq


DEFECTS_MAX = 100
"""How many defects of one file or request are named."""

DEFECT_CHARACTERS_MAX = 1_000


class SetupInvalid(KernelError):
    """A match cannot be opened like this; every defect is listed, up to `DEFECTS_MAX`, and then how many more there are.

    Args:
        defects: One sentence each; what they quote may be foreign.
    """

    def __init__(self, defects: tuple[str, ...]) -> None:
        named = [one_line(defect, DEFECT_CHARACTERS_MAX) for defect in defects[:DEFECTS_MAX]]
        if len(defects) > DEFECTS_MAX:
            named.append(f"… and {len(defects) - DEFECTS_MAX} more")
        super().__init__("; ".join(named))
        self.defects = tuple(named)


class RulesetMissing(KernelError):
    """The game, board or position that a match is played with is not here or not valid, so that its rules cannot be asked."""


class SeedMissing(KernelError):
    """The sealed seed of a running match is not kept in this store, so nothing can be rolled."""


class SchemeUnusable(KernelError):
    """The source of dice of a match is not known to this program or not valid, so nothing can be rolled."""
