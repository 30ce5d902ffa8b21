"""Rows about many matches: the list on the command line, a page of it, and a fork of forks of forks."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from core.history.match_reader import read_match, summaries
from core.match.fork import Forking, fork_match
from events.commit import GENESIS
from events.ids import MatchId
from events.log import NewCommit
from server.store.sqlite_log import SqliteLog
from tests.bench import our_match, raw_store
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure
from tests.bench.rows_cli import WARDIARY, started

PAGE = 20
"""Matches of a page, as a client asks for them."""

EVENTS = 40
"""Events of each listed match."""


def many_matches(path: Path, count: int) -> None:
    """Store many short matches in an empty file, with the summaries that a list saves."""
    raw_store.remove(path)
    with SqliteLog(path) as log:
        batch: list[NewCommit] = []
        for number in range(count):
            match = MatchId(f"match-{number:05}")
            batch += our_match.commits(match, EVENTS, seed=number)
            if len(batch) > 1_000 or number == count - 1:
                log.append(batch)
                batch = []
        for _ in summaries(log):
            pass


def listed(plan: Plan) -> list[Line]:
    """Measure `wardiary list` of many matches against `--help`."""
    path = plan.scratch / "cli-list.db"
    many_matches(path, plan.listed)
    times = max(1, round(plan.slice_s / 0.3))
    contestants: dict[str, Contestant | None] = {
        "ours": started([str(WARDIARY), "--store", str(path), "list"], times, plan.scratch),
        "raw": started([str(WARDIARY), "--help"], times, plan.scratch),
    }
    samples = alternate(contestants, plan.runs)
    figure, spread = our_figure(samples, "ms")
    return [
        Line(
            "cli-list",
            f"wardiary list of {plan.listed:,} matches",
            "ms",
            more_is_better=False,
            ours=figure,
            spread=spread,
            limit=anchor("wardiary --help", samples, "raw", "ms"),
            goals=(Goal("limit", 3.0, 2.2),),
        )
    ]


def _pages(plan: Plan, log: SqliteLog) -> Contestant:
    ids = log.matches()

    def places() -> Iterator[MatchId]:
        while True:
            yield from ids[:: max(1, len(ids) // 97)]

    after = places()

    def play() -> Figures:
        taken: list[float] = []
        until = time.perf_counter() + plan.slice_s
        while not taken or time.perf_counter() < until:
            began = time.perf_counter()
            for _ in summaries(log, next(after), PAGE):
                pass
            taken.append(time.perf_counter() - began)
        return {"ms": sorted(taken)[len(taken) // 2] * 1e3}

    return play


def page(plan: Plan) -> list[Line]:
    """Measure a page of the list somewhere among many matches."""
    path = plan.scratch / "list-page.db"
    many_matches(path, plan.listed)
    with SqliteLog(path) as log:
        samples = alternate({"ours": _pages(plan, log)}, plan.runs)
    figure, spread = our_figure(samples, "ms")
    return [
        Line(
            "list-page",
            f"a page of {PAGE} of {plan.listed:,} matches",
            "ms",
            more_is_better=False,
            ours=figure,
            spread=spread,
            goals=(Goal("itself", 2.0, 0.5),),
        )
    ]


def _nest(log: SqliteLog, depth: int) -> MatchId:
    """Fork a match, its fork, and so on; return the last of them."""
    match = MatchId("match-deep")
    log.append([our_match.sealed(match, 1, GENESIS, tuple(our_match.LongMatch().events(EVENTS)), "open")])
    for number in range(depth):
        forking = Forking(parent=match, at=log.head(match).seq, dice="seeded", seed="1")
        match = MatchId(f"fork-{number}")
        done = fork_match(log, match, forking, key="fork", at=our_match.EPOCH_MS)
        log.append([prepared.new for prepared in done.commits])
    return match


def _flat(log: SqliteLog, match: MatchId, deepest: MatchId) -> None:
    """Store a match with the same number of commits of the same size, without forks."""
    first, prev = 1, GENESIS
    opening = our_match.LongMatch().events(EVENTS)
    commits = [stored.last - stored.first + 1 for stored in log.read(deepest)]
    more = our_match.LongMatch().events(EVENTS + len(commits))[EVENTS:]
    batch = []
    for number, size in enumerate(commits):
        events = tuple(opening) if number == 0 else tuple(more[number : number + size])
        new = our_match.sealed(match, first, prev, events, str(number))
        batch.append(new)
        first, prev = new.last + 1, new.hash
    log.append(batch)


def deep(plan: Plan) -> list[Line]:
    """Measure reading a fork of forks against a match of as many commits that is not a fork."""
    with ExitStack() as closing:
        path = plan.scratch / "fork-deep.db"
        raw_store.remove(path)
        log = SqliteLog(path)
        closing.callback(log.close)
        deepest, flat = _nest(log, plan.fork_depth), MatchId("match-flat")
        _flat(log, flat, deepest)
        samples = alternate({"ours": _reading(log, deepest), "raw": _reading(log, flat)}, plan.runs)
    figure, spread = our_figure(samples, "ms")
    return [
        Line(
            "fork-deep",
            f"loading a fork {plan.fork_depth:,} deep",
            "ms",
            more_is_better=False,
            ours=figure,
            spread=spread,
            limit=anchor("as many commits in one match", samples, "raw", "ms"),
            goals=(Goal("limit", 3.0, 2.0),),
        )
    ]


def _reading(log: SqliteLog, match: MatchId) -> Contestant:
    def play() -> Figures:
        began = time.perf_counter()
        read_match(log, match)
        return {"ms": (time.perf_counter() - began) * 1e3}

    return play


ROWS = (
    Row("cli-list", "the list on the command line", listed),
    Row("list-page", "a page of the list", page),
    Row("fork-deep", "a fork of forks", deep),
)
