"""The connections of a listening socket: their identities, what they hold, and which are closed when there are too many.

The socket library identifies connections by their file descriptors: its monitor reports each one that is opened or closed, and
every frame carries that of its connection. A connection is closed by shutting its descriptor down; the library then drops it
like any connection that was lost.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import zmq
from zmq.utils.monitor import recv_monitor_message

from events.ids import MatchId, Seat
from server.broker import tcp
from server.broker.limits import Limits
from server.broker.penalties import Penalties
from server.protocol.logger import SILENT, Logger
from server.protocol.publications import topic

ROOM = 0.95
"""Connections are closed down to this share of the limit, so that not every new one costs a search for the least useful."""

NEWCOMERS = 0.25
"""The share of the limit that the newest connections get: up to that number, useful connections are closed rather than new ones."""

GRACE_S = 5.0
"""How long a connection may send no request before it counts as useless (seconds)."""

FRAMING_BYTES = 128
"""More bytes than a message takes on the wire besides its frames, encrypted or not."""

FORGIVEN_BYTES = 64 << 10
"""Up to so many bytes that were never delivered are forgotten when a message is: they are the library's own, such as heartbeats."""

HEARTBEAT_BYTES_S = 16.0
"""How many bytes per second a silent connection may send: the heartbeats of any library, encrypted or not."""

EVENTS = int(zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED)


class Topic:
    """A topic with subscribers: its match and seat, the number of the last event, and the number of subscribed connections.

    `is_over`: the seat has changed hands.
    """

    __slots__ = ("credential", "is_over", "match", "name", "seat", "seq", "subscribers")

    def __init__(self, match: MatchId, seat: Seat, credential: str, seq: int) -> None:
        self.match = match
        self.seat = seat
        self.credential = credential
        self.name = topic(match, seat, credential)
        self.seq = seq
        self.subscribers = 0
        self.is_over = False


class Connection:
    """One connection.

    Attributes:
        fd: Its file descriptor in the socket library.
        identity: The public key of a listed client, otherwise the address it comes from.
        active: When it last sent something, in monotonic seconds.
        is_useful: Whether it ever got a reply or was granted a topic.
        is_closing: Whether it is being closed; its messages are ignored then.
        subscriptions: Its subscriptions, each with the granted topic, or None if it was refused.
        held: Bytes of all its subscriptions.
        sent: Bytes of replies handed to the library for it.
        taken: How many of these bytes its system had acknowledged at the last look.
        delivered: Bytes that the library has delivered from it, not less than they took on the wire.
        undelivered: Bytes that had arrived from it at the last look, but were not delivered: the library holds them.
        is_told: Whether it was told that it has too many subscriptions.
    """

    __slots__ = (
        "_delivered_before",
        "active",
        "address",
        "delivered",
        "fd",
        "held",
        "identity",
        "is_closing",
        "is_told",
        "is_useful",
        "sent",
        "subscriptions",
        "taken",
        "undelivered",
    )

    def __init__(self, fd: int, address: str, now: float) -> None:
        self.fd = fd
        self.address = address
        self.identity = address
        self.active = now
        self.is_useful = False
        self.is_closing = False
        self.subscriptions: dict[bytes, Topic | None] = {}
        self.held = 0
        self.sent = 0
        self.taken = 0
        self.delivered = 0
        self.undelivered = 0
        self.is_told = False
        self._delivered_before = 0

    @property
    def unread(self) -> int:
        """Bytes of replies that were not acknowledged at the last look."""
        return self.sent - self.taken

    def look(self) -> None:
        """Read how many bytes its system has acknowledged and sent; if that is not known, all count as acknowledged and delivered."""
        traffic = tcp.traffic(self.fd)
        self.taken = self.sent if traffic is None else traffic.acknowledged
        # Bytes of the handshake are acknowledged too, and must not count as room for replies.
        self.sent = max(self.sent, self.taken)
        received = self.delivered if traffic is None else traffic.received
        was_delivered = self.delivered > self._delivered_before
        if received - self.delivered <= (FORGIVEN_BYTES if was_delivered else 0):
            self.delivered = received
        self._delivered_before = self.delivered
        self.undelivered = received - self.delivered

    def held_by_library(self) -> int:
        """Return how many bytes have arrived from it and were not delivered, as `look` does, but change nothing."""
        traffic = tcp.traffic(self.fd)
        return 0 if traffic is None else traffic.received - self.delivered


class Connections:
    """The connections of one socket.

    Args:
        socket: A socket that listens, or is about to.
        limits: How many connections it may have, and what they may leave unread.
        now: Returns monotonic seconds.
        undelivered_bytes: How much the library may hold of what a connection has sent.
        penalties: The addresses that no connection is accepted from.
        logger: Logs which connections are cut, and why.

    Attributes:
        monitor: Readable when connections were opened or closed; then call `update`.
        closed: How many connections this side has closed.
    """

    def __init__(
        self,
        socket: "zmq.Socket[bytes]",
        limits: Limits,
        now: Callable[[], float],
        *,
        undelivered_bytes: int = Limits().undelivered_bytes,
        penalties: Penalties | None = None,
        logger: Logger = SILENT,
    ) -> None:
        self.monitor = socket.get_monitor_socket(EVENTS)
        self.closed = 0
        self._undelivered_bytes = undelivered_bytes
        self._penalties = Penalties() if penalties is None else penalties
        self._logger = logger
        self._most = limits.connections
        self._limits = limits
        self._unread = 0
        self._now = now
        self._open: dict[int, Connection] = {}
        self._gone: list[Connection] = []
        self._stopped: dict[int, str] = {}

    def __len__(self) -> int:
        """Return how many connections are open."""
        return len(self._open)

    def update(self) -> list[Connection]:
        """Register opened and closed connections, close the least useful beyond the limit, and return those that are gone."""
        self.listen()
        if len(self._open) > self._most:
            self._make_room()
        gone, self._gone = self._gone, []
        return gone

    def listen(self) -> None:
        """Read the library's monitor events, and close new connections from addresses that are penalized."""
        while self.monitor.poll(0):
            event = recv_monitor_message(self.monitor)
            fd = int(event["value"])
            self._forget(fd)
            if event["event"] == zmq.EVENT_ACCEPTED:
                self._accept(Connection(fd, tcp.address(fd), self._now()))

    def _forget(self, fd: int) -> None:
        left = self._open.pop(fd, None)
        if left is None:
            return
        self._gone.append(left)
        why = self._stopped.pop(fd, "")
        if why and not left.is_closing:
            self._record_cut(left, why)

    def _accept(self, connection: Connection) -> None:
        self._open[connection.fd] = connection
        if self._penalties.runs(connection.address, connection.active):
            self.close(connection)

    def of(self, frame: zmq.Frame, size: int) -> Connection | None:
        """Return the connection that a message came from, or None if it is closing or the library itself made the message.

        Args:
            frame: Any frame of the message.
            size: Bytes of all its frames.
        """
        try:
            fd = int(frame.get(zmq.SRCFD))
        except zmq.ZMQError:
            return None
        if fd not in self._open:
            # It was opened after the last update.
            self.listen()
        connection = self._open.get(fd)
        if connection is None or connection.is_closing:
            return None
        connection.active = self._now()
        connection.delivered += size + FRAMING_BYTES
        return connection

    def name(self, connection: Connection, frame: zmq.Frame) -> None:
        """Use a listed client's public key as its connection's identity; the library knows it once a frame has arrived."""
        with suppress(zmq.ZMQError, LookupError):
            connection.identity = str(frame.get("User-Id")) or connection.identity

    def may_send(self, connection: Connection, size: int) -> bool:
        """Count a reply for a connection; close the connection instead if it leaves too much unread.

        Args:
            connection: The client's.
            size: Bytes of the reply.

        Returns:
            Whether the reply may be sent.
        """
        connection.sent += size
        self._unread += size
        if connection.unread > self._limits.unread_bytes:
            connection.look()
            if connection.unread > self._limits.unread_bytes:
                self.close(connection)
        if self._unread > self._limits.all_unread_bytes:
            self._relieve()
        return not connection.is_closing

    def _relieve(self) -> None:
        """Close the connections with most unread bytes until the total is within the limit."""
        listed = [one for one in self._open.values() if not one.is_closing]
        for one in listed:
            one.look()
        listed.sort(key=lambda one: one.unread)
        self._unread = sum(one.unread for one in listed)
        while self._unread > self._limits.all_unread_bytes:
            self._unread -= listed[-1].unread
            self.close(listed.pop())

    def close(self, connection: Connection) -> None:
        """Close a connection; `update` returns it when it is gone."""
        if connection.is_closing:
            return
        connection.is_closing = True
        self.closed += 1
        tcp.cut(connection.fd)

    def cut(self, connection: Connection, why: str) -> None:
        """Close a connection because of what it sends, log why, and for a while accept no other from its address."""
        if connection.is_closing:
            return
        self._record_cut(connection, why)
        tcp.cut(connection.fd)

    def _record_cut(self, connection: Connection, why: str) -> None:
        connection.is_closing = True
        self.closed += 1
        refused_s = self._penalties.add(connection.address, self._now())
        self._logger.warning(
            "connection cut", why=why, identity=connection.identity, refused_ms=round(1000 * refused_s)
        )

    def look(self) -> None:
        """Cut the connections that send what the library holds and cannot deliver, such as a message without an end."""
        self.listen()
        for one in self._open.values():
            one.look()
        for one, why in self._floods([(one.undelivered, one) for one in self._open.values()]):
            self.cut(one, why)

    def stop_floods(self) -> None:
        """Cut these connections at once, while the loop may be held up by what they send; it records that later.

        This may be called by any thread.
        """
        for one, why in self._floods([(one.held_by_library(), one) for one in list(self._open.values())]):
            self._stopped[one.fd] = why
            tcp.cut(one.fd)

    def _floods(self, undelivered: Iterable[tuple[int, Connection]]) -> Iterator[tuple[Connection, str]]:
        """Yield the connections beyond a bound, each with the reason to cut it, given the undelivered bytes of each."""
        now = self._now()
        total = 0.0
        listed: list[tuple[float, Connection]] = []
        for size, one in undelivered:
            if one.is_closing:
                continue
            if size > self._undelivered_bytes:
                yield one, f"{size} bytes that it has sent are not a whole message"
            elif (held := size - HEARTBEAT_BYTES_S * (now - one.active)) > 0:
                listed.append((held, one))
                total += held
        if total <= self._limits.all_undelivered_bytes:
            return
        listed.sort(key=lambda pair: pair[0])
        while total > self._limits.all_undelivered_bytes:
            held, largest = listed.pop()
            total -= held
            yield largest, f"of what all have sent, it holds most that is not a whole message: {round(held)} bytes"

    def largest(self) -> Connection | None:
        """Return the connection that holds most, of the identity that holds most, or None if nothing is held."""
        held: Counter[str] = Counter()
        listed = [one for one in self._open.values() if one.held and not one.is_closing]
        for one in listed:
            held[one.identity] += one.held
        if not listed:
            return None
        ((identity, _),) = held.most_common(1)
        return max((one for one in listed if one.identity == identity), key=lambda one: one.held)

    def _make_room(self) -> None:
        """Close connections until there is room, those of the identity with most connections first."""
        waiting: dict[str, list[Connection]] = {}
        for one in self._open.values():
            if not one.is_closing:
                waiting.setdefault(one.identity, []).append(one)
        excess = sum(map(len, waiting.values())) - int(self._most * ROOM)
        ordered = {identity: self._by_use(group) for identity, group in waiting.items()}
        for _ in range(excess):
            self.close(max(ordered.values(), key=len).popleft())

    def _by_use(self, group: list[Connection]) -> deque[Connection]:
        """Order connections: useless before useful ones, the longest silent first, and some of the newest last."""
        young_since = self._now() - GRACE_S
        useful = [one for one in group if one.is_useful]
        useless = sorted((one for one in group if not one.is_useful), key=_active)
        young = [one for one in useless if one.active > young_since][-max(1, int(self._most * NEWCOMERS)) :]
        return deque([*useless[: len(useless) - len(young)], *sorted(useful, key=_active), *young])


def _active(connection: Connection) -> float:
    return connection.active
