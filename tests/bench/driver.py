"""The clients of the socket rows, all in one process: each sends the next line of its script after the reply to the last one.

Scripts are prepared bytes, so that the driver costs the same for every server.
"""

import time
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection

import zmq

from server.protocol.curve import secure_client
from tests.bench.children import STOP

Script = list[list[bytes]]
"""Messages in order, each a list of frames."""

ANSWER_MS = 20_000
SUBSCRIBED_S = 0.4
"""What subscriptions take to be granted, and the next publication to arrive."""

STARTS = "starts"
"""What the driver says when its clock starts."""


@dataclass(frozen=True)
class Drive:
    """One round of driving.

    Attributes:
        scripts: One per client, in the order of their sockets.
        refusal: Bytes that no good reply contains; empty to accept every reply.
        topics: The topics that the additional subscriber follows.
    """

    scripts: list[Script]
    refusal: bytes = b""
    topics: tuple[bytes, ...] = (b"",)


@dataclass(frozen=True)
class Driven:
    """The result of a round.

    Attributes:
        wall_s: Seconds from the first message to the last reply.
        waits_s: Round-trip times in seconds.
        refused: At most three bad replies, for the error message.
        heard: Number of publications received by the subscriber.
    """

    wall_s: float
    waits_s: list[float]
    refused: list[bytes] = field(default_factory=list)
    heard: int = 0


def _connect(context: zmq.Context[zmq.Socket[bytes]], kind: int, port: int, server_key: str) -> zmq.Socket[bytes]:
    socket = context.socket(kind)
    socket.linger = 0
    secure_client(socket, server_key)
    socket.connect(f"tcp://127.0.0.1:{port}")
    return socket


def _round(sockets: list[zmq.Socket[bytes]], drive: Drive) -> Driven:
    """Play all scripts to their ends, with one message in flight per client."""
    poller = zmq.Poller()
    clock, waits, refused = time.perf_counter, list[float](), list[bytes]()
    ends = [len(script) for script in drive.scripts]
    at = {socket: number for number, socket in enumerate(sockets[: len(ends)])}
    steps, sent, left = [0] * len(ends), [0.0] * len(ends), sum(ends)
    for socket in at:
        poller.register(socket, zmq.POLLIN)
    began = clock()
    for socket, number in at.items():
        sent[number] = clock()
        socket.send_multipart(drive.scripts[number][0])
    while left:
        ready = poller.poll(ANSWER_MS)
        if not ready:
            raise TimeoutError("a server of the socket rows does not answer")
        for socket, _ in ready:
            number = at[socket]
            answer = socket.recv_multipart()
            waits.append(clock() - sent[number])
            left -= 1
            if drive.refusal and drive.refusal in answer[-1] and len(refused) < 3:
                refused.append(answer[-1])
            steps[number] += 1
            if steps[number] < ends[number]:
                sent[number] = clock()
                socket.send_multipart(drive.scripts[number][steps[number]])
    return Driven(clock() - began, waits, refused)


def run(pipe: Connection, port: int, publisher_port: int, clients: int, server_key: str) -> None:
    """Connect the clients, and one subscriber that follows them all; then drive round by round until told to stop."""
    context = zmq.Context()
    context.rcvhwm = 0
    # An echo server publishes nothing.
    watcher = _connect(context, zmq.SUB, publisher_port, server_key) if publisher_port else context.socket(zmq.SUB)
    sockets = [_connect(context, zmq.DEALER, port, server_key) for _ in range(clients)]
    pipe.send("ready")
    while (drive := pipe.recv()) != STOP:
        for topic in drive.topics:
            watcher.subscribe(topic)
        time.sleep(SUBSCRIBED_S)
        pipe.send(STARTS)
        driven = _round(sockets, drive)
        heard = 0
        while watcher.poll(round(SUBSCRIBED_S * 1000)):
            watcher.recv_multipart()
            heard += 1
        for topic in drive.topics:
            watcher.unsubscribe(topic)
        pipe.send(replace(driven, heard=heard))
    context.destroy(linger=0)
