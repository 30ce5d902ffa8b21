"""Figures of pairs of matches: their difference, and what can be said of it."""

from random import Random

import pytest

from core.trials.paired import measured


def test_a_difference_is_that_within_pairs() -> None:
    found = measured([1.0, 5.0, 9.0], [2.0, 6.0, 10.0])

    assert (found.first.value, found.second.value, found.difference.value) == (5, 6, 1)
    assert found.difference.error == pytest.approx(1.96 * (3.2 / 4) ** 0.5 / 3**0.5)
    assert not found.is_told
    assert found.needed == 10


def test_few_pairs_tell_nothing_and_many_alike_ones_do() -> None:
    assert not measured([0.0] * 9, [1.0] * 9).is_told
    assert measured([0.0] * 10, [1.0] * 10).is_told


def test_what_came_out_alike_is_open_and_nobody_knows_for_how_long() -> None:
    found = measured([3.0, 4.0], [3.0, 4.0])

    assert (found.difference.value, found.difference.error, found.is_told, found.needed) == (0, 0, False, 0)


def test_what_differs_by_luck_is_seldom_told() -> None:
    """One in twenty, of 400 series of 30 pairs."""
    dice, told = Random(1), 0
    for _ in range(400):
        values = [(dice.gauss(0, 1), dice.gauss(0, 1)) for _ in range(30)]
        told += measured([one for one, _ in values], [other for _, other in values]).is_told

    assert told / 400 < 0.06
