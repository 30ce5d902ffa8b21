"""The bare SQLite file that bounds every durable figure: one row per event, WAL, synchronous FULL, a chained hash."""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench import stand_in

NO_HASH = bytes(32)
_INSERT = "INSERT INTO events (game, version, kind, actor, command, at, payload, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_TABLE = """CREATE TABLE events (
    seq INTEGER PRIMARY KEY, game TEXT NOT NULL, version INTEGER NOT NULL, kind TEXT NOT NULL, actor TEXT NOT NULL,
    command BLOB NOT NULL, at REAL NOT NULL, payload BLOB NOT NULL, hash BLOB NOT NULL, UNIQUE (game, version))"""
COMMAND = bytes(16)

RawRow = tuple[str, int, str, str, bytes, float, bytes, bytes]


def remove(path: Path) -> None:
    """Remove a database with its companion files, if they exist."""
    for ending in ("", "-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def fresh(path: Path) -> sqlite3.Connection:
    """Open an empty database, replacing an existing one."""
    remove(path)
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute(_TABLE)
    return database


def row(game: str, version: int, payload: bytes, digest: bytes) -> RawRow:
    """Return a row of some two hundred bytes."""
    return (game, version, "Marched", "player-0001", COMMAND, 1.7e9, payload, digest)


def append(database: sqlite3.Connection, rows: Sequence[RawRow]) -> None:
    """Commit rows in one durable transaction."""
    database.execute("BEGIN IMMEDIATE")
    if len(rows) == 1:
        database.execute(_INSERT, rows[0])
    else:
        database.executemany(_INSERT, rows)
    database.execute("COMMIT")


def store_log(database: sqlite3.Connection, game: str, log: Sequence[stand_in.Event]) -> None:
    """Store a whole log, chained."""
    head, rows = NO_HASH, []
    for version, event in enumerate(log):
        payload = stand_in.ENCODER.encode(event)
        head = hashlib.sha256(head + payload).digest()
        rows.append(row(game, version, payload, head))
    append(database, rows)


def read_log(database: sqlite3.Connection, game: str) -> Iterator[stand_in.Event]:
    """Read and decode a log."""
    decode = stand_in.DECODER.decode
    for (payload,) in database.execute("SELECT payload FROM events WHERE game = ? ORDER BY version", (game,)):
        yield decode(payload)


def read_checked_log(database: sqlite3.Connection, game: str) -> Iterator[stand_in.Event]:
    """Read and decode a log while its chain is checked.

    Raises:
        ValueError: A hash does not match.
    """
    decode, head = stand_in.DECODER.decode, NO_HASH
    for payload, digest in database.execute(
        "SELECT payload, hash FROM events WHERE game = ? ORDER BY version", (game,)
    ):
        head = hashlib.sha256(head + payload).digest()
        if head != digest:
            raise ValueError("the chain of the stand-in log is broken")
        yield decode(payload)
