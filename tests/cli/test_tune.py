"""Fitting the evaluation of a bot: the same weights for the same seed, and clear errors."""

import pytest

from tests.cli.running import Terminal

TUNE = ("tune", "search", "--game", "battle", "--matches", "5")


@pytest.mark.long
def test_the_same_seed_gives_the_same_weights(terminal: Terminal) -> None:
    """It plays fifteen matches: two seconds."""
    one, again, other = [terminal(*TUNE, "--jobs", "1", "--seed", seed, "--json").out for seed in ("0", "0", "1")]

    assert one == again != other
    assert '"locations":' in one


def test_people_see_weights_and_how_well_they_foretell(terminal: Terminal) -> None:
    ran = terminal(*TUNE, "--jobs", "1")

    assert "locations" in ran.out
    assert "a coin has 0.693" in ran.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tune", "greedy", "--game", "battle"), "greedy has no evaluation that could be fitted"),
        (("tune", "search", "--game", "advance"), "policy"),
        (("tune", "search", "--game", "battle", "--matches", "4"), "--matches is 5 to"),
        (("tune", "search", "--game", "whist"), "whist"),
    ],
)
def test_what_cannot_be_fitted_is_a_wrong_use(terminal: Terminal, arguments: tuple[str, ...], told: str) -> None:
    ran = terminal(*arguments)

    assert ran.code == 2
    assert told in ran.err
