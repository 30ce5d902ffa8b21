"""Fitting of evaluations: a logistic function of features to the points of the matches in which they were counted."""

from collections.abc import Mapping, Sequence
from math import log, sqrt

from core.bots.evaluation import Weights

STEPS_MAX = 100
RIDGE = 1e-3
"""Penalty on large weights, for each sample; it keeps features that say the same from cancelling each other."""

Sample = tuple[Mapping[str, float], float]
"""What was counted at a moment from the view of a side, and the points that it had in the end: 1, 0 or 0.5."""


def fit(samples: Sequence[Sample]) -> Weights:
    """Return the weights that make the samples likeliest, by Newton's method.

    Args:
        samples: At least one, all with the same features.
    """
    names = list(samples[0][0])
    scales = [_scale([counts[name] for counts, _ in samples]) for name in names]
    rows = [[1.0, *[counts[name] / scale for name, scale in zip(names, scales, strict=True)]] for counts, _ in samples]
    wanted = [points for _, points in samples]
    found = [0.0] * (len(names) + 1)
    for _ in range(STEPS_MAX):
        step = _newton(rows, wanted, found)
        found = [weight + change for weight, change in zip(found, step, strict=True)]
        if max(map(abs, step)) < 1e-9:
            break
    pairs = zip(names, found[1:], scales, strict=True)
    return Weights(found[0], {name: weight / scale for name, weight, scale in pairs})


def log_loss(samples: Sequence[Sample], weights: Weights) -> float:
    """Return the mean log loss of weights: 0 for a prophet, 0.693 for a coin."""
    total = 0.0
    for counts, points in samples:
        chance = weights.chance(counts)
        total -= points * log(chance) + (1 - points) * log(1 - chance)
    return total / len(samples)


def _scale(values: Sequence[float]) -> float:
    """Return the root of the mean square, 1 for zeros."""
    return sqrt(sum(value * value for value in values) / len(values)) or 1.0


def _newton(rows: Sequence[Sequence[float]], wanted: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the change of the weights that a step of Newton's method makes."""
    size, penalty = len(weights), RIDGE * len(rows)
    current = Weights(0.0, {str(column): weight for column, weight in enumerate(weights)})
    slope = [-penalty * weight for weight in weights]
    curve = [[penalty * (row == column) for column in range(size)] for row in range(size)]
    for row, points in zip(rows, wanted, strict=True):
        chance = current.chance({str(column): value for column, value in enumerate(row)})
        spread = chance * (1 - chance)
        for i, value in enumerate(row):
            slope[i] += (points - chance) * value
            curve[i] = [old + spread * value * other for old, other in zip(curve[i], row, strict=True)]
    return _solved(curve, slope)


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve equations with a positive definite matrix by elimination."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        for below in rows[i + 1 :]:
            factor = below[i] / pivot[i]
            below[:] = [its - factor * mine for its, mine in zip(below, pivot, strict=True)]
    found: list[float] = []
    for row in reversed(rows):
        known = len(found)
        number = len(rows) - 1 - known
        rest = sum(row[-2 - column] * value for column, value in enumerate(found))
        found.append((row[-1] - rest) / row[number])
    return found[::-1]
