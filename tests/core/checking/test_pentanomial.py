"""Elo, its interval and the sequential test agree with figures that others have published.

The figures are those of the tests of fastchess, a tournament manager for chess engines: its counts are of pairs that were lost twice, lost
and drawn, shared, won and drawn, and won twice.
"""

from math import inf
from random import Random

import pytest

from core.checking.pentanomial import counted, elo, elo_of, sprt_of
from tests.support.rows import each_row

EVEN = (10, 20, 40, 20, 10)


@each_row(
    ("counts", "difference", "margin"),
    [
        ((34, 54, 63, 64, 75), 55.58, 27.65),
        ((332, 433, 498, 333, 334), -8.64, 10.33),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95),
    ],
)
def test_elo_and_its_margin_are_the_published_ones(counts: tuple[int, ...], difference: float, margin: float) -> None:
    found = elo_of(counts)

    assert found.elo == pytest.approx(difference, abs=0.01)
    assert (found.high - found.low) / 2 == pytest.approx(margin, abs=0.01)


@each_row(
    ("counts", "low", "high", "llr"),
    [((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07), ((871, 26175, 55983, 26678, 821), 0, 2, -4.98)],
)
def test_the_sequential_test_is_the_published_one(counts: tuple[int, ...], low: float, high: float, llr: float) -> None:
    assert sprt_of(counts, low, high).llr == pytest.approx(llr, abs=0.005)


def test_the_test_ends_at_the_logarithm_of_nineteen() -> None:
    found = sprt_of((0, 0, 0, 0, 104), 0, 50)

    assert found.bound == pytest.approx(2.944, abs=0.001)
    assert found.verdict is True
    assert sprt_of((104, 0, 0, 0, 0), 0, 50).verdict is False
    assert sprt_of(EVEN, 0, 5).verdict is None
    assert sprt_of((0, 0, 0, 0, 0), 0, 5).llr == 0


def test_even_results_are_an_even_score() -> None:
    found = elo_of(EVEN)

    assert (found.score, found.elo) == (0.5, 0)
    assert found.low == pytest.approx(-found.high)
    assert elo(0.75) == pytest.approx(190.85, abs=0.01)
    assert (elo(0), elo(1)) == (-inf, inf)


def test_few_pairs_that_are_all_won_leave_much_open() -> None:
    few, many = elo_of((0, 0, 0, 0, 3)), elo_of((0, 0, 0, 0, 300))

    assert (few.score, few.elo, few.high) == (1, inf, inf)
    assert few.score_low == pytest.approx(0.292, abs=0.001)
    assert many.score_low == pytest.approx(0.988, abs=0.001)


def test_the_interval_holds_the_true_score_nineteen_times_in_twenty() -> None:
    rng, tries, held = Random(1), 400, 0
    for _ in range(tries):
        pairs = [(rng.random() < 0.6) * 2 + (rng.random() < 0.6) * 2 for _ in range(100)]
        found = elo_of(counted(pairs))
        held += found.score_low <= 0.6 <= found.score_high

    assert 0.92 < held / tries < 0.98


@each_row(("strength", "wrong"), [(0.5, True), (0.6401, False)])
def test_the_sequential_test_errs_once_in_twenty_times(strength: float, wrong: bool) -> None:
    """A bot of 0 Elo or of 100 is tested for 0 against 100; twenty tests are run."""
    rng, tries, errors = Random(2), 20, 0
    for _ in range(tries):
        counts = list(counted(()))
        while (verdict := sprt_of(tuple(counts), 0, 100).verdict) is None:
            counts[sum(2 * (rng.random() < strength) for _ in range(2))] += 1
        errors += verdict is wrong

    assert errors / tries <= 0.15
