"""Stores changed by a forger: the triggers are dropped first, so that any change is possible."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from events.codec import replace
from events.commit import Commit, chain_hash, decode_commit, encode_commit
from events.ids import MatchId
from events.memory_log import MemoryLog


@contextmanager
def opened_by_force(store: Path) -> Iterator[sqlite3.Connection]:
    """Open a store's file with its owner's rights, and drop its triggers."""
    database = sqlite3.connect(store)
    try:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute("PRAGMA ignore_check_constraints = ON")
        yield database
        database.commit()
    finally:
        database.close()


def tamper(store: Path, was: str, becomes: str) -> None:
    """Change the text of all commits; their hashes stay."""
    with opened_by_force(store) as database:
        database.execute("UPDATE commits SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB)", (was, becomes))


def rewrite(store: Path, first: int, was: str, becomes: str) -> None:
    """Change the text of the commits that begin with an event, each with its new hash; later commits name the old hash."""
    with opened_by_force(store) as database:
        found = database.execute("SELECT number, body FROM commits WHERE first = ?", (first,)).fetchall()
        for number, body in found:
            changed = body.replace(was.encode(), becomes.encode())
            digest = bytes.fromhex(chain_hash(changed))
            database.execute("UPDATE commits SET body = ?, hash = ? WHERE number = ?", (changed, digest, number))


def write_anew(store: Path, match: str, change: Callable[[Commit], Commit]) -> None:
    """Rewrite a match that is not a fork, with a valid chain."""
    with opened_by_force(store) as database:
        rows = database.execute(
            "SELECT commits.number, body FROM commits JOIN matches ON match = matches.number WHERE id = ? ORDER BY first",
            (match,),
        ).fetchall()
        prev = decode_commit(rows[0][1]).prev
        for number, body in rows:
            again = encode_commit(replace(change(decode_commit(body)), prev=prev))
            prev = chain_hash(again)
            digest = bytes.fromhex(prev)
            database.execute("UPDATE commits SET body = ?, hash = ? WHERE number = ?", (again, digest, number))


def spoil(log: MemoryLog, match: MatchId, number: int) -> int:
    """Damage a byte of one of a match's own commits in memory, so that it is no longer JSON; return its first event."""
    commits = log._streams[match].commits
    bad = commits[number]
    commits[number] = replace(bad, body=bad.body.replace(b'"at":', b'"at"/', 1))
    return bad.first
