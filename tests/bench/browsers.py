"""The servers and the clients of the row about browsers, each in a process of its own: our pages, bare Starlette, and the browsers."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import AsyncIterator
from multiprocessing.connection import Connection

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route
from uvicorn import Config, Server

from server.web.backend.gateway import Gateway
from server.web.http.guard import LOOPBACK
from server.web.web_server import Listening, address_of, bound, serve_pages
from tests.bench.children import STOP

HERE = Listening("127.0.0.1", 0)
AN_ADDRESS = 20
"""So many browsers share an address, because the pages serve no more streams to one."""
NEWS = b"event: news"
TOLD = b'event: news\nid: 4711\ndata: {"first":4710,"last":4711,"lines":["Dice for supply: 3, 3, 2, 2 = 10."]}\n\n'
"""What the bare server sends: about as much as ours."""


def pages(pipe: Connection, broker: str) -> None:
    """Serve our pages for a broker until told to stop; the first message is their port."""
    with bound(HERE) as made:
        pipe.send(_port(address_of(made)))
        _end_when_told(pipe)
        serve_pages(Gateway(broker), made, LOOPBACK)


def bare(pipe: Connection) -> None:
    """Serve nothing but a stream of events, one for each message; the first message is the port."""
    happened: set[asyncio.Event] = set()

    async def stream() -> AsyncIterator[bytes]:
        mine = asyncio.Event()
        happened.add(mine)
        yield b"retry: 2000\n\n"
        while True:
            await mine.wait()
            mine.clear()
            yield TOLD

    async def answer(_: Request) -> StreamingResponse:
        return StreamingResponse(stream(), media_type="text/event-stream")

    def tell() -> None:
        for one in happened:
            one.set()

    async def run() -> None:
        with bound(HERE) as made:
            pipe.send(_port(address_of(made)))
            loop = asyncio.get_running_loop()
            server = Server(Config(Starlette(routes=[Route("/", answer)]), log_level="warning", lifespan="off"))

            def wait() -> None:
                while pipe.recv() != STOP:
                    loop.call_soon_threadsafe(tell)
                server.force_exit = server.should_exit = True

            threading.Thread(target=wait, daemon=True).start()
            await server.serve(sockets=[made])

    asyncio.run(run())


def browse(pipe: Connection, port: int, path: str, browsers: int) -> None:
    """Keep streams open. For each message, say when the last browser had been told something since (monotonic clock, seconds)."""
    asyncio.run(_browse(pipe, port, path, browsers))


async def _browse(pipe: Connection, port: int, path: str, browsers: int) -> None:
    told = 0
    everybody = asyncio.Event()

    async def read(number: int) -> None:
        nonlocal told
        while block := await streams[number][0].readuntil(b"\n\n"):
            if NEWS in block:
                told += 1
                if told == browsers:
                    everybody.set()

    streams = []
    for number in range(browsers):
        source = (f"127.0.0.{2 + number // AN_ADDRESS}", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=source)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        await reader.readuntil(b"retry: ")
        streams.append((reader, writer))
    readers = [asyncio.create_task(read(number)) for number in range(browsers)]
    pipe.send("ready")
    while await asyncio.to_thread(pipe.recv) != STOP:
        told = 0
        everybody.clear()
        pipe.send("listening")
        await everybody.wait()
        pipe.send(time.monotonic())
    for one in readers:
        one.cancel()


def _port(address: str) -> int:
    return int(address.rstrip("/").rpartition(":")[2])


def _end_when_told(pipe: Connection) -> None:
    def wait() -> None:
        pipe.recv()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()
