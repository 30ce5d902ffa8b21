"""The blocking client over sockets: it reconnects, resends, and receives publications."""

from collections.abc import Callable

import zmq

from events.ids import MatchId, Seat
from server.client.addresses import Servers, match_of
from server.client.client import Client
from server.client.retry import PATIENCE_S, Exchange, RetryPolicy, ignore
from server.protocol.clock import Clock, SystemClock
from server.protocol.curve import CurveKey, secure_client
from server.protocol.errors import AddressUnusable, KeyUnusable
from server.protocol.identity import Identity, SystemIdentity
from server.protocol.publications import subscription_text
from server.protocol.replies import Reply
from server.protocol.wire import HelloRequest, Request

QUIET_MS = 10_000
DEAD_MS = 30_000
"""Silence (milliseconds) after which the server is pinged, and after which it counts as dead."""

RECONNECT_MAX_MS = 2_000
"""How long the library waits at most before it connects again (milliseconds): twice as long each time, and a random part."""


class SocketTransport:
    """Carries requests to the servers of a store.

    Args:
        addresses: Where they take requests, separated by commas.
        clock: Measures timeouts.
        identity: Generates correlation ids.
        retry_policy: How long to wait and how often to ask.
        notice: Is told when no server answers, and when one does again.
        server_key: The public key of the servers if connections are to be encrypted.
        client_key: With a server key, the client's own key; by default a new one.
    """

    def __init__(
        self,
        addresses: str,
        clock: Clock,
        identity: Identity,
        retry_policy: RetryPolicy,
        *,
        notice: Callable[[str], None] = ignore,
        server_key: str = "",
        client_key: CurveKey | None = None,
    ) -> None:
        self._clock = clock
        self._servers = Servers(addresses, retry_policy, clock.monotonic, notice)
        self._server_key = server_key
        self._client_key = client_key
        self._prefix = identity.key()
        self._count = 0
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._dealers: dict[str, zmq.Socket[bytes]] = {}

    @property
    def silent_s(self) -> float | None:
        """The silence after which a follower turns to another server; see `Transport`."""
        return self._servers.silent_s

    def _open(self, kind: int, address: str) -> "zmq.Socket[bytes]":
        made = self._context.socket(kind)
        prepare(made, self._server_key, address, self._client_key)
        return made

    def ask(self, request: Request) -> Reply:
        """Return the reply to a request; see `Transport.ask`.

        Raises:
            TimedOut: No reply came.
        """
        return self._ask_about(match_of(request), request)

    def _ask_about(self, match: MatchId, request: Request) -> Reply:
        """Return the reply to a request, from the first server of a match that answers."""
        clock = self._clock.monotonic
        self._count += 1
        exchange = Exchange(request, f"{self._prefix}-{self._count}", self._servers.contact, clock())
        while True:
            address = self._servers.of(match)
            dealer = self._dealers.get(address)
            if dealer is None:
                dealer = self._dealers[address] = self._open(zmq.DEALER, address)
            dealer.send_multipart(exchange.frames)
            while dealer.poll(round(exchange.wait_s(clock()) * 1000)):
                reply = exchange.take(dealer.recv_multipart(), clock())
                if reply is not None:
                    self._servers.back(address, reply)
                    return reply
            # The request may lie in a connection that is dead but not known to be, so the next try gets a new one.
            self._dealers.pop(address).close()
            if exchange.must_turn:
                self._servers.away(address)
            exchange.again(clock())

    def listen(self, match: MatchId, seat: Seat, token: str) -> "SocketListener":
        """Subscribe; see `Transport.listen`.

        Raises:
            TimedOut: No server tells its event address.
        """
        if self._servers.of(match) not in self._servers.publishers:
            self._ask_about(match, HelloRequest())
        ((_, publisher),) = self._servers.publishers.items()
        listener = self._open(zmq.XSUB, publisher)
        listener.send(b"\1" + subscription_text(match, seat, token))
        return SocketListener(listener)

    def close(self) -> None:
        """Close the sockets, those of listeners included."""
        self._context.destroy(linger=0)


class SocketListener:
    """Receives the publications of one subscription; the library subscribes again after every reconnection."""

    def __init__(self, socket: "zmq.Socket[bytes]") -> None:
        self._socket = socket

    def receive(self, timeout_s: float | None) -> bytes | None:
        """Return the next message; see `Listener.receive`."""
        if not self._socket.poll(None if timeout_s is None else round(timeout_s * 1000)):
            return None
        return self._socket.recv()

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()


def prepare(socket: "zmq.Socket[object]", server_key: str, address: str, client_key: CurveKey | None = None) -> None:
    """Configure a client's socket and connect it.

    Raises:
        KeyUnusable: The server's key is malformed.
        AddressUnusable: The address is malformed.
    """
    socket.linger = 0
    socket.setsockopt(zmq.HEARTBEAT_IVL, QUIET_MS)
    socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, DEAD_MS)
    socket.setsockopt(zmq.RECONNECT_IVL_MAX, RECONNECT_MAX_MS)
    try:
        secure_client(socket, server_key, client_key)
        socket.connect(address)
    except zmq.ZMQError as error:
        socket.close()
        raise AddressUnusable(f"cannot connect to {address}: {str(error).lower()}") from None
    except KeyUnusable:
        socket.close()
        raise


def connect(
    addresses: str,
    *,
    clock: Clock | None = None,
    identity: Identity | None = None,
    retry_policy: RetryPolicy | None = None,
    notice: Callable[[str], None] = ignore,
    owner: str = "",
    server_key: str = "",
    client_key: CurveKey | None = None,
) -> Client:
    """Return a client of a server. It waits out an outage: its calls, and what it follows, go on when the server is back.

    A store may have several servers. A client that knows several, or is told of others by `hello`, turns to the next one when one does not answer.

    Args:
        addresses: The request address of the server, `tcp://HOST:PORT` or `ipc://PATH`; several are separated by commas.
        clock: Measures timeouts.
        identity: Generates keys and secrets.
        retry_policy: How long to wait for replies and how often to ask; by default ten minutes for a server that was there before.
        notice: Is told in one line when the server is away, and in another when it is back.
        owner: The secret of the store's owner, for the arbiter's seat.
        server_key: The server's public key if the connection is to be encrypted.
        client_key: The client's own key, for a server that lists its clients; by default a new one.

    Raises:
        TimedOut: From later calls: no server answers at the address, or it does not come back.
        KeyUnusable: The key is malformed.
    """
    clock = SystemClock() if clock is None else clock
    identity = SystemIdentity() if identity is None else identity
    retry_policy = RetryPolicy(patience_s=PATIENCE_S) if retry_policy is None else retry_policy
    transport = SocketTransport(
        addresses, clock, identity, retry_policy, notice=notice, server_key=server_key, client_key=client_key
    )
    return Client(transport, identity, clock, owner)
