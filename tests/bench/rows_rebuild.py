"""Rows about reading: rebuilding a long match, folding alone, checking the chain, and reaching any event."""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from core.history.match_reader import table_at
from events.commit import GENESIS, chain_hash, decode_commit
from events.ids import MatchId
from events.vocabulary import Event
from projections.state.fold import fold
from projections.state.table import Table
from server.store.sqlite_log import SqliteLog
from tests.bench import our_match, peers, raw_store, stand_in, stand_in_state
from tests.bench.harness import Contestant, Goal, Line, Plan, Row, alternate, anchor, our_figure, rate

MATCH = MatchId("match-long")
HASHED_BYTES = 200
"""Size of an event in the pure hashing anchor; 32 bytes of the hash before it come on top."""


def stored_events(plan: Plan, closing: ExitStack) -> sqlite3.Connection:
    """Store the long log of the stand-in in a bare file."""
    database = raw_store.fresh(plan.scratch / "raw-rebuild.db")
    closing.callback(database.close)
    raw_store.store_log(database, MATCH, stand_in.events(plan.long_events))
    return database


def stored_match(path: Path, count: int, closing: ExitStack) -> SqliteLog:
    """Store a long match of ours in an empty file."""
    raw_store.remove(path)
    log = SqliteLog(path)
    closing.callback(log.close)
    our_match.store(log, MATCH, count)
    return log


def checked_events_of(log: SqliteLog, match: MatchId) -> Iterator[Event]:
    """Read and decode a match of ours while its chain is checked.

    Raises:
        ValueError: A hash does not match.
    """
    prev = GENESIS
    for stored in log.read(match):
        commit = decode_commit(stored.body)
        if commit.prev != prev or chain_hash(stored.body) != stored.hash:
            raise ValueError("the chain of our long match is broken")
        prev = stored.hash
        yield from commit.events


def peer(plan: Plan, closing: ExitStack) -> Contestant | None:
    """Rebuild an aggregate of as many events from the library's repository."""
    library = peers.eventsourcing()
    if library is None:
        return None
    games = library.open_games(plan.scratch / "peer-rebuild.db")
    closing.callback(games.close)
    game = library.PeerGame(name="x")
    for _ in range(plan.long_events // 100):
        library.play(games, game, 100)
    moves = int(game.moves)

    def rebuild() -> int:
        copy = games.repository.get(game.id)
        assert copy.moves == moves
        return moves

    return rate(rebuild, plan.slice_s)


def rebuild(plan: Plan) -> list[Line]:
    """Measure a match from the file to the table, with and without its chain checked."""
    with ExitStack() as closing:
        raw = stored_events(plan, closing)
        log = stored_match(plan.scratch / "our-rebuild.db", plan.long_events, closing)
        count = plan.long_events

        def raw_plain() -> int:
            stand_in_state.fold(stand_in_state.new_state(), raw_store.read_log(raw, MATCH))
            return count

        def raw_checked() -> int:
            stand_in_state.fold(stand_in_state.new_state(), raw_store.read_checked_log(raw, MATCH))
            return count

        samples = alternate(
            {
                "ours": rate(lambda: table_at(log, MATCH, count).seq, plan.slice_s),
                "raw": rate(raw_plain, plan.slice_s),
                "peer": peer(plan, closing),
            },
            plan.runs,
        )
        checked = alternate(
            {
                "ours": rate(lambda: fold(checked_events_of(log, MATCH)).seq, plan.slice_s),
                "raw": rate(raw_checked, plan.slice_s),
            },
            plan.runs,
        )
    plain_rate, plain_spread = our_figure(samples, "rate")
    checked_rate, checked_spread = our_figure(checked, "rate")
    return [
        Line(
            "rebuild",
            f"rebuild a match of {count:,} events",
            "events/s",
            more_is_better=True,
            ours=plain_rate,
            spread=plain_spread,
            limit=anchor("read + decode + fold", samples, "raw", "rate"),
            peer=anchor("eventsourcing, SQLite", samples, "peer", "rate"),
            goals=(Goal("limit", 0.25, 0.4), Goal("peer", 5.0, 8.0)),
        ),
        Line(
            "rebuild.checked",
            "the same with the chain checked",
            "events/s",
            more_is_better=True,
            ours=checked_rate,
            spread=checked_spread,
            limit=anchor("read + sha256 + decode + fold", checked, "raw", "rate"),
            peer=anchor("eventsourcing, SQLite", samples, "peer", "rate"),
            goals=(Goal("limit", 0.25, 0.4),),
            note="The peer checks no chain.",
        ),
    ]


def evolve(plan: Plan) -> list[Line]:
    """Measure the fold alone, on decoded events."""
    count = plan.long_events
    made, log = our_match.LongMatch().events(count), stand_in.events(count)

    def pure() -> int:
        stand_in_state.pure_fold(stand_in_state.new_frozen_state(), log)
        return count

    samples = alternate(
        {"ours": rate(lambda: fold(made, Table()).seq, plan.slice_s), "raw": rate(pure, plan.slice_s)}, plan.runs
    )
    figure, spread = our_figure(samples, "rate")
    return [
        Line(
            "evolve",
            "evolve alone",
            "events/s",
            more_is_better=True,
            ours=figure,
            spread=spread,
            limit=anchor("stand-in, frozen states", samples, "raw", "rate"),
            goals=(Goal("limit", 0.2, 0.5),),
        )
    ]


def audit_chain(plan: Plan) -> list[Line]:
    """Measure reading, hashing and comparing a whole match against sha256 alone."""
    count = plan.long_events
    with ExitStack() as closing:
        log = stored_match(plan.scratch / "our-audit.db", count, closing)

        def ours() -> int:
            for stored in log.read(MATCH):
                if chain_hash(stored.body) != stored.hash:
                    raise ValueError("the chain of our long match is broken")
            return count

        payload = bytes(HASHED_BYTES)

        def raw() -> int:
            head, sha256 = raw_store.NO_HASH, hashlib.sha256
            for _ in range(count):
                head = sha256(head + payload).digest()
            return count

        samples = alternate({"ours": rate(ours, plan.slice_s), "raw": rate(raw, plan.slice_s)}, plan.runs)
    figure, spread = our_figure(samples, "rate")
    return [
        Line(
            "audit-chain",
            "audit: read, hash, compare",
            "events/s",
            more_is_better=True,
            ours=figure,
            spread=spread,
            limit=anchor("sha256 alone", samples, "raw", "rate"),
            goals=(Goal("limit", 0.1, 0.25),),
        )
    ]


ROWS = (
    Row("rebuild", "rebuild of a long match, with and without the chain checked", rebuild),
    Row("evolve", "the fold alone", evolve),
    Row("audit-chain", "read, hash and compare", audit_chain),
)
