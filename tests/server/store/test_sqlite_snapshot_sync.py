"""Saving a snapshot in a SQLite store does not wait for the disk; commits still do."""

from pathlib import Path

import pytest

from events.errors import StoreUnavailable
from events.ids import Digest, MatchId
from events.log import NewCommit
from server.store.sqlite_log import SqliteLog

FULL = 2
MATCH = MatchId("match-1")


def _opened(path: Path) -> SqliteLog:
    log = SqliteLog(path)
    log.append([NewCommit(MATCH, 1, 3, "key", Digest("a" * 64), b"{}")])
    return log


def test_after_a_snapshot_commits_are_synced_as_before(tmp_path: Path) -> None:
    with _opened(tmp_path / "store.db") as log:
        log.save_snapshot(MATCH, 3, b"table")

        assert log.snapshot(MATCH, 3) == (3, b"table")
        assert log._db.execute("PRAGMA synchronous").fetchone() == (FULL,)


def test_after_a_failed_snapshot_commits_are_synced_as_before(tmp_path: Path) -> None:
    with _opened(tmp_path / "store.db") as log:
        log._db.set_authorizer(None)
        log._db.execute("DROP TABLE snapshots")
        log.save_snapshot(MATCH, 3, b"table")

        assert log._db.execute("PRAGMA synchronous").fetchone() == (FULL,)


def test_a_store_that_cannot_restore_syncing_accepts_no_more_commits(tmp_path: Path) -> None:
    log = _opened(tmp_path / "store.db")
    log._db.close()

    with pytest.raises(StoreUnavailable):
        log.save_snapshot(MATCH, 3, b"table")
    with pytest.raises(StoreUnavailable):
        log.append([NewCommit(MATCH, 4, 5, "later", Digest("b" * 64), b"{}")])
