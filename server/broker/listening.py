"""The sockets that a server listens with: their options, and binding them."""

from typing import TypeAlias

import zmq

from server.broker.limits import Limits
from server.broker.publisher import SUBSCRIPTION_BYTES_MAX, SUBSCRIPTIONS_AHEAD
from server.broker.zap import ZapHandler
from server.protocol.curve import CurveKey, secure_server
from server.protocol.errors import PortUnavailable

Socket: TypeAlias = "zmq.Socket[bytes]"
Context: TypeAlias = "zmq.Context[zmq.Socket[bytes]]"


def request_socket(context: Context, limits: Limits, key: CurveKey | None, zap: ZapHandler) -> Socket:
    """Return the socket for requests, to be bound by `listen`.

    Args:
        context: The context that it belongs to.
        limits: What connections may cost.
        key: The server's key, if connections are to be encrypted.
        zap: Decides which clients may connect.
    """
    made = _listening(context.socket(zmq.ROUTER), limits, key, zap)
    made.setsockopt(zmq.MAXMSGSIZE, limits.message_bytes)
    made.setsockopt(zmq.ROUTER_MANDATORY, 1)
    return made


def event_socket(context: Context, limits: Limits, key: CurveKey | None, zap: ZapHandler) -> Socket:
    """Return the socket for publications, which grants topics one by one; see `request_socket`."""
    made = _listening(context.socket(zmq.XPUB), limits, key, zap)
    made.setsockopt(zmq.MAXMSGSIZE, 2 * SUBSCRIPTION_BYTES_MAX)
    made.setsockopt(zmq.XPUB_MANUAL, 1)
    made.rcvhwm = SUBSCRIPTIONS_AHEAD
    return made


def free_address(address: str) -> str:
    """Return an address that can be bound, with the port of one that leaves it open; another process may bind it then.

    Raises:
        PortUnavailable: It cannot be bound.
    """
    with zmq.Context() as context, context.socket(zmq.ROUTER) as probe:
        return listen(probe, address)


def _listening(made: Socket, limits: Limits, key: CurveKey | None, zap: ZapHandler) -> Socket:
    """Give a socket the limits of a server."""
    made.linger = limits.linger_ms
    made.sndhwm = limits.waiting_messages
    made.setsockopt(zmq.HEARTBEAT_IVL, limits.quiet_ms)
    made.setsockopt(zmq.HEARTBEAT_TIMEOUT, limits.dead_ms)
    made.setsockopt(zmq.HANDSHAKE_IVL, limits.dead_ms)
    made.setsockopt(zmq.BACKLOG, 1_024)
    secure_server(made, key)
    zap.guard(made)
    return made


def listen(socket: "zmq.Socket[bytes]", address: str) -> str:
    """Bind a socket and return its address.

    Raises:
        PortUnavailable: The address cannot be bound.
    """
    try:
        socket.bind(address)
    except zmq.ZMQError as error:
        if error.errno == zmq.EADDRINUSE:
            why = "it is in use"
        elif error.errno in (zmq.EINVAL, zmq.EPROTONOSUPPORT):
            why = "an address is tcp://HOST:PORT, with * for any free port, or ipc://PATH"
        else:
            why = str(error).lower()
        raise PortUnavailable(f"cannot listen at {address}: {why}") from None
    return socket.getsockopt_string(zmq.LAST_ENDPOINT)
