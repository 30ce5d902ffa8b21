"""Rows about writing: one event per commit, ten, many matches in one transaction, and the cost of the chain."""

import hashlib
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from events.commit import GENESIS
from events.ids import Digest, MatchId
from events.log import NewCommit
from server.store.sqlite_log import SqliteLog
from tests.bench import our_match, peers, raw_store, stand_in
from tests.bench.commits import timed_commits
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure

GROUP = 64
"""Commits in one transaction where many matches write at once, as the server groups them."""

CHAIN_SHARE_ROUNDS = 200


def raw(plan: Plan, batch: int) -> Contestant:
    """Insert prepared rows into a bare SQLite file."""
    path = plan.scratch / "raw-append.db"
    payloads = [stand_in.ENCODER.encode(event) for event in stand_in.events(1_000)]

    def play() -> Figures:
        database, version = raw_store.fresh(path), count()

        def commit() -> int:
            rows = []
            for _ in range(batch):
                number = next(version)
                rows.append(raw_store.row("match-0001", number, payloads[number % 1_000], raw_store.NO_HASH))
            raw_store.append(database, rows)
            return batch

        try:
            return timed_commits(commit, plan.slice_s)
        finally:
            database.close()

    return play


def peer(plan: Plan, batch: int) -> Contestant | None:
    """Save aggregates of the `eventsourcing` library."""
    library = peers.eventsourcing()
    if library is None:
        return None

    def play() -> Figures:
        games = library.open_games(plan.scratch / "peer-append.db")
        game = library.PeerGame(name="x")
        games.save(game)

        def commit() -> int:
            library.play(games, game, batch)
            return batch

        try:
            return timed_commits(commit, plan.slice_s)
        finally:
            games.close()

    return play


def open_log(path: Path) -> SqliteLog:
    """Open our log on an empty file."""
    raw_store.remove(path)
    return SqliteLog(path)


class _Writer:
    """Writes one match of ours commit by commit, and seals each commit just before."""

    def __init__(self, match: str) -> None:
        self.match = MatchId(match)
        self.first = 1
        self.prev: Digest = GENESIS
        self.source = our_match.LongMatch().events(2_000)[110:]

    def next(self, size: int) -> NewCommit:
        at = self.first % (len(self.source) - size)
        events = tuple(self.source[at : at + size])
        new = our_match.sealed(self.match, self.first, self.prev, events, str(self.first))
        self.first, self.prev = new.last + 1, new.hash
        return new


def ours(plan: Plan, batch: int) -> Contestant:
    """Seal commits of `batch` events and append each durably."""

    def play() -> Figures:
        with ExitStack() as closing:
            log = open_log(plan.scratch / "our-append.db")
            closing.callback(log.close)
            writer = _Writer("match-0001")

            def commit() -> int:
                log.append([writer.next(batch)])
                return batch

            return timed_commits(commit, plan.slice_s)

    return play


def one_by_one(plan: Plan) -> list[Line]:
    """Measure a durable append of one event a commit."""
    samples = alternate({"ours": ours(plan, 1), "raw": raw(plan, 1), "peer": peer(plan, 1)}, plan.runs)
    rate, spread = our_figure(samples, "rate")
    cpu, cpu_spread = our_figure(samples, "cpu")
    return [
        Line(
            "append-1",
            "durable append, 1 event a commit",
            "events/s",
            more_is_better=True,
            ours=rate,
            spread=spread,
            limit=anchor("raw sqlite3, WAL, FULL", samples, "raw", "rate"),
            peer=anchor("eventsourcing, SQLite", samples, "peer", "rate"),
            goals=(Goal("limit", 0.7, 0.85), Goal("peer", 1.3, 1.6)),
        ),
        Line(
            "append-1.cpu",
            "the same, CPU",
            "µs/event",
            more_is_better=False,
            ours=cpu,
            spread=cpu_spread,
            limit=anchor("raw sqlite3, WAL, FULL", samples, "raw", "cpu"),
            peer=anchor("eventsourcing, SQLite", samples, "peer", "cpu"),
            goals=(Goal("limit", 1.6, 1.3),),
        ),
    ]


def ten_a_commit(plan: Plan) -> list[Line]:
    """Measure a durable append of ten events a commit."""
    samples = alternate({"ours": ours(plan, 10), "raw": raw(plan, 10), "peer": peer(plan, 10)}, plan.runs)
    rate, spread = our_figure(samples, "rate")
    return [
        Line(
            "append-10",
            "durable append, 10 events a commit",
            "events/s",
            more_is_better=True,
            ours=rate,
            spread=spread,
            limit=anchor("raw sqlite3, WAL, FULL", samples, "raw", "rate"),
            peer=anchor("eventsourcing, SQLite", samples, "peer", "rate"),
            goals=(Goal("limit", 0.5, 0.7), Goal("peer", 1.2, 1.6)),
        )
    ]


def grouped(plan: Plan) -> Contestant:
    """Append one commit of one event for each of 64 matches in one transaction."""

    def play() -> Figures:
        with ExitStack() as closing:
            log = open_log(plan.scratch / "our-group.db")
            closing.callback(log.close)
            writers = [_Writer(f"match-{number:04}") for number in range(GROUP)]

            def commit() -> int:
                log.append([writer.next(1) for writer in writers])
                return GROUP

            return timed_commits(commit, plan.slice_s)

    return play


def raw_grouped(plan: Plan) -> Contestant:
    """Encode, chain and insert one event for each of 64 games in one transaction."""
    log = stand_in.events(1_000)

    def play() -> Figures:
        database, version = raw_store.fresh(plan.scratch / "raw-group.db"), count()
        heads = [raw_store.NO_HASH] * GROUP

        def commit() -> int:
            number, rows = next(version), []
            for game in range(GROUP):
                payload = stand_in.ENCODER.encode(log[number % 1_000])
                heads[game] = hashlib.sha256(heads[game] + payload).digest()
                rows.append(raw_store.row(f"match-{game:04}", number, payload, heads[game]))
            raw_store.append(database, rows)
            return GROUP

        try:
            return timed_commits(commit, plan.slice_s)
        finally:
            database.close()

    return play


def group_commit(plan: Plan) -> list[Line]:
    """Measure 64 matches that share one durable transaction."""
    samples = alternate({"ours": grouped(plan), "raw": raw_grouped(plan)}, plan.runs)
    rate, spread = our_figure(samples, "rate")
    return [
        Line(
            "group-commit",
            f"group commit, {GROUP} matches a transaction",
            "commits/s",
            more_is_better=True,
            ours=rate,
            spread=spread,
            limit=anchor("raw sqlite3, FULL, encode + sha256", samples, "raw", "rate"),
            note="The goals of this figure are those of the server rows.",
        )
    ]


def seal_seconds(batch: int) -> float:
    """Return the seconds that encoding and hashing one commit of ours takes."""
    writer = _Writer("match-0001")
    began = time.perf_counter()
    for _ in range(CHAIN_SHARE_ROUNDS):
        writer.next(batch)
    return (time.perf_counter() - began) / CHAIN_SHARE_ROUNDS


def stand_in_seal_seconds(batch: int) -> float:
    """Return the seconds that encoding and hashing `batch` events of the stand-in takes."""
    log, head = stand_in.events(batch + 4)[:batch], raw_store.NO_HASH
    began = time.perf_counter()
    for _ in range(CHAIN_SHARE_ROUNDS):
        for event in log:
            head = hashlib.sha256(head + stand_in.ENCODER.encode(event)).digest()
    return (time.perf_counter() - began) / CHAIN_SHARE_ROUNDS


def _our_share(plan: Plan, batch: int) -> Contestant:
    """Make a contestant with the share, in percent, of our append that sealing takes."""
    append = ours(plan, batch)
    return lambda: {"share": seal_seconds(batch) / (batch / append()["rate"]) * 100}


def _raw_share(plan: Plan, batch: int) -> Contestant:
    """Make a contestant with the share, in percent, that sealing would take of a raw append with sealing."""
    append = raw(plan, batch)

    def play() -> Figures:
        seal = stand_in_seal_seconds(batch)
        return {"share": seal / (batch / append()["rate"] + seal) * 100}

    return play


def chain_cost(plan: Plan) -> list[Line]:
    """Measure the share of a durable append that canonical bytes and the chain take, alone and 100 events at a time."""
    lines = []
    for batch, must, reach in ((1, 10.0, 3.0), (100, 40.0, 25.0)):
        samples = alternate({"ours": _our_share(plan, batch), "raw": _raw_share(plan, batch)}, plan.runs)
        share, spread = our_figure(samples, "share")
        lines.append(
            Line(
                f"chain-cost.{batch}",
                f"canonical bytes and chain, share of a FULL append of {batch}",
                "%",
                more_is_better=False,
                ours=share,
                spread=spread,
                limit=anchor("msgpack + sha256 beside raw sqlite3", samples, "raw", "share"),
                goals=(Goal("itself", must, reach),),
            )
        )
    return lines


ROWS = (
    Row("append-1", "durable append, one event a commit", one_by_one),
    Row("append-10", "durable append, ten events a commit", ten_a_commit),
    Row("group-commit", "group commit across matches", group_commit),
    Row("chain-cost", "what the hash chain costs", chain_cost),
)
