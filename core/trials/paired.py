"""Compares two rules by pairs of matches with the same seeds: means, and their difference with its 95 % interval."""

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import fmean, stdev

from core.trials.comparison import NORMAL_95, TRIALS_LEAST, Mean, mean
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
    pairs = len(first)
    differences = [other - one for one, other in zip(first, second, strict=True)]
    # As if one more pair had come out for each, by the largest difference there is: a few pairs that came out alike leave more open than they show.
    most = max(map(abs, differences))
    error = NORMAL_95 * stdev([*differences, most, -most]) / sqrt(pairs)
    found = Mean(fmean(differences), error)
    is_told = pairs >= TRIALS_LEAST and abs(found.value) > found.error
    needed = 0 if is_told or not found.value else max(TRIALS_LEAST, ceil(pairs * (error / found.value) ** 2))
    return Measured(mean(first), mean(second), found, is_told, needed)
