"""Compares two rules by pairs of matches with the same seeds: means, and their difference with its 95 % interval."""

from collections.abc import Sequence

from core.trials.comparison import Mean, mean, told_apart
from events.codec import Struct


class Measured(Struct, frozen=True):
    """A figure of pairs of matches.

    Attributes:
        first: Its mean in the first match of each pair.
        second: Its mean in the second one.
        difference: By how much it is more in the second one than in the first one of the same pair.
        is_told: Whether the pairs tell them apart 19 times in 20.
        needed: About how many pairs would tell them apart; 0 if they did, or if they came out alike.
    """

    first: Mean
    second: Mean
    difference: Mean
    is_told: bool
    needed: int


def measured(first: Sequence[float], second: Sequence[float]) -> Measured:
    """Return how a figure of pairs of matches differs.

    Args:
        first: The figure in the first match of each pair, at least one.
        second: That in the second one, in the same order.
    """
    most = max(abs(other - one) for one, other in zip(first, second, strict=True))
    return Measured(mean(first), mean(second), *told_apart(first, second, most))
