"""Comparing alternatives: shares and means with published bounds, and no verdict that the trials do not bear."""

from functools import partial
from math import inf
from random import Random

import pytest

from core.trials.comparison import Mean, Share, is_sure, mean, score, share, tried, verdict
from core.trials.trial import Outcome
from events.ids import Seat, Side
from projections.state.table import Ended
from tests.support.rows import each_row

WON = Ended("rules", "Victory", (Side("red"),))
LOST = Ended("rules", "Defeat", (Side("blue"),))
DRAWN = Ended("agreed", "Draw", ())
RED = partial(score, seat=Seat("red"), side=Side("red"))


@each_row(
    ("count", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_shares_have_the_bounds_that_were_published(count: int, of: int, low: float, high: float) -> None:
    """Newcombe (1998), Table I, method 3: 95 % score intervals of single proportions."""
    found = share(count, of)

    assert (found.count, found.of) == (count, of)
    assert [found.low, found.high] == pytest.approx([low, high], abs=5e-5)


def test_a_mean_of_one_value_has_no_error_that_is_known() -> None:
    assert mean([3.0]) == Mean(3.0, inf)
    assert mean([1.0, 2.0, 3.0, 4.0, 5.0]).error == pytest.approx(1.96 * 1.5811388 / 5**0.5)


@each_row(("ended", "value"), [(WON, 1.0), (LOST, 0.0), (DRAWN, 0.5), (None, 0.5)])
def test_a_win_counts_one_and_a_draw_half(ended: Ended | None, value: float) -> None:
    assert RED(Outcome(ended, {})) == value


def test_the_seat_that_has_won_counts_where_a_side_has_several() -> None:
    ended = Ended("resigned", "Resignation", (), (Seat("red"),))

    assert RED(Outcome(ended, {})) == 1.0


def test_an_alternative_is_told_by_its_results_and_means() -> None:
    outcomes = [Outcome(WON, {"morale": 3}), Outcome(WON, {"morale": 5}), Outcome(LOST, {}), Outcome(None, {})]
    found = tried(outcomes, RED)

    assert found.won == share(1 + 1 + 0 + 0.5, 4)
    assert list(found.results) == ["Victory", "Defeat"]
    assert found.results["Victory"] == share(2, 4)
    assert found.counts["morale"].value == 2.0
    assert isinstance(found.results["Defeat"], Share)


def test_one_alternative_is_not_compared() -> None:
    assert verdict([[1.0, 0.0]]) is None
    assert not is_sure(None)


def test_luck_is_not_called_merit_and_the_trials_that_would_tell_are_named() -> None:
    choose = Random(1)
    like = [[float(choose.random() < 0.5) for _ in range(200)] for _ in range(2)]
    found = verdict(like)

    assert found is not None
    assert not found.is_told
    assert found.needed > 200
    assert not is_sure(found)


def test_equal_alternatives_are_told_apart_by_no_number_of_trials() -> None:
    found = verdict([[1.0, 0.0, 1.0], [1.0, 0.0, 1.0]])

    assert found is not None
    assert (found.best, found.next, found.is_told, found.needed) == (0, 1, False, 0)


def test_a_few_trials_that_came_out_alike_tell_nothing() -> None:
    found = verdict([[1.0] * 4, [0.0] * 4])

    assert found is not None
    assert (found.is_told, found.needed > 4) == (False, True)


def test_a_plain_difference_is_told_and_on_like_luck_with_fewer_trials() -> None:
    choose = Random(1)
    luck = [choose.random() for _ in range(120)]
    paired = [[float(one < bar) for one in luck] for bar in (0.3, 0.45)]
    unpaired = [paired[0], [float(choose.random() < 0.45) for _ in luck]]
    found, other = verdict(paired), verdict(unpaired)

    assert found is not None
    assert other is not None
    assert (found.best, found.is_told, found.needed) == (1, True, 0)
    assert is_sure(found)
    assert found.ahead.error < other.ahead.error
