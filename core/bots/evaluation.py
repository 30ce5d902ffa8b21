"""Evaluations: how likely a side is to win from a position, by what can be counted on the table."""

from collections.abc import Callable, Mapping
from math import exp

from core.engine.decision import Rules
from events.codec import Struct
from events.ids import Seat, Side
from projections.state.table import Ended, Table

Features = Callable[[Rules, Table, Side], Mapping[str, float]]
"""Counts what matters on a whole table of a match with these rules, from the view of a side: names and numbers, the same names at every moment."""

_LARGEST = 30.0
"""A sum is cut here: beyond it the chance is 0 or 1 in any case."""


class Weights(Struct, frozen=True):
    """Weights of features, as `wardiary tune` fits them: the chance to win is the logistic function of the bias and the weighted counts."""

    bias: float
    by_feature: dict[str, float]

    def chance(self, counts: Mapping[str, float]) -> float:
        """Return the chance to win where these things were counted, 0 to 1."""
        total = self.bias + sum([weight * counts[name] for name, weight in self.by_feature.items()])
        return 1.0 / (1.0 + exp(-max(-_LARGEST, min(_LARGEST, total))))


class Evaluation:
    """Evaluation of whole tables of a game.

    Args:
        features: Counts what matters.
        weights: What each count is worth.
    """

    def __init__(self, features: Features, weights: Weights) -> None:
        self.features = features
        self.weights = weights

    def chance(self, rules: Rules, table: Table, seat: Seat) -> float:
        """Return how likely a seat is to win from a table, 0 to 1; where the match is over its points."""
        if table.ended is not None:
            return points(table.ended, seat, table.side_of(seat))
        return self.weights.chance(self.features(rules, table, table.side_of(seat)))


def points(ended: Ended, seat: Seat, side: Side) -> float:
    """Return the points of a seat at the end: 1 for a win, 0 for a loss, 0.5 where nobody has won."""
    if ended.winning_seats:
        return float(seat in ended.winning_seats)
    if ended.winners:
        return float(side in ended.winners)
    return 0.5
