"""A proxy before a server that holds back all bytes for a time, as a network does that loses them: nobody is told."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

CHUNK = 1 << 16


class Proxy:
    """Passes bytes between clients and a server.

    Args:
        port: The server's port on this machine.

    Attributes:
        port: The port that clients connect to instead.
    """

    def __init__(self, port: int) -> None:
        self._to = port
        self._flows = Event()
        self._flows.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open = [self._listening]
        self.port = int(self._listening.getsockname()[1])
        Thread(target=self._accept, daemon=True).start()

    def hold(self) -> None:
        """Hold back what comes."""
        self._flows.clear()

    def let_go(self) -> None:
        """Pass on what was held back, and what comes."""
        self._flows.set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                there = socket.create_connection(("127.0.0.1", self._to))
                self._open += [here, there]
                for one, other in ((here, there), (there, here)):
                    Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while content := one.recv(CHUNK):
                self._flows.wait()
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
