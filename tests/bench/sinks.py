"""Subscribers that only count: bare TCP readers of ZeroMQ's wire protocol, so that a fan-out row measures the sender.

Source: ZMTP 3.0 (RFC 23), NULL mechanism.
"""

import selectors
import socket
import time
from multiprocessing.connection import Connection

from tests.bench.children import STOP

MARK = b"-end-of-round-"
"""What ends the last message of a round; a publisher may put its own brackets behind it."""

SILENCE_S = 20.0
_GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
_READY = b"\x05READY\x0bSocket-Type\0\0\0\x03SUB\x08Identity\0\0\0\0"


def _subscribe(port: int, topic: bytes) -> socket.socket:
    """Connect, shake hands and subscribe."""
    wire = socket.create_connection(("127.0.0.1", port))
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    wire.sendall(_GREETING)
    wire.recv(64, socket.MSG_WAITALL)
    wire.sendall(b"\x04" + bytes([len(_READY)]) + _READY)
    head = wire.recv(2, socket.MSG_WAITALL)
    wire.recv(head[1], socket.MSG_WAITALL)
    wire.sendall(b"\0" + bytes([1 + len(topic)]) + b"\x01" + topic)
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
