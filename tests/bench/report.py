"""Output of a run: the table for people, JSON lines for machines, and the page in the documentation."""

import datetime
import json
import os
import platform
import sqlite3
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from projections.state import fold
from tests.bench.harness import Anchor, Goal, Line
from tests.bench.verdict import KEPT, MISSED, NO_GOAL, NOT_MEASURED, REACHED, ratio, verdict

HEADINGS = ("what", "unit", "ours", "spread", "limit", "ratio", "peer", "ratio", "must", "reach", "verdict")
RIGHT = (2, 3, 5, 7)
STYLES = {MISSED: "bold red", REACHED: "green", KEPT: "default", NO_GOAL: "dim", NOT_MEASURED: "dim"}
BUSY_SHARE = 0.4
"""Load a core from which on other work is worth a warning."""
PACKAGES = ("msgspec", "pyzmq", "eventsourcing", "chess")


def machine() -> dict[str, str]:
    """Describe the machine."""
    events = {
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "cores": str(os.cpu_count()),
        "cpu": _cpu_model(),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "python": platform.python_version(),
        "code": "compiled" if is_compiled() else "interpreted",
        "sqlite": sqlite3.sqlite_version,
    }
    for package in PACKAGES:
        try:
            events[package] = version(package)
        except PackageNotFoundError:
            events[package] = "not installed"
    return events


def is_compiled() -> bool:
    """Return whether the code that decides is compiled."""
    return not (fold.__file__ or "").endswith(".py")


def busy() -> str:
    """Return a warning about other load on this machine, or an empty string if there is little.

    Rows that wait for the disk or run in several processes suffer from such load more than their anchors.
    """
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load < BUSY_SHARE * cores:
        return ""
    return f"other work shares this machine (load {load:.1f} on {cores} cores): ratios may be off, musts missed for nothing"


def _cpu_model() -> str:
    """Return the processor's name as reported by the kernel."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def number(figure: float | None) -> str:
    """Format a figure with three significant digits, or a dash for None."""
    if figure is None:
        return "–"
    if figure >= 100:
        return f"{float(f'{figure:.3g}'):,.0f}"
    return f"{figure:.3g}"


def _ratio(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.2f}x"


def _anchor(anchor: Anchor | None) -> str:
    return "–" if anchor is None else f"{number(anchor.figure)} {anchor.name}"


def _bounds(line: Line, bounds: Sequence[tuple[Goal, float | None]]) -> str:
    """Write bounds such as `≥ 0.7x limit, ≥ 1.3x peer`."""
    sign = "≥" if line.more_is_better else "≤"
    parts = []
    for goal, bound in bounds:
        if bound is not None:
            text = f"{bound:g} {line.unit}" if goal.against == "itself" else f"{bound:g}x {goal.against}"
            parts.append(f"{sign} {text}")
    return ", ".join(parts) or "–"


def cells(line: Line) -> tuple[str, ...]:
    """Return the columns of one line in the order of `HEADINGS`."""
    return (
        line.title,
        line.unit,
        number(line.ours),
        "–" if line.spread is None else f"{line.spread:.0%}",
        _anchor(line.limit),
        _ratio(ratio(line, line.limit)),
        _anchor(line.peer),
        _ratio(ratio(line, line.peer)),
        _bounds(line, [(goal, goal.must) for goal in line.goals]),
        _bounds(line, [(goal, goal.reach) for goal in line.goals]),
        verdict(line),
    )


def show(lines: Sequence[Line], console: Console) -> None:
    """Print the table."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for place, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="right" if place in RIGHT else "left", overflow="fold")
    for line in lines:
        *most, word = [escape(cell) for cell in cells(line)]
        table.add_row(*most, f"[{STYLES[word]}]{word}[/]")
    console.print(table)
    for line in lines:
        if line.note:
            console.print(f"{line.key}: {line.note}", highlight=False)


def as_json(line: Line) -> str:
    """Return one line of the table as one line of JSON."""

    def against(anchor: Anchor | None) -> dict[str, object] | None:
        if anchor is None:
            return None
        return {"name": anchor.name, "figure": anchor.figure, "ratio": ratio(line, anchor)}

    goals = [{"against": goal.against, "must": goal.must, "reach": goal.reach} for goal in line.goals]
    return json.dumps(
        {
            "row": line.key,
            "title": line.title,
            "unit": line.unit,
            "more_is_better": line.more_is_better,
            "ours": line.ours,
            "spread": line.spread,
            "limit": against(line.limit),
            "peer": against(line.peer),
            "goals": goals,
            "verdict": verdict(line),
            "note": line.note,
        },
        ensure_ascii=False,
    )


def page(lines: Sequence[Line], command: str, runs: int, warning: str = "") -> str:
    """Return the page `docs/benchmarks.md`, with a warning about other load if there is one."""
    events = machine()
    head = [
        "# Benchmarks",
        "",
        f"Made by `{command}` on {events.pop('date')}; do not edit by hand.",
        "",
        f"Every figure is the median of {runs} rounds in which ours and its anchors took turns on the same machine.",
        "Compare ratios, not figures: the *limit* is what the machine does without us, the *peer* what another project",
        "does. *Spread* is from the lowest to the highest of our rounds, as a share of the median. *Must* bounds are needed, *reach* bounds aimed at; bounds are ratios unless they carry a unit.",
        "",
        ", ".join(f"{name} {event}" for name, event in events.items()) + ".",
        "",
        "| " + " | ".join(HEADINGS) + " |",
        "|" + "|".join("---:" if place in RIGHT else "---" for place in range(len(HEADINGS))) + "|",
    ]
    body = ["| " + " | ".join(cells(line)) + " |" for line in lines]
    notes = [f"* {line.title}: {line.note}" for line in lines if line.note]
    if warning:
        head[-2:-2] = [f"Warning given when this was made: {warning}.", ""]
    return "\n".join([*head, *body, *(["", *notes] if notes else []), ""])
