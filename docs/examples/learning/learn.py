"""Learns to play one seat of a game against a bot: a linear softmax policy over the tokens of options. A program to be copied.

It needs `wardiary[learn]`, and nothing else:

    python learn.py --game battle --option turn_cap=10 --minutes 10

The policy gives each option a score, the sum of the weights of its tokens, and chooses with probabilities that grow with the scores (softmax).
A decision is rewarded by what follows: the places that the own side comes to control and the others lose, the sooner the more, and the end of the
match. After each batch of matches the weights move so that what was followed by more than the average becomes likelier (REINFORCE with a
baseline). It prints the points before and after learning (1 for a win, a half where nobody wins), with the bounds of 95 %.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wardiary.learn import KernelError, episodes, opening, seat_env

WEIGHTS = 65_536
"""One for each token of an option; that of token 0, which is none, stays 0."""

PLACES_WORTH = 0.1
FADING = 0.97
"""What a place is worth beside a win, and what a reward is worth a decision earlier."""

Numbers = NDArray[np.float64]


class Setting(NamedTuple):
    """The seat that learns, and against whom."""

    game: str
    scenario: str
    mode: str
    options: tuple[tuple[str, str], ...]
    seat: str
    opponent: str
    most: int


class Played(NamedTuple):
    """A match: its reward, and for each decision the tokens of the options, their probabilities, the chosen one, and what followed."""

    reward: float
    tokens: list[NDArray[np.int32]]
    chances: list[Numbers]
    chosen: list[int]
    followed: list[float]


@cache
def environment(setting: Setting) -> tuple[Any, Numbers, Numbers]:
    """Return the environment of this process, and by which numbers of the vector the control of each side is counted."""
    match = opening(setting.game, setting.scenario, mode=setting.mode, options=dict(setting.options))
    env = seat_env(match, setting.seat, opponents=setting.opponent, most=setting.most, has_options=True)
    names = [component.name.split("/") for component in episodes(match).layout.components]
    sides = [name[1] for name in names if name[0] == "side"]
    own = np.array([[float(name == ["side", side]) for name in names] for side in sides])
    control = np.array([[float(name[0] == "control" and name[-1] == side) for name in names] for side in sides])
    return env, own, control


def play(setting: Setting, weights: Numbers, seed: Sequence[int]) -> Played:
    """Play a match with some weights."""
    env, own, control = environment(setting)
    random = np.random.default_rng(seed)

    def margin() -> float:
        """Return how many more places the own side controls than the others."""
        signs = 2.0 * (own @ seen) - 1.0
        return float(signs @ (control @ seen))

    observation, info = env.reset(seed=int(random.integers(1 << 31)))
    seen = observation["observation"]
    before, is_over, reward, played = margin(), False, 0.0, Played(0.0, [], [], [], [])
    while not is_over and len(info["options"]):
        tokens = info["options"][:, 1:]
        scores = weights[tokens].sum(axis=1)
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        chosen = min(int(np.searchsorted(np.cumsum(chances), random.random())), len(chances) - 1)
        observation, reward, is_ended, is_cut, info = env.step(int(info["options"][chosen, 0]))
        seen = observation["observation"]
        after, is_over = margin(), is_ended or is_cut
        played.tokens.append(tokens)
        played.chances.append(chances)
        played.chosen.append(chosen)
        played.followed.append(PLACES_WORTH * (after - before) + reward)
        before = after
    for number in range(len(played.followed) - 2, -1, -1):
        played.followed[number] += FADING * played.followed[number + 1]
    return played._replace(reward=reward)


def taught(setting: Setting, weights: Numbers, seeds: list[Sequence[int]]) -> tuple[list[float], Numbers]:
    """Play matches, and return their rewards and in which direction the weights become better."""
    matches = [play(setting, weights, seed) for seed in seeds]
    usual = np.mean([one for match in matches for one in match.followed])
    gradient = np.zeros(WEIGHTS)
    for match in matches:
        for tokens, chances, chosen, followed in zip(*match[1:], strict=True):
            shares = -chances
            shares[chosen] += 1.0
            np.add.at(gradient, tokens, ((followed - usual) * shares)[:, None])
    gradient[0] = 0.0
    return [match.reward for match in matches], gradient


def on_all(
    pool: Executor, given: argparse.Namespace, setting: Setting, weights: Numbers, seeds: list[Sequence[int]]
) -> tuple[list[float], Numbers]:
    """Play matches on all processes; see `taught`."""
    parts = [seeds[number :: given.processes] for number in range(given.processes)]
    found = list(pool.map(taught, [setting] * len(parts), [weights] * len(parts), parts))
    return [reward for rewards, _ in found for reward in rewards], sum((one for _, one in found), np.zeros(WEIGHTS))


def judged(pool: Executor, given: argparse.Namespace, setting: Setting, weights: Numbers) -> dict[str, float]:
    """Return the share of points in matches that were not learned from, and its bounds of 95 %."""
    rewards, _ = on_all(pool, given, setting, weights, [(given.seed, 1, number) for number in range(given.matches)])
    points = (np.array(rewards) + 1) / 2
    wide = 1.96 * float(points.std()) / sqrt(len(points))
    share = float(points.mean())
    return {"share": share, "least": max(0.0, share - wide), "most": min(1.0, share + wide)}


def learn(given: argparse.Namespace) -> None:
    """Learn for some minutes, and print how well the seat plays before and after."""
    options = tuple((key, value) for key, _, value in (one.partition("=") for one in given.option))
    setting = Setting(given.game, given.scenario, given.mode, options, given.seat, given.opponent, given.most)
    environment(setting)
    weights, usual_square, batches = np.zeros(WEIGHTS), np.zeros(WEIGHTS), 0
    with ProcessPoolExecutor(given.processes) as pool:
        before = judged(pool, given, setting, weights)
        end = time.monotonic() + 60 * given.minutes
        while time.monotonic() < end:
            seeds: list[Sequence[int]] = [(given.seed, 0, batches, number) for number in range(given.batch)]
            rewards, gradient = on_all(pool, given, setting, weights, seeds)
            # A weight moves by its share of how much it usually moves (RMSprop), so that rare tokens are learned as well.
            usual_square = 0.9 * usual_square + 0.1 * gradient * gradient
            weights += given.rate * gradient / np.sqrt(usual_square + 1e-6)
            batches += 1
            if sys.stderr.isatty():
                points = (sum(rewards) / len(rewards) + 1) / 2
                print(
                    f"\r{batches * given.batch} matches, {points:.0%} of the points in the last ones",
                    end="",
                    file=sys.stderr,
                )
        after = judged(pool, given, setting, weights)
    if given.json:
        print(json.dumps({"matches": batches * given.batch, "before": before, "after": after}))
        return
    for when, found in (("before", before), (f"after {batches * given.batch} matches", after)):
        print(f"{when}: {found['share']:.1%} of the points ({found['least']:.1%} to {found['most']:.1%})")


def positive(text: str) -> int:
    """Read a number, 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"it is a number, 1 or more, not {text!r}")
    return int(text)


def asked() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Learn to play one seat of a game against a bot.")
    parser.add_argument("--game", default="battle")
    parser.add_argument("--scenario", default="")
    parser.add_argument("--mode", default="")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the match")
    parser.add_argument("--seat", default="", help="by default the first")
    parser.add_argument("--opponent", default="random", help="a policy")
    parser.add_argument("--most", type=positive, default=2_000, help="commands after which a match is cut short")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--batch", type=positive, default=16, help="matches between two steps")
    parser.add_argument("--rate", type=float, default=0.1, help="how far the weights move in a step")
    parser.add_argument("--matches", type=positive, default=200, help="matches by which a policy is judged")
    parser.add_argument("--processes", type=positive, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        learn(asked())
    except KernelError as error:
        print(f"learn.py: {error}", file=sys.stderr)
        sys.exit(2)
