"""Rows about points of a long match: the state at any of its events, and a fork near its start and at its end."""

from contextlib import ExitStack
from itertools import count

from tests.bench import raw_store, stand_in
from tests.bench.commits import timed_commits
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure

STATE_AT_MS = 20.0
"""What the issue asks of the state at any event of ten thousand."""


def raw_commit(plan: Plan, closing: ExitStack) -> Contestant:
    """Commit single rows to a bare file; the figure is the median in milliseconds."""
    database = raw_store.fresh(plan.scratch / "raw-fork.db")
    closing.callback(database.close)
    payload, version = stand_in.ENCODER.encode(stand_in.facts(10)[5]), count()

    def play() -> Figures:
        def commit() -> int:
            raw_store.append(database, [raw_store.row("match-0001", next(version), payload, raw_store.NO_HASH)])
            return 1

        return {"ms": timed_commits(commit, plan.slice_s)["p50"] / 1e3}

    return play


def fork(plan: Plan) -> list[Line]:
    """Measure a fork at depth 100 and at the end of the long match against one durable commit."""
    lines = []
    for depth in (100, plan.long_events):
        with ExitStack() as closing:
            contestants: dict[str, Contestant | None] = {"ours": None, "raw": raw_commit(plan, closing)}
            samples = alternate(contestants, plan.runs)
        figure, spread = our_figure(samples, "ms")
        lines.append(
            Line(
                f"fork.{depth}",
                f"fork at depth {depth:,}",
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
    """Measure the table at random events of the long match, the slowest of them."""
    return [
        Line(
            "state-at",
            f"state at any event of {plan.long_events:,}, slowest",
            "ms",
            more_is_better=False,
            ours=None,
            goals=(Goal("itself", STATE_AT_MS),),
        )
    ]


ROWS = (Row("fork", "fork of a long match", fork), Row("state-at", "state at any event", state_at))
