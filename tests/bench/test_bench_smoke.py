"""Every benchmark row runs and yields comparable figures. Times are not judged here."""

import gc
import math
from pathlib import Path

import pytest
from rich.console import Console

from tests.bench import run
from tests.bench.harness import Anchor, Goal, Line, Plan, Row
from tests.bench.report import as_json, cells, page
from tests.bench.verdict import KEPT, MISSED, NO_GOAL, NOT_MEASURED, REACHED, verdict
from tests.support.chromium import MISSING
from tests.support.soak import sampled

TWINS = {
    *("clients-32", "log-32", "attack-endless", "attack-frames", "attack-subscriptions", "silent", "idle", "busy"),
    *(
        "dice",
        "cluster-news",
        "cli-help",
        "audit-all",
        "cli-list",
        "cli-replay",
        "browsers",
        "steps",
        "clients-1",
        "world-made",
        "learning",
        "games",
        "group-commit",
        "signed.command",
        "pool",
        "cluster-clients",
        "cluster-catalogue",
    ),
}
"""Rows that start several processes, or a browser, as another row of their kind does."""


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all rows, as in a run of the benchmarks, so that the byte code of the command line is written once."""
    # Each row collects garbage: what other tests have left in this process is looked at but once.
    gc.collect()
    gc.freeze()
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture
def tiny(scratch: Path) -> Plan:
    """The smallest plan that still runs every step of a row."""
    return Plan(
        runs=1,
        slice_s=0.002,
        scratch=scratch,
        long_events=300,
        deliveries=40,
        subscribers=(1, 3),
        commands=8,
        idle_matches=100,
        playouts=40,
        listed=30,
        audited=4,
        browsers=3,
        fork_depth=12,
    )


def _figures(line: Line) -> list[float]:
    anchors = [anchor.figure for anchor in (line.limit, line.peer) if anchor is not None]
    return [figure for figure in (line.ours, *anchors) if figure is not None]


@pytest.mark.parametrize("row", sampled(run.ROWS, lambda row: row.key not in TWINS), ids=lambda row: row.key)
def test_a_row_yields_finite_positive_figures(row: Row, tiny: Plan) -> None:
    lines = row.run(tiny)

    assert lines
    for line in lines:
        assert line.key.partition(".")[0].startswith(row.key.partition(".")[0])
        if line.note == MISSING:
            continue
        assert line.ours is not None, line.key
        # A process that does little takes less time than the clock of the processor tells.
        assert all(math.isfinite(figure) and (figure > 0 or line.key.endswith(".cpu")) for figure in _figures(line)), (
            line
        )


def _line(ours: float | None, *, more_is_better: bool = True, goals: tuple[Goal, ...] = ()) -> Line:
    return Line(
        "row",
        "a row",
        "events/s",
        more_is_better=more_is_better,
        ours=ours,
        limit=Anchor("raw", 100.0),
        peer=Anchor("another (not installed)", None),
        goals=goals,
    )


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (_line(49.0, goals=(Goal("limit", 0.5, 0.8),)), MISSED),
        (_line(50.0, goals=(Goal("limit", 0.5, 0.8),)), KEPT),
        (_line(80.0, goals=(Goal("limit", 0.5, 0.8),)), REACHED),
        (_line(201.0, more_is_better=False, goals=(Goal("limit", 2.0, 1.5),)), MISSED),
        (_line(150.0, more_is_better=False, goals=(Goal("limit", 2.0, 1.5),)), REACHED),
        (_line(21.0, more_is_better=False, goals=(Goal("itself", 20.0),)), MISSED),
        (_line(20.0, more_is_better=False, goals=(Goal("itself", 20.0),)), KEPT),
        (_line(90.0, goals=(Goal("limit", 0.5, 0.8), Goal("peer", 5.0, 8.0))), REACHED),
        (_line(90.0, goals=(Goal("peer", 5.0, 8.0),)), NOT_MEASURED),
        (_line(None, goals=(Goal("limit", 0.5, 0.8),)), NOT_MEASURED),
        (_line(90.0), NO_GOAL),
    ],
)
def test_a_verdict_follows_the_bounds_and_ignores_goals_that_could_not_run(line: Line, word: str) -> None:
    judged = verdict(line)

    assert judged == word


def test_the_page_names_its_command_and_has_one_line_per_figure() -> None:
    lines = [_line(80.0, goals=(Goal("limit", 0.5, 0.8),)), _line(20.0)]

    text = page(lines, "make bench", runs=5)

    assert "`make bench`" in text
    assert text.count("| a row |") == 2


def test_a_line_has_the_same_figures_in_the_table_and_in_json() -> None:
    line = _line(80.0, goals=(Goal("limit", 0.5, 0.8),))

    assert cells(line)[5] == "0.80x"
    assert '"ratio": 0.8' in as_json(line)


def test_an_unknown_row_is_refused_with_the_list_of_rows(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        run.chosen("nonsense")

    assert refused.value.code == 2
    assert "no row 'nonsense'" in capsys.readouterr().err


def test_a_row_that_missed_a_bound_is_repeated_and_the_better_run_counts(tiny: Plan) -> None:
    goals = (Goal("limit", 0.5),)
    slow, fast = _line(40.0, goals=goals), _line(60.0, goals=goals)
    runs = {"twice": [[slow], [fast]], "never": [[slow], [slow]], "once": [[fast]]}

    def row(key: str) -> Row:
        def measured(plan: Plan) -> list[Line]:
            assert plan is tiny
            return runs[key].pop(0)

        return Row(key, key, measured)

    rows = [row(key) for key in runs]

    lines, broken = run.measure(rows, tiny, Console(quiet=True))

    assert (broken, runs) == ([], {"twice": [], "never": [], "once": []})
    assert [verdict(line) for line in lines] == [KEPT, MISSED, KEPT]
    assert [line.note for line in lines] == [
        "the better of two runs, the other gave 40",
        "the better of two runs, the other gave 40",
        "",
    ]
