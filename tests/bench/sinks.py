"""Subscribers that only count: bare TCP readers of ZeroMQ's wire protocol, so that a fan-out row measures the sender."""

import selectors
import socket
import time
from multiprocessing.connection import Connection

from tests.bench.children import STOP
from tests.support.wire import connected, frame

MARK = b"-end-of-round-"
"""What ends the last message of a round; a publisher may put its own brackets behind it."""

SILENCE_S = 20.0


def _subscribe(port: int, topic: bytes) -> socket.socket:
    """Connect, shake hands and subscribe."""
    wire = connected(f"tcp://127.0.0.1:{port}", b"SUB")
    wire.sendall(frame(b"\x01" + topic))
    wire.setblocking(False)
    return wire


def _drain(selector: selectors.BaseSelector, waiting: int, mark: bytes) -> float:
    """Read until every sink has seen the mark; return the time of the last one."""
    buffer = bytearray(1 << 18)
    tails: dict[int, bytes] = {}
    while waiting:
        ready = selector.select(SILENCE_S)
        if not ready:
            raise TimeoutError("a publisher of the fan-out rows fell silent")
        for key, _ in ready:
            wire = key.fileobj
            assert isinstance(wire, socket.socket)
            size = wire.recv_into(buffer)
            if size == 0:
                raise ConnectionError("a publisher of the fan-out rows hung up")
            # A mark may be split between two reads, so the rest of the previous read is prepended.
            tail = tails.pop(key.fd, b"") + buffer[max(0, size - len(mark)) : size]
            if tail.endswith(mark):
                waiting -= 1
            else:
                tails[key.fd] = bytes(tail[-len(mark) :])
    return time.perf_counter()


def run(pipe: Connection, port: int, topics: list[bytes], mark: bytes) -> None:
    """Subscribe one sink to each topic, then report the end of each round until told to stop.

    Args:
        pipe: The pipe to the publisher's process.
        port: The publisher's port.
        topics: One for each sink.
        mark: The last bytes of a round.
    """
    selector = selectors.DefaultSelector()
    wires = [_subscribe(port, topic) for topic in topics]
    for wire in wires:
        selector.register(wire, selectors.EVENT_READ)
    pipe.send("ready")
    while pipe.recv() != STOP:
        pipe.send(_drain(selector, len(wires), mark))
    for wire in wires:
        wire.close()
