"""Rows about signed commands: what a signature costs a client and its server, beside a command that is not signed.

The client signs, the server checks the signature before it stores it. Every request is encrypted, and every commit is durable.
"""

import random
import time
from contextlib import ExitStack
from itertools import count

from events.ids import MatchId, Seat
from server.client.client import Client
from server.client.sockets import connect
from server.protocol.curve import CurveKey
from tests.bench import children, our_server, raw_store
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure, percentile

GAME, MODE = "inferno", "one_vs_one"
COMMANDS = 60
"""How many commands are played of each match."""


def _played(client: Client, match: MatchId, choose: random.Random) -> list[float]:
    """Play the first commands of a match for both seats, and return how long each took (seconds)."""
    taken: list[float] = []
    for _ in range(COMMANDS):
        mover = Seat(client.legal(match, words=False).to_move)
        if not mover:
            break
        legal = client.legal(match, mover, words=False)
        command = legal.options[int(choose.random() * len(legal.options))].command
        began = time.perf_counter()
        client.play(match, mover, bytes(command), expected=legal.seq)
        taken.append(time.perf_counter() - began)
    return taken


def _players(plan: Plan, closing: ExitStack, *, sign: bool) -> Contestant:
    """Play matches with seeded dice, whose seats sign or do not."""
    path = plan.scratch / f"signed-{sign}.db"
    raw_store.remove(path)
    key = CurveKey.new()
    server = closing.enter_context(children.child(our_server.run, path, key.secret))
    port, _ = server.pipe.recv()
    client = closing.enter_context(connect(f"tcp://127.0.0.1:{port}", server_key=key.public.decode()))
    seeds = count()

    def play() -> Figures:
        taken: list[float] = []
        began = time.perf_counter()
        while not taken or time.perf_counter() < began + plan.slice_s:
            seed = next(seeds)
            opened = client.open(GAME, mode=MODE, dice="seeded", seed=str(seed))
            for seat in opened.seats:
                client.take_seat(opened.match, seat, share=False, sign=sign)
            taken += _played(client, opened.match, random.Random(seed))
        return {"ms": percentile(taken, 0.5) * 1e3}

    return play


def signed(plan: Plan) -> list[Line]:
    """Measure a command that is signed against one that is not."""
    with ExitStack() as closing:
        samples = alternate(
            {"ours": _players(plan, closing, sign=True), "raw": _players(plan, closing, sign=False)}, plan.runs
        )
    figure, spread = our_figure(samples, "ms")
    return [
        Line(
            "signed.command",
            "a signed command over a socket, p50",
            "ms",
            more_is_better=False,
            ours=figure,
            spread=spread,
            limit=anchor("the same without a signature", samples, "raw", "ms"),
            goals=(Goal("limit", 1.5, 1.25),),
        )
    ]


ROWS = (Row("signed.command", "a signed command", signed),)
