"""A store in a database as a server uses it: a second process appends, over a connection of its own."""

from functools import partial

from typing_extensions import override

from server.store.postgres.link import Database
from server.store.postgres.postgres_log import PostgresLog
from server.store.sql.appends_beside import AppendsBeside, Opener


class ServedPostgresLog(AppendsBeside, PostgresLog):
    """A `PostgresLog` with a second process.

    Args:
        database: The database.

    Raises:
        StoreUnavailable: As `PostgresLog`.
    """

    is_distant = True

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._start()

    @override
    def _opener(self) -> Opener:
        return partial(PostgresLog, self._database, store=self._link.store)

    @property
    @override
    def _shown(self) -> str:
        return self._database.shown

    @override
    def close(self) -> None:
        """End the second process and close the connection."""
        self._end()
        super().close()
