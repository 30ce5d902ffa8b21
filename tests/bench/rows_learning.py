"""Rows about learning environments: random play through them, beside random play in a world."""

import random
from collections.abc import Iterator

import numpy as np

from core.engine.selection import onward
from core.environments.pettingzoo_env import SeatsEnv
from core.match.match_creation import Opening
from tests.bench import our_play
from tests.bench.harness import Goal, Row
from tests.bench.rows_worlds import MODES, Walks, sampler, walked


def env_steps(game: str, seed: str) -> Iterator[int]:
    """Play at random in an environment of PettingZoo from the beginning to the end; each agent that acts observes the vector and the mask."""
    env = SeatsEnv(Opening(game=game, mode=MODES.get(game, ""), options=our_play.SHORT.get(game, {})))
    dice = random.Random(seed)
    env.reset(seed=int(seed))
    while True:
        observation, _, is_over, is_cut, _ = env.last()
        if is_over or is_cut:
            return
        legal = np.flatnonzero(observation["action_mask"].view(np.bool_))
        env.step(int(legal[int(dice.random() * len(legal))]))
        yield len(legal)


def world_steps(game: str, seed: str) -> Iterator[int]:
    """Play at random in a world from the beginning to the end; as in an environment, no pick is taken back."""
    world, dice = next(sampler(game, seed, 0)), random.Random(seed)
    while options := onward(world.options()):
        world.play(options[int(dice.random() * len(options))])
        yield len(options)


LEARNED = Walks(
    "learning",
    "random play in a learning environment",
    env_steps,
    ("random play in a world", world_steps),
    (Goal("limit", 0.5),),
)

ROWS = (Row("learning", "random play in learning environments", lambda plan: walked(plan, LEARNED)),)
