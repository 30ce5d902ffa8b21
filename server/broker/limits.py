"""Limits of what clients of a server may cost: every limit with its number, quotas that are refilled over time, and the files that connections take."""

from collections import OrderedDict
from typing import Self

from events.codec import Struct, replace
from server.protocol.errors import TooFewFiles
from server.protocol.logger import Logger
from server.protocol.open_files import allow_files
from server.protocol.wire import REQUEST_BYTES_MAX

IDENTITIES_MAX = 10_000
"""How many identities a quota remembers; the least recently used is forgotten, and is by then refilled or nearly so."""

FILES_WANTED_MOST = 65_536
"""Up to this number the limit is raised as far as the system lets it be, so that a burst of connections does not use up all files."""

RESERVE = 100
"""How many files the process may have open besides its connections: the store, its other processes, its libraries, with a margin."""

CONNECTIONS_MIN = 8
"""With fewer connections to each socket it is not worth serving."""


QUOTAS = ("opens", "bots", "files", "file_bytes")
"""The limits that count what clients add to the store."""


class Limits(Struct, frozen=True, kw_only=True):
    """Limits of what clients may cost.

    Attributes:
        message_bytes: A connection that sends a larger frame is closed.
        waiting_messages: Messages queued for a slow client; further ones are dropped.
        heartbeat_s: Seconds between two heartbeats to every subscriber.
        quiet_ms: Silence after which the server pings a connection.
        dead_ms: Silence after which a connection counts as dead; also the time that a handshake may take.
        linger_ms: How long sending the last replies may take when the server ends.
        connections: Connections to each of the two sockets; beyond this the least useful are closed.
        subscription_bytes: Bytes of all subscriptions of one connection, refused ones included.
        all_subscription_bytes: The same for all connections together.
        unread_bytes: Bytes of replies to one connection that its system has not acknowledged.
        all_unread_bytes: The same for all connections together.
        undelivered_bytes: Bytes that one connection has sent to the request socket and that are not a whole message yet, or wait.
        all_undelivered_bytes: The same for all connections of a socket together, less what heartbeats take.
        stall_ms: How long the process that appends commits may take; then it is killed, and its commands are answered `outcome_unknown`.
        opens: Matches that one client may open or fork in an hour; an entry of a study that is written without a seat counts as one.
        bots: Seats that one client may have bots of the server take in an hour.
        files: Boards and positions that one client may send in an hour.
        file_bytes: Bytes of boards and positions that clients may add to the store while the server runs.
        waiting_requests: Requests of one connection that wait for a match to be loaded or a file to be checked.
        all_waiting_requests: The same for all connections together.
    """

    message_bytes: int = 2 * REQUEST_BYTES_MAX
    waiting_messages: int = 1_000
    heartbeat_s: float = 5.0
    quiet_ms: int = 10_000
    dead_ms: int = 30_000
    linger_ms: int = 1_000
    connections: int = 1_000
    subscription_bytes: int = 32 << 10
    all_subscription_bytes: int = 4 << 20
    unread_bytes: int = 4 << 20
    all_unread_bytes: int = 256 << 20
    undelivered_bytes: int = 1_280 << 10
    all_undelivered_bytes: int = 8 << 20
    stall_ms: int = 5_000
    opens: int = 1_000
    bots: int = 200
    files: int = 100
    file_bytes: int = 64 << 20
    waiting_requests: int = 100
    all_waiting_requests: int = 1_000

    def share(self, servers: int) -> Self:
        """Return the limits of one of several servers of a store: its part of each quota, rounded up, so that all of them together give no more.

        No server knows what clients have used up at the others: the store tells nothing of who a client is.
        """
        return replace(self, **{name: -(-getattr(self, name) // max(1, servers)) for name in QUOTAS})


class Allowance:
    """A quota per identity (token bucket): a full hour's units at once, refilled steadily over an hour.

    Args:
        an_hour: Units per hour, and the most that are available at once.
    """

    __slots__ = ("_an_hour", "_left")

    def __init__(self, an_hour: int) -> None:
        self._an_hour = an_hour
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, identity: str, now: float) -> float:
        """Return 0.0 if an identity may have another unit, or the seconds until it may.

        Args:
            identity: The client's identity.
            now: Monotonic seconds.
        """
        left = self._refilled(identity, now)
        return 0.0 if left >= 1 else (1 - left) * 3600 / self._an_hour if self._an_hour else 3600.0

    def take(self, identity: str, now: float) -> None:
        """Use up one unit."""
        left = self._refilled(identity, now)
        self._left.pop(identity, None)
        self._left[identity] = (max(0.0, left - 1), now)
        if len(self._left) > IDENTITIES_MAX:
            self._left.popitem(last=False)

    def _refilled(self, identity: str, now: float) -> float:
        left, then = self._left.get(identity, (float(self._an_hour), now))
        return min(self._an_hour, left + (now - then) * self._an_hour / 3600)


def connections_possible(wanted: int, logger: Logger) -> int:
    """Raise the process's limit of open files; return how many connections each of the two sockets can have.

    Raises:
        TooFewFiles: They are too few to serve anybody.
    """
    files = allow_files(max(RESERVE + 2 * wanted, FILES_WANTED_MOST))
    possible = (files - RESERVE) // 2
    least = min(wanted, CONNECTIONS_MIN)
    if possible < least:
        raise TooFewFiles(
            f"the server needs {RESERVE + 2 * least} open files, but the system allows it {files}: "
            "raise the limit (ulimit -Hn) and start it again"
        )
    if possible < wanted:
        logger.warning("fewer connections than wanted: the limit of open files is too low", wanted=wanted, files=files)
    return min(wanted, possible)
