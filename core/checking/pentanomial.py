"""Strength from pairs of matches: score, Elo with its interval, and the sequential test that says when enough was played.

A pair is two matches with the same dice and seats swapped. What counts is the pair: luck and an uneven game are the same for both of
its matches, so pairs vary less than matches. Its result is one of five: 0, a half, 1, one and a half or 2 points.
"""

from collections import Counter
from collections.abc import Iterable
from math import inf, log, log10, sqrt

from events.codec import Struct

RESULTS = 5
"""The results of a pair, by its half points from 0 to 4."""

Z = 1.959964
"""The standard errors within which 95 % of all results lie."""

ERROR = 0.05
"""How often the sequential test says yes where no is right, and the other way round."""

SMOOTHING = 1e-3
"""What counts instead of a result that did not occur, so that its share is not 0."""


class Elo(Struct, frozen=True):
    """A score as a difference of Elo, with the bounds of its 95 % interval; infinite where a bound of the score is 0 or 1."""

    score: float
    score_low: float
    score_high: float
    elo: float
    low: float
    high: float


class Sprt(Struct, frozen=True):
    """State of a sequential test of whether a bot is stronger by `high` Elo rather than by `low`.

    Attributes:
        low: The Elo of the first hypothesis.
        high: That of the second.
        llr: The logarithm of how many times more likely the results are under the second.
        bound: The test ends at this value, or at its negative.
    """

    low: float
    high: float
    llr: float
    bound: float

    @property
    def verdict(self) -> bool | None:
        """Whether the second hypothesis is accepted; None if more has to be played."""
        return None if abs(self.llr) < self.bound else self.llr > 0


def counted(half_points: Iterable[int]) -> tuple[int, ...]:
    """Return how many pairs had each result, from 0 to 4 half points."""
    found = Counter(half_points)
    return tuple([found[points] for points in range(RESULTS)])


def elo_of(counts: tuple[int, ...]) -> Elo:
    """Return the strength by the results of pairs, at least one.

    Args:
        counts: How many pairs had each result; see `counted`.
    """
    pairs = sum(counts)
    shares = [count / pairs for count in counts]
    mean = _mean(shares)
    variance = sum([share * (_score(points) - mean) ** 2 for points, share in enumerate(shares)])
    if variance == 0:
        # Pairs that are all alike say little: this is how far a bot whose pairs are not can have been lucky.
        unlucky = 1 - (ERROR / 2) ** (1 / pairs)
        low, high = max(0.0, mean - unlucky), min(1.0, mean + unlucky)
    else:
        margin = Z * sqrt(variance / pairs)
        low, high = max(0.0, mean - margin), min(1.0, mean + margin)
    return Elo(mean, low, high, elo(mean), elo(low), elo(high))


def sprt_of(counts: tuple[int, ...], low: float, high: float) -> Sprt:
    """Return the state of the sequential test; the hypotheses are of the mean score, the results otherwise as likely as they were.

    Args:
        counts: How many pairs had each result; see `counted`.
        low: The Elo of the first hypothesis.
        high: That of the second, which is higher.
    """
    bound = log((1 - ERROR) / ERROR)
    if not any(counts):
        return Sprt(low, high, 0.0, bound)
    smoothed = [count or SMOOTHING for count in counts]
    pairs = sum(smoothed)
    shares = [count / pairs for count in smoothed]
    first, second = [_tilted(shares, _score_of(one)) for one in (low, high)]
    llr = pairs * sum([share * log(two / one) for share, one, two in zip(shares, first, second, strict=True)])
    return Sprt(low, high, llr, bound)


def elo(score: float) -> float:
    """Return the difference of Elo at which a score is expected."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400 * log10(score / (1 - score))


def _score_of(difference: float) -> float:
    """Return the score that is expected at a difference of Elo."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def _score(half_points: int) -> float:
    return half_points / (RESULTS - 1)


def _mean(shares: list[float]) -> float:
    return sum([share * _score(points) for points, share in enumerate(shares)])


def _tilted(shares: list[float], mean: float) -> list[float]:
    """Return the shares with a mean score under which these shares are most likely to be found.

    They are `share / (1 + tilt * (score - mean))`, with the tilt that makes them add up; it is found by bisection.
    """
    scores = [_score(points) - mean for points in range(RESULTS)]
    least, most = -1 / max(scores), -1 / min(scores)

    def slope(tilt: float) -> float:
        return sum([share * score / (1 + tilt * score) for share, score in zip(shares, scores, strict=True)])

    for _ in range(100):
        middle = (least + most) / 2
        if slope(middle) > 0:
            least = middle
        else:
            most = middle
    tilt = (least + most) / 2
    return [share / (1 + tilt * score) for share, score in zip(shares, scores, strict=True)]
