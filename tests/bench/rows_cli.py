"""Rows about the command line: how long it takes to start, and to replay a long match beyond that."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from events.ids import MatchId
from server.store.sqlite_log import SqliteLog
from tests.bench import our_match, raw_store
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure

HELLO = """
import typer
app = typer.Typer()
@app.command()
def hello(name: str = "world") -> None:
    "Greet somebody."
    typer.echo(name)
app()
"""
WARDIARY = Path(sys.executable).with_name("wardiary")
ROOT = Path(__file__).resolve().parents[2]
TREE = os.pathsep.join([str(ROOT), str(ROOT / "cli" / "distribution")])
"""Where a program finds the modules of the tree that is measured, which may be the compiled copy."""


def started(command: Sequence[str], times: int, byte_code: Path) -> Contestant:
    """Return a contestant that runs a command several times and returns milliseconds of wall and CPU time.

    Byte code is written at the first run, whatever the environment says: an installer writes it for an installed program.

    Raises:
        CalledProcessError: The command failed.
    """
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run() -> None:
        subprocess.run(
            command,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            env=surroundings | {"PYTHONPATH": TREE, "PYTHONPYCACHEPREFIX": str(byte_code)},
        )

    run()

    def play() -> Figures:
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        for _ in range(times):
            run()
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {"ms": wall / times * 1e3, "cpu": cpu / times * 1e3}

    return play


def start_up(plan: Plan) -> list[Line]:
    """Measure `wardiary --help` against a typer command that prints hello."""
    times = max(1, round(plan.slice_s / 0.2))
    contestants: dict[str, Contestant | None] = {
        "ours": started([str(WARDIARY), "--help"], times, plan.scratch),
        "raw": started([sys.executable, "-c", HELLO, "--help"], times, plan.scratch),
    }
    samples = alternate(contestants, plan.runs)
    figure, spread = our_figure(samples, "ms")
    return [
        Line(
            "cli-help",
            "wardiary --help",
            "ms",
            more_is_better=False,
            ours=figure,
            spread=spread,
            limit=anchor("typer hello --help", samples, "raw", "ms"),
            goals=(Goal("limit", 1.6, 1.25),),
        )
    ]


def replay(plan: Plan) -> list[Line]:
    """Measure `wardiary replay` of the long match, less the time of `--help`."""
    path, match = plan.scratch / "cli-replay.db", MatchId("match-long")
    raw_store.remove(path)
    with SqliteLog(path) as log:
        our_match.store(log, match, plan.long_events)
    times = max(1, round(plan.slice_s / 0.3))
    whole = started([str(WARDIARY), "--store", str(path), "replay", match], times, plan.scratch)
    start = started([str(WARDIARY), "--help"], times, plan.scratch)

    def beyond() -> Figures:
        before, all_of_it = start(), whole()
        return {metric: max(0.1, all_of_it[metric] - before[metric]) for metric in before}

    samples = alternate({"ours": beyond}, plan.runs)
    figure, spread = our_figure(samples, "ms")
    return [
        Line(
            "cli-replay",
            f"wardiary replay of {plan.long_events:,} events, beyond --help",
            "ms",
            more_is_better=False,
            ours=figure,
            spread=spread,
            goals=(Goal("itself", 150.0, 60.0),),
        )
    ]


ROWS = (
    Row("cli-help", "start-up of the command line", start_up),
    Row("cli-replay", "replay on the command line", replay),
)
