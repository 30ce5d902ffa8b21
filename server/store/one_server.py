"""A store has one server: a second one would answer from tables that the first has overtaken."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from events.errors import StoreUnavailable
from server.store.file_locks import is_locked, lock_file
from server.store.private_files import make_private
from server.store.whole_file import beside_store

TRIES = 3
PAUSE_S = 0.02
"""How often and after how many seconds a lock is tried again."""


@contextmanager
def only_server(store: Path) -> Iterator[None]:
    """Be the only server of a store until the block ends; the system ends this with the process, however that dies.

    The lock lies on a file of its own beside the store, so that commands may still read and write the store.

    Raises:
        StoreUnavailable: Another process serves the store.
    """
    file = beside_store(store, "-server")
    make_private(file)
    with file.open("r+b") as held:
        for left in range(TRIES, -1, -1):
            try:
                lock_file(held.fileno(), may_wait=False)
                break
            except OSError:
                if not left:
                    raise StoreUnavailable(f"{store} has a server already; connect to that one") from None
                # `is_served` holds the lock for a moment.
                time.sleep(PAUSE_S)
        yield


def is_served(store: Path) -> bool:
    """Return whether a server runs on a store."""
    try:
        with beside_store(store, "-server").open("r+b") as held:
            return is_locked(held.fileno())
    except FileNotFoundError:
        return False
    except OSError:
        return True
