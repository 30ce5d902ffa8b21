"""A proxy before a server that holds back bytes for a time, of one direction or of both, as a network does that loses them: nobody is told."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

CHUNK = 1 << 16
ASKED, TOLD = "asked", "told"
"""What clients send, and what the server does."""


class Proxy:
    """Passes bytes between clients and a server.

    Args:
        port: The server's port on this machine.

    Attributes:
        port: The port that clients connect to instead.
        delay_s: How much later what comes is passed on (seconds).
    """

    def __init__(self, port: int) -> None:
        self._to = port
        self.delay_s = 0.0
        self._flows = {ASKED: Event(), TOLD: Event()}
        self.let_go()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open = [self._listening]
        self.port = int(self._listening.getsockname()[1])
        Thread(target=self._accept, daemon=True).start()

    def hold(self, *directions: str) -> None:
        """Hold back what comes from a direction, or from both."""
        for one in directions or self._flows:
            self._flows[one].clear()

    def let_go(self) -> None:
        """Pass on what was held back, and what comes."""
        for flow in self._flows.values():
            flow.set()

    def cut(self) -> None:
        """End all connections; what was held back is lost."""
        for one in self._open[1:]:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                there = socket.create_connection(("127.0.0.1", self._to))
                self._open += [here, there]
                for one, other, direction in ((here, there, ASKED), (there, here, TOLD)):
                    Thread(target=self._pass, args=(one, other, self._flows[direction]), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket, flow: Event) -> None:
        with suppress(OSError):
            while content := one.recv(CHUNK):
                flow.wait()
                time.sleep(self.delay_s)
                other.sendall(content)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close all connections."""
        self.let_go()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@contextmanager
def stalling(port: int) -> Iterator[Proxy]:
    """Run a proxy until the block ends."""
    proxy = Proxy(port)
    try:
        yield proxy
    finally:
        proxy.close()
