"""Errors of the store's file: each gives one clear line, nothing is partly written, and the log still works."""

import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from events.entry_store import NewEntry
from events.errors import REPAIR, LostRace, StoreUnavailable
from events.ids import Digest, MatchId, StudyId
from events.log import AlreadyThere, Appended, NewCommit
from server.store.serving_mark import APPLICATION_ID, VERSION
from server.store.sql.sql_reader import LAST_ENTRY
from server.store.sqlite_log import IDLE_COMMITS, SqliteLog
from server.store.sqlite_schema import EVIDENCE, sqlite_warning
from tests.events.making import BOARD, BOARD_DIGEST, Writer, march
from tests.support.privileges import unprivileged
from tests.support.rows import each_row

MATCH = MatchId("m")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Create a folder that an unprivileged user may read."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def filled(path: Path, commits: int = 5) -> Writer:
    """Make a store with one match."""
    writer = Writer("m")
    with SqliteLog(path) as log:
        log.append(writer.commits(commits))
        log.attach(BOARD_DIGEST, BOARD)
    return writer


def refusal(call: Callable[[], object]) -> str:
    """Return the one-line error of a call."""
    with pytest.raises(StoreUnavailable) as caught:
        call()
    line = str(caught.value)

    assert "\n" not in line
    return line


def opening(path: Path, *, read_only: bool = False) -> str:
    """Return the one-line error of opening a store, which starts with its path."""
    line = refusal(lambda: SqliteLog(path, read_only=read_only, timeout_s=0.1))

    assert line.startswith(f"{path} ")
    return line.removeprefix(f"{path} ")


def raw(path: Path) -> sqlite3.Connection:
    """Open the file as another program would."""
    return sqlite3.connect(path, isolation_level=None)


# Opening


def test_a_new_store_identifies_itself_and_is_durable(path: Path) -> None:
    filled(path)
    with SqliteLog(path) as log:
        settings = [
            log._db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version", "journal_mode", "synchronous")
        ]

    assert settings == [APPLICATION_ID, VERSION, "wal", 2]


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    writer = filled(path)
    with SqliteLog(path) as log:
        assert log.head(MATCH) == writer.head


def test_a_file_name_may_contain_any_characters(tmp_path: Path) -> None:
    path = tmp_path / "a?mode=memory&b #%41 ü.db"
    filled(path)

    assert path.stat().st_size > 0


def test_a_folder_is_not_a_store(tmp_path: Path) -> None:
    assert opening(tmp_path) == "is not a store: it is a folder"


def test_a_store_is_not_created_in_a_missing_folder(tmp_path: Path) -> None:
    assert opening(tmp_path / "no" / "store.db") == f"cannot be created: the folder {tmp_path / 'no'} does not exist"


def test_reading_does_not_create_a_store(path: Path) -> None:
    assert opening(path, read_only=True) == "does not exist: there is no store to read"
    assert not path.exists()

    path.touch()

    assert opening(path, read_only=True) == "is empty: there is no store to read"


@pytest.mark.parametrize("content", [b"PK\x03\x04" + b"x" * 5_000, b"no", b"SQLite format 3\x00" + b"\xff" * 4_080])
def test_a_file_of_another_kind_is_not_a_store_and_stays_unchanged(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    line = opening(path)

    assert line == "is not a store: it is not a SQLite database"
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_stays_unchanged(path: Path) -> None:
    database = raw(path)
    database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    before = path.read_bytes()

    assert opening(path) == "is not a store: it is a SQLite database of another program"
    assert path.read_bytes() == before


def test_a_database_marked_by_another_program_is_refused(path: Path) -> None:
    database = raw(path)
    database.execute("PRAGMA application_id = 42")
    database.close()

    assert opening(path) == "is not a store: it is a SQLite database of another program"


@pytest.mark.parametrize(
    ("version", "words"), [(VERSION + 1, "newer than this program knows"), (VERSION - 1, "export its matches")]
)
def test_a_store_of_another_version_is_left_alone(path: Path, version: int, words: str) -> None:
    filled(path)
    database = raw(path)
    database.execute(f"PRAGMA user_version = {version}")
    database.close()
    before = path.read_bytes()

    assert words in opening(path)
    assert path.read_bytes() == before


def test_a_read_only_file_cannot_be_written(open_folder: Path) -> None:
    path = open_folder / "store.db"
    writer = filled(path)
    path.chmod(0o444)
    with unprivileged():
        assert opening(path).startswith("cannot be written: the file or its folder is read-only")
        with SqliteLog(path, read_only=True) as log:
            assert log.head(MATCH) == writer.head


def test_a_file_without_read_permission_is_reported(open_folder: Path) -> None:
    path = open_folder / "store.db"
    filled(path)
    path.chmod(0)
    with unprivileged():
        assert opening(path, read_only=True).startswith("cannot be opened: check that")


def test_a_store_is_not_created_in_a_read_only_folder(open_folder: Path) -> None:
    with unprivileged():
        assert opening(open_folder / "store.db").startswith("cannot be opened: check that")


def test_a_store_opened_for_reading_accepts_no_commits(path: Path) -> None:
    writer = filled(path)
    with SqliteLog(path, read_only=True) as log:
        assert refusal(lambda: log.append([writer.take(march(9))])) == f"{path} was opened for reading only"
        assert refusal(lambda: log.attach(BOARD_DIGEST, BOARD)) == f"{path} was opened for reading only"
        log.save_snapshot(MATCH, 1, b"refused")

        assert log.snapshot(MATCH, 9) is None


# Locked


def test_a_store_locked_by_another_process_is_reported(path: Path) -> None:
    filled(path)
    other = raw(path)
    other.execute("BEGIN EXCLUSIVE")

    assert opening(path) == "is locked by another process: close that process or try again"

    other.execute("ROLLBACK")
    other.close()
    SqliteLog(path, timeout_s=0.1).close()


def test_a_lock_during_a_commit_fails_only_this_attempt(path: Path) -> None:
    writer = filled(path)
    alone, batch = writer.take(march(8)), [writer.take(march(9)), writer.take(march(10))]
    with SqliteLog(path, timeout_s=0.05) as log:
        log.head(MATCH)
        other = raw(path)
        other.execute("BEGIN IMMEDIATE")
        for commits in ([alone], batch):
            assert "is locked by another process" in refusal(partial(log.append, commits))
        other.execute("ROLLBACK")
        other.close()

        assert [type(receipt) for receipt in log.append([alone, *batch])] == [Appended] * 3


def test_a_short_lock_is_waited_for(path: Path) -> None:
    writer = filled(path)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.2, lambda: other.execute("ROLLBACK"))
    timer.start()
    with SqliteLog(path, timeout_s=60.0) as log:
        log.append([writer.take(march(9))])
        timer.join()

        assert log.head(MATCH) == writer.head
    other.close()


# Full, failing, damaged


@pytest.mark.parametrize("size", [1, 40])
def test_a_full_disk_writes_nothing_of_a_batch(path: Path, size: int) -> None:
    """SQLite's page limit simulates the full disk; space that becomes free later is used."""
    writer = filled(path)
    with SqliteLog(path) as log:
        before = [found.body for found in log.read(MATCH)]
        pages = log._db.execute("PRAGMA page_count").fetchone()[0]
        log._db.execute(f"PRAGMA max_page_count = {pages}")
        stopped, acknowledged, lost = None, list[NewCommit](), list[NewCommit]()
        while stopped is None:
            batch = [writer.take(march(9)) for _ in range(size)]
            try:
                log.append(batch)
                acknowledged += batch
            except StoreUnavailable as error:
                stopped = str(error)
                lost = batch

        assert stopped == f"{path} cannot grow, the disk is full: nothing was written; make room and try again"
        assert [found.body for found in log.read(MATCH)] == before + [new.body for new in acknowledged]

        log._db.execute("PRAGMA max_page_count = 1000000")

        assert [type(receipt) for receipt in log.append(lost)] == [Appended] * size
        assert log.head(MATCH) == writer.head


FAILING_DISK = """
import resource, sys
from pathlib import Path
from events.errors import LostRace, StoreUnavailable
from server.store.sqlite_log import SqliteLog
from tests.events.making import Writer, march

path, writer = Path(sys.argv[1]), Writer("m")
log = SqliteLog(path)
log.append(writer.commits(3))
here = max(Path(str(path) + end).stat().st_size for end in ("", "-wal"))
resource.setrlimit(resource.RLIMIT_FSIZE, (here + 20_000, resource.RLIM_INFINITY))
acknowledged, said = 3, ""
while not said:
    new = writer.take(march(4))
    try:
        log.append([new])
        acknowledged += 1
    except StoreUnavailable as error:
        said = str(error)
held = [found.body for found in log.read(writer.match)]
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
again = type(log.append([new])[0]).__name__
print(acknowledged, len(held), again, log.head(writer.match) == writer.head, said.removeprefix(str(path)), sep="|")
"""


def test_a_failing_disk_acknowledges_nothing_and_the_log_goes_on(path: Path) -> None:
    """The system refuses a write during a commit."""
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", FAILING_DISK, str(path)], cwd=root, capture_output=True, text=True, check=False
    )

    assert done.stderr == ""

    acknowledged, held, again, same, said = done.stdout.strip().split("|")

    assert (held, again, same) == (acknowledged, "Appended", "True")
    unknown = " cannot be written, the disk fails (disk I/O error): it is not known whether it was stored"
    assert said == unknown or said.startswith(" cannot grow, the disk is full")


def test_a_damaged_page_is_reported_in_one_line(path: Path) -> None:
    filled(path, 200)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(8_192)
        file.write(b"\xa5" * (size - 8_192))
    line = refusal(lambda: list(SqliteLog(path, read_only=True).read(MATCH)))

    assert line.startswith(f"{path} is damaged (")
    assert line.endswith("import them from archives into a new store, or restore the file")


def test_a_truncated_file_is_reported_in_one_line(path: Path) -> None:
    filled(path, 200)
    os.truncate(path, 6_000)
    line = refusal(lambda: list(SqliteLog(path, read_only=True).read(MATCH)))

    assert line.startswith(f"{path} is damaged (it is cut off after 6,000 of ")
    assert line.endswith(f"): {REPAIR}")


def test_using_a_closed_log_is_an_error(path: Path) -> None:
    log = SqliteLog(path)
    log.close()
    line = refusal(log.matches)

    assert line.startswith(f"{path} failed: ")


# Append-only

CHANGES = {
    "matches": (
        "UPDATE matches SET id = 'x'",
        "DELETE FROM matches",
        "REPLACE INTO matches VALUES (1, 'x', NULL, 0, x'')",
        "REPLACE INTO matches VALUES (9, 'm', NULL, 0, x'')",
    ),
    "commits": (
        "UPDATE commits SET body = x''",
        "UPDATE OR REPLACE commits SET key = 'x'",
        "DELETE FROM commits",
        "DELETE FROM commits WHERE number = (SELECT max(number) FROM commits)",
        "REPLACE INTO commits VALUES (1, 1, 1, 1, 'x', x'', x'')",
        "INSERT OR REPLACE INTO commits SELECT number, match, first, last, key, x'', body FROM commits",
        "INSERT OR REPLACE INTO commits SELECT NULL, match, max(last) + 1, max(last) + 1, min(key), x'', x'' FROM commits",
        "INSERT OR REPLACE INTO commits SELECT 1, match, max(last) + 1, max(last) + 1, 'x', x'', x'' FROM commits",
        "INSERT INTO commits SELECT NULL, match, max(last) + 2, max(last) + 2, 'x', x'', x'' FROM commits",
        "INSERT INTO commits VALUES (NULL, 9, 1, 1, 'x', x'', x'')",
    ),
    "seeds": ("UPDATE seeds SET seed = 'x'", "DELETE FROM seeds", "REPLACE INTO seeds VALUES (1, 'x')"),
    "attachments": (
        "UPDATE attachments SET content = x''",
        "DELETE FROM attachments",
        "INSERT OR REPLACE INTO attachments SELECT digest, x'' FROM attachments",
    ),
    "appointments": (
        "UPDATE appointments SET credential = ''",
        "DELETE FROM appointments",
        "INSERT OR REPLACE INTO appointments VALUES (1, 'Olga', '')",
    ),
    "entries": (
        "UPDATE entries SET commit_number = 3",
        "DELETE FROM entries",
        "INSERT OR REPLACE INTO entries VALUES (0, 3, NULL)",
        "INSERT INTO entries VALUES (2, 3, NULL)",
        "INSERT OR REPLACE INTO entries VALUES (1, 1, NULL)",
    ),
    "checkpoints": (
        "UPDATE checkpoints SET note = ''",
        "DELETE FROM checkpoints",
        "INSERT OR REPLACE INTO checkpoints VALUES (1, 0, '')",
    ),
    "logs": (
        "UPDATE logs SET secret = x''",
        "DELETE FROM logs",
        "INSERT OR REPLACE INTO logs VALUES (1, 'other', x'')",
        "INSERT OR REPLACE INTO logs VALUES (2, 'log', x'')",
    ),
    "studies": (
        "UPDATE studies SET body = x''",
        "DELETE FROM studies",
        "INSERT OR REPLACE INTO studies VALUES (1, 1, 'study', 1, x'')",
        "INSERT INTO studies VALUES (NULL, 1, 'study', 3, x'')",
        "INSERT INTO studies VALUES (NULL, 1, 'other', 2, x'')",
    ),
}


@pytest.fixture
def full_store(path: Path) -> Path:
    writer = Writer("m")
    with SqliteLog(path) as log:
        log.append([writer.open(seed="ab" * 32), writer.take(march(1)), writer.take(march(2))])
        log.attach(BOARD_DIGEST, BOARD)
        log.appoint("Olga", "ab" * 32)
        log.begin_log("log", b"secret")
        log.append_entries(0, [NewEntry(2)])
        log.save_checkpoint(1, "note")
        log.append_study(MatchId("m"), StudyId("study"), 1, b"{}")
    return path


def contents(path: Path) -> list[list[tuple[object, ...]]]:
    """Return all rows of evidence as another program sees them."""
    database = raw(path)
    rows = [database.execute(f"SELECT * FROM {table}").fetchall() for table in EVIDENCE]
    database.close()
    return rows


def test_every_table_of_evidence_has_a_row_to_change(full_store: Path) -> None:
    assert [len(rows) for rows in contents(full_store)] == [1, 3, 1, 1, 1, 1, 1, 1, 1]
    assert sorted(CHANGES) == sorted(EVIDENCE)


@pytest.mark.parametrize(("table", "statement"), [(table, each) for table in CHANGES for each in CHANGES[table]])
def test_no_program_can_change_or_remove_evidence(full_store: Path, table: str, statement: str) -> None:
    before = contents(full_store)
    database = raw(full_store)
    with pytest.raises(sqlite3.IntegrityError, match=f"^{table} are never (changed|removed|replaced)"):
        database.execute(statement)
    database.close()

    assert contents(full_store) == before


@pytest.mark.parametrize("table", EVIDENCE)
def test_our_own_connection_cannot_even_prepare_a_change(full_store: Path, table: str) -> None:
    with SqliteLog(full_store) as log:
        for statement in (
            f"DELETE FROM {table} WHERE 0",
            f"UPDATE {table} SET rowid = rowid WHERE 0",
            f"DROP TABLE {table}",
            f"DROP TRIGGER {table}_stay",
            f"ALTER TABLE {table} RENAME TO gone",
        ):
            with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
                log._db.execute(statement)


# One file, several programs


def test_two_writers_on_one_file_never_both_win(path: Path) -> None:
    writer = Writer("m")
    opened, mine, theirs = writer.open(), Writer("m"), Writer("m")
    for rival in (mine, theirs):
        rival.open()
    with SqliteLog(path) as one, SqliteLog(path) as two:
        one.append([opened])

        assert two.append([opened]) == [AlreadyThere(next(one.read(MATCH)))]

        first = mine.take(march(1), key="mine")
        (receipt,) = one.append([first])
        (lost,) = two.append([theirs.take(march(2), key="theirs")])

        assert isinstance(receipt, Appended)
        assert isinstance(lost, LostRace)
        assert two.head(MATCH) == one.head(MATCH) == mine.head


def test_two_programs_can_create_the_same_store_at_once(path: Path) -> None:
    root = Path(__file__).parents[3]
    code = "import sys; from server.store.sqlite_log import SqliteLog; SqliteLog(sys.argv[1]).close(); print('made')"
    makers = [
        subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=root, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]

    assert [maker.communicate()[0] for maker in makers] == ["made\n"] * 4


def test_a_slow_reader_does_not_block_others(path: Path) -> None:
    """A partly read match keeps no statement open, so that the write-ahead log can be checkpointed."""
    writer = filled(path, 3)
    with SqliteLog(path) as log, SqliteLog(path, read_only=True) as reader:
        reading = reader.read(MATCH)
        next(reading)
        for _ in range(IDLE_COMMITS):
            log.append([writer.take(march(1))])
        log.idle()

        assert log._since_checkpoint == 0
        assert len(list(reading)) == 2


def test_an_idle_store_is_checkpointed(path: Path) -> None:
    writer = filled(path, 3)
    with SqliteLog(path) as log:
        size = path.stat().st_size
        for _ in range(IDLE_COMMITS - 1):
            log.append([writer.take(march(1))])
        log.idle()

        assert path.stat().st_size == size

        log.append([writer.take(march(1))])
        log.idle()

        assert path.stat().st_size > size
        assert log.head(MATCH) == writer.head


def test_a_log_can_be_opened_in_one_thread_and_used_in_another(path: Path) -> None:
    writer = Writer("m")
    with SqliteLog(path) as log:
        thread = threading.Thread(target=lambda: log.append(writer.commits(2)))
        thread.start()
        thread.join()

        assert log.head(MATCH) == writer.head


def test_an_unknown_attachment_is_none(path: Path) -> None:
    with SqliteLog(path) as log:
        assert log.attachment(Digest("0" * 64)) is None


@each_row(
    ("version", "bad"),
    [
        ((3, 6, 23), False),
        ((3, 7, 0), True),
        ((3, 40, 1), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 45, 0), True),
        ((3, 50, 6), True),
        ((3, 50, 7), False),
        ((3, 51, 0), True),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 52, 0), False),
    ],
)
def test_a_sqlite_with_the_wal_reset_bug_causes_a_warning(version: tuple[int, int, int], bad: bool) -> None:
    warning = sqlite_warning(version)

    assert bool(warning) == bad
    assert not bad or ".".join(map(str, version)) in warning


def test_entries_are_appended_without_looking_at_all_that_there_are(full_store: Path) -> None:
    database = raw(full_store)
    plan = [step for *_, step in database.execute(f"EXPLAIN QUERY PLAN {LAST_ENTRY}")]
    database.close()

    assert [step for step in plan if step.startswith("SCAN entries")] == []
    assert len([step for step in plan if step.startswith("SEARCH entries")]) == 2
