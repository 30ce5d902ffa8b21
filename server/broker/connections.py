"""The connections of a listening socket: whose they are, what they hold, and which of them are closed when there are too many.

The socket library tells of connections by their file descriptors: on its monitor as they come and go, and with every frame
as the one it came from. A connection is closed by shutting its descriptor down; the library then drops it as it drops any
that was lost.
"""

import os
import socket as sockets
import struct
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import zmq
from zmq.utils.monitor import recv_monitor_message

from server.broker.limits import Limits

if TYPE_CHECKING:
    from server.broker.publisher import Topic

ROOM = 0.95
"""To which share of the limit connections are closed, so that not every newcomer costs a search for the least useful."""

NEWCOMERS = 0.25
"""Which share of the limit those have who have just come: so many useful connections are closed rather than theirs."""

GRACE_S = 5.0
"""How long a connection may take to ask for something before it counts as useless (seconds)."""

TCP_INFO_BYTES = 128
ACKNOWLEDGED_AT = 120
ACKNOWLEDGED = struct.Struct("=Q")

EVENTS = int(zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED)


class Connection:
    """One connection.

    Attributes:
        fd: Its file descriptor in the socket library.
        identity: The public key of a listed client, otherwise the address it comes from.
        active: When it was last heard of, in seconds of a clock that only grows.
        is_useful: Whether it was ever answered, or granted a topic.
        is_closing: Whether it was told to close; nothing it says counts any more.
        subscriptions: What it subscribed to, with the topic it was granted, or None where it was refused.
        held: Bytes of all its subscriptions.
        sent: Bytes of replies handed over for it.
        taken: As many of them as its system has acknowledged, when last looked at.
    """

    __slots__ = ("active", "fd", "held", "identity", "is_closing", "is_useful", "sent", "subscriptions", "taken")

    def __init__(self, fd: int, identity: str, now: float) -> None:
        self.fd = fd
        self.identity = identity
        self.active = now
        self.is_useful = False
        self.is_closing = False
        self.subscriptions: dict[bytes, Topic | None] = {}
        self.held = 0
        self.sent = 0
        self.taken = 0

    @property
    def unread(self) -> int:
        """Bytes of replies that it had not taken when last looked at."""
        return self.sent - self.taken

    def look(self) -> None:
        """Look how much its system has acknowledged; where that cannot be told, all counts as taken."""
        self.taken = _acknowledged(self.fd, self.sent)
        # What the connection itself needs is acknowledged too, and must not count as room for replies.
        self.sent = max(self.sent, self.taken)


class Connections:
    """The connections of one socket.

    Args:
        socket: A socket that listens, or is about to.
        limits: How many connections it may have, and what they may leave unread.
        now: Returns seconds that only grow.

    Attributes:
        monitor: Readable when connections came or went; then call `update`.
        closed: How many connections were closed from here.
    """

    def __init__(self, socket: "zmq.Socket[bytes]", limits: Limits, now: Callable[[], float]) -> None:
        self.monitor = socket.get_monitor_socket(EVENTS)
        self.closed = 0
        self._most = limits.connections
        self._limits = limits
        self._unread = 0
        self._now = now
        self._open: dict[int, Connection] = {}
        self._gone: list[Connection] = []

    def __len__(self) -> int:
        """Return how many connections are open."""
        return len(self._open)

    def update(self) -> list[Connection]:
        """Take note of the connections that came and went, close the least useful beyond the limit; return those that went."""
        self._listen()
        if len(self._open) > self._most:
            self._make_room()
        gone, self._gone = self._gone, []
        return gone

    def _listen(self) -> None:
        """Take note of what the library tells of connections."""
        while self.monitor.poll(0):
            event = recv_monitor_message(self.monitor)
            fd = int(event["value"])
            left = self._open.pop(fd, None)
            if left is not None:
                self._gone.append(left)
            if event["event"] == zmq.EVENT_ACCEPTED:
                self._open[fd] = Connection(fd, _address(fd), self._now())

    def of(self, frame: zmq.Frame) -> Connection | None:
        """Return the connection that a frame came from, or None if it is closing or the library itself made the frame."""
        try:
            fd = int(frame.get(zmq.SRCFD))
        except zmq.ZMQError:
            return None
        if fd not in self._open:
            # It came since the last update.
            self._listen()
        connection = self._open.get(fd)
        if connection is None or connection.is_closing:
            return None
        connection.active = self._now()
        return connection

    def name(self, connection: Connection, frame: zmq.Frame) -> None:
        """Take a listed client's public key as its connection's identity; the library knows it once a frame has come."""
        with suppress(zmq.ZMQError, LookupError):
            connection.identity = str(frame.get("User-Id")) or connection.identity

    def may_send(self, connection: Connection, size: int) -> bool:
        """Count a reply for a connection; close the connection instead if it leaves too much unread.

        Args:
            connection: The asker's.
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
        """Close the connections that leave most unread until all together leave no more than they may."""
        listed = [one for one in self._open.values() if not one.is_closing]
        for one in listed:
            one.look()
        listed.sort(key=lambda one: one.unread)
        self._unread = sum(one.unread for one in listed)
        while self._unread > self._limits.all_unread_bytes:
            self._unread -= listed[-1].unread
            self.close(listed.pop())

    def close(self, connection: Connection) -> None:
        """Close a connection; `update` returns it when it has gone."""
        if connection.is_closing:
            return
        connection.is_closing = True
        self.closed += 1
        with suppress(OSError), sockets.socket(fileno=os.dup(connection.fd)) as duplicate:
            duplicate.shutdown(sockets.SHUT_RDWR)

    def largest(self) -> Connection | None:
        """Return the connection that holds most, of the identity that holds most; None where nothing is held."""
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
        """Order connections: the useless, then the useful, the longest silent first; last some that have just come."""
        young_since = self._now() - GRACE_S
        useful = [one for one in group if one.is_useful]
        useless = sorted((one for one in group if not one.is_useful), key=_active)
        young = [one for one in useless if one.active > young_since][-max(1, int(self._most * NEWCOMERS)) :]
        return deque([*useless[: len(useless) - len(young)], *sorted(useful, key=_active), *young])


def _acknowledged(fd: int, sent: int) -> int:
    """Return how many bytes the other end of a TCP connection has acknowledged, or what was sent where that is not told."""
    try:
        with sockets.socket(fileno=os.dup(fd)) as duplicate:
            told = duplicate.getsockopt(sockets.IPPROTO_TCP, sockets.TCP_INFO, TCP_INFO_BYTES)
    except (OSError, AttributeError):
        return sent
    # Source: tcp(7) and struct tcp_info of Linux, field tcpi_bytes_acked.
    return int(ACKNOWLEDGED.unpack_from(told, ACKNOWLEDGED_AT)[0]) if len(told) == TCP_INFO_BYTES else sent


def _active(connection: Connection) -> float:
    return connection.active


def _address(fd: int) -> str:
    """Return the address that a connection comes from, without its port; empty where it has none."""
    try:
        with sockets.socket(fileno=os.dup(fd)) as duplicate:
            peer = duplicate.getpeername()
    except OSError:
        return ""
    return str(peer[0]) if isinstance(peer, tuple) else ""
