"""Rows about many positions: cloning a table, and the memory of an idle match, live and parked."""

import copy
import multiprocessing
import os
import zlib
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from core.match.live_match import load_match
from events.commit import GENESIS
from events.ids import MatchId
from events.memory_log import MemoryLog
from projections.snapshot import take_snapshot
from projections.state.fold import fold
from projections.state.table import Table
from tests.bench import our_match, stand_in, stand_in_state
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure, rate

CLONES_A_CALL = 20
OPENING_EVENTS = 104
"""Events of the set-up: the match, two seats, a hundred pieces and the first question."""


def our_table() -> Table:
    """Return a table of a hundred pieces in the middle of play."""
    return fold(our_match.LongMatch().events(OPENING_EVENTS + 500))


def clone(plan: Plan) -> list[Line]:
    """Measure a clone of our table against a deep copy of the stand-in's and of ours."""
    table, state = our_table(), stand_in_state.new_state()

    def times(make: Callable[[], object]) -> Contestant:
        def work() -> int:
            for _ in range(CLONES_A_CALL):
                make()
            return CLONES_A_CALL

        return rate(work, plan.slice_s)

    samples = alternate(
        {
            "ours": times(table.clone),
            "raw": times(lambda: copy.deepcopy(state)),
            "peer": times(lambda: copy.deepcopy(table)),
        },
        plan.runs,
    )
    figure, spread = our_figure(samples, "rate")
    return [
        Line(
            "clone",
            "clone of a table of 100 pieces",
            "clones/s",
            more_is_better=True,
            ours=figure,
            spread=spread,
            limit=anchor("deepcopy of the stand-in", samples, "raw", "rate"),
            peer=anchor("deepcopy of our table", samples, "peer", "rate"),
            goals=(Goal("limit", 5.0, 10.0),),
        )
    ]


def resident_bytes() -> int:
    """Return the resident memory of this process."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _live() -> Callable[[], object]:
    log, match = MemoryLog(), MatchId("match-idle")
    our_match.store(log, match, OPENING_EVENTS + 500)
    # Loaded as in a server: with its rules, and with separately decoded objects for every match.
    return lambda: load_match(log, match)


def _lean() -> Callable[[], object]:
    return stand_in_state.new_lean_state


def _raw_parked() -> Callable[[], object]:
    packed = stand_in.ENCODER.encode(stand_in_state.new_state())
    return lambda: zlib.compress(packed, 6)


def _parked() -> Callable[[], object]:
    table = our_table()
    return lambda: take_snapshot(table, GENESIS)


SHAPES: dict[str, Callable[[], Callable[[], object]]] = {
    "live": _live,
    "lean": _lean,
    "parked": _parked,
    "raw-parked": _raw_parked,
}


def _grow(pipe: Connection, shape: str, count: int) -> None:
    """Hold `count` idle matches of a shape, and report the bytes that each adds to this process."""
    make = SHAPES[shape]()
    kept = [make()]
    before = resident_bytes()
    kept.extend(make() for _ in range(count))
    pipe.send((resident_bytes() - before) / count)


def held(shape: str, count: int) -> Contestant:
    """Return a contestant that measures a shape in a new process with an unused heap."""

    def play() -> Figures:
        spawn = multiprocessing.get_context("spawn")
        here, there = spawn.Pipe()
        child = spawn.Process(target=_grow, args=(there, shape, count), daemon=True)
        child.start()
        there.close()
        try:
            return {"bytes": float(here.recv())}
        finally:
            child.join(10)
            here.close()

    return play


def idle(plan: Plan) -> list[Line]:
    """Measure the bytes of an idle match, live and parked. Memory hardly varies, so three rounds are enough."""
    runs = min(plan.runs, 3)
    count = plan.idle_matches
    samples = alternate({"ours": held("live", count), "raw": held("lean", count)}, runs)
    live, live_spread = our_figure(samples, "bytes")
    # Parked matches are so small that only many of them change the number of pages measurably.
    packed = alternate({"ours": held("parked", count * 5), "raw": held("raw-parked", count * 5)}, runs)
    parked, parked_spread = our_figure(packed, "bytes")
    return [
        Line(
            "idle-live",
            "idle match, live",
            "bytes",
            more_is_better=False,
            ours=live,
            spread=live_spread,
            limit=anchor("lean structs, 100 pieces", samples, "raw", "bytes"),
            goals=(Goal("limit", 2.5, 1.5),),
        ),
        Line(
            "idle-parked",
            "idle match, parked",
            "bytes",
            more_is_better=False,
            ours=parked,
            spread=parked_spread,
            limit=anchor("msgpack + zlib", packed, "raw", "bytes"),
            goals=(Goal("limit", 3.0, 1.5),),
        ),
    ]


ROWS = (Row("clone", "clone of a table", clone), Row("idle", "idle match, live and parked", idle))
