"""Fitting: the weights that foretell best, whatever the scales of the features are."""

from random import Random

import pytest

from core.bots.evaluation import Weights, points
from core.bots.fitting import Sample, fit, log_loss
from events.ids import Seat, Side
from projections.state.table import Ended
from tests.support.rows import each_row

TRUE = Weights(0.3, {"small": 1.0, "large": -0.0005, "idle": 0.0})


def drawn(count: int) -> list[Sample]:
    """Draw samples of a known evaluation."""
    rng = Random(1)
    found: list[Sample] = []
    for _ in range(count):
        counts = {"small": rng.gauss(0, 2), "large": rng.gauss(0, 3_000), "idle": 0.0}
        found.append((counts, float(rng.random() < TRUE.chance(counts))))
    return found


def test_weights_are_found_again() -> None:
    found = fit(drawn(3_000))

    assert found.bias == pytest.approx(0.3, abs=0.15)
    assert found.by_feature["small"] == pytest.approx(1.0, rel=0.15)
    assert found.by_feature["large"] == pytest.approx(-0.0005, rel=0.15)
    assert found.by_feature["idle"] == 0.0


def test_the_fit_foretells_as_well_as_the_truth_and_better_than_a_coin() -> None:
    samples = drawn(1_000)

    assert log_loss(samples, fit(samples)) <= log_loss(samples, TRUE) + 0.001 < log_loss(samples, Weights(0.0, {}))


def test_what_decides_everything_is_fitted_to_finite_weights() -> None:
    found = fit([({"wins": 1.0}, 1.0), ({"wins": -1.0}, 0.0)] * 5)

    assert 1.0 < found.by_feature["wins"] < 100.0


@each_row(
    ("ended", "expected"),
    [
        (Ended("rules", "Victory", (Side("red"),), (Seat("one"),)), 1.0),
        (Ended("rules", "Victory", (Side("red"),), (Seat("two"),)), 0.0),
        (Ended("rules", "Victory", (Side("red"),)), 1.0),
        (Ended("rules", "Victory", (Side("blue"),)), 0.0),
        (Ended("rules", "Draw", ()), 0.5),
    ],
)
def test_points_of_a_seat_at_the_end(ended: Ended, expected: float) -> None:
    """Seats that play one side may win apart from each other."""
    assert points(ended, Seat("one"), Side("red")) == expected
