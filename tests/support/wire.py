"""A bare TCP connection that speaks ZeroMQ's wire protocol, to send what no library sends.

Source: ZMTP 3.0 (RFC 23), mechanism NULL.
"""

import socket
import struct
import time
from contextlib import suppress

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
MORE_EMPTY = b"\x01\x00"
"""An empty frame that another follows."""

LAST_EMPTY = b"\x00\x00"
TIMEOUT_S = 10.0


def connected(address: str, kind: bytes) -> socket.socket:
    """Connect to `tcp://HOST:PORT` as a socket of a kind, and shake hands."""
    wire = opened(address, kind)
    shake_hands(wire)
    return wire


def opened(address: str, kind: bytes) -> socket.socket:
    """Connect to `tcp://HOST:PORT` and send all that a socket of a kind has to say first."""
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    wire = socket.create_connection((host, int(port)), TIMEOUT_S)
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    ready = b"\x05READY\x0bSocket-Type" + struct.pack(">I", len(kind)) + kind + b"\x08Identity\0\0\0\0"
    wire.sendall(GREETING + b"\x04" + bytes([len(ready)]) + ready)
    return wire


def shake_hands(wire: socket.socket) -> None:
    """Receive what the other end has to say first.

    Raises:
        TimeoutError: It does not say it.
        ConnectionError: It has closed the connection.
    """
    _received(wire, len(GREETING))
    head = _received(wire, 2)
    _received(wire, head[1])


def _received(wire: socket.socket, size: int) -> bytes:
    content = b""
    while len(content) < size:
        more = wire.recv(size - len(content))
        if not more:
            raise ConnectionResetError
        content += more
    return content


def frame(content: bytes) -> bytes:
    """Return a message of one frame on the wire."""
    if len(content) < 256:
        return b"\0" + bytes([len(content)]) + content
    return b"\x02" + struct.pack(">Q", len(content)) + content


def send_until_cut(wire: socket.socket, content: bytes, seconds: float) -> None:
    """Send as much as the other end takes within some seconds; stop if it cuts the connection."""
    until = time.monotonic() + seconds
    left = memoryview(content)
    wire.settimeout(seconds)
    with suppress(OSError):
        while left and time.monotonic() < until:
            left = left[wire.send(left[: 1 << 16]) :]
