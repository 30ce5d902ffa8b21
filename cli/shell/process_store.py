"""The store in the processes that work through its matches: each opens it once."""

from functools import lru_cache

from cli.shell.context import PATIENCE_S
from events.log import Log


@lru_cache(maxsize=1)
def store_here(locator: str) -> Log:
    """Return the store, opened for reading once in each process."""
    from server.store.opening import open_log

    return open_log(locator, read_only=True, timeout_s=PATIENCE_S)
