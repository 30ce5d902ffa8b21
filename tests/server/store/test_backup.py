"""A copy of a store is whole, checked and apart from it; and a store that was parted from its write-ahead log is known."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from events.chain import check_chain
from events.errors import OutputRefused, StoreDamaged, StoreUnavailable
from events.ids import MatchId
from server.store import backup, serving_mark
from server.store.backup import Copied, copy_store
from server.store.one_server import only_server
from server.store.serving_mark import VERSION, has_foreign_log, is_cut_off
from server.store.sqlite_log import SqliteLog
from tests.events.making import Writer, march

MATCH = MatchId("m")


@pytest.fixture
def writer() -> Writer:
    return Writer(MATCH)


@pytest.fixture
def store(tmp_path: Path, writer: Writer) -> Path:
    """A store with 301 commits, at rest."""
    path = tmp_path / "store.db"
    with SqliteLog(path) as log:
        log.append([writer.open(), *(writer.take(march(number)) for number in range(1, 301))])
    return path


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server begins or ends here, for which a store would be looked at again after a while."""
    monkeypatch.setattr(serving_mark, "PAUSE_S", 0.0)


def nothing(done: int, pages: int) -> None:
    """Do nothing between the steps of a copy."""


def commits_of(log: SqliteLog) -> int:
    return len(list(log.read(MATCH)))


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_copy_holds_what_the_store_held(store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    steps: list[tuple[int, int]] = []
    copied = copy_store(store, copy, lambda done, pages: steps.append((done, pages)))

    assert copied == Copied(1, 301, copy.stat().st_size)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert steps[-1][0] == steps[-1][1]
    with SqliteLog(copy, read_only=True) as log, SqliteLog(store, read_only=True) as kept:
        assert (log.check(), log.problem) == ([], "")
        assert list(log.read(MATCH)) == list(kept.read(MATCH))
    assert files(tmp_path) <= {"store.db", "store.db-wal", "store.db-shm", "copy.db"}


def test_a_copy_of_a_store_in_use_is_of_one_moment_and_ends(
    store: Path, writer: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a server stores meanwhile: each commit of another connection would otherwise begin the copy anew."""
    monkeypatch.setattr(backup, "PAGES", 5)
    steps = 0
    with SqliteLog(store) as log:

        def store_more(_: int, pages: int) -> None:
            nonlocal steps
            steps += 1
            assert steps <= pages
            log.append([writer.take(march(steps))])

        copied = copy_store(store, tmp_path / "copy.db", store_more)

        assert steps > 3
        assert commits_of(log) == 301 + steps
    assert copied.commits == 301
    with SqliteLog(tmp_path / "copy.db") as log:
        assert (commits_of(log), check_chain(log.read(MATCH), MATCH)) == (301, None)


def test_most_of_the_time_the_disk_is_left_to_the_server(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pause after each step is in proportion to what the step took."""
    pauses: list[float] = []
    monkeypatch.setattr(backup, "PAGES", 5)
    monkeypatch.setattr("server.store.backup.time.sleep", pauses.append)
    monkeypatch.setattr("server.store.backup.time.monotonic", iter(range(100_000)).__next__)
    copy_store(store, tmp_path / "copy.db", nothing)

    assert len(pauses) > 3
    assert pauses == pytest.approx([0.7 / 0.3] * len(pauses))


def test_a_copy_is_never_made_over_anything(store: Path, tmp_path: Path) -> None:
    before = store.read_bytes()
    (tmp_path / "link.db").symlink_to(store)
    (tmp_path / "text").write_text("mine")
    (tmp_path / "new.db-wal").write_bytes(b"x")
    (tmp_path / "other.db-wal").write_bytes(b"x")
    (tmp_path / "link to new.db").symlink_to("other.db")
    os.mkfifo(tmp_path / "pipe")
    for name in ("store.db", "link.db", "text", "new.db", "store.db-journal", "link to new.db", "pipe"):
        with pytest.raises(OutputRefused):
            copy_store(store, tmp_path / name, nothing)
    with pytest.raises(StoreUnavailable, match="check that its folder exists"):
        copy_store(store, tmp_path / "no" / "copy.db", nothing)
    with pytest.raises(StoreUnavailable, match="Is a directory"):
        copy_store(store, tmp_path, nothing)

    assert store.read_bytes() == before
    assert (tmp_path / "pipe").is_fifo()
    assert not any(name.endswith("unfinished") for name in files(tmp_path))


def test_of_two_copies_at_once_one_stays(store: Path, tmp_path: Path) -> None:
    """The other one is refused, and leaves nothing."""
    copy = tmp_path / "copy.db"

    def be_first(_: int, __: int) -> None:
        copy.write_bytes(b"the first one")

    with pytest.raises(OutputRefused, match="made by another process meanwhile"):
        copy_store(store, copy, be_first)

    assert copy.read_bytes() == b"the first one"
    assert not any(name.endswith("unfinished") for name in files(tmp_path))


def test_of_a_damaged_store_there_is_no_copy(store: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(store)) as database:
        database.execute("DROP TRIGGER commits_are_kept")
        database.execute("DELETE FROM commits WHERE number = 7")
        database.commit()
    with pytest.raises(StoreDamaged, match=r"store\.db is damaged .*: the next row begins with event"):
        copy_store(store, tmp_path / "copy.db", nothing)

    assert not any("copy" in name for name in files(tmp_path))


# Parted from the write-ahead log


@pytest.fixture
def served(store: Path, writer: Writer) -> Iterator[SqliteLog]:
    """The store while it is served: its last 50 commits are in its write-ahead log only."""
    with SqliteLog(store) as log, only_server(store):
        log.begin_serving()
        log.append([writer.take(march(number)) for number in range(301, 351)])
        yield log


def cut_off(store: Path) -> Path:
    """Copy the file of a store, and nothing else."""
    return Path(shutil.copy(store, store.with_name("cut.db")))


@pytest.mark.usefixtures("served")
@pytest.mark.usefixtures("at_once")
def test_a_file_that_was_copied_without_its_log_is_known(store: Path, tmp_path: Path) -> None:
    cut = cut_off(store)
    for _ in range(2):
        # The first look leaves an empty log beside it.
        with SqliteLog(cut, read_only=True) as log:
            assert "what was stored last is missing" in log.problem
            assert log.check() == [log.problem]
            assert commits_of(log) == 301
    with pytest.raises(StoreDamaged, match="without its write-ahead log"):
        SqliteLog(cut)
    with pytest.raises(StoreDamaged, match="--as-it-is"):
        copy_store(cut, tmp_path / "copy.db", nothing)

    copy_store(cut, tmp_path / "copy.db", nothing, is_cut_off_allowed=True)
    with SqliteLog(tmp_path / "copy.db") as log:
        assert (log.problem, commits_of(log)) == ("", 301)


@pytest.mark.usefixtures("served")
@pytest.mark.usefixtures("at_once")
def test_a_copy_beside_the_log_of_another_store_is_known_and_stays(store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy_store(store, copy, nothing)
    before = copy.read_bytes()
    shutil.copy(f"{store}-wal", f"{copy}-wal")
    for read_only in (True, False):
        with pytest.raises(StoreDamaged, match=r"copy.db-wal beside it belongs to another store"):
            SqliteLog(copy, read_only=read_only)

    assert copy.read_bytes() == before


@pytest.mark.usefixtures("served")
@pytest.mark.usefixtures("at_once")
def test_the_log_of_a_store_is_looked_for_beside_it_also_where_a_link_names_it(store: Path, tmp_path: Path) -> None:
    """A server that was killed would else not start again by the same link."""
    (tmp_path / "links").mkdir()
    link, foreign = tmp_path / "links" / "store.db", tmp_path / "links" / "copy.db"
    link.symlink_to(store)
    foreign.symlink_to(tmp_path / "copy.db")
    copy_store(store, tmp_path / "copy.db", nothing)
    shutil.copy(f"{store}-wal", tmp_path / "copy.db-wal")

    assert [is_cut_off(path) for path in (store, link, cut_off(store))] == [False, False, True]
    assert [has_foreign_log(path) for path in (store, link, foreign)] == [False, False, True]


def test_a_store_with_its_own_log_is_not_suspected(served: SqliteLog, store: Path, writer: Writer) -> None:
    with SqliteLog(store, read_only=True) as log:
        assert (log.problem, commits_of(log)) == ("", 351)
    with SqliteLog(store) as log:
        log.append([writer.take(march(351))])
    both = store.with_name("both.db")
    for end in ("", "-wal"):
        shutil.copy(f"{store}{end}", f"{both}{end}")
    with SqliteLog(both, read_only=True) as log:
        assert (log.problem, commits_of(log)) == ("", 352)

    assert commits_of(served) == 352


@pytest.mark.usefixtures("served")
def test_a_store_whose_server_was_killed_goes_on(store: Path) -> None:
    """The next one that writes finds the log and takes the mark away, and the store may be copied alone again."""
    killed = store.with_name("killed.db")
    for end in ("", "-wal"):
        shutil.copy(f"{store}{end}", f"{killed}{end}")
    with SqliteLog(killed):
        pass
    with SqliteLog(cut_off(killed)) as log:
        assert (log.problem, commits_of(log)) == ("", 351)
    assert not Path(f"{killed}-wal").exists()


def test_a_writer_that_outlives_the_server_takes_the_mark_away(store: Path, writer: Writer) -> None:
    """It closes the store last, and so moves the log into the file."""
    with only_server(store):
        log = SqliteLog(store)
        log.begin_serving()
        late = SqliteLog(store)
        late.append([writer.take(march(301))])
        # As a killed process leaves it: closed, but nothing tidied.
        log._db.close()
    late.close()
    with SqliteLog(cut_off(store)) as copy:
        assert (copy.problem, commits_of(copy)) == ("", 302)


def test_a_store_at_rest_can_be_copied_alone(store: Path) -> None:
    with SqliteLog(store) as log, only_server(store):
        log.begin_serving()
    with SqliteLog(cut_off(store)) as log:
        assert (log.problem, commits_of(log)) == ("", 301)


def test_a_reader_that_keeps_the_mark_from_the_file_prevents_it(store: Path, writer: Writer) -> None:
    """A mark that is in the log only would let that log look like one of another store."""
    with SqliteLog(store) as log, closing(sqlite3.connect(store, isolation_level=None)) as reader:
        log.append([writer.take(march(301))])
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM commits").fetchone()
        log.append([writer.take(march(302))])
        with only_server(store):
            log.begin_serving()

            assert reader.execute("PRAGMA user_version").fetchone() == (VERSION,)
            assert log._run() == 0


def test_a_store_is_not_made_where_it_would_be_a_part_of_another(store: Path) -> None:
    """SQLite throws away what it finds there, also if it was an empty file before."""
    Path(f"{store}-wal").write_bytes(b"")
    for end in ("-wal", "-journal"):
        with pytest.raises(StoreUnavailable, match="would be read as a part of the store"):
            SqliteLog(f"{store}{end}")

    assert not os.path.lexists(f"{store}-journal")
