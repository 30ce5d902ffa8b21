"""A witness for tests: cosigns over loopback what continues all that it has seen, as C2SP tlog-witness says, or misbehaves."""

import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

from typing_extensions import override

from events.errors import ProofInvalid
from events.transparency.checkpoint import Checkpoint, open_checkpoint
from events.transparency.cosignature import cosign
from events.transparency.merkle_tree import EMPTY_ROOT, check_consistency
from events.transparency.signed_note import COSIGNATURE, Signer, Verifier, read_note

WITNESS = Signer("witness.example/w1", bytes(range(32, 64)), COSIGNATURE)


class Double:
    """A witness of one log.

    Args:
        log: The public key of the log.
        signer: Its own key.

    Attributes:
        seen: The last checkpoint that it has cosigned.
        says: What it answers whatever it is asked, a status, a text and its kind; None while it behaves.
        asked: How often it was asked.
        may_answer: Cleared while it is slow.
    """

    def __init__(self, log: Verifier, signer: Signer = WITNESS) -> None:
        self.log, self.signer = log, signer
        self.seen = Checkpoint(log.name, 0, EMPTY_ROOT)
        self.says: tuple[int, str, str] | None = None
        self.asked = 0
        self.may_answer = Event()
        self.may_answer.set()

    def answer(self, body: str) -> tuple[int, str, str]:
        """Answer a request with a status, a text and its kind."""
        self.asked += 1
        if self.says is not None:
            return self.says
        above, _, whole = body.partition("\n\n")
        old, *path = above.split("\n")
        try:
            now = open_checkpoint(whole, self.log)
        except ProofInvalid:
            return 403, "another key", "text/plain"
        if int(old.removeprefix("old ")) != self.seen.size:
            return 409, f"{self.seen.size}\n", "text/x.tlog.size"
        try:
            check_consistency(self.seen.size, self.seen.root, now.size, now.root, [b64decode(one) for one in path])
        except ProofInvalid:
            return (409 if now.size == self.seen.size else 422), "another history", "text/plain"
        self.seen = now
        return 200, cosign(read_note(whole).text, self.signer, int(time.time())).line, "text/plain"


@contextmanager
def serving(double: Double) -> Iterator[str]:
    """Serve a witness on loopback, and yield its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            double.may_answer.wait(5)
            status, text, kind = double.answer(body) if self.path == "/add-checkpoint" else (404, "", "text/plain")
            self.send_response(status)
            self.send_header("content-type", kind)
            self.end_headers()
            self.wfile.write(text.encode())

        @override
        def log_message(self, format: str, *args: object) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        double.may_answer.set()
        server.shutdown()
        thread.join()
        server.server_close()
