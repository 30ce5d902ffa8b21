"""Opens a store by its locator: the path of a file, or the address of a cluster of NATS servers or of a database of PostgreSQL."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from core.extras import require
from events.codec import replace
from events.errors import StoreUnavailable
from events.ids import MatchId
from events.log import Log
from server.store.sqlite_log import SqliteLog

if TYPE_CHECKING:
    from server.store.postgres.link import Database

CLUSTERS = ("nats://", "tls://")
DATABASES = ("postgresql://", "postgres://")
"""How locators begin that are not paths."""


@runtime_checkable
class Located(Protocol):
    """A store that another process can open, too."""

    locator: str


class OpenLog(Log, Located, Protocol):
    """A log that is closed at the end of a block.

    Attributes:
        problem: Why it may lack what was stored last; empty if nothing shows that.
    """

    problem: str

    def check(self) -> list[str]:
        """Return the problems of how the store is kept, one line each; chains are not checked."""

    def lost_matches(self) -> Sequence[MatchId]:
        """Return the matches whose own rows are missing although their commits are there."""

    def close(self) -> None:
        """Release what it holds."""

    def __enter__(self) -> Self:
        """Use it."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""


def shown(locator: str) -> str:
    """Return a locator as it may be shown: without the user and the password."""
    if is_file(locator):
        return locator
    if locator.startswith(DATABASES):
        return _database(locator).shown
    from server.store.jetstream.cluster import cluster_in

    return replace(cluster_in(locator), user="", password="").locator


def is_file(locator: str) -> bool:
    """Return whether a locator is the path of a file on this machine."""
    return "://" not in locator


def check_locator(locator: str) -> str:
    """Return why nothing opens such a locator, in one line; empty if something does."""
    if is_file(locator) or locator.startswith((*CLUSTERS, *DATABASES)):
        return ""
    return f"a store is a file on this machine, nats://HOST/NAME or postgresql://HOST/DATABASE, not {locator!r}"


def _database(locator: str) -> "Database":
    """Return the database that a locator names; what only it needs is not loaded by those who open a file."""
    require("stores on PostgreSQL", "postgres", "psycopg")
    from server.store.postgres.link import database_in

    return database_in(locator)


def open_served(locator: str) -> OpenLog:
    """Open a store on other machines for a server; see `open_log` for the errors."""
    if locator.startswith(DATABASES):
        database = _database(locator)
        from server.store.postgres.served_log import ServedPostgresLog

        return ServedPostgresLog(database)
    return open_log(locator)


def open_log(locator: str, *, read_only: bool = False, timeout_s: float = 5.0) -> OpenLog:
    """Open a store.

    Args:
        locator: The path of a file; or a cluster, see `server.store.jetstream.cluster.cluster_in`; or a database, see
            `server.store.postgres.link.database_in`. What does not exist is created, unless `read_only`.
        read_only: Open for reading only.
        timeout_s: How long to wait for a lock of another process, in seconds.

    Raises:
        StoreUnavailable: It cannot be opened, is not a store, is one of another version, or nothing opens such a locator.
        StoreDamaged: It was parted from its write-ahead log.
    """
    if is_file(locator):
        return SqliteLog(Path(locator).expanduser(), read_only=read_only, timeout_s=timeout_s)
    if problem := check_locator(locator):
        raise StoreUnavailable(problem)
    if locator.startswith(DATABASES):
        database = _database(locator)
        from server.store.postgres.postgres_log import PostgresLog

        return PostgresLog(database, read_only=read_only)
    # What only a cluster needs is not loaded by those who open a file.
    from server.store.jetstream.cluster import cluster_in
    from server.store.jetstream.jetstream_log import JetStreamLog

    return JetStreamLog(cluster_in(locator), read_only=read_only)
