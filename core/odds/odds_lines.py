"""Chances of what a command leads to, line by line: counted, or taken at random and then each with its interval."""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

from core.narration.game_rolls import Result
from events.codec import Struct

CONFIDENCE = 1.96
"""Half the width of an interval that holds the true value 19 times in 20, in standard deviations."""

LATER, LATER_RANK = "decided later", -1_000
"""What is said of ways in which somebody decides before there is a result."""


class Mean(Struct, frozen=True):
    """Mean of a number of which chances are told, and the least and the most that it may be; all equal where it was counted."""

    value: float
    low: float
    high: float


class Outcome(Struct, frozen=True):
    """One result and its chance.

    Attributes:
        words: The printed term of the result.
        share: Its chance, 0 to 1.
        low: The least that the chance may be; `share` where it was counted.
        high: The most, likewise.
        is_good: Whether the seat gets what it rolls for.
    """

    words: str
    share: float
    low: float
    high: float
    is_good: bool = False


class Line(Struct, frozen=True):
    """Chances of all results in one respect, from the worst for the seat to the best.

    Attributes:
        about: The respect.
        outcomes: The results that are possible; their shares add up to 1.
        good: The chance of all good results together, in the game's word for them; None if the game calls none good.
        mean: The mean of results that are numbers.
    """

    about: str
    outcomes: tuple[Outcome, ...]
    good: Outcome | None = None
    mean: Mean | None = None


class Odds(Struct, frozen=True):
    """Chances of what a command leads to before anybody decides again.

    Attributes:
        lines: The chances, a line for each respect.
        ways: How many equally likely ways were counted; 0 if some were taken at random.
        samples: How many ways were taken at random; 0 if all were counted.
        assumed: What is assumed about the questions that lie between, in words.
    """

    lines: tuple[Line, ...]
    ways: int = 0
    samples: int = 0
    assumed: tuple[str, ...] = ()


def counted_lines(shares: Mapping[Result, Fraction]) -> tuple[Line, ...]:
    """Return the chances of results by their exact shares."""
    return tuple([_counted_line(about, of) for about, of in _by_respect(shares).items()])


def _by_respect(shares: Mapping[Result, Fraction]) -> dict[str, dict[Result, Fraction]]:
    found: dict[str, dict[Result, Fraction]] = {}
    for result, share in shares.items():
        found.setdefault(result.about, {})[result] = share
    for about, of in found.items():
        left = 1 - sum(of.values(), Fraction(0))
        if left:
            of[Result(about, LATER_RANK, LATER, aim=next(iter(of)).aim)] = left
    return {about: dict(sorted(of.items())) for about, of in found.items()}


def _counted_line(about: str, of: Mapping[Result, Fraction]) -> Line:
    outcomes = [Outcome(one.words, float(part), float(part), float(part), one.is_good) for one, part in of.items()]
    aim = next(iter(of)).aim
    good = float(sum([part for one, part in of.items() if one.is_good], Fraction(0)))
    mean = _mean(of)
    return Line(
        about,
        tuple(outcomes),
        Outcome(aim, good, good, good, is_good=True) if aim else None,
        None if mean is None else Mean(mean, mean, mean),
    )


def sampled_lines(counts: Mapping[Result, int], of: int, independent: int) -> tuple[Line, ...]:
    """Return the chances of results by how often each came in a sample.

    Args:
        counts: How often each result came.
        of: The size of the sample.
        independent: How many of it are surely independent, by which the intervals are told.
    """
    shares = {result: Fraction(count, of) for result, count in counts.items()}
    return tuple([_sampled_line(about, found, independent) for about, found in _by_respect(shares).items()])


def _sampled_line(about: str, shares: Mapping[Result, Fraction], of: int) -> Line:
    outcomes = [Outcome(one.words, *interval(share, of), one.is_good) for one, share in shares.items()]
    aim = next(iter(shares)).aim
    good = sum([share for one, share in shares.items() if one.is_good], Fraction(0))
    told = Outcome(aim, *interval(good, of), is_good=True) if aim else None
    mean = _mean(shares)
    if mean is None:
        return Line(about, tuple(outcomes), told)
    square = float(sum([share * ((one.number or 0) ** 2) for one, share in shares.items()], Fraction(0)))
    half = CONFIDENCE * sqrt(max(0.0, square - mean**2) / of)
    # What is never below zero, as losses are, is not so in the mean either.
    least = min(0, *[one.number or 0 for one in shares])
    return Line(about, tuple(outcomes), told, Mean(mean, max(least, mean - half), mean + half))


def _mean(shares: Mapping[Result, Fraction]) -> float | None:
    """Return the mean of results that are all numbers."""
    if any(one.number is None for one in shares):
        return None
    return float(sum([share * (one.number or 0) for one, share in shares.items()], Fraction(0)))


def interval(part: Fraction, of: int) -> tuple[float, float, float]:
    """Return a share of a sample, and the least and the most that the true share may be (Wilson)."""
    share, square = float(part), CONFIDENCE**2
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = CONFIDENCE * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return share, max(0.0, middle - half), min(1.0, middle + half)
