"""Facts of the system about TCP connections of the socket library, which are identified by their file descriptors.

A descriptor is only borrowed: the library owns it. Nothing here needs another one, so it also works when the process can open no more.
"""

import ipaddress
import socket as sockets
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from events.codec import Struct

INFO_BYTES = 136
COUNTERS_AT = 120
COUNTERS = struct.Struct("=QQ")
"""Source: tcp(7) and struct tcp_info of Linux, fields tcpi_bytes_acked and tcpi_bytes_received."""

AT_ONCE = struct.pack("ii", 1, 0)

DISCARDED_A_STEP = 1 << 16
STEPS_MAX = 256
"""How much of what has arrived on a connection that is cut is thrown away at most, so that the library does not read it."""


class Traffic(Struct, frozen=True):
    """Bytes of a connection that its other end has acknowledged, and bytes that have arrived from there."""

    acknowledged: int
    received: int


def traffic(fd: int) -> Traffic | None:
    """Return a connection's traffic, or None if the system does not tell: it is not Linux, or not a TCP connection."""
    try:
        with _borrowed(fd) as connection:
            told = connection.getsockopt(sockets.IPPROTO_TCP, sockets.TCP_INFO, INFO_BYTES)
    except (OSError, AttributeError):
        return None
    return Traffic(*COUNTERS.unpack_from(told, COUNTERS_AT)) if len(told) == INFO_BYTES else None


def address(fd: int) -> str:
    """Return the address that a connection comes from, without its port; empty if it has none."""
    try:
        with _borrowed(fd) as connection:
            peer = connection.getpeername()
    except OSError:
        return ""
    return str(peer[0]) if isinstance(peer, tuple) else ""


def is_local(fd: int) -> bool:
    """Return whether a connection comes from this machine."""
    try:
        with _borrowed(fd) as connection:
            if connection.family not in (sockets.AF_INET, sockets.AF_INET6):
                return True
            host = str(connection.getpeername()[0])
    except (OSError, ValueError):  # It is gone.
        return False
    address = ipaddress.ip_address(host.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def cut(fd: int) -> None:
    """End a connection, and discard what has arrived on it. The library then drops it like any connection that was lost."""
    with suppress(OSError), _borrowed(fd) as connection:
        # The system forgets it as soon as the library closes it, whatever the other end does.
        connection.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, AT_ONCE)
        connection.shutdown(sockets.SHUT_RDWR)
        # Otherwise the library would read all of it, and keep it if it is part of a message.
        for _ in range(STEPS_MAX):
            if not connection.recv(DISCARDED_A_STEP, sockets.MSG_DONTWAIT):
                break


@contextmanager
def _borrowed(fd: int) -> Iterator[sockets.socket]:
    borrowed = sockets.socket(fileno=fd)
    try:
        yield borrowed
    finally:
        borrowed.detach()
