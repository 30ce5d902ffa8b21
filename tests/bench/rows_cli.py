"""Rows about the command line: how long it takes to start, and to replay a long match beyond that."""

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

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


def started(command: Sequence[str], times: int) -> Contestant:
    """Make a contestant that runs a command some times and returns milliseconds, wall and CPU.

    Raises:
        CalledProcessError: The command failed.
    """

    def play() -> Figures:
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        for _ in range(times):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {"ms": wall / times * 1e3, "cpu": cpu / times * 1e3}

    return play


def start_up(plan: Plan) -> list[Line]:
    """Measure `wardiary --help` against a typer command that says hello."""
    times = max(1, round(plan.slice_s / 0.2))
    contestants: dict[str, Contestant | None] = {
        "ours": started([str(WARDIARY), "--help"], times),
        "raw": started([sys.executable, "-c", HELLO, "--help"], times),
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


ROWS = (Row("cli", "start-up of the command line", start_up),)
