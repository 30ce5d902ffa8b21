"""Rows about dice: what sealed dice cost two bots over sockets, beside dice of a public seed.

Each command that rolls is recorded first, and rolls when its seat opens a link; then the other seat opens one as well. In the game that is played about half
of all commands roll. Both bots play at random, every request is encrypted, and every commit is durable.
"""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count

from core.chance.links import LENGTH, linked_scheme
from events.ids import MatchId, Seat
from events.vocabulary import DiceRolled
from server.client.client import Client
from server.client.sockets import connect
from server.protocol.curve import CurveKey
from server.protocol.replies import PlayedReply
from tests.bench import children, our_server, raw_store
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure, percentile

GAME, MODE = "inferno", "one_vs_one"
SEATS = (Seat("german"), Seat("soviet"))
SEED = "5eed" * 16


def _opened(clients: dict[Seat, Client], dice: str, seed: str) -> MatchId:
    """Open a match and begin it."""
    match = clients[SEATS[0]].open(GAME, mode=MODE, dice=dice, seed=seed).match
    for seat, client in clients.items():
        client.take_seat(match, seat, share=dice == "sealed", sign=False)
    while not clients[SEATS[0]].state(match).table.began:
        for seat, client in clients.items():
            client.do_part(match, seat)
    return match


def _played(clients: dict[Seat, Client], match: MatchId, choose: random.Random) -> Iterator[tuple[PlayedReply, float]]:
    """Play a match to its end; each bot opens what it owes before it decides, as the bots of a server do.

    Yields:
        The reply to each command, and how long it took (seconds).
    """
    seat = SEATS[0]
    while True:
        client = clients[seat]
        legal = client.legal(match, seat, words=False, table=True)
        if legal.table is None or legal.table.top is None or legal.table.ended is not None:
            return
        if legal.table.top.seat != seat:
            seat = legal.table.top.seat
        elif not client.do_part(match, seat, legal.table):
            option = legal.options[int(choose.random() * len(legal.options))]
            began = time.perf_counter()
            reply = client.play(match, seat, option.command, expected=legal.seq)
            yield reply, time.perf_counter() - began


def _has_rolled(reply: PlayedReply) -> bool:
    return any(isinstance(event, DiceRolled) for slice_ in reply.slices for event in slice_.events)


def _bots(plan: Plan, dice: str, closing: ExitStack) -> Contestant:
    """Play whole matches with dice of a kind."""
    path = plan.scratch / f"dice-{dice}.db"
    raw_store.remove(path)
    key = CurveKey.new()
    server = closing.enter_context(children.child(our_server.run, path, key.secret))
    port, _ = server.pipe.recv()
    address, public = f"tcp://127.0.0.1:{port}", key.public.decode()
    clients = {seat: closing.enter_context(connect(address, server_key=public)) for seat in SEATS}
    seeds = count()

    def play() -> Figures:
        rolls: list[float] = []
        games, began = 0, time.perf_counter()
        while not rolls or time.perf_counter() < began + plan.slice_s:
            seed = next(seeds)
            match = _opened(clients, dice, str(seed) if dice == "seeded" else "")
            rolls += [took for reply, took in _played(clients, match, random.Random(seed)) if _has_rolled(reply)]
            games += 1
        return {"ms": percentile(rolls, 0.5) * 1e3, "games": games / (time.perf_counter() - began) * 3_600}

    return play


def _chains(plan: Plan) -> Contestant:
    """Make the links of matches; the figure is the median in milliseconds."""
    numbers = count()

    def play() -> Figures:
        taken: list[float] = []
        until = time.perf_counter() + plan.slice_s
        while not taken or time.perf_counter() < until:
            began = time.perf_counter()
            linked_scheme(SEED, MatchId(f"match-{next(numbers)}"))
            taken.append(time.perf_counter() - began)
        return {"ms": percentile(taken, 0.5) * 1e3}

    return play


def chain(plan: Plan) -> list[Line]:
    """Measure what a match with sealed dice takes once, when it is opened or forked, or rolls first after it was loaded."""
    samples = alternate({"ours": _chains(plan)}, plan.runs)
    figure, spread = our_figure(samples, "ms")
    return [
        Line(
            "dice.chain",
            f"the {LENGTH:,} links of the server for a match",
            "ms",
            more_is_better=False,
            ours=figure,
            spread=spread,
            goals=(Goal("itself", 10.0, 4.0),),
        )
    ]


def dice(plan: Plan) -> list[Line]:
    """Measure a command that rolls, and whole matches, with sealed dice against seeded ones."""
    with ExitStack() as closing:
        samples = alternate({"ours": _bots(plan, "sealed", closing), "raw": _bots(plan, "seeded", closing)}, plan.runs)
    latency, latency_spread = our_figure(samples, "ms")
    games, games_spread = our_figure(samples, "games")
    return [
        Line(
            "dice.roll",
            "a command that rolls sealed dice, p50",
            "ms",
            more_is_better=False,
            ours=latency,
            spread=latency_spread,
            limit=anchor("the same with seeded dice", samples, "raw", "ms"),
            goals=(Goal("limit", 2.2, 1.8),),
        ),
        Line(
            "dice.games",
            "matches of two bots with sealed dice",
            "matches/h",
            more_is_better=True,
            ours=games,
            spread=games_spread,
            limit=anchor("the same with seeded dice", samples, "raw", "games"),
            goals=(Goal("limit", 0.6, 0.75),),
        ),
    ]


ROWS = (Row("dice", "sealed dice", dice), Row("dice.chain", "a chain of links", chain))
