"""Rows about rules: random legal play beside python-chess."""

import random
import time

from tests.bench import peers
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure

CHESS_PLIES = 120
"""A chess game is cut here, as random ones seldom end."""


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


def playouts(plan: Plan) -> list[Line]:
    """Measure random legal play of our game in steps a second: all options listed, one taken, its events folded."""
    samples = alternate({"ours": None, "peer": chess(plan)}, plan.runs)
    figure, spread = our_figure(samples, "rate")
    return [
        Line(
            "playout",
            "random legal play, Advance to the Volga",
            "steps/s",
            more_is_better=True,
            ours=figure,
            spread=spread,
            peer=anchor("python-chess, legal moves + push", samples, "peer", "rate"),
            goals=(Goal("peer", 0.25, 0.5),),
        )
    ]


ROWS = (Row("playout", "random legal play", playouts),)
