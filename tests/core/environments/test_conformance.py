"""The environments pass the conformance tests of PettingZoo, Gymnasium and OpenSpiel, and tell in one line what is missing."""

import re
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from core.environments.gymnasium_env import SeatEnv
from core.environments.pettingzoo_env import SeatsEnv
from core.errors import UnknownName
from core.extras import ExtraMissing, require
from core.match.match_creation import Opening
from tests.project.tree import ROOT, games
from tests.support.rows import each_row
from tests.support.soak import sampled

MODES = {"inferno": "one_vs_one"}


def opening(game: str) -> Opening:
    """Return a match with several seats, if the game has any, which does not go on for ever."""
    return Opening(game=game, mode=MODES.get(game, ""), options={"turn_cap": 60} if game == "battle" else {})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", sampled(games(), lambda game: game == "battle"))
def test_every_game_passes_the_tests_of_pettingzoo(game: str, budget: float) -> None:
    """The warnings say that an observation is a dictionary, and that agents are called as the seats are."""
    api_test(SeatsEnv(opening(game), most=20 * int(budget)), num_cycles=30 * int(budget))
    seed_test(lambda: SeatsEnv(opening(game)), num_cycles=10 * int(budget))


@pytest.mark.parametrize(
    ("game", "seat"),
    sampled(
        [("advance", ""), ("inferno", ""), ("battle", "russian"), ("axis_allies", "")],
        lambda game, _: game == "advance",
    ),
)
def test_every_game_passes_the_test_of_gymnasium(game: str, seat: str) -> None:
    """Inferno is played alone, and other games with several seats against a bot."""
    env = SeatEnv(
        Opening(game=game, mode="solo" if game == "inferno" else ""), seat, opponents="random", has_entities=True
    )

    check_env(env, skip_render_check=True)


@pytest.mark.long
@pytest.mark.parametrize("game", games())
def test_every_game_passes_the_tests_of_openspiel(game: str) -> None:
    """They need the extra `openspiel`, which `make soak` installs."""
    import pyspiel

    from core.environments.openspiel_game import register

    parameters = {"battle": "options=turn_cap:3", "axis_allies": "most=150", "inferno": "mode=one_vs_one"}
    (name,) = register([game])
    spiel = pyspiel.load_game(f"{name}({parameters.get(game, '')})")

    pyspiel.random_sim_test(spiel, num_sims=1, serialize=True, verbose=False)


@pytest.mark.filterwarnings("ignore")
def test_the_examples_of_the_page_work() -> None:
    page, names = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8"), dict[str, Any]()
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(block, names)

    assert names["info"] == {"is_legal": True}
    assert names["observation"]["observation"].shape == names["env"].observation_space["observation"].shape


def test_a_seat_or_a_policy_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownName, match="seat of battle in this mode"):
        SeatEnv(opening("battle"), "soviet")
    with pytest.raises(UnknownName, match="policy for battle"):
        SeatEnv(opening("battle"), opponents="nobody")


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    env = SeatEnv(opening("battle"), most=5)
    before, _ = env.reset(seed=1)
    illegal = int(before["action_mask"].argmin())
    after, reward, is_over, is_cut, info = env.step(illegal)

    assert (reward, is_over, is_cut, info["is_legal"]) == (0.0, False, False, False)
    assert (before["observation"] == after["observation"]).all()
    assert [env.step(illegal)[3] for _ in range(4)] == [False, False, False, True]


def test_a_bot_plays_the_other_seats_and_the_end_is_rewarded() -> None:
    env = SeatEnv(Opening(game="battle", options={"turn_cap": 2}), "russian", opponents="greedy", has_options=True)
    observation, info = env.reset(seed=1)
    rewards, is_over = [0.0], False
    while not is_over:
        options = info["options"]
        assert isinstance(options, np.ndarray)
        assert sorted(options[:, 0]) == list(observation["action_mask"].nonzero()[0])
        observation, reward, is_over, _, info = env.step(int(options[0, 0]))
        rewards.append(float(reward))

    assert set(rewards[:-1]) == {0.0}
    assert rewards[-1] in (-1.0, 0.0, 1.0)


@each_row(
    ("modules", "are_missing"),
    [(("msgspec", "no_such"), "no_such is missing"), (("no_such", "nor_this"), "no_such, nor_this are missing")],
)
def test_a_missing_extra_is_told_in_one_line(modules: tuple[str, ...], are_missing: str) -> None:
    with pytest.raises(ExtraMissing) as caught:
        require("games", "learn", *modules)

    assert str(caught.value) == f"games need the extra `learn` ({are_missing}): pip install 'wardiary[learn]'"
