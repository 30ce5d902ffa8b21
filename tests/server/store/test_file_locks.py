"""Locks of files, by the calls of this system and by those of Windows, which a stand-in carries out."""

import errno
import os
from pathlib import Path

import pytest

from server.store.file_locks import is_locked, lock_file, windows_lock
from server.store.one_server import is_served, only_server
from server.store.whole_file import beside_store
from tests.support.rows import each_row


class StandIn:
    """What `msvcrt` does, as its documentation describes it, for descriptors of one file.

    Args:
        releases: After how many refusals the other process releases the file.
    """

    LK_NBLCK = 2

    def __init__(self, releases: int, code: int = errno.EACCES) -> None:
        self.refusals = releases
        self.code = code
        self.locked: list[tuple[int, int]] = []

    def locking(self, descriptor: int, mode: int, bytes_count: int, /) -> None:
        assert mode == self.LK_NBLCK
        if self.refusals:
            self.refusals -= 1
            raise OSError(self.code, "locked")
        self.locked.append((descriptor, bytes_count))


def test_a_lock_of_windows_is_waited_for() -> None:
    slept: list[float] = []
    locks = StandIn(3)
    lock_file(7, may_wait=True, lock=windows_lock(locks, slept.append))

    assert (locks.locked, len(slept)) == ([(7, 1)], 3)


@each_row(("may_wait", "code"), [(False, errno.EACCES), (True, errno.EBADF)])
def test_a_lock_of_windows_that_is_not_waited_for_is_an_error(may_wait: bool, code: int) -> None:
    locks = StandIn(1, code)
    with pytest.raises(OSError, match="locked"):
        lock_file(7, may_wait=may_wait, lock=windows_lock(locks, lambda _: pytest.fail("it waits")))

    assert locks.locked == []


def test_a_file_is_locked_for_one_descriptor_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    first = os.open(file, os.O_RDWR | os.O_CREAT)
    second = os.open(file, os.O_RDWR)
    lock_file(first, may_wait=False)
    with pytest.raises(OSError, match=r".*"):
        lock_file(second, may_wait=False)
    os.close(first)
    lock_file(second, may_wait=True)
    os.close(second)


def test_who_asks_whether_a_store_is_served_is_not_taken_for_its_server(tmp_path: Path) -> None:
    """Two verbs that ask at once would otherwise both leave the mark of a server that was killed, and the store would count as cut off."""
    store = tmp_path / "store.db"
    with only_server(store):
        assert is_served(store)
    with beside_store(store, "-server").open("r+b") as asking:
        asked = is_locked(asking.fileno())

        assert (asked, is_served(store)) == (False, False)
