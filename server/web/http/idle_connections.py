"""Ends connections on which nothing moves, so that a few slow visitors cannot keep all others out."""

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from server.protocol.clock import Clock

SILENT_S = 10.0
"""How long a connection may be without a request, or the head of one take (seconds)."""


class Awaited(Enum):
    """Event for which a connection waits, with the time that it may take (seconds)."""

    REQUEST = SILENT_S
    REST = 20.0
    READER = 30.0


class _Waiting(NamedTuple):
    """Event and exchange for which a connection waits, and the bytes of a reply that are left to be read."""

    exchange: RequestResponseCycle | None
    what: Awaited
    left: int = 0

    def is_still(self, before: "_Waiting") -> bool:
        """Return whether nothing has moved since an earlier look."""
        return self.exchange is before.exchange and self.what is before.what and self.left >= before.left


class Unfinished:
    """The connections that wait for their visitors.

    Args:
        clock: Measures how long they wait.
        factor: What all times are multiplied with.
    """

    def __init__(self, clock: Clock, factor: float = 1.0) -> None:
        self._clock = clock
        self._factor = factor
        self._since: dict[H11Protocol, tuple[_Waiting, float]] = {}

    def end_late(self, connections: Iterable[object]) -> None:
        """Cut the connections that have waited too long.

        Args:
            connections: All that are open.
        """
        now = self._clock.monotonic()
        since: dict[H11Protocol, tuple[_Waiting, float]] = {}
        for connection in connections:
            if isinstance(connection, H11Protocol) and (waiting := _waiting(connection)) is not None:
                before, start = self._since.get(connection, (waiting, now))
                since[connection] = (waiting, start if waiting.is_still(before) else now)
        self._since = since
        for connection, (waiting, start) in since.items():
            if now - start >= waiting.what.value * self._factor:
                connection.transport.abort()


def is_idle(connection: H11Protocol) -> bool:
    """Return whether a connection has no request that is whole, and no reply that is being read."""
    exchange: RequestResponseCycle | None = connection.cycle
    # A reply is complete when it was handed over; a slow reader may still be taking it.
    is_answered = exchange is None or (exchange.response_complete and not _left(connection))
    return is_answered or (exchange is not None and exchange.more_body and not exchange.response_started)


def _waiting(connection: H11Protocol) -> _Waiting | None:
    """Return what a connection waits for, or None if it waits for the pages."""
    exchange: RequestResponseCycle | None = connection.cycle
    if left := _left(connection):
        return _Waiting(exchange, Awaited.READER, left)
    if exchange is None or exchange.response_complete:
        return _Waiting(exchange, Awaited.REQUEST)
    return _Waiting(exchange, Awaited.REST) if exchange.more_body else None


def _left(connection: H11Protocol) -> int:
    """Return how many bytes of a reply the visitor's system has not taken."""
    return connection.transport.get_write_buffer_size()
