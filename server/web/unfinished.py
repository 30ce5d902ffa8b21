"""Ends connections whose request does not become whole in time, so that a few slow senders cannot keep all others out."""

from collections.abc import Iterable

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from server.protocol.clock import Clock

WHOLE_S = 20.0
"""How long a request may take from its first byte to its last, or a new connection may be silent (seconds)."""


class Unfinished:
    """The connections that have not sent a whole request yet.

    Args:
        clock: Measures how long they take.
        whole_s: How long they may take (seconds).
    """

    def __init__(self, clock: Clock, whole_s: float = WHOLE_S) -> None:
        self._clock = clock
        self._whole_s = whole_s
        self._since: dict[H11Protocol, tuple[object, float]] = {}

    def end_late(self, connections: Iterable[object]) -> None:
        """Cut the connections that have taken too long.

        Args:
            connections: All that are open.
        """
        now = self._clock.monotonic()
        since: dict[H11Protocol, tuple[object, float]] = {}
        for connection in connections:
            if isinstance(connection, H11Protocol) and _is_waiting(connection):
                # Another exchange than at the last look begins to count anew.
                request, start = self._since.get(connection, (None, now))
                since[connection] = (connection.cycle, start if request is connection.cycle else now)
        self._since = since
        for connection, (_, start) in since.items():
            if now - start >= self._whole_s:
                connection.transport.abort()


def _is_waiting(connection: H11Protocol) -> bool:
    """Return whether nothing but the rest of a request, or the next one, can come of a connection."""
    if not hasattr(connection, "transport"):
        return False
    exchange: RequestResponseCycle | None = connection.cycle
    if exchange is None or exchange.more_body:
        return True
    # A reply is complete when it was handed over; a slow reader may still be taking it.
    return exchange.response_complete and connection.transport.get_write_buffer_size() == 0
