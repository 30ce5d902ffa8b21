"""A disk that fails while a commit is made durable: the outcome is reported as unknown, and is found later by the same key.

SQLite writes a commit to the write-ahead log and then syncs it. If the sync fails, SQLite rolls the commit back, but its record may
be on the disk, and is found when the file is opened again.
"""

import shutil
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from events.commit import Head
from events.errors import LogError, OutcomeUnknown, StoreUnavailable
from events.ids import MatchId
from events.log import AlreadyThere, Appended, NewCommit, NewSummary
from server.store.sqlite_log import IDLE_COMMITS, ROWS_MAX, SqliteLog
from tests.events.making import BOARD, BOARD_DIGEST, Writer, march

MATCH = MatchId("m")
FSYNC, WRITE, READ, FULL, BUSY = (
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_READ,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_BUSY,
)


class Disk:
    """A stub of a log's connection that fails on demand.

    Args:
        log: Its connection is replaced by this.
    """

    def __init__(self, log: SqliteLog) -> None:
        self._real = log._db
        self.said: list[str] = []
        self._at = ""
        self._code = 0
        self._is_done = False
        log._db = self  # type: ignore[assignment]

    def fail(self, at: str, code: int = FSYNC, *, is_done: bool = False) -> None:
        """Fail the next statement that starts with this text; with `is_done`, after it took effect."""
        self._at, self._code, self._is_done = at, code, is_done

    def _run(self, method: Callable[..., object], statement: str, *values: object) -> object:
        self.said.append(statement)
        if not self._at or not statement.startswith(self._at):
            return method(statement, *values)
        self._at = ""
        if self._is_done:
            method(statement, *values)
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = self._code
        raise error

    def execute(self, statement: str, *values: object) -> object:
        return self._run(self._real.execute, statement, *values)

    def executemany(self, statement: str, rows: Sequence[object]) -> object:
        return self._run(self._real.executemany, statement, rows)

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


class Store:
    """A store on a disk that can fail, with a match in it, and a writer that continues the match."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.writer = Writer(MATCH)
        self.log = SqliteLog(path)
        self.log.append(self.writer.commits(3))
        self.log.head(MATCH)
        self.disk = Disk(self.log)

    def batch(self, kind: str) -> tuple[str, list[NewCommit]]:
        """Return commits of a kind, and the statement that makes them durable."""
        if kind == "one":
            return "INSERT INTO commits", [self.writer.take(march(9))]
        if kind == "many":
            # One statement, and so a transaction of its own.
            return "INSERT INTO commits", [self.writer.take(march(9)) for _ in range(3)]
        if kind == "too many":
            return "COMMIT", [self.writer.take(march(9)) for _ in range(ROWS_MAX + 1)]
        assert kind == "new match"
        return "COMMIT", Writer("new").commits(2)


KINDS = ("one", "many", "too many", "new match")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store.db")


def failed(call: Callable[[], object]) -> LogError:
    with pytest.raises(LogError) as caught:
        call()
    return caught.value


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("code", [FSYNC, WRITE])
@pytest.mark.parametrize("is_done", [False, True])
def test_if_the_last_step_fails_the_outcome_is_unknown(store: Store, kind: str, code: int, is_done: bool) -> None:
    """The same commits, sent again, take effect once."""
    statement, batch = store.batch(kind)
    store.disk.fail(statement, code, is_done=is_done)
    error = failed(lambda: store.log.append(batch))
    kinds = [type(receipt) for receipt in store.log.append(batch)]

    assert type(error) is OutcomeUnknown
    assert str(error) == (
        f"{store.path} cannot be written, the disk fails (disk I/O error): it is not known whether it was stored"
    )
    assert kinds == [AlreadyThere if is_done else Appended] * len(batch)
    assert store.log.head(batch[-1].match) == Head(batch[-1].last, batch[-1].hash)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_done", [False, True])
def test_the_outcome_is_known_once_the_store_is_opened_again(
    store: Store, tmp_path: Path, kind: str, is_done: bool
) -> None:
    """The process is killed after the failure; another process opens a copy of its files."""
    statement, batch = store.batch(kind)
    store.disk.fail(statement, is_done=is_done)
    failed(lambda: store.log.append(batch))
    restarted = tmp_path / "restarted.db"
    for ending in ("", "-wal"):
        shutil.copy(f"{store.path}{ending}", f"{restarted}{ending}")
    with SqliteLog(restarted) as log:
        assert (log.find(batch[0].match, batch[0].key) is not None) == is_done
        assert {type(receipt) for receipt in log.append(batch)} == {AlreadyThere if is_done else Appended}
        assert log.check() == []


@pytest.mark.parametrize(
    ("kind", "statement", "code"),
    [
        ("one", "INSERT INTO commits", READ),
        ("one", "INSERT INTO commits", FULL),
        ("one", "INSERT INTO commits", BUSY),
        ("too many", "BEGIN", FSYNC),
        ("many", "INSERT INTO commits", READ),
        ("many", "INSERT INTO commits", FULL),
        ("many", "INSERT INTO commits", BUSY),
        ("too many", "INSERT INTO commits", WRITE),
        ("too many", "COMMIT", FULL),
        ("new match", "INSERT INTO matches", FSYNC),
        ("new match", "INSERT INTO commits", FSYNC),
    ],
)
def test_a_failure_before_the_last_step_has_no_effect(store: Store, kind: str, statement: str, code: int) -> None:
    _, batch = store.batch(kind)
    store.disk.fail(statement, code)
    error = failed(lambda: store.log.append(batch))

    assert isinstance(error, StoreUnavailable)
    assert not isinstance(error, OutcomeUnknown)
    assert store.log.find(batch[0].match, batch[0].key) is None
    assert {type(receipt) for receipt in store.log.append(batch)} == {Appended}


# After a failed sync


def wal(store: Store) -> int:
    return Path(f"{store.path}-wal").stat().st_size


def test_nothing_is_appended_after_a_commit_that_may_not_be_on_disk(store: Store) -> None:
    """The write-ahead log is checkpointed and restarted once, before the next commit."""
    for _ in range(30):
        store.log.append([store.writer.take(march(9))])
    statement, batch = store.batch("one")
    store.disk.fail(statement)
    failed(lambda: store.log.append(batch))
    before = wal(store)
    store.disk.said.clear()
    store.log.append(batch)
    first = list(store.disk.said)
    store.disk.said.clear()
    store.log.append([store.writer.take(march(9))])

    assert first[0] == "PRAGMA wal_checkpoint(TRUNCATE)"
    assert wal(store) < before / 2
    assert [said for said in store.disk.said if "checkpoint" in said] == []


def test_while_the_disk_fails_nothing_is_acknowledged_or_done(store: Store) -> None:
    statement, batch = store.batch("one")
    store.disk.fail(statement)
    failed(lambda: store.log.append(batch))
    for _ in range(3):
        store.disk.fail("PRAGMA wal_checkpoint")
        error = failed(lambda: store.log.append(batch))

        assert isinstance(error, StoreUnavailable)
        assert not isinstance(error, OutcomeUnknown)
        assert store.log.find(MATCH, batch[0].key) is None

    assert [type(receipt) for receipt in store.log.append(batch)] == [Appended]


def test_a_failed_store_cannot_continue_while_another_process_reads(store: Store) -> None:
    store.log._db.execute("PRAGMA busy_timeout = 20")
    statement, batch = store.batch("one")
    store.disk.fail(statement)
    failed(lambda: store.log.append(batch))
    reader = sqlite3.connect(store.path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM matches").fetchall()

    assert str(failed(lambda: store.log.append(batch))) == (
        f"{store.path} failed to write and cannot recover while another process reads it: nothing was done, try again"
    )

    reader.close()

    assert [type(receipt) for receipt in store.log.append(batch)] == [Appended]


def summarize(store: Store) -> None:
    store.log.save_summaries([NewSummary(MATCH, store.log.head(MATCH), b"summary")])


def attach(store: Store) -> None:
    assert type(failed(lambda: store.log.attach(BOARD_DIGEST, BOARD))) is StoreUnavailable


def rest(store: Store) -> None:
    for _ in range(IDLE_COMMITS):
        store.log.append([store.writer.take(march(9))])
    store.disk.fail("PRAGMA wal_checkpoint")
    store.log.idle()


@pytest.mark.parametrize(
    ("statement", "write"), [("COMMIT", summarize), ("INSERT INTO attachments", attach), ("PRAGMA wal_check", rest)]
)
def test_every_failed_sync_is_repaired_before_the_next_commit(
    store: Store, statement: str, write: Callable[[Store], None]
) -> None:
    store.disk.fail(statement)
    write(store)
    store.disk.said.clear()
    store.log.append([store.writer.take(march(9))])

    assert store.disk.said[0] == "PRAGMA wal_checkpoint(TRUNCATE)"
