"""Compares alternatives by their trials: shares with 95 % intervals, means, and whether the trials tell which alternative is best."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil, inf, sqrt
from statistics import fmean, stdev

from core.trials.trial import Outcome
from events.codec import Struct
from events.ids import Seat, Side

NORMAL_95 = 1.96
"""Within so many standard errors of the estimate the true value lies 19 times in 20."""

TRIALS_LEAST = 10
"""Fewer trials of each alternative tell nothing, however they come out."""

SURE = 3.3
"""Trials end early when the best alternative is so many standard errors ahead: looking often must not make luck look like merit."""


class Share(Struct, frozen=True):
    """The share of trials in which something came out: their number, that of all, and the bounds of the true share 19 times in 20 (0 to 1)."""

    count: float
    of: int
    low: float
    high: float


class Mean(Struct, frozen=True):
    """A mean, and by how much the true one may differ 19 times in 20."""

    value: float
    error: float


class Tried(Struct, frozen=True):
    """The outcomes of an alternative: `won` for who decides, a half for a draw; the results of the matches that ended; what was counted."""

    won: Share
    results: dict[str, Share]
    counts: dict[str, Mean]


class Verdict(Struct, frozen=True):
    """The lead of the best alternative over the next one.

    Attributes:
        best: The index of the best alternative.
        next: The index of the one that comes next.
        ahead: By how much the best one wins more often (0 to 1), on the same deals and dice.
        is_told: Whether the trials tell them apart 19 times in 20.
        needed: About how many trials each would tell them apart; 0 if they did, or if the trials came out alike.
    """

    best: int
    next: int
    ahead: Mean
    is_told: bool
    needed: int


def share(count: float, of: int) -> Share:
    """Return a share with its bounds after Wilson, which hold for few trials and for shares near 0 and 1 as well."""
    near, z = count / of, NORMAL_95
    middle = (near + z * z / (2 * of)) / (1 + z * z / of)
    wide = z / (1 + z * z / of) * sqrt(near * (1 - near) / of + z * z / (4 * of * of))
    return Share(count, of, max(0.0, middle - wide), min(1.0, middle + wide))


def mean(values: Sequence[float]) -> Mean:
    """Return the mean of some values, at least one."""
    error = NORMAL_95 * stdev(values) / sqrt(len(values)) if len(values) > 1 else inf
    return Mean(fmean(values), error)


def score(outcome: Outcome, seat: Seat, side: Side) -> float:
    """Return 1 if a seat has won, 0 if it has not, and a half if nobody has or the match goes on."""
    ended = outcome.ended
    if ended is None or not (ended.winners or ended.winning_seats):
        return 0.5
    return float(side in ended.winners or seat in ended.winning_seats)


def tried(outcomes: Sequence[Outcome], won: Callable[[Outcome], float]) -> Tried:
    """Return the outcomes of an alternative, at least one.

    Args:
        outcomes: Those of its trials.
        won: Returns the score of an outcome for the seat that decides.
    """
    results = Counter(outcome.ended.result for outcome in outcomes if outcome.ended is not None)
    names = list(dict.fromkeys(name for outcome in outcomes for name in outcome.counts))
    return Tried(
        won=share(sum(map(won, outcomes)), len(outcomes)),
        results={result: share(count, len(outcomes)) for result, count in results.most_common()},
        counts={name: mean([float(outcome.counts.get(name, 0)) for outcome in outcomes]) for name in names},
    )


def verdict(scores: Sequence[Sequence[float]]) -> Verdict | None:
    """Return how the best of several alternatives compares with the next one; None if there is one only.

    Args:
        scores: Those of each alternative, by the numbers of the trials.
    """
    if len(scores) < 2:
        return None
    best, second = sorted(range(len(scores)), key=lambda index: (-fmean(scores[index]), index))[:2]
    differences = [one - other for one, other in zip(scores[best], scores[second], strict=True)]
    # As if one more trial had come out for each of both: a few trials that came out alike leave more open than their spread tells.
    error = NORMAL_95 * stdev([*differences, 1.0, -1.0]) / sqrt(len(differences))
    ahead = Mean(fmean(differences), error)
    trials = len(scores[best])
    is_told = trials >= TRIALS_LEAST and ahead.value > ahead.error
    needed = 0 if is_told or not ahead.value else max(TRIALS_LEAST, ceil(trials * (ahead.error / ahead.value) ** 2))
    return Verdict(best, second, ahead, is_told, needed)


def is_sure(found: Verdict | None) -> bool:
    """Return whether further trials are not needed."""
    return found is not None and found.ahead.value * NORMAL_95 > found.ahead.error * SURE
