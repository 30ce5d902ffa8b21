"""Locks on files between processes, by the calls of the system: `fcntl` on Unix, `msvcrt` on Windows.

The system ends a lock with the process, however that dies.
"""

import errno
import sys
import time
from collections.abc import Callable
from typing import Protocol, cast

WAIT_S = 0.05
"""How long to wait between two attempts where the system cannot wait for a lock itself (seconds)."""

Lock = Callable[[int, bool], None]
"""Locks a descriptor; whether to wait until it is free. Raises `OSError` if it is not free and must not wait."""


class WindowsLocks(Protocol):
    """The part of the module `msvcrt` that is used here."""

    LK_NBLCK: int

    def locking(self, descriptor: int, mode: int, bytes_count: int, /) -> None:
        """Lock bytes from the present position of a file on."""


def windows_lock(locks: WindowsLocks, sleep: Callable[[float], None] = time.sleep) -> Lock:
    """Return the lock of Windows: of the first byte of a file, whose own wait would end after ten attempts.

    Args:
        locks: The module `msvcrt`.
        sleep: Waits for some seconds.
    """

    def lock(descriptor: int, may_wait: bool) -> None:  # noqa: FBT001 - The type of all locks.
        while True:
            try:
                locks.locking(descriptor, locks.LK_NBLCK, 1)
            except OSError as error:
                if not may_wait or error.errno not in (errno.EACCES, errno.EDEADLK):
                    raise
                sleep(WAIT_S)
            else:
                return

    return lock


if sys.platform == "win32":
    import msvcrt

    _OWN = windows_lock(cast("WindowsLocks", msvcrt))
else:
    import fcntl

    def _OWN(descriptor: int, may_wait: bool) -> None:  # noqa: FBT001, N802 - The type and the name of the lock of every system.
        fcntl.flock(descriptor, fcntl.LOCK_EX if may_wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_file(descriptor: int, *, may_wait: bool, lock: Lock | None = None) -> None:
    """Lock an open file for this process until it is closed.

    Args:
        descriptor: The file, open for writing.
        may_wait: Whether to wait until another process has released it.
        lock: The lock of another system, for tests.

    Raises:
        OSError: Another process has locked it, and this one may not wait.
    """
    (_OWN if lock is None else lock)(descriptor, may_wait)


def is_locked(descriptor: int) -> bool:
    """Return whether another process has locked an open file. Those who ask do not hinder each other, except on Windows."""
    try:
        if sys.platform == "win32":
            lock_file(descriptor, may_wait=False)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    return False
