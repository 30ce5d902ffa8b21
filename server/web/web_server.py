"""Serves the pages over HTTP until a signal."""

import asyncio
import socket as sockets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from typing_extensions import override
from uvicorn import Config, Server

from server.protocol.clock import SystemClock
from server.protocol.errors import PortUnavailable
from server.web.backend.gateway import Gateway
from server.web.backend.lobby_games import OfferedBoards
from server.web.backend.services import NO_BOARDS, OwnSeats
from server.web.http.connection_limits import PROXIES, PagesConfig, PagesProtocol
from server.web.http.guard import LOOPBACK, App, Guard
from server.web.http.idle_connections import SILENT_S, Unfinished
from server.web.http.rate_limits import Rates
from server.web.http.session_file import SessionFile
from server.web.notices.notices import Notices
from server.web.routes.web_app import Pages

REQUESTS, REQUESTS_PER_S = 300.0, 40.0
"""How many requests an address may make at once, and each second."""
LOOK_TICKS = 10
"""After how many ticks of the server, of which there are ten a second, connections that wait are looked at."""
END_S = 5
"""How long open connections may take when the server ends (seconds)."""


class Listening(NamedTuple):
    """Address at which pages are served: the host, the port (0 for any free one), and further names of the server."""

    host: str
    port: int
    names: Collection[str] = ()

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which the server may be called; empty for any, where it listens to other machines and has no name."""
        if self.host in LOOPBACK:
            return LOOPBACK | set(self.names)
        return LOOPBACK | set(self.names) if self.names else frozenset()


def application(
    gateway: Gateway,
    hosts: Collection[str],
    *,
    is_operator_allowed: bool = False,
    notices: Notices | None = None,
    playouts_s: float = 0.0,
    boards: OfferedBoards = NO_BOARDS,
    session_file: SessionFile | None = None,
) -> App:
    """Return the pages with all that guards them.

    Args:
        gateway: The way to the broker.
        hosts: The names by which the server may be called; empty for any.
        is_operator_allowed: Whether the operator's key may be used to see everything.
        notices: Notices for players; None for none.
        playouts_s: How long bots play on from the points of a match that is over (seconds); 0 for never.
        boards: Boards of owners that can be chosen for new matches.
        session_file: Keeps what visitors have proved when the pages end; None for memory only.
    """
    pages = Pages(
        gateway,
        SystemClock(),
        is_operator_allowed=is_operator_allowed,
        notices=notices,
        playouts_s=playouts_s,
        boards=boards,
        session_file=session_file,
    )
    return _guarded(pages, hosts)


def _guarded(pages: Pages, hosts: Collection[str]) -> App:
    return Guard(pages.app(), Rates(SystemClock(), most=REQUESTS, per_s=REQUESTS_PER_S), hosts)


class PagesServer(Server):
    """A server that ends streams of news before it waits for open connections, and connections on which nothing moves.

    Args:
        config: How it serves.
        pages: What it serves.
    """

    def __init__(self, config: Config, pages: Pages) -> None:
        super().__init__(config)
        self._pages = pages
        self._unfinished = Unfinished(SystemClock())

    @override
    async def on_tick(self, counter: int) -> bool:
        """Look after connections, and return whether the server is to end."""
        if counter % LOOK_TICKS == 0:
            self._unfinished.end_late(self.server_state.connections)
        return await super().on_tick(counter)

    @override
    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        """End."""
        self._pages.end()
        await super().shutdown(sockets)
        # A browser would ask again on a connection that nobody serves, and wait for ever.
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)


@contextmanager
def bound(listening: Listening) -> Iterator[sockets.socket]:
    """Listen at an address until the block ends.

    Raises:
        PortUnavailable: The address cannot be bound.
    """
    family = sockets.AF_INET6 if ":" in listening.host else sockets.AF_INET
    with sockets.socket(family, sockets.SOCK_STREAM) as made:
        made.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        try:
            made.bind((listening.host, listening.port))
            made.listen()
        except OSError as error:
            raise PortUnavailable.at(listening.host, listening.port, error) from None
        yield made


def address_of(made: sockets.socket) -> str:
    """Return the address of the pages that are served at a socket."""
    host, port = made.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def server_of(
    gateway: Gateway,
    hosts: Collection[str],
    *,
    is_operator_allowed: bool = False,
    own_seats: OwnSeats | None = None,
    notices: Notices | None = None,
    playouts_s: float = 0.0,
    boards: OfferedBoards = NO_BOARDS,
    session_file: SessionFile | None = None,
    log_level: str = "warning",
) -> Server:
    """Return the server of the pages; it serves the sockets with which it is run, until `should_exit` is set or a signal comes.

    Args:
        gateway: The way to the broker.
        hosts: The names by which the server may be called; empty for any.
        is_operator_allowed: Whether the operator's key may be used to see everything.
        own_seats: The seats of the person who serves the pages; None for nobody's.
        notices: Notices for players; None for none.
        playouts_s: How long bots play on from the points of a match that is over (seconds); 0 for never.
        boards: Boards of owners that can be chosen for new matches.
        session_file: Keeps what visitors have proved when the pages end; None for memory only.
        log_level: What the server logs on stderr: `info` lists every request.
    """
    pages = Pages(
        gateway,
        SystemClock(),
        is_operator_allowed=is_operator_allowed,
        own_seats=own_seats,
        notices=notices,
        playouts_s=playouts_s,
        boards=boards,
        session_file=session_file,
    )
    config = PagesConfig(
        _guarded(pages, hosts),
        http=PagesProtocol,
        ws="none",
        log_level=log_level,
        access_log=log_level == "info",
        server_header=False,
        timeout_keep_alive=int(SILENT_S),
        forwarded_allow_ips=list(PROXIES),
        timeout_graceful_shutdown=END_S,
        lifespan="off",
    )
    return PagesServer(config, pages)


def serve_pages(
    gateway: Gateway,
    made: sockets.socket,
    hosts: Collection[str],
    *,
    is_operator_allowed: bool = False,
    own_seats: OwnSeats | None = None,
    notices: Notices | None = None,
    playouts_s: float = 0.0,
    boards: OfferedBoards = NO_BOARDS,
    session_file: SessionFile | None = None,
    log_level: str = "warning",
) -> None:
    """Serve pages until SIGINT or SIGTERM; the arguments are those of `server_of`, and the gateway is closed in the end."""
    try:
        server = server_of(
            gateway,
            hosts,
            is_operator_allowed=is_operator_allowed,
            own_seats=own_seats,
            notices=notices,
            playouts_s=playouts_s,
            boards=boards,
            session_file=session_file,
            log_level=log_level,
        )
        server.run(sockets=[made])
    finally:
        gateway.close()
