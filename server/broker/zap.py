"""Admission of connections: an authentication handler (ZAP 1.0, RFC 27).

The socket library asks on a socket inside the process before it delivers anything from a connection. The broker's loop answers from
memory, between two batches, so that nothing blocks and no thread is needed. Until it answers, a connection costs next to nothing: while
the loop is held up by what some have sent, no others can add to it.
"""

import zmq
from zmq.utils import z85

from server.protocol.logger import Logger

ENDPOINT = "inproc://zeromq.zap.01"
DOMAIN = b"wardiary"
VERSION = b"1.0"
ANSWERS_A_TURN = 64
"""How many connections are accepted or rejected before requests are served again."""

KEY_BYTES = 32


class ZapHandler:
    """Answers whether clients may connect; closed together with its context.

    Args:
        context: The context of the sockets that clients connect to; create the handler before any of them listens.
        allowed: The public keys (Z85) of the clients that may connect; None if all may.
        logger: Logs the clients that are rejected because of their key.

    Attributes:
        socket: Receives the library's questions; when it is readable, call `answer`.
        refused: How many connections were rejected because of their key.
    """

    def __init__(
        self, context: "zmq.Context[zmq.Socket[bytes]]", allowed: frozenset[bytes] | None, logger: Logger
    ) -> None:
        self.refused = 0
        self._allowed = allowed
        self._logger = logger
        self.socket = context.socket(zmq.REP)
        self.socket.linger = 0
        self.socket.bind(ENDPOINT)

    def guard(self, socket: "zmq.Socket[bytes]") -> None:
        """Make a socket ask this handler about every connection."""
        socket.setsockopt(zmq.ZAP_DOMAIN, DOMAIN)
        socket.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)

    def answer(self) -> None:
        """Answer the waiting questions, up to a bound."""
        for _ in range(ANSWERS_A_TURN):
            try:
                frames = self.socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            self.socket.send_multipart(self._judged(frames), zmq.NOBLOCK)

    def _judged(self, frames: list[bytes]) -> list[bytes]:
        """Return the answer to a question: version, its number, status, text, user and properties."""
        number = frames[1] if len(frames) > 1 else b""
        mechanism, told = frames[-2:] if len(frames) > 2 else (b"", b"")
        key = (
            z85.encode(told) if mechanism == b"CURVE" and len(told) == KEY_BYTES and self._allowed is not None else b""
        )
        if frames[0] == VERSION and (self._allowed is None or key in self._allowed):
            # The key becomes the connection's user id; all connections of one key share their limits.
            return [VERSION, number, b"200", b"OK", key, b""]
        self.refused += 1
        self._logger.debug("client refused", key=key.decode())
        return [VERSION, number, b"400", b"this key is not listed", b"", b""]
