"""What clients of a server may cost: every limit with its number, and the allowances that are used up and refilled."""

from collections import OrderedDict

from events.codec import Struct
from server.protocol.wire import REQUEST_BYTES_MAX

IDENTITIES_MAX = 10_000
"""How many identities an allowance remembers; the one that asked longest ago is forgotten, by then refilled or nearly so."""


class Limits(Struct, frozen=True, kw_only=True):
    """What clients may cost.

    Attributes:
        message_bytes: A connection that sends a larger frame is closed.
        waiting_messages: Messages that wait for a slow client before it misses some.
        heartbeat_s: Seconds between two heartbeats to every follower.
        quiet_ms: SilentLogger after which a connection is asked whether it lives.
        dead_ms: SilentLogger after which it counts as dead; also the time a handshake may take.
        linger_ms: How long the last replies may take when the server ends.
        connections: Connections to each of the two sockets; beyond it the least useful are closed.
        subscription_bytes: Bytes of all subscriptions of one connection, refused ones included.
        all_subscription_bytes: The same of all connections together.
        opens: MatchCache that one client may open or fork in an hour.
        files: Boards and positions that one client may bring in an hour.
        file_bytes: Bytes of boards and positions that clients may add to the store while the server runs.
        waiting_requests: Requests of one connection that wait for a match to be loaded or a file to be checked.
        all_waiting_requests: The same of all connections together.
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
    opens: int = 1_000
    files: int = 100
    file_bytes: int = 64 << 20
    waiting_requests: int = 100
    all_waiting_requests: int = 1_000


class Allowance:
    """How much each identity may still ask for: so much at once, refilled steadily over an hour.

    Args:
        an_hour: Units an hour, and at once after an hour of silence.
    """

    __slots__ = ("_an_hour", "_left")

    def __init__(self, an_hour: int) -> None:
        self._an_hour = an_hour
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, identity: str, now: float) -> float:
        """Return 0.0 if an identity may have another unit, or the seconds until it may.

        Args:
            identity: Who asks.
            now: Seconds of a clock that only grows.
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
