"""The mark of a store that is being served, by which a store is known that was parted from its write-ahead log.

What was stored last lies in the write-ahead log beside the file, so a copy of the file alone lacks it, and a log of another store would
change it. A server therefore writes a random number, its *run*, into the header of the file before it stores anything, and 0 when it
ends. A file with a run and without a log was copied while it was in use; a log that says another run than the file belongs to another.
What is not detected: a copy that was made while a command on the store itself wrote, a log of a store that no server served, and a
log with so few commits that the file did not grow with them, so that the header is not in it.
"""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from server.store.whole_file import beside_store

APPLICATION_ID = 0x57446961
"""`WDia`, in the header of the file."""

VERSION = 5
"""Version of the tables, in the lowest byte of the header's `user_version`; the other bytes hold the run."""

RUNS = 1 << 22
"""Runs are less than this, and 0 is none."""

TRIES = 12
PAUSE_S = 0.05
"""How often and after how many seconds a store is looked at again, because a server that begins or ends is seen for a moment as if parted."""

_HEADER = 100
_VERSION_AT, _APPLICATION_AT = slice(60, 64), slice(68, 72)


def marked(run: int) -> int:
    """Return the `user_version` of a store in a run; 0 is none."""
    return VERSION | run << 8


def version_and_run(user_version: int) -> tuple[int, int]:
    """Return the version of the tables and the run that a `user_version` holds."""
    return user_version & 0xFF, user_version >> 8


def new_run() -> int:
    """Return a random run."""
    return 1 + int.from_bytes(os.urandom(4), "big") % (RUNS - 1)


def is_cut_off(path: Path) -> bool:
    """Return whether a store was copied while it was served, without its write-ahead log.

    As for all looks at a file without SQLite, this process must not have it open: closing it would end SQLite's locks.
    """
    return _lasts(lambda: _run_in_file(path) != 0 and not _has_log(path))


def has_foreign_log(path: Path) -> bool:
    """Return whether the write-ahead log beside a store belongs to another one; this process must not have the store open."""
    return _has_log(path) and _lasts(lambda: _has_log(path) and _run_in_log(path) not in (0, _run_in_file(path)))


def _lasts(is_seen: Callable[[], bool]) -> bool:
    """Return whether something is still seen after a while."""
    for _ in range(TRIES):
        if not is_seen():
            return False
        time.sleep(PAUSE_S)
    return True


def _has_log(path: Path) -> bool:
    with suppress(OSError):
        return beside_store(path, "-wal").stat().st_size > 0
    return False


def _run_in_file(path: Path) -> int:
    """Return the run that the file itself holds; 0 if it is not a store."""
    with suppress(OSError), path.open("rb") as file:
        header = file.read(_HEADER)
        if int.from_bytes(header[_APPLICATION_AT], "big") == APPLICATION_ID:
            return version_and_run(int.from_bytes(header[_VERSION_AT], "big"))[1]
    return 0


def _run_in_log(path: Path) -> int:
    """Return the run of a store together with the log beside it; nothing is changed, as a connection that only reads moves no log into the file."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        return version_and_run(int(version))[1]
    return 0
