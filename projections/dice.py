"""Dice and luck: the results for each purpose, and their deviation from the expected ones."""

import math
from collections.abc import Iterable

from events.codec import Struct
from events.vocabulary import DiceRolled, Event, HiddenDiceRolled


class DiceTally(Struct, frozen=True):
    """All dice of one purpose.

    `counts` is how often each face from 1 up was rolled; `rolls` is the number of rolls, each of one or more dice.
    """

    purpose: str
    sides: int
    rolls: int
    counts: tuple[int, ...]

    @property
    def dice(self) -> int:
        """The number of dice rolled."""
        return sum(self.counts)

    @property
    def total(self) -> int:
        """The sum of all faces."""
        return sum(face * count for face, count in enumerate(self.counts, start=1))

    @property
    def mean(self) -> float:
        """The mean face; 0 if no die was rolled."""
        return self.total / self.dice if self.dice else 0.0

    @property
    def expected(self) -> float:
        """The mean face of fair dice."""
        return (self.sides + 1) / 2

    @property
    def luck(self) -> float:
        """The deviation of the sum from that of fair dice, in standard deviations."""
        variance = self.dice * (self.sides**2 - 1) / 12
        return (self.total - self.dice * self.expected) / math.sqrt(variance) if variance else 0.0

    @property
    def chi_square(self) -> float:
        """The chi-square statistic of the faces against fair dice; it has `sides` - 1 degrees of freedom."""
        fair = self.dice / self.sides
        return sum((count - fair) ** 2 / fair for count in self.counts) if fair else 0.0

    @property
    def p_value(self) -> float:
        """The probability that fair dice deviate at least this far, 0 to 1; unreliable below about five dice per face."""
        return chi_square_tail(self.chi_square, self.sides - 1)


class DiceReport(Struct, frozen=True):
    """The dice of some events: by purpose in order of first use, and all dice of each size."""

    by_purpose: tuple[DiceTally, ...]
    overall: tuple[DiceTally, ...]


def dice_report(events: Iterable[Event]) -> DiceReport:
    """Count all dice of some events. `overall` has one tally for each size of dice, its purpose empty."""
    purposes: dict[tuple[str, int], DiceTally] = {}
    sizes: dict[tuple[str, int], DiceTally] = {}
    for event in events:
        if isinstance(event, DiceRolled | HiddenDiceRolled) and event.faces is not None:
            _count(purposes, purpose_of(event), event.sides, event.faces)
            _count(sizes, "", event.sides, event.faces)
    return DiceReport(tuple(purposes.values()), tuple(sizes.values()))


def purpose_of(event: DiceRolled | HiddenDiceRolled) -> str:
    """Return what dice are for, without the name of what they are about, such as `compass` for `compass of 3` about 3."""
    about = event.about if isinstance(event, DiceRolled) else ""
    return event.purpose.removesuffix(f" of {about}") if about else event.purpose


def _count(tallies: dict[tuple[str, int], DiceTally], purpose: str, sides: int, faces: Iterable[int]) -> None:
    key = (purpose, sides)
    old = tallies.get(key) or DiceTally(purpose, sides, 0, (0,) * sides)
    counts = list(old.counts)
    for face in faces:
        counts[face - 1] += 1
    tallies[key] = DiceTally(purpose, sides, old.rolls + 1, tuple(counts))


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the chance that a chi-square variable is at least `value`.

    Args:
        value: The statistic, 0 or more.
        freedom: Degrees of freedom, 0 or more; with none the variable is 0.

    Returns:
        A probability, 0 to 1.
    """
    if freedom == 0:
        return 1.0 if value <= 0 else 0.0
    half = value / 2
    # The tail for one or two degrees is known in closed form; every two more add one term.
    shape = 0.5 if freedom % 2 else 1.0
    tail = math.erfc(math.sqrt(half)) if freedom % 2 else math.exp(-half)
    while shape < freedom / 2:
        tail += math.exp(shape * math.log(half) - half - math.lgamma(shape + 1)) if half else 0.0
        shape += 1
    return min(1.0, tail)
