"""A witness for tests: cosigns over loopback what continues all that it has seen, as C2SP tlog-witness says, or misbehaves."""

import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

from events.errors import ProofInvalid
from events.transparency.checkpoint import Checkpoint, open_checkpoint
from events.transparency.cosignature import cosign
from events.transparency.merkle_tree import EMPTY_ROOT, check_consistency
from events.transparency.signed_note import COSIGNATURE, Signer, Verifier, read_note
from tests.support.posted import answering

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

    def answer(path: str, body: bytes) -> tuple[int, bytes, str]:
        known = path == "/add-checkpoint"
        status, text, kind = double.answer(body.decode()) if known else (404, "", "text/plain")
        return status, text.encode(), kind

    with answering(answer, double.may_answer) as address:
        yield address
