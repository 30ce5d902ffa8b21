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

LOOKED_AT_LEAST = 40
"""Trials of each alternative before the first look whether the question is settled."""

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


def needed_apart(one: Share, other: Share) -> int:
    """Return about how many trials of each would part the intervals of two shares; 0 if they are apart, or the shares are the same."""
    ahead = abs(one.count / one.of - other.count / other.of)
    if not ahead or one.low > other.high or other.low > one.high:
        return 0
    wide = sum([sqrt(share.count / share.of * (1 - share.count / share.of)) for share in (one, other)])
    return max(TRIALS_LEAST, ceil((NORMAL_95 * wide / ahead) ** 2))


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
    return Verdict(best, second, *told_apart(scores[second], scores[best], 1.0))


def told_apart(first: Sequence[float], second: Sequence[float], most: float) -> tuple[Mean, bool, int]:
    """Return by how much a figure is more in the second of each pair of trials, whether the pairs tell that 19 times in 20, and about how many would; 0 if they did, or came out alike.

    Args:
        first: The figure in the first trial of each pair, at least one.
        second: That in the second one, in the same order.
        most: The largest difference that a pair can have. As if one more pair had come out so for each of both: a few that came out alike leave more open than their spread tells.
    """
    differences = [other - one for one, other in zip(first, second, strict=True)]
    pairs, error = len(differences), NORMAL_95 * stdev([*differences, most, -most]) / sqrt(len(differences))
    found = Mean(fmean(differences), error)
    is_told = pairs >= TRIALS_LEAST and abs(found.value) > found.error
    needed = 0 if is_told or not found.value else max(TRIALS_LEAST, ceil(pairs * (error / found.value) ** 2))
    return found, is_told, needed


def is_sure(found: Verdict | None) -> bool:
    """Return whether further trials are not needed."""
    return found is not None and found.ahead.value * NORMAL_95 > found.ahead.error * SURE


def is_settled(scores: Sequence[Sequence[float]]) -> bool:
    """Return whether equally many trials of each of several alternatives have told which is better; before `LOOKED_AT_LEAST` nobody looks."""
    return len(scores[0]) >= LOOKED_AT_LEAST and is_sure(verdict(scores))
