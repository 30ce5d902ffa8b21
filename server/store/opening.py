"""Opens a store by its locator: the path of a file, or the address of a cluster of NATS servers."""

from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from events.errors import StoreUnavailable
from events.log import Log
from server.store.sqlite_log import SqliteLog


class OpenLog(Log, Protocol):
    """A log that is closed at the end of a block."""

    def close(self) -> None:
        """Release what it holds."""

    def __enter__(self) -> Self:
        """Use it."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""


def is_file(locator: str) -> bool:
    """Return whether a locator is the path of a file on this machine."""
    return "://" not in locator


def open_log(locator: str, *, read_only: bool = False, timeout_s: float = 5.0) -> OpenLog:
    """Open a store.

    Args:
        locator: The path of a file, which is created if it does not exist, unless `read_only`.
        read_only: Open for reading only.
        timeout_s: How long to wait for a lock of another process, in seconds.

    Raises:
        StoreUnavailable: It cannot be opened, is not a store, is one of another version, or nothing opens such a locator.
        StoreDamaged: It was parted from its write-ahead log.
    """
    if is_file(locator):
        return SqliteLog(Path(locator).expanduser(), read_only=read_only, timeout_s=timeout_s)
    raise StoreUnavailable(f"a store is the path of a file, not {locator!r}")
