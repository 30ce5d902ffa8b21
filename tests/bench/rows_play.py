"""Rows about rules: random legal play of every game, beside python-chess."""

import random
import time
from collections.abc import Callable, Iterator
from itertools import count, islice

from core.match.live_match import Match
from core.registry.games import game_keys, load_game
from events.ids import MatchId
from tests.bench import our_play, peers
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure

CHESS_PLIES = 120
"""A chess game is cut here, as random ones seldom end."""

WRITTEN_DOWN = 8
"""So many different matches are played through the kernel."""

STEPS_MOST = 1_000


def chess(plan: Plan) -> Contestant | None:
    """Play random chess: list all legal moves, take one, push it."""
    library = peers.chess()
    if library is None:
        return None

    def play() -> Figures:
        dice, plies, began = random.Random(1), 0, time.perf_counter()
        while time.perf_counter() - began < plan.slice_s:
            board = library.Board()
            for _ in range(CHESS_PLIES):
                legal = list(board.legal_moves)
                if not legal:
                    break
                board.push(dice.choice(legal))
                plies += 1
        return {"rate": plies / (time.perf_counter() - began)}

    return play


def ours(
    plan: Plan, game: str, walk: Callable[[Match, random.Random], Iterator[object]] = our_play.random_steps
) -> Contestant:
    """Play random matches of ours on their tables: by default list all options, take one, fold its events."""
    seeds = count()

    def play() -> Figures:
        steps, began = 0, time.perf_counter()
        while time.perf_counter() - began < plan.slice_s:
            seed = next(seeds)
            playing = our_play.begun(MatchId(f"match-{seed}"), str(seed), game)
            steps += sum(1 for _ in islice(walk(playing, random.Random(seed)), plan.playouts))
        return {"rate": steps / (time.perf_counter() - began)}

    return play


def kernel(plan: Plan, game: str) -> Contestant:
    """Play the same commands through the whole kernel: decode, check, decide, encode, hash."""
    seeds = count()

    def play() -> Figures:
        steps, spent = 0, 0.0
        while spent < plan.slice_s:
            seed = str(next(seeds) % WRITTEN_DOWN)
            if seed not in written:
                written[seed] = our_play.written_down(seed, min(STEPS_MOST, plan.playouts), game)
            playing = our_play.begun(MatchId(f"match-{seed}"), seed, game)
            began = time.perf_counter()
            for step in written[seed]:
                our_play.accept(playing, step.seat, step.command)
            spent += time.perf_counter() - began
            steps += len(written[seed])
        return {"rate": steps / spent}

    written: dict[str, list[our_play.Step]] = {}
    return play


def playouts(plan: Plan) -> list[Line]:
    """Measure random legal play of every game in steps a second: all options listed, one taken, its events folded."""
    return [line for key in game_keys() for line in game_lines(plan, key)]


def game_lines(plan: Plan, game: str) -> list[Line]:
    """Measure one game: its rules on a table, and the same commands through the kernel."""
    contestants = {
        "ours": ours(plan, game),
        "chance": ours(plan, game, our_play.chance_steps),
        "kernel": kernel(plan, game),
        "peer": chess(plan),
    }
    samples = alternate(contestants, plan.runs)
    figure, spread = our_figure(samples, "rate")
    through, drawn = samples["kernel"], samples["chance"]
    title = load_game(game).title
    return [
        Line(
            f"playout.{game}",
            f"random legal play, {title}",
            "steps/s",
            more_is_better=True,
            ours=figure,
            spread=spread,
            peer=anchor("python-chess, legal moves + push", samples, "peer", "rate"),
            goals=(Goal("peer", 0.25, 0.5),),
        ),
        Line(
            f"playout.{game}.chance",
            "the same, one option by chance without the list",
            "steps/s",
            more_is_better=True,
            ours=drawn.median("rate"),
            spread=drawn.spread("rate"),
            peer=anchor("python-chess, legal moves + push", samples, "peer", "rate"),
            note="The peer lists its moves.",
        ),
        Line(
            f"playout.{game}.kernel",
            "the same through the kernel: decode, judge, decide, encode, hash",
            "commands/s",
            more_is_better=True,
            ours=through.median("rate"),
            spread=through.spread("rate"),
            peer=anchor("python-chess, legal moves + push", samples, "peer", "rate"),
            note="No options are listed here; the peer's figure is only for scale.",
        ),
    ]


ROWS = (Row("playout", "random legal play", playouts),)
