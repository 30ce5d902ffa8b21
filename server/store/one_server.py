"""A store has one server: a second one would answer from tables that the first has overtaken."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from events.errors import StoreUnavailable
from server.store.file_locks import lock_file
from server.store.private_files import make_private


@contextmanager
def only_server(store: Path) -> Iterator[None]:
    """Be the only server of a store until the block ends; the system ends this with the process, however that dies.

    The lock lies on a file of its own beside the store, so that commands may still read and write the store.

    Raises:
        StoreUnavailable: Another process serves the store.
    """
    file = Path(f"{os.path.realpath(store)}-server")
    make_private(file)
    with file.open("r+b") as held:
        try:
            lock_file(held.fileno(), may_wait=False)
        except OSError:
            raise StoreUnavailable(f"{store} has a server already; connect to that one") from None
        yield
