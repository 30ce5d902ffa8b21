"""Rows about learning environments: random play through them, beside random play in a world."""

import random
from collections.abc import Iterator

import numpy as np

from core.engine.selection import onward
from core.environments.pettingzoo_env import SeatsEnv
from core.match.match_creation import Opening
from core.registry.games import game_keys, load_game
from tests.bench import our_play
from tests.bench.harness import Goal, Line, Plan, Row, alternate, anchor, our_figure
from tests.bench.rows_worlds import MODES, sampler, walking


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


def learned(plan: Plan) -> list[Line]:
    """Measure random play through the environments of every game."""
    lines: list[Line] = []
    for game in game_keys():
        walks = {"ours": env_steps, "limit": world_steps}
        samples = alternate({name: walking(plan, steps, game) for name, steps in walks.items()}, plan.runs)
        figure, spread = our_figure(samples, "rate")
        lines.append(
            Line(
                f"learning.{game}",
                f"random play in a learning environment, {load_game(game).title}",
                "steps/s",
                more_is_better=True,
                ours=figure,
                spread=spread,
                limit=anchor("random play in a world", samples, "limit", "rate"),
                goals=(Goal("limit", 0.5),),
            )
        )
    return lines


ROWS = (Row("learning", "random play in learning environments", learned),)
