"""Connections to the pages: how many may be open, which of them give way to a new one, and what one is told beyond that.

Where the layer of HTTP would answer with bare text, a page is sent: to a connection too many, and to what is not HTTP.
"""

from asyncio import Transport
from collections import Counter
from functools import cached_property
from http import HTTPStatus

from typing_extensions import override
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from server.protocol.open_files import allow_files
from server.web.http.guard import HEADERS, Receive, Scope, Send
from server.web.http.idle_connections import is_idle
from server.web.http.page_frame import message_page
from server.web.http.rate_limits import whose

CONNECTIONS_MAX = 1_000
"""How many connections may be open."""
SHARE_MAX = 100
"""How many of them an address may have; a proxy that is believed, which has those of all visitors, may have all."""
BEYOND_MAX = 50
"""How many connections without a place are kept, so that a request on them is answered with 503; of more, the newest are."""
PROXIES = ("127.0.0.1", "::1")
"""The addresses of proxies that are believed to say for whom they ask."""
FILES_BESIDE = 200
"""How many files the pages have open beside connections. Of these there may be twice as many for a moment, while new ones are accepted in a burst."""
FULL_AGAIN_S = 10
"""After how many seconds a visitor is to try again who found all connections in use."""
_PAGE = ((b"content-type", b"text/html; charset=utf-8"), (b"cache-control", b"no-store"), (b"connection", b"close"))


class Places:
    """The connections that are open, by the addresses from which they come, those that were used longest ago first.

    Args:
        most: How many there may be.
        share: How many an address may have.
    """

    def __init__(self, most: int, share: int) -> None:
        self._most = most
        self._share = share
        self._placed: dict[H11Protocol, str] = {}
        self._count: Counter[str] = Counter()
        self._beyond: dict[H11Protocol, None] = {}

    def enter(self, connection: H11Protocol) -> None:
        """Give a new connection a place, if there is one or an idle one gives way."""
        if not self.has_place(connection):
            self._beyond[connection] = None
            while len(self._beyond) > BEYOND_MAX:
                self._cut(next(iter(self._beyond)))

    def has_place(self, connection: H11Protocol) -> bool:
        """Return whether a connection that is used now has a place, or gets one."""
        address = self._placed.pop(connection, None)
        if address is None:
            address = _address(connection)
            if not self._make_room(address):
                return False
            self._count[address] += 1
            self._beyond.pop(connection, None)
        self._placed[connection] = address
        return True

    def leave(self, connection: H11Protocol) -> None:
        """Free the place of a connection that is closed."""
        self._beyond.pop(connection, None)
        address = self._placed.pop(connection, None)
        if address is not None:
            self._count[address] -= 1
            if not self._count[address]:
                del self._count[address]

    def _make_room(self, address: str) -> bool:
        """Let another connection give way if an address, or all of them, have as many as they may; return whether there is room.

        An address that has more than another one gives way to it also with a connection that is in use.
        """
        if address not in PROXIES and self._count[address] >= self._share:
            return self._give_way(address, idle_only=True)
        if len(self._placed) < self._most:
            return True
        ((largest, count),) = self._count.most_common(1)
        return self._give_way(largest, idle_only=count <= self._count[address] + 1)

    def _give_way(self, address: str, *, idle_only: bool) -> bool:
        own = [one for one, its in self._placed.items() if its == address]
        found = next(filter(is_idle, own), None)
        if found is None and not idle_only:
            found = own[0]
        if found is not None:
            self._cut(found)
        return found is not None

    def _cut(self, connection: H11Protocol) -> None:
        self.leave(connection)
        connection.transport.abort()


class PagesConfig(Config):
    """The configuration of the pages' server."""

    @cached_property
    def places(self) -> Places:
        """The connections of the server."""
        return Places(_possible(), SHARE_MAX)


class PagesProtocol(H11Protocol):
    """A connection that has a place or not, and whose errors are pages, too.

    A request for an upgrade is answered as if it had not asked for one, without a hint in the log to install more.
    """

    @property
    def _places(self) -> Places:
        assert isinstance(self.config, PagesConfig)
        return self.config.places

    @override
    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Take a place."""
        super().connection_made(transport)
        self._places.enter(self)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place."""
        self._places.leave(self)
        super().connection_lost(exc)

    @override
    def handle_events(self) -> None:
        """Answer requests, by the pages if the connection has a place."""
        self.app = self.config.loaded_app if self._places.has_place(self) else _full
        super().handle_events()

    @override
    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, and end the connection."""
        body = message_page("Not understood", "The request is not valid HTTP.", "Check the link, and load it again.")
        head = [b"HTTP/1.1 400 Bad Request", *(b"%s: %s" % header for header in (*_PAGE, *HEADERS))]
        # An answer that has begun is only cut off: what is written now would be a part of it.
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started:
            # Nothing follows on this connection, so that the answer is as long as it is open.
            self.transport.write(b"\r\n".join([*head, b"", body.encode()]))
        self.transport.close()

    @override
    def _should_upgrade(self) -> bool:
        return False


async def _full(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Answer a request for which there is one connection too many."""
    what = "As many connections are open as this server has, or as your address may have."
    body = message_page("Too many visitors", what, "Try again in a moment.").encode()
    again = (b"retry-after", str(FULL_AGAIN_S).encode())
    headers = [*_PAGE, *HEADERS, (b"content-length", str(len(body)).encode()), again]
    await send({"type": "http.response.start", "status": HTTPStatus.SERVICE_UNAVAILABLE.value, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _address(connection: H11Protocol) -> str:
    return "" if connection.client is None else whose(connection.client[0])


def _possible() -> int:
    """Return how many connections there may be, as far as the process may have so many files open."""
    return max(1, (allow_files(FILES_BESIDE + 2 * CONNECTIONS_MAX) - FILES_BESIDE) // 2)
