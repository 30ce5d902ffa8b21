"""The errors that the kernel raises for faults of the outside world, not of a player."""

from events.codec import one_line
from events.errors import Portable


class KernelError(Portable):
    """Base of the kernel's errors; the message is one line for users."""


class UnknownName(KernelError):
    """A game, scenario, option, rule, seat or sequence that does not exist; the message lists those that do."""


class DiceMissing(KernelError):
    """Manual dice ran out: the command needs more than were given."""

    def __init__(self, count: int, sides: int, purpose: str) -> None:
        """Say which dice are wanted."""
        super().__init__(f"this needs {count} more {'die' if count == 1 else 'dice'} (1 to {sides}) for {purpose}")
        self.count = count
        self.sides = sides
        self.purpose = purpose


class DrawMissing(KernelError):
    """Manual draws ran out: the command needs more draws from the table."""

    def __init__(self, candidates: tuple[str, ...], purpose: str) -> None:
        """Say what may be named."""
        super().__init__(f"this needs to know what was drawn for {purpose}: one of {', '.join(candidates)}")
        self.candidates = candidates
        self.purpose = purpose


class DiceImpossible(KernelError):
    """Impossible manual dice or draws: wrong faces, too many, not in the deck."""


class RecordDiffers(KernelError):
    """The rules request another chance result than the recorded one, or the seed gives another result."""

    def __init__(self, seq: int, problem: str) -> None:
        """Name the event (1-based) that should hold the outcome."""
        super().__init__(f"event {seq}: {problem}")
        self.seq = seq
        self.problem = problem


DEFECTS_MAX = 100
"""The most defects of one file or request that are listed."""

DEFECT_CHARACTERS_MAX = 1_000


class SetupInvalid(KernelError):
    """A match cannot be opened like this; up to `DEFECTS_MAX` defects are listed, then the number of further ones.

    Args:
        defects: One sentence each; they may quote foreign data.
    """

    def __init__(self, defects: tuple[str, ...]) -> None:
        named = [one_line(defect, DEFECT_CHARACTERS_MAX) for defect in defects[:DEFECTS_MAX]]
        if len(defects) > DEFECTS_MAX:
            named.append(f"… and {len(defects) - DEFECTS_MAX} more")
        super().__init__("; ".join(named))
        self.defects = tuple(named)


class RulesetMissing(KernelError):
    """The game, board or position of a match is missing or not valid, so its rules cannot be run."""


class RulesetDamaged(RulesetMissing):
    """The board or position of a match is not what was stored."""


class SeedMissing(KernelError):
    """The sealed seed of a running match is not in this store, so nothing can be rolled."""


class SchemeUnusable(KernelError):
    """The source of dice of a match is not known to this program or not valid, so nothing can be rolled."""


class ChanceWaits(KernelError):
    """A command needs chance, and its seat must open a link first."""
