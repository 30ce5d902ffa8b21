"""The file of a SQLite store: its tables, their protection, and the check that a file is such a store.

Evidence (matches, commits, seeds, attachments) is only ever inserted. Triggers refuse everything else to every program that
opens the file, and an authorizer refuses it to our own connection before a statement is even prepared. If a program removes the
triggers and rewrites a row, the chain check (`events.chain`) finds that.
"""

import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path

from events.errors import REPAIR, NotAStore, OutcomeUnknown, StoreDamaged, StoreUnavailable
from server.store.private_files import is_own, make_private, open_to_others
from server.store.serving_mark import APPLICATION_ID, VERSION, marked, version_and_run
from server.store.whole_file import belongs_to_a_store, beside_store

CHECKPOINT_PAGES = 1000
"""Pages in the write-ahead log after which a commit has to checkpoint it.

Measured: a longer log makes every commit slower (4,000 pages: by a quarter), because a growing file takes longer to sync than
one that is overwritten. `SqliteLog.idle` keeps checkpoints out of the commits.
"""

CACHE_KIB = 16_384
"""Page cache: a match's commits are scattered among those of the other matches that were played at the same time."""

TABLES = (
    """CREATE TABLE matches (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        parent INTEGER REFERENCES matches,
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL,
        CHECK (parent < number))""",
    "CREATE INDEX forks ON matches (parent) WHERE parent IS NOT NULL",
    # Rows are appended at the end, whatever their match, and two small indexes find them. Compared with a table that keeps
    # each match's rows together, commits to many matches were measured to be half as fast again, those to one match no slower.
    """CREATE TABLE commits (
        number INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES matches,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        key TEXT NOT NULL,
        hash BLOB NOT NULL,
        body BLOB NOT NULL,
        CHECK (first >= 1 AND last >= first))""",
    # Each index finds every commit, so each one can be checked against the other (`server.store.sqlite_check`).
    "CREATE UNIQUE INDEX commits_by_key ON commits (match, key)",
    "CREATE UNIQUE INDEX commits_in_order ON commits (match, first, last)",
    "CREATE TABLE seeds (match INTEGER PRIMARY KEY REFERENCES matches, seed TEXT NOT NULL)",
    "CREATE TABLE attachments (digest BLOB PRIMARY KEY NOT NULL, content BLOB NOT NULL)",
    # The last row of a name holds; an empty credential ends the capability.
    "CREATE TABLE appointments (number INTEGER PRIMARY KEY, name TEXT NOT NULL, credential TEXT NOT NULL)",
    # The server's log: an entry for each commit that spectators see something of, in the order of writing, and for each change of its key.
    """CREATE TABLE entries (
        number INTEGER PRIMARY KEY,
        commit_number INTEGER UNIQUE REFERENCES commits,
        key BLOB,
        CHECK ((commit_number IS NULL) <> (key IS NULL)))""",
    "CREATE TABLE checkpoints (number INTEGER PRIMARY KEY, size INTEGER NOT NULL, note TEXT NOT NULL)",
    "CREATE TABLE logs (number INTEGER PRIMARY KEY, origin TEXT NOT NULL UNIQUE, secret BLOB NOT NULL)",
    # What was said of a match beside it: each study is a stream of its own.
    """CREATE TABLE studies (
        number INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES matches,
        study TEXT NOT NULL,
        entry INTEGER NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (match, study, entry))""",
    """CREATE TABLE snapshots (
        match INTEGER NOT NULL, seat TEXT NOT NULL, seq INTEGER NOT NULL, content BLOB NOT NULL, UNIQUE (match, seat, seq))""",
    """CREATE TABLE summaries (
        match INTEGER PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL, content BLOB NOT NULL)""",
)

EVIDENCE = ("matches", "commits", "seeds", "attachments", "appointments", "entries", "checkpoints", "logs", "studies")
"""Tables that only grow."""

# The rows that a new row would conflict with. Without this check, INSERT OR REPLACE would bypass the triggers on DELETE.
_IN_THE_WAY = {
    "matches": "EXISTS (SELECT 1 FROM matches WHERE number = NEW.number OR id = NEW.id)",
    "commits": """EXISTS (SELECT 1 FROM commits WHERE number = NEW.number)
        OR NEW.first - 1 IS NOT coalesce(
            (SELECT last FROM commits WHERE match = NEW.match ORDER BY first DESC LIMIT 1),
            (SELECT seq FROM matches WHERE number = NEW.match))
        OR EXISTS (SELECT 1 FROM commits WHERE match = NEW.match AND key = NEW.key)""",
    "seeds": "EXISTS (SELECT 1 FROM seeds WHERE match = NEW.match)",
    "attachments": "EXISTS (SELECT 1 FROM attachments WHERE digest = NEW.digest)",
    "appointments": "EXISTS (SELECT 1 FROM appointments WHERE number = NEW.number)",
    "entries": """NEW.number IS NOT (SELECT coalesce(max(number) + 1, 0) FROM entries)
        OR NEW.commit_number <= (SELECT max(commit_number) FROM entries)""",
    "checkpoints": "EXISTS (SELECT 1 FROM checkpoints WHERE number = NEW.number)",
    "logs": "EXISTS (SELECT 1 FROM logs WHERE number = NEW.number OR origin = NEW.origin)",
    "studies": """EXISTS (SELECT 1 FROM studies WHERE number = NEW.number)
        OR NEW.entry IS NOT (SELECT coalesce(max(entry), 0) + 1 FROM studies WHERE match = NEW.match AND study = NEW.study)""",
}


def _triggers(table: str) -> tuple[str, ...]:
    """Return the triggers that make a table append-only, with a match's commits in order and without a gap."""
    return (
        f"""CREATE TRIGGER {table}_are_kept BEFORE DELETE ON {table} BEGIN
            SELECT RAISE(ABORT, '{table} are never removed'); END""",
        f"""CREATE TRIGGER {table}_stay BEFORE UPDATE ON {table} BEGIN
            SELECT RAISE(ABORT, '{table} are never changed'); END""",
        f"""CREATE TRIGGER {table}_follow BEFORE INSERT ON {table} WHEN {_IN_THE_WAY[table]} BEGIN
            SELECT RAISE(ABORT, '{table} are never replaced and have no gaps'); END""",
    )


_REFUSED = frozenset((sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE))
_REFUSED_EVERYWHERE = frozenset(
    (
        sqlite3.SQLITE_ALTER_TABLE,
        sqlite3.SQLITE_ATTACH,
        sqlite3.SQLITE_CREATE_TABLE,
        sqlite3.SQLITE_CREATE_TRIGGER,
        sqlite3.SQLITE_DROP_INDEX,
        sqlite3.SQLITE_DROP_TABLE,
        sqlite3.SQLITE_DROP_TRIGGER,
    )
)


def _authorize(action: int, table: str | None, *_: str | None) -> int:
    """Deny our own connection every action that would change or remove evidence."""
    refused = action in _REFUSED_EVERYWHERE or (action in _REFUSED and table in EVIDENCE)
    return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK


TROUBLE = (sqlite3.Error, UnicodeDecodeError)
"""The errors of a statement: if names in the file are damaged, decoding the error message itself fails."""


def unavailable(path: Path, error: Exception) -> StoreUnavailable:
    """Return an error of SQLite as one line: where, what, and what to do."""
    code: int = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if isinstance(error, UnicodeDecodeError):
        code = sqlite3.SQLITE_CORRUPT
    if code == sqlite3.SQLITE_CORRUPT:
        # SQLite reads nothing of a file that is cut off, so an audit cannot name its matches.
        cut_off = _cut_off(path)
        return StoreDamaged(path, cut_off, REPAIR) if cut_off else StoreDamaged(path, str(error))
    if code == sqlite3.SQLITE_NOTADB:
        return NotAStore(f"{path} is not a store: it is not a SQLite database")
    said = {
        sqlite3.SQLITE_BUSY: "is locked by another process: close that process or try again",
        sqlite3.SQLITE_LOCKED: "is locked by another connection: try again",
        sqlite3.SQLITE_READONLY: "cannot be written: the file or its folder is read-only",
        sqlite3.SQLITE_FULL: "cannot grow, the disk is full: nothing was written; make room and try again",
        sqlite3.SQLITE_IOERR: f"cannot be read or written, the disk fails ({error}): nothing was acknowledged",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened: check that its folder exists and is writable",
    }.get(code, f"failed: {error}")
    return StoreUnavailable(f"{path} {said}")


def _cut_off(path: Path) -> str:
    """Return how much is missing at the end of a file, as its header tells; empty if nothing is."""
    with suppress(OSError), path.open("rb") as file:
        header = file.read(100)
        # Offsets 16 and 28 hold the size of a page, 1 meaning 65,536 bytes, and the number of pages.
        page = int.from_bytes(header[16:18], "big")
        whole = (65_536 if page == 1 else page) * int.from_bytes(header[28:32], "big")
        size = path.stat().st_size
        return f"it is cut off after {size:,} of {whole:,} bytes" if size < whole else ""
    return ""


_READING = frozenset((sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ))


def failed_commit(path: Path, error: Exception) -> StoreUnavailable:
    """Return the error of a commit that failed while it was made durable, or before.

    If the disk fails to write or to sync, the record of the commit may still have reached it, and is then found when the file is
    opened again. All other errors occur before that record is complete: a lock, a full disk, a page that cannot be
    read.
    """
    code: int = getattr(error, "sqlite_errorcode", 0)
    if code & 0xFF != sqlite3.SQLITE_IOERR or code in _READING:
        return unavailable(path, error)
    return OutcomeUnknown(f"{path} cannot be written, the disk fails ({error}): it is not known whether it was stored")


_LAST_COMMIT = """SELECT number,
        (SELECT number FROM commits AS found INDEXED BY commits_in_order
            WHERE found.match = commits.match ORDER BY first DESC LIMIT 1),
        (SELECT number FROM commits AS found INDEXED BY commits_by_key
            WHERE found.match = commits.match AND found.key = commits.key)
    FROM commits ORDER BY number DESC LIMIT 1"""
_LAST_MATCH = """SELECT number,
        (SELECT number FROM matches AS found INDEXED BY sqlite_autoindex_matches_1 WHERE found.id = matches.id)
    FROM matches ORDER BY number DESC LIMIT 1"""


def _check_last_rows(path: Path, db: sqlite3.Connection) -> None:
    """Check that the last rows are found; this reads only a few pages.

    Raises:
        StoreDamaged: One is not found.
    """
    for number, in_order, by_key in db.execute(_LAST_COMMIT).fetchall():
        if in_order != number:
            raise StoreDamaged(path, "its last commit is not found in order")
        if by_key != number:
            raise StoreDamaged(path, "its last commit is not found by its key")
    for number, by_id in db.execute(_LAST_MATCH).fetchall():
        if by_id != number:
            raise StoreDamaged(path, "its last match is not found by its id")


def open_store(path: Path, *, read_only: bool, timeout_s: float, alone: bool = False) -> sqlite3.Connection:
    """Open a store, creating it if it does not exist.

    Args:
        path: The file.
        read_only: Create and change nothing.
        timeout_s: How long to wait for a lock of another process, in seconds.
        alone: Lock the file exclusively.

    Raises:
        StoreUnavailable: It cannot be opened, is not a store, or is one of another version.
    """
    _check_path(path, read_only)
    if not read_only:
        # SQLite gives its other files the mode of this one.
        make_private(path)
    try:
        return _open(path, "ro" if read_only else "rwc", timeout_s, alone=alone)
    except TROUBLE as error:
        # Where no write-ahead log can be created, no process can have one open, so the file alone is the whole store.
        wal = beside_store(path, "-wal")
        if read_only and path.is_file() and not wal.exists():
            with suppress(*TROUBLE):
                return _open(path, "ro&immutable=1", timeout_s)
        if read_only and wal.exists() and getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CANTOPEN:
            raise StoreUnavailable(
                f"{path} cannot be read without its write-ahead log {wal}, which cannot be used in a read-only folder: "
                "copy both files to a writable folder"
            ) from None
        raise unavailable(path, error) from None


def _check_path(path: Path, read_only: bool) -> None:  # noqa: FBT001
    if path.is_dir():
        raise StoreUnavailable(f"{path} is not a store: it is a folder")
    if read_only and not path.exists():
        raise StoreUnavailable(f"{path} does not exist: there is no store to read")
    if store := "" if path.exists() and path.stat().st_size else belongs_to_a_store(path):
        raise StoreUnavailable(f"{path} cannot be created: it would be read as a part of the store {store}")
    if not path.parent.is_dir():
        raise StoreUnavailable(f"{path} cannot be created: the folder {path.parent} does not exist")


def _open(path: Path, mode: str, timeout_s: float, *, alone: bool = False) -> sqlite3.Connection:
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout_s,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        # Damaged text must decode to a different text, not raise an error that hides which row it was in.
        db.text_factory = partial(str, encoding="utf-8", errors="replace")
        if alone:
            # Set before the first access to the file, so that no other process can have a connection open.
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA cell_size_check = ON")
        db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        if not _is_store(path, db):
            _make(path, db, mode)
        if mode == "rwc":
            _prepare_to_write(path, db)
            _check_last_rows(path, db)
        db.set_authorizer(_authorize)
    except BaseException:
        db.close()
        raise
    return db


def _is_store(path: Path, db: sqlite3.Connection) -> bool:
    """Return whether a file is a store; False if it is still empty.

    Raises:
        NotAStore: It is another kind of file.
        StoreUnavailable: It is a store of another version.
    """
    # In one transaction: another process may be making a store of this file.
    begins = not db.in_transaction
    if begins:
        db.execute("BEGIN")
    (application,) = db.execute("PRAGMA application_id").fetchone()
    version, _ = version_and_run(db.execute("PRAGMA user_version").fetchone()[0])
    (entries,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if begins:
        db.execute("COMMIT")
    if application == APPLICATION_ID and version == VERSION:
        return True
    if application == 0 and version == 0 and entries == 0:
        return False
    if application != APPLICATION_ID:
        raise NotAStore(f"{path} is not a store: it is a SQLite database of another program")
    if version > VERSION:
        raise StoreUnavailable(
            f"{path} is a store of version {version}, which is newer than this program knows ({VERSION}): use a newer one"
        )
    raise StoreUnavailable(
        f"{path} is a store of version {version}, this program needs {VERSION}: "
        "export its matches with the program that made it and import them into a new store"
    )


def _make(path: Path, db: sqlite3.Connection, mode: str) -> None:
    """Create the tables, unless another process has done so meanwhile."""
    if mode != "rwc":
        raise NotAStore(f"{path} is empty: there is no store to read")
    db.execute("BEGIN IMMEDIATE")
    if not _is_store(path, db):
        for statement in TABLES:
            db.execute(statement)
        for table in EVIDENCE:
            for statement in _triggers(table):
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {marked(0)}")
    db.execute("COMMIT")


def _prepare_to_write(path: Path, db: sqlite3.Connection) -> None:
    """Configure durable commits, and check now rather than at the first commit that the file can be written."""
    (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreUnavailable(f"{path} cannot keep a write-ahead log (its journal is {mode!r}): use a local disk")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA fullfsync = ON")
    db.execute("PRAGMA checkpoint_fullfsync = ON")
    db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    # The lock proves nothing: if another process has the write-ahead log open, it is granted even on a read-only file.
    db.execute("BEGIN IMMEDIATE")
    db.execute(f"PRAGMA user_version = {marked(0)}")
    db.execute("ROLLBACK")


def store_files(path: Path) -> tuple[Path, ...]:
    """Return the files of a store that hold its data: the database, its write-ahead log and its shared-memory file."""
    return (path, beside_store(path, "-wal"), beside_store(path, "-shm"))


def store_warning(path: Path) -> str:
    """Return a warning if other users may read or write a store; otherwise empty."""
    return open_to_others(store_files(path)) if is_own(path) else ""


def sqlite_warning(version: tuple[int, int, int] = sqlite3.sqlite_version_info) -> str:
    """Return a warning about the SQLite library of this Python; empty if there is none.

    Source: SQLite's change log of 3.51.3: two connections that write or checkpoint at the same time could damage the file.
    """
    fixed = version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)
    if fixed or version < (3, 7, 0):
        return ""
    return (
        f"SQLite {'.'.join(map(str, version))} has the WAL-reset bug (fixed in 3.51.3, 3.50.7 and 3.44.6): "
        "let only one process write to a store"
    )
