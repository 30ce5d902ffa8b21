"""Rows about points of a long match: the state at any of its events, and a fork near its start and at its end."""

import random
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from core.history.match_reader import table_at
from core.match.fork import Forking, fork_match
from events.ids import MatchId
from server.store.sqlite_log import SqliteLog
from tests.bench import our_match, raw_store, stand_in
from tests.bench.commits import timed_commits
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure

STATE_AT_MS = 20.0
"""What the issue asks of the state at any event of ten thousand."""

MATCH = MatchId("match-long")


def stored_match(path: Path, length: int, closing: ExitStack, *, snapshots: bool) -> SqliteLog:
    """Store a long match of ours in an empty file, with the snapshots that a server leaves behind or without."""
    raw_store.remove(path)
    log = SqliteLog(path)
    closing.callback(log.close)
    our_match.store(log, MATCH, length)
    if snapshots:
        our_match.save_snapshots(log, MATCH, length)
    return log


def raw_commit(plan: Plan, closing: ExitStack) -> Contestant:
    """Commit single rows to a bare file; the figure is the median in milliseconds."""
    database = raw_store.fresh(plan.scratch / "raw-fork.db")
    closing.callback(database.close)
    payload, version = stand_in.ENCODER.encode(stand_in.events(10)[5]), count()

    def commit() -> int:
        raw_store.append(database, [raw_store.row("match-0001", next(version), payload, raw_store.NO_HASH)])
        return 1

    return lambda: {"ms": timed_commits(commit, plan.slice_s)["p50"] / 1e3}


def our_fork(plan: Plan, log: SqliteLog, depth: int, number: "count[int]") -> Contestant:
    """Fork a match durably, again and again; the figure is the median in milliseconds. `dice.chain` is what sealed dice of its own add."""

    def commit() -> int:
        fork = MatchId(f"fork-{next(number)}")
        forking = Forking(parent=MATCH, at=depth, dice="seeded", seed="1942")
        done = fork_match(log, fork, forking, key="fork", at=our_match.EPOCH_MS)
        log.append([prepared.new for prepared in done.commits])
        return 1

    return lambda: {"ms": timed_commits(commit, plan.slice_s)["p50"] / 1e3}


def fork(plan: Plan) -> list[Line]:
    """Measure a fork at depth 100 and at the end of the long match against one durable commit."""
    lines = []
    with ExitStack() as closing:
        log = stored_match(plan.scratch / "our-fork.db", plan.long_events, closing, snapshots=True)
        ends = [stored.last for stored in log.read(MATCH)]
        number, raw = count(), raw_commit(plan, closing)
        for wanted in (100, plan.long_events):
            # The rules cannot decide a cut commit of a synthetic match again, so the fork leaves at the end of a commit.
            depth = min((end for end in ends if end >= wanted), default=ends[-1])
            samples = alternate({"ours": our_fork(plan, log, depth, number), "raw": raw}, plan.runs)
            figure, spread = our_figure(samples, "ms")
            lines.append(
                Line(
                    f"fork.{wanted}",
                    f"fork at depth {wanted:,}",
                    "ms",
                    more_is_better=False,
                    ours=figure,
                    spread=spread,
                    limit=anchor("one raw commit, FULL", samples, "raw", "ms"),
                    goals=(Goal("limit", 10.0, 3.0),),
                )
            )
    return lines


def state_at(plan: Plan) -> list[Line]:
    """Measure the table at random events of the long match: the slowest of a round, with and without snapshots."""
    lines = []
    for key, title, kept in (
        ("state-at", "state at any event of {:,}, slowest", True),
        ("state-at.bare", "the same where all snapshots are lost", False),
    ):
        with ExitStack() as closing:
            log = stored_match(plan.scratch / f"our-{key}.db", plan.long_events, closing, snapshots=kept)
            samples = alternate({"ours": _random_states(plan, log)}, plan.runs)
        figure, spread = our_figure(samples, "ms")
        lines.append(
            Line(
                key,
                title.format(plan.long_events),
                "ms",
                more_is_better=False,
                ours=figure,
                spread=spread,
                goals=(Goal("itself", STATE_AT_MS),) if kept else (),
            )
        )
    return lines


def _random_states(plan: Plan, log: SqliteLog) -> Contestant:
    dice = random.Random(1942)

    def play() -> Figures:
        slowest, began = 0.0, time.perf_counter()
        now = began
        while now - began < plan.slice_s:
            before = now
            table_at(log, MATCH, dice.randrange(plan.long_events) + 1)
            now = time.perf_counter()
            slowest = max(slowest, now - before)
        return {"ms": slowest * 1e3}

    return play


ROWS = (Row("fork", "fork of a long match", fork), Row("state-at", "state at any event", state_at))
