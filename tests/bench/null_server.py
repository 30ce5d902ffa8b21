"""Two servers without rules, the anchors of the socket rows: one only echoes, the other does everything except decide.

The second is the ceiling of a one-process server: it takes a command from a ROUTER, decodes and applies it, chains its
hash, commits up to 64 at once to SQLite with synchronous FULL, and only then acknowledges and publishes.
"""

import hashlib
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
import zmq

from server.protocol.curve import CurveKey, secure_server
from tests.bench import raw_store, stand_in, stand_in_state

GROUP = 64


class Order(msgspec.Struct, gc=False):
    """A client's request: an event to apply to a game."""

    game: str
    expected: int
    command: bytes
    event: stand_in.AnyEvent


class Ack(msgspec.Struct, gc=False):
    """The reply once the event is durable."""

    command: bytes
    version: int


Waiting = tuple[bytes, Order, int, bytes, bytes]


class NullServer:
    """A game server without rules."""

    def __init__(self, path: Path) -> None:
        self.database = raw_store.fresh(path)
        self.decode = msgspec.msgpack.Decoder(Order).decode
        self.encode = msgspec.msgpack.Encoder().encode
        self.heads: dict[str, tuple[int, bytes]] = {}
        self.states: dict[str, stand_in_state.State] = {}
        self.known: set[bytes] = set()

    def take(self, who: bytes, message: bytes) -> Waiting:
        """Apply one order in memory."""
        order = self.decode(message)
        version, head = self.heads.get(order.game, (0, raw_store.NO_HASH))
        self.known.add(order.command)
        payload = self.encode(order.event)
        head = hashlib.sha256(head + payload).digest()
        self.heads[order.game] = (version + 1, head)
        state = self.states.get(order.game)
        if state is None:
            state = self.states[order.game] = stand_in_state.new_state()
        stand_in_state.fold(state, (order.event,))
        return who, order, version + 1, payload, head

    def commit(self, group: list[Waiting], router: zmq.Socket[bytes], publisher: zmq.Socket[bytes]) -> None:
        """Make a group durable, then acknowledge and publish it."""
        raw_store.append(
            self.database,
            [raw_store.row(order.game, version, payload, head) for _, order, version, payload, head in group],
        )
        for who, order, version, payload, _ in group:
            router.send_multipart([who, self.encode(Ack(order.command, version))])
            publisher.send_multipart([order.game.encode(), payload])


def _drain(router: zmq.Socket[bytes], most: int) -> list[list[bytes]]:
    """Return the messages waiting at a socket, up to a maximum number."""
    taken: list[list[bytes]] = []
    while len(taken) < most:
        try:
            taken.append(router.recv_multipart(zmq.NOBLOCK))
        except zmq.Again:
            break
    return taken


def serve(pipe: Connection, path: Path, secret: bytes) -> None:
    """Run the encrypted server without rules until told to stop; its first message contains its two ports."""
    context = zmq.Context()
    router, publisher = context.socket(zmq.ROUTER), context.socket(zmq.XPUB)
    for socket in (router, publisher):
        secure_server(socket, CurveKey(secret))
    pipe.send([socket.bind_to_random_port("tcp://127.0.0.1") for socket in (router, publisher)])
    server = NullServer(path)
    poller = zmq.Poller()
    poller.register(router, zmq.POLLIN)
    poller.register(pipe.fileno(), zmq.POLLIN)
    while not any(ready == pipe.fileno() for ready, _ in poller.poll()):
        group = [server.take(who, message) for who, message in _drain(router, GROUP)]
        if group:
            server.commit(group, router, publisher)
    server.database.close()
    context.destroy(linger=0)


def echo(pipe: Connection, secret: bytes) -> None:
    """Run an encrypted echo server until told to stop; its first message contains its port."""
    context = zmq.Context()
    router = context.socket(zmq.ROUTER)
    secure_server(router, CurveKey(secret))
    pipe.send([router.bind_to_random_port("tcp://127.0.0.1")])
    poller = zmq.Poller()
    poller.register(router, zmq.POLLIN)
    poller.register(pipe.fileno(), zmq.POLLIN)
    while not any(ready == pipe.fileno() for ready, _ in poller.poll()):
        for message in _drain(router, GROUP):
            router.send_multipart(message)
    context.destroy(linger=0)
