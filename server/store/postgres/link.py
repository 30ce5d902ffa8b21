"""A connection to a database of PostgreSQL: statements with deadlines, transactions whose outcome is told, and a new connection when one is lost.

Another connection is opened in a thread, because that takes seconds where machines do not answer, and several may have to be tried.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from threading import Thread
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import psycopg
from psycopg import errors, sql
from psycopg.abc import RV, PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from typing_extensions import override

from events.codec import Struct
from events.errors import OutcomeUnknown, StoreUnavailable
from server.store.postgres.tables import NAME
from server.store.remote.outage import Outage
from server.store.sql.rows import Row

LOCK_MS = 1_500
LOCK_IN_LOOP_MS = 200
IDLE_MS = 5_000
"""How long a statement waits for a lock, and after what time the lock of a server that is silent is taken from it (milliseconds).

The first is shorter than our own patience, so that the reason is told.
"""

CONNECT_S = 2
"""How long each machine has to take a connection (seconds)."""

AGAIN = (errors.SerializationFailure, errors.DeadlockDetected)
"""Another transaction came first, and nothing was done."""


Asked = tuple[str, Sequence[object]]
"""A statement, with question marks in the places of its values, and these."""

BEGIN: Asked = ("BEGIN", ())
HURRIED: Asked = (f"SET LOCAL lock_timeout TO {LOCK_IN_LOOP_MS}", ())
"""Lets the loop of a server, which waits for nothing long, be told the reason as well."""


class Database(Struct, frozen=True):
    """A database: how to connect to it as libpq takes it, where the store lies in it, and how both may be shown."""

    conninfo: str
    schema: str
    locator: str
    shown: str


def database_in(locator: str) -> Database:
    """Return the database that a locator names: `postgresql://HOST:PORT,HOST/DATABASE?schema=NAME`, with user and password before the hosts, and further parameters, as libpq takes them.

    Raises:
        StoreUnavailable: It is malformed; the password is not told.
    """
    try:
        parts = urlsplit(locator)
    except ValueError:
        raise malformed() from None
    asked = parse_qsl(parts.query, keep_blank_values=True)
    schema = dict(asked).get("schema", "wardiary")
    rest = urlencode([(key, value) for key, value in asked if key != "schema"], quote_via=quote)
    conninfo = parts._replace(query=rest).geturl()
    try:
        conninfo_to_dict(conninfo)
    except psycopg.ProgrammingError:
        raise malformed() from None
    if not (schema.isidentifier() and schema.isascii()):
        raise malformed()
    host = parts.netloc.rpartition("@")[2]
    return Database(conninfo, schema, locator, f"{parts.scheme}://{host}{parts.path}?schema={schema}")


def malformed() -> StoreUnavailable:
    """Return the error of a locator that names no database."""
    return StoreUnavailable(
        "a database is postgresql://HOST:PORT,HOST/DATABASE?schema=NAME, user and password before the hosts, separated by a colon and ended by an @, with a schema of letters, digits and _"
    )


class _Connection(psycopg.Connection[Row]):
    """A connection that waits for each answer only so long."""

    patience_s = 0.0

    @override
    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        return super().wait(gen, interval, (self.patience_s or None) if timeout is None else timeout)


class Lost(StoreUnavailable):
    """The connection was lost, or no answer came."""


class Again(Exception):
    """Another transaction came first, and nothing was done."""


class Link:
    """A connection to a database, used by one thread.

    Args:
        database: The database.
        read_only: Any of its machines will do; else that which takes writes.

        store: The name of the store that lies there; empty if it is not known yet.

    Attributes:
        connections: How often it was connected.
        outage: When it does not answer.
        store: As given; a new connection to another store, of the same place on another cluster, is refused.

    Raises:
        StoreUnavailable: It cannot be reached.
    """

    def __init__(self, database: Database, *, read_only: bool, store: str = "") -> None:
        self._database, self.store = database, store
        self._read_only = read_only
        self.outage = Outage()
        self._db: _Connection | None = None
        self._coming: Future[_Connection] | None = None
        self._warnings: list[str] = []
        self._is_in_transaction = False
        self.connections = 0
        self._connected()

    def close(self) -> None:
        """Close the connection, and one that is being opened as soon as it is there."""
        if self._db is not None:
            self._db.close()
        if self._coming is not None:
            self._coming.add_done_callback(_closed)
            self._coming = None

    def fileno(self) -> int:
        """Return the descriptor of the connection, or -1."""
        return -1 if self._db is None or self._db.closed else self._db.fileno()

    # Connections

    def _open(self) -> _Connection:
        attributes = {
            "connect_timeout": CONNECT_S,
            "target_session_attrs": "any" if self._read_only else "read-write",
            "application_name": "wardiary",
            **conninfo_to_dict(self._database.conninfo),
        }
        db = _Connection.connect(make_conninfo("", **attributes), autocommit=True)
        db.add_notice_handler(lambda told: self._warnings.append(told.message_primary or ""))
        db.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(self._database.schema)))
        db.execute(f"SET lock_timeout TO {LOCK_MS}")
        db.execute(f"SET idle_in_transaction_session_timeout TO {IDLE_MS}")
        if self._read_only:
            db.execute("SET default_transaction_read_only TO on")
        with suppress(errors.FeatureNotSupported, errors.SyntaxError):
            # Without it, news are asked for several times a second.
            db.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._database.schema)))
        if self.store and db.execute(NAME).fetchall() != [(self.store,)]:
            db.close()
            raise ValueError("another store lies there, too: name the hosts of one cluster")
        return db

    def _come(self, coming: "Future[_Connection]") -> None:
        try:
            coming.set_result(self._open())
        except (psycopg.Error, OSError, ValueError) as error:
            coming.set_exception(error)

    def _connected(self) -> _Connection:
        if self.outage.must_wait:
            raise self._away()
        if self._db is not None and not self._db.closed:
            return self._db
        if self._coming is None:
            self._coming = Future()
            Thread(target=self._come, args=(self._coming,), name="wardiary-connect", daemon=True).start()
        is_first = self._db is None
        try:
            db = self._coming.result(None if is_first else self.outage.patience_s)
        except TimeoutError:
            self.outage.begin()
            raise self._away() from None
        except (psycopg.Error, OSError, ValueError) as error:
            self._coming = None
            self.outage.begin()
            raise StoreUnavailable(f"{self._database.shown} cannot be reached: {line_of(error)}") from None
        self._coming, self._db = None, db
        self.connections += 1
        return db

    def _away(self) -> StoreUnavailable:
        return StoreUnavailable(f"{self._database.shown} does not answer; nothing was done")

    # Statements

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Fetch the rows of a statement that only reads, or that may be carried out twice.

        Raises:
            StoreUnavailable: They cannot be read.
        """
        try:
            return self.run((statement, values))[0]
        except Lost:
            # A question may be asked again, on another connection.
            if self._is_in_transaction:
                raise
            return self.run((statement, values))[0]

    def run(self, *asked: Asked) -> list[list[Row]]:
        """Carry out statements, each with its values, and fetch the rows of each; all are sent at once.

        Raises:
            Lost: No answer came: they may have been carried out.
            Again: Another transaction came first.
            StoreUnavailable: One was refused.
        """
        db = self._connected()
        db.patience_s = self.outage.patience_s
        try:
            with db.pipeline() if len(asked) > 1 else nullcontext():
                cursors = [db.cursor(binary=True).execute(_placed(statement), values) for statement, values in asked]
            found = [cursor.fetchall() if cursor.description else [] for cursor in cursors]
        except AGAIN:
            raise Again from None
        except psycopg.Error as error:
            raise self._failed(db, error) from None
        self.outage.end()
        return found

    def _failed(self, db: _Connection, error: psycopg.Error) -> StoreUnavailable:
        is_told = error.sqlstate is not None and not db.closed
        if isinstance(error, errors.ReadOnlySqlTransaction | errors.AdminShutdown) and not self._read_only:
            # Another machine takes the writes now.
            is_told = False
        if is_told:
            return StoreUnavailable(f"{self._database.shown} {SAID.get(error.sqlstate or '', '')}({line_of(error)})")
        db.close()
        if not isinstance(error, errors.AdminShutdown):
            self.outage.begin()
        return Lost(f"the connection to {self._database.shown} was lost: {line_of(error)}")

    @contextmanager
    def transaction(self, *asked: Asked) -> Iterator[list[list[Row]]]:
        """Carry out the statements within as one step, which is durable at the end; yield the rows of its first statements.

        Raises:
            OutcomeUnknown: It may or may not have been done.
            Again: Another transaction came first; nothing was done.
            StoreUnavailable: Nothing was done.
        """
        self._is_in_transaction = True
        try:
            first = (BEGIN, HURRIED) if self.outage.is_watched else (BEGIN,)
            yield self.run(*first, *asked)[len(first) :]
        except BaseException:
            self._is_in_transaction = False
            with suppress(StoreUnavailable, Again):
                if self._db is not None and not self._db.closed:
                    self.run(("ROLLBACK", ()))
            raise
        self._is_in_transaction = False
        self._warnings.clear()
        try:
            self.run(("COMMIT", ()))
        except Lost as error:
            raise OutcomeUnknown(f"{error}: it is not known whether it was stored") from None
        if self._warnings:
            # It may be stored here, but not at the standby that has to have it.
            raise OutcomeUnknown(
                f"{self._database.shown} warns: {self._warnings[0]}: it is not known whether it was stored"
            )


def _closed(coming: "Future[_Connection]") -> None:
    if coming.exception() is None:
        coming.result().close()


SAID = {
    "53100": "cannot grow, its disk is full: nothing was done ",
    "55P03": "is locked by another server: nothing was done, try again ",
    "42501": "refuses this to the user of the store: nothing was done ",
}
"""What a state of PostgreSQL means for a store."""


def line_of(error: Exception) -> str:
    """Return the first line of an error."""
    return str(error).strip().partition("\n")[0]


@cache
def _placed(statement: str) -> str:
    return statement.replace("?", "%s")
