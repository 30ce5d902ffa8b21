"""A request that does not become whole in time is cut off; nothing else is."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from socket import create_connection
from urllib.parse import urlsplit

import pytest
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from events.memory_log import MemoryLog
from server.web import web_server
from server.web.http.guard import Receive, Scope, Send
from server.web.http.idle_connections import Awaited, Unfinished
from tests.support.rows import each_row
from tests.support.site import site
from tests.support.sitting import StillClock

HEAD = b"POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n"
LARGE = 64 << 20
GONE = (ConnectionError, asyncio.IncompleteReadError)


class Room:
    """A server with two addresses, and a clock that is set by hand.

    Args:
        clock: The clock.
    """

    def __init__(self, clock: StillClock) -> None:
        self.clock = clock
        self.unfinished = Unfinished(clock)
        self.asked = 0
        self._config = Config(self._app, http=H11Protocol, ws="none", lifespan="off", interface="asgi3")
        self._config.load()
        self._state = ServerState()

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a form before it is answered; at `/never`, do not end the answer, and at `/large` send much."""
        self.asked += 1
        while scope["path"] == "/read" and (await receive()).get("more_body"):
            pass
        if scope["path"] == "/large":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"connection", b"close")]})
            await send({"type": "http.response.body", "body": bytes(LARGE)})
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"o", "more_body": True})
        if scope["path"] == "/never":
            await asyncio.Event().wait()
        await send({"type": "http.response.body", "body": b"k"})

    @property
    def open(self) -> bool:
        """Whether a connection is open."""
        return bool(self._state.connections)

    async def serve(self, play: Callable[[str, int], Awaitable[None]]) -> None:
        """Serve while something is played."""
        made = await asyncio.get_running_loop().create_server(
            lambda: H11Protocol(config=self._config, server_state=self._state, app_state={}), "127.0.0.1", 0
        )
        try:
            await play("127.0.0.1", made.sockets[0].getsockname()[1])
        finally:
            made.close()

    async def look(self, after_s: float) -> None:
        """Look at the connections before and after some time."""
        await asyncio.sleep(0.05)
        self.unfinished.end_late(self._state.connections)
        self.clock.sleep(after_s)
        self.unfinished.end_late(self._state.connections)
        await asyncio.sleep(0.05)

    def is_open(self, sent: bytes, after_s: float) -> bool:
        """Return whether a connection that has sent this is open after some time."""
        found: list[bool] = []

        async def play(host: str, port: int) -> None:
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(sent)
            await self.look(after_s)
            with suppress(*GONE, TimeoutError):
                while await asyncio.wait_for(reader.read(1000), 0.2):
                    pass
            found.append(self.open)
            writer.close()

        asyncio.run(self.serve(play))
        return found[0]


@each_row(
    ("sent", "awaited"),
    [
        (b"", Awaited.REQUEST),
        (b"GET / HT", Awaited.REQUEST),
        (HEAD[:-4], Awaited.REQUEST),
        (HEAD + b"abcd", Awaited.REQUEST),
        (HEAD, Awaited.REST),
        (HEAD + b"abc", Awaited.REST),
    ],
)
def test_a_connection_without_a_whole_request_is_cut_off_after_a_while(sent: bytes, awaited: Awaited) -> None:
    assert Room(StillClock()).is_open(sent, awaited.value - 1)
    assert not Room(StillClock()).is_open(sent, awaited.value)


def test_a_reply_that_takes_long_is_not_cut_off() -> None:
    assert Room(StillClock()).is_open(b"GET /never HTTP/1.1\r\nHost: localhost\r\n\r\n", 2_000)


@each_row("is_read", [True, False])
def test_a_reply_that_nobody_reads_is_cut_off(is_read: bool) -> None:
    """More than the buffers of both systems hold, so that something always waits to be read."""
    room, most = Room(StillClock()), Awaited.READER.value
    found: list[bool] = []

    async def play(host: str, port: int) -> None:
        reader, writer = await asyncio.open_connection(host, port, limit=1 << 10)
        writer.write(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(3):
            await room.look(most / 2)
            if is_read:
                for _ in range(10):
                    await reader.read(1 << 20)
        found.append(room.open)
        writer.transport.abort()

    asyncio.run(room.serve(play))

    assert found == [is_read]


def test_each_request_of_a_connection_has_its_own_time() -> None:
    room = Room(StillClock())
    whole = HEAD + b"abcd"

    async def play(host: str, port: int) -> None:
        _, writer = await asyncio.open_connection(host, port)
        for _ in range(3):
            writer.write(whole)
            await room.look(Awaited.REQUEST.value - 1)
        writer.close()

    asyncio.run(room.serve(play))

    assert room.asked == 3


def test_the_server_of_the_pages_looks_after_its_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "Unfinished", lambda clock: Unfinished(clock, 0.05))
    with site(MemoryLog()) as made, create_connection(("127.0.0.1", urlsplit(made.address).port or 0)) as slow:
        slow.settimeout(30)
        slow.sendall(b"GET / HTTP/1.1\r\nX-A: ")
        with suppress(ConnectionError):
            assert slow.recv(1) == b""
