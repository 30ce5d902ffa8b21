"""Rows about worlds: random play in them, copies, and deals of what a seat cannot know."""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice
from typing import NamedTuple, TypeAlias

import wardiary
from core.bots.bot_port import Asked, answer_of
from core.bots.sampler import Sampler
from core.registry.games import game_keys, load_game
from core.secrets.knowledge import Hidden
from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from tests.bench import our_play
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure, per_second

MODES = {"inferno": "one_vs_one"}
"""The modes in which every seat has secrets, where that is not the first one."""

COMMANDS = 40
"""After how many random commands the copies and deals are made."""

COPY_US_MOST = 5.0
DEAL_MS_MOST = {"axis_allies": 1.5, "battle": 1.5, "inferno": 3.0}
"""The games that hide something."""

AT_ONCE = 20

Steps: TypeAlias = Callable[[str, str], Iterator[int]]
"""Plays a match of a game by a seed, and yields something for each step."""


def sampler(game: str, seed: str, commands: int, seat: Seat = ARBITER) -> Sampler:
    """Return the worlds of a seat after some random commands."""
    log = MemoryLog()
    playing = our_play.begun(MatchId("match-imagined"), seed, game, log, MODES.get(game, ""))
    dice = random.Random(seed)
    for _ in range(commands):
        our_play.taken(playing, dice, log)
    bound, table = playing.ruleset.game, playing.table
    hidden = Hidden(wardiary.Match(log, playing.id).events(seat))
    inventory = bound.inventory(table.scenario, table.options)
    return Sampler(bound.rules, inventory, hidden, random.Random(seed).randrange)


def world_steps(game: str, seed: str) -> Iterator[int]:
    """Play at random in a world from the beginning to the end."""
    world, dice = next(sampler(game, seed, 0)), random.Random(seed)
    while options := world.options():
        world.play(options[int(dice.random() * len(options))])
        yield len(options)


def playout_steps(game: str, seed: str) -> Iterator[int]:
    """Play in a world from the beginning to the end as the playouts of a search do."""
    policies = load_game(game).policies
    policy = policies.get("quick", policies["greedy"])
    world, below = next(sampler(game, seed, 0)), random.Random(seed).randrange
    while (seat := world.seat_to_move) is not None and world.ended is None:
        yield len(world.play(answer_of(policy, Asked(world.rules, world.table, seat, world.options, below)).command))


def chance_steps(game: str, seed: str) -> Iterator[int]:
    """Play in a world from the beginning to the end, each time one option by chance."""
    world, below = next(sampler(game, seed, 0)), random.Random(seed).randrange
    while (option := world.any_option(below)) is not None:
        yield len(world.play(option))


def table_steps(game: str, seed: str) -> Iterator[int]:
    """Play at random on a plain table from the beginning to the end."""
    playing = our_play.begun(MatchId("match-imagined"), seed, game, mode=MODES.get(game, ""))
    return our_play.random_steps(playing, random.Random(seed))


def library_steps(game: str, seed: str) -> Iterator[int]:
    """Play at random with the library from the beginning to the end."""
    short = our_play.SHORT.get(game)
    match = wardiary.open(game, mode=MODES.get(game, ""), options=short, dice="seeded", seed=seed)
    while match.ended is None:
        yield len(match.play(match.suggest()))


def walking(plan: Plan, steps: Steps, game: str) -> Contestant:
    """Play match after match; how long they take to open does not count."""
    seeds = count()

    def play() -> Figures:
        taken, spent = 0, 0.0
        while spent < plan.slice_s:
            walk = steps(game, str(next(seeds)))
            next(walk)
            began = time.perf_counter()
            taken += sum(1 for _ in islice(_until(walk, began + plan.slice_s - spent), plan.playouts))
            spent += time.perf_counter() - began
        return {"rate": taken / spent}

    return play


def _until(walk: Iterator[int], end: float) -> Iterator[int]:
    for step in walk:
        yield step
        if time.perf_counter() > end:
            return


class Walks(NamedTuple):
    """Play of three kinds to compare: each of a game, by a seed; `limit` and `peer` are named for the reader.

    Attributes:
        name: The name of the lines, before that of a game.
        what: What is measured, for the reader.
        ours: Plays as we do.
        limit: Plays as fast as can be.
        goals: The goals.
        peer: Plays as another program does, if one is compared.
    """

    name: str
    what: str
    ours: Steps
    limit: tuple[str, Steps]
    goals: tuple[Goal, ...]
    peer: tuple[str, Steps] | None = None


def walked(plan: Plan, walks: Walks) -> list[Line]:
    """Measure how many steps a second play takes in every game."""
    lines: list[Line] = []
    for game in game_keys():
        there = {"ours": walks.ours, "limit": walks.limit[1]} | ({} if walks.peer is None else {"peer": walks.peer[1]})
        samples = alternate({name: walking(plan, steps, game) for name, steps in there.items()}, plan.runs)
        figure, spread = our_figure(samples, "rate")
        lines.append(
            Line(
                f"{walks.name}.{game}",
                f"{walks.what}, {load_game(game).title}",
                "steps/s",
                more_is_better=True,
                ours=figure,
                spread=spread,
                limit=anchor(walks.limit[0], samples, "limit", "rate"),
                peer=None if walks.peer is None else anchor(walks.peer[0], samples, "peer", "rate"),
                goals=walks.goals,
            )
        )
    return lines


PLAYED = Walks(
    "world",
    "random play in a world",
    world_steps,
    ("random legal play on a table", table_steps),
    (Goal("limit", 0.9), Goal("peer", 5.0)),
    ("Match.play(Match.suggest())", library_steps),
)

PLAYOUTS = Walks(
    "world-playout",
    "playouts of a search",
    playout_steps,
    ("one option by chance in a world", chance_steps),
    (Goal("limit", 0.3),),
)


def each_takes(work: Callable[[], object], plan: Plan, unit_s: float) -> tuple[float | None, float | None]:
    """Return how long a piece of work takes, in a unit of so many seconds, and the spread."""

    def several() -> int:
        for _ in range(AT_ONCE):
            work()
        return AT_ONCE

    samples = alternate({"ours": lambda: {"time": 1 / per_second(several, plan.slice_s) / unit_s}}, plan.runs)
    return our_figure(samples, "time")


def made(plan: Plan) -> list[Line]:
    """Measure a copy of a world of every game, and a deal of those that hide something."""
    lines: list[Line] = []
    for game in game_keys():
        title, seats = load_game(game).title, load_game(game).scenario("").mode(MODES.get(game, "")).seats
        figure, spread = each_takes(next(sampler(game, "1", COMMANDS)).copy, plan, 1e-6)
        goals = (Goal("itself", COPY_US_MOST),)
        lines.append(
            Line(
                f"world-made.{game}.copy",
                f"copy of a world, {title}",
                "µs",
                more_is_better=False,
                ours=figure,
                spread=spread,
                goals=goals,
            )
        )
        for seat in seats if game in DEAL_MS_MOST else ():
            dealt, around = each_takes(partial(next, sampler(game, "1", COMMANDS, seat)), plan, 1e-3)
            bound = (Goal("itself", DEAL_MS_MOST[game]),)
            what = f"deal of what seat {seat} cannot know, {title}"
            lines.append(
                Line(
                    f"world-made.{game}.{seat}",
                    what,
                    "ms",
                    more_is_better=False,
                    ours=dealt,
                    spread=around,
                    goals=bound,
                )
            )
    return lines


ROWS = (
    Row("world", "random play in worlds", lambda plan: walked(plan, PLAYED)),
    Row("world-playout", "playouts of a search", lambda plan: walked(plan, PLAYOUTS)),
    Row("world-made", "copies and deals of worlds", made),
)
