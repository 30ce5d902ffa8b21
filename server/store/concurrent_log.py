"""A store in a file that is also appended to by a second process."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from typing_extensions import override

from events.errors import OutcomeUnknown, StoreUnavailable
from events.log import NewCommit, Receipt
from server.store.sql.appends_beside import AppendsBeside, Opener
from server.store.sql.rows import Row
from server.store.sqlite_log import SqliteLog

OUR_LOCK_MS = 250
THEIR_LOCK_S = 2.0
"""How long this process (milliseconds) and the second one (seconds) wait for a lock of another process; nobody else waits for the second."""


class ConcurrentSqliteLog(AppendsBeside, SqliteLog):
    """A `SqliteLog` with a second process; nothing else may be written between `submit` and `receive`.

    Args:
        path: The file; created if it does not exist.
        timeout_s: How long to wait for a lock of another process when the file is opened, in seconds.

    Raises:
        StoreUnavailable: It cannot be opened, is not a store, or is one of another version.
    """

    def __init__(self, path: Path | str, *, timeout_s: float = 5.0) -> None:
        super().__init__(path, timeout_s=timeout_s)
        self._db.execute(f"PRAGMA busy_timeout = {OUR_LOCK_MS}")
        self._start()

    @override
    def _opener(self) -> Opener:
        return partial(SqliteLog, self.path, timeout_s=THEIR_LOCK_S)

    @property
    @override
    def _shown(self) -> str:
        return str(self.path)

    @override
    def close(self) -> None:
        """End the second process and close the file."""
        self._end()
        super().close()

    @override
    def _may_submit(self) -> bool:
        # After a failed write only this process knows that the file has to be settled first.
        return not self._is_unsettled

    @override
    def _failed_there(self, error: Exception) -> None:
        self._is_unsettled = self._is_unsettled or isinstance(error, OutcomeUnknown)

    @override
    def submit(self, batch: Sequence[NewCommit]) -> bool:
        """Begin to append commits; see `AppendsBeside.submit`."""
        is_begun = super().submit(batch)
        self._since_checkpoint += is_begun
        return is_begun

    @override
    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append several commits in one durable step; see `Log.append`."""
        with self._noted():
            return super().append(batch)

    @override
    def _add(self, statement: str, rows: Sequence[Row]) -> None:
        # Neither a cache nor an entry of the server's log is worth waiting for a lock.
        if self.is_impeded:
            raise StoreUnavailable(f"{self.path} could not be written just now")
        with self._noted():
            super()._add(statement, rows)
