"""Shares of wins at points of a match, found by playing on from each, and the turns: where the shares changed most."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import sqrt

from core.trials.comparison import NORMAL_95, Share, share
from core.trials.trial import Outcome
from events.codec import Struct
from events.ids import Side
from projections.state.table import Ended, Table

TURNS_MAX = 3
"""The most turns that are told."""
SPAN = 5
"""A turn takes at most this part of the match: a fifth."""


class SharePoint(Struct, frozen=True):
    """The share of the matches that each side wins when bots play on from the position after an event; a draw is shared by all sides."""

    number: int
    won: dict[Side, Share]


class WinShares(Struct, frozen=True, kw_only=True):
    """Shares of wins at the points of a match, in the order of its events.

    `playouts` were played from each point of `points` by the bot `policy` with the seed; `until` says from which number of playouts on no more
    follow. `problem` is why there are none; empty if there are some.
    """

    policy: str
    seed: str
    playouts: int = 0
    until: int = 0
    points: tuple[SharePoint, ...] = ()
    problem: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether all playouts were played."""
        return self.playouts >= self.until


class Turn(Struct, frozen=True):
    """A turn of the match: the points between which the share of a side changed, so much that their intervals do not overlap."""

    before: SharePoint
    after: SharePoint


def wins_of(outcomes: Sequence[Outcome], table: Table) -> dict[Side, Share]:
    """Return the share of each side.

    Args:
        outcomes: Those of playouts from one position, at least one.
        table: A table of the match.
    """
    sides = [side for side in table.sides if side]
    scores = [_scores(outcome.ended, table, sides) for outcome in outcomes]
    return {side: share(sum(one[side] for one in scores), len(scores)) for side in sides}


def _scores(ended: Ended | None, table: Table, sides: Sequence[Side]) -> Mapping[Side, float]:
    seats = () if ended is None else ended.winning_seats
    winners = {*(() if ended is None else ended.winners), *map(table.side_of, seats)}.intersection(sides)
    return {side: float(side in winners) if winners else 1 / len(sides) for side in sides}


def even(stops: Sequence[int], count: int) -> list[int]:
    """Return so many of some numbers in order, as evenly as they allow, with the first and the last; all if there are no more."""
    if len(stops) <= count:
        return list(stops)
    wanted = [stops[0] + (stops[-1] - stops[0]) * place / (count - 1) for place in range(count)]
    return sorted({_nearest(stops, number) for number in wanted})


def _nearest(stops: Sequence[int], number: float) -> int:
    place = bisect_left(stops, number)
    return min(stops[max(0, place - 1) : place + 1], key=lambda stop: abs(stop - number))


def steepest(stops: Sequence[int], points: Sequence[SharePoint], count: int) -> list[int]:
    """Return where further points tell most: in the middle of neighbours between which the shares change most.

    Args:
        stops: Where there can be points, in order.
        points: Those that there are, in order.
        count: How many more.
    """
    found: list[int] = []
    for one, other in sorted(pairwise(points), key=lambda pair: (-_change(*pair), pair[0].number)):
        between = stops[bisect_right(stops, one.number) : bisect_left(stops, other.number)]
        if between and len(found) < count:
            found.append(_nearest(between, (one.number + other.number) / 2))
    return sorted(found)


def _change(one: SharePoint, other: SharePoint) -> float:
    """Return by how much the share of a side changes at most (0 to 1)."""
    return max([0.0, *(abs(value(other.won[side]) - value(one.won[side])) for side in one.won)])


def value(won: Share) -> float:
    """Return a share as a number (0 to 1)."""
    return won.count / won.of


def are_apart(one: SharePoint, other: SharePoint) -> bool:
    """Return whether the intervals of a side do not overlap."""
    return any(won.high < other.won[side].low or other.won[side].high < won.low for side, won in one.won.items())


def turns(points: Sequence[SharePoint], most: int = TURNS_MAX) -> list[Turn]:
    """Return the largest changes of the shares that are more than luck, in order; none lies in another.

    Args:
        points: The points of a match, in order.
        most: How many are returned at most.
    """
    found = _turns(points, (points[-1].number - points[0].number) / SPAN if points else 0)
    largest = sorted(found, key=lambda one: -_change(one.before, one.after))[:most]
    return sorted(largest, key=lambda one: one.after.number)


def _turns(points: Sequence[SharePoint], span: float) -> list[Turn]:
    """Return the largest change, and those before and after it."""
    best: tuple[float, int, int, int] | None = None
    for last, after in enumerate(points):
        for first, before in enumerate(points[:last]):
            is_near = last == first + 1 or after.number - before.number <= span
            if is_near and are_apart(before, after):
                found = (_change(before, after), first - last, -last, first)
                best = found if best is None else max(best, found)
    if best is None:
        return []
    first, last = best[3], -best[2]
    return [*_turns(points[: first + 1], span), Turn(points[first], points[last]), *_turns(points[last:], span)]


def told_apart(playouts: int) -> float:
    """Return how far two shares near one half must be apart (0 to 1) before so many playouts of each tell them apart 19 times in 20."""
    return NORMAL_95 * sqrt(0.5 / playouts)
