"""Copies of a whole store, also while a server serves it: made in small steps with pauses, checked, and only then given their name."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from events.codec import Struct
from events.errors import OutputRefused, StoreDamaged, StoreUnavailable
from server.store.private_files import make_private
from server.store.serving_mark import marked
from server.store.sqlite_reader import READ_ON, SqliteReader
from server.store.sqlite_schema import TROUBLE, open_store, unavailable
from server.store.whole_file import beside_store, check_output, unfinished_file

PAGES = 128
"""Pages that are copied in one step: half a megabyte."""

SHARE = 0.3
"""The part of the time in which is copied; in the rest the disk is the server's."""

PATIENCE_S = 5.0
"""How long to wait for another process to release the store (seconds)."""

Watch = Callable[[int, int], None]
"""Receives how many pages have been copied, and how many there are."""

_COUNTS = "SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM commits)"


class Copied(Struct, frozen=True):
    """Contents of a copy of a store: its matches, their commits, and the size of the file in bytes."""

    matches: int
    commits: int
    size: int


def copy_store(store: Path, copy: Path, watch: Watch, *, is_cut_off_allowed: bool = False) -> Copied:
    """Copy a store, as it is now, to a new file that only its owner may read, and check the copy.

    Args:
        store: The store; it is only read.
        copy: The new file.
        watch: Called after each step.
        is_cut_off_allowed: Whether a store is copied that lacks what was stored last.

    Raises:
        OutputRefused: There is a file of that name, or one that would be read as a part of the copy.
        StoreDamaged: The store is damaged, or was parted from its write-ahead log.
        StoreUnavailable: One cannot be read, or the other not be written; no part of it is left behind.
    """
    check_output(copy, "stores")
    for end in ("-wal", "-shm", "-journal"):
        if (beside := beside_store(copy, end)).exists():
            raise OutputRefused(
                f"{beside} would be read as a part of {copy}: move it to the store that it belongs to, or away"
            )
    with SqliteReader(store, read_only=True, timeout_s=PATIENCE_S) as log:
        if log.problem and not is_cut_off_allowed:
            raise StoreDamaged(store, log.problem, READ_ON)
    try:
        with unfinished_file(copy) as unfinished:
            make_private(unfinished)
            counts = _copied(store, unfinished, copy, watch)
            with SqliteReader(unfinished, read_only=True) as log:
                for problem in log.check():
                    raise StoreDamaged(store, problem)
            size = unfinished.stat().st_size
            _sync(unfinished)
        _sync(Path(os.path.realpath(copy)).parent)
    except OSError as error:
        raise StoreUnavailable(f"{copy} cannot be written: {error.strerror or error}") from None
    return Copied(*counts, size)


def _copied(store: Path, unfinished: Path, copy: Path, watch: Watch) -> tuple[int, int]:
    """Copy the pages of a store, and return its numbers of matches and commits."""
    with closing(open_store(store, read_only=True, timeout_s=PATIENCE_S)) as source:
        try:
            # All steps see the store as it is now. Without this, each commit of a server would begin the copy anew.
            source.execute("BEGIN")
            matches, commits = source.execute(_COUNTS).fetchone()
        except TROUBLE as error:
            raise unavailable(store, error) from None
        try:
            with closing(sqlite3.connect(unfinished, isolation_level=None)) as target:
                # If it fails, the whole file is thrown away; it is synced step by step.
                target.execute("PRAGMA journal_mode = OFF")
                target.execute("PRAGMA synchronous = OFF")
                target.execute(f"PRAGMA cache_size = {PAGES}")
                source.backup(target, pages=PAGES, progress=_paced(unfinished, watch))
            with closing(sqlite3.connect(unfinished, isolation_level=None)) as target:
                # A copy that lies there needs no write-ahead log, and is not in use.
                target.execute("PRAGMA journal_mode = DELETE")
                target.execute(f"PRAGMA user_version = {marked(0)}")
        except TROUBLE as error:
            is_of_store = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT
            raise unavailable(store if is_of_store else copy, error) from None
    return int(matches), int(commits)


def _paced(unfinished: Path, watch: Watch) -> Callable[[int, int, int], None]:
    """Return what is done after each step: what was copied is synced, and the disk is left to others for a while."""
    began = time.monotonic()

    def pause(_: int, left: int, pages: int) -> None:
        nonlocal began
        watch(pages - left, pages)
        _sync(unfinished)
        time.sleep((time.monotonic() - began) * (1 - SHARE) / SHARE)
        began = time.monotonic()

    return pause


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
