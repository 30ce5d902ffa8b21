"""Witnesses: other machines that sign that each checkpoint continues those that they have seen.

Each is asked by a thread of its own, so that one that is away, slow or answers nonsense delays nothing. Proofs are made where the tree is: the server's
log hands over what is to be sent, and takes what came back when it works next.
"""

import ssl
from collections.abc import Callable, Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.parse import urlsplit

from events.codec import Struct
from events.errors import LogKeyUnusable, ProofInvalid
from events.transparency.cosignature import cosigned_at, is_by, read_witness
from events.transparency.signed_note import Signature, Verifier, encode_hashes, read_note
from server.protocol.clock import Clock

TIMEOUT_S = 10.0
"""How long is waited for a witness (seconds)."""

AGAIN_S = 30.0
"""After how many seconds one that did not answer is asked again."""

ANSWER_BYTES_MAX = 1 << 14

SIZE_KIND = "text/x.tlog.size"


class Witness(Struct, frozen=True):
    """A witness: its public key, and the address below which it takes checkpoints."""

    key: Verifier
    url: str


class Asked(Struct, frozen=True):
    """A request to a witness: the size that it has seen last, the checkpoint, and the proof that this one continues that."""

    old: int
    size: int
    note: str
    path: tuple[bytes, ...]

    @property
    def body(self) -> bytes:
        """The body of the request."""
        return "".join(
            [f"old {self.old}\n", *[f"{one}\n" for one in encode_hashes(self.path)], "\n", self.note]
        ).encode()


class Answered(Struct, frozen=True):
    """The answer of a witness: the status, 0 if nothing did; the text; and the kind of it."""

    asked: Asked
    status: int
    text: str
    kind: str = ""


def read_given(text: str) -> Witness:
    """Return the witness that an operator names, `VKEY URL`.

    Raises:
        LogKeyUnusable: It is not one.
    """
    key, _, url = text.strip().partition(" ")
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise LogKeyUnusable(f"a witness is named by its public key and its address, `VKEY https://…`, not {text!r}")
    return Witness(read_witness(key), url.strip().rstrip("/"))


def post(url: str, body: bytes) -> tuple[int, str, str]:
    """Send a checkpoint to a witness, and return the status, the text of the answer and its kind.

    Raises:
        OSError: It does not answer; also HTTPException, and ValueError if the answer is not text.
    """
    parts = urlsplit(url)
    assert parts.hostname is not None
    if parts.scheme == "https":
        connection: HTTPConnection = HTTPSConnection(
            parts.hostname, parts.port, timeout=TIMEOUT_S, context=ssl.create_default_context()
        )
    else:
        connection = HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT_S)
    try:
        headers = {"content-type": "text/plain; charset=utf-8", "user-agent": "wardiary", "connection": "close"}
        connection.request("POST", f"{parts.path}/add-checkpoint", body, headers)
        answer = connection.getresponse()
        content = answer.read(ANSWER_BYTES_MAX)
        return answer.status, content.decode(), answer.headers.get("content-type", "")
    finally:
        connection.close()


Post = Callable[[str, bytes], tuple[int, str, str]]


class _Line:
    """The way to one witness: a thread that asks it, and what is known of it.

    Args:
        witness: The witness.
        post: Asks it.
    """

    def __init__(self, witness: Witness, post: Post) -> None:
        self.witness = witness
        self._post = post
        self._inbox: SimpleQueue[Asked | None] = SimpleQueue()
        self.outbox: SimpleQueue[Answered] = SimpleQueue()
        # The size of the last checkpoint that it has cosigned, as far as is known.
        self.size = 0
        self.cosigned = 0
        self.is_busy = False
        # Whether it has said which size it knows, and nothing came of that yet.
        self.is_corrected = False
        self.again_s = 0.0
        self.problem = ""
        # It ends with the process, also while a witness does not answer.
        Thread(target=self._run, name=f"witness {witness.key.name}", daemon=True).start()

    def _run(self) -> None:
        while (asked := self._inbox.get()) is not None:
            try:
                status, text, kind = self._post(self.witness.url, asked.body)
            except (OSError, HTTPException, ValueError) as error:
                status, text, kind = 0, str(error) or type(error).__name__, ""
            self.outbox.put(Answered(asked, status, text, kind))

    def ask(self, asked: Asked) -> None:
        self.is_busy = True
        self._inbox.put(asked)

    def close(self) -> None:
        self._inbox.put(None)


class Witnesses:
    """The witnesses of a server's log.

    Args:
        witnesses: Who they are.
        clock: Says when one that did not answer is asked again.
        tell: Is told when a witness stops or begins to cosign.
        post: Asks one.
    """

    def __init__(
        self, witnesses: Sequence[Witness], clock: Clock, tell: Callable[[str], None], post: Post = post
    ) -> None:
        self._lines = [_Line(one, post) for one in witnesses]
        self._clock = clock
        self._tell = tell

    @property
    def has_answers(self) -> bool:
        """Whether something came back that was not taken yet."""
        return any(not line.outbox.empty() for line in self._lines)

    @property
    def is_waiting(self) -> bool:
        """Whether a witness was asked and its answer was not taken yet."""
        return any(line.is_busy for line in self._lines)

    def is_due(self, size: int) -> bool:
        """Return whether a witness can be asked to cosign a checkpoint of so many entries."""
        return any(self._is_due(line, size) for line in self._lines)

    def _is_due(self, line: _Line, size: int) -> bool:
        return not line.is_busy and line.cosigned != size and self._clock.monotonic() >= line.again_s

    def ask(self, size: int, note: str, consistency: Callable[[int], list[bytes]]) -> None:
        """Ask all that can be asked to cosign the last checkpoint.

        Args:
            size: The number of its entries.
            note: The checkpoint.
            consistency: Returns the proof that it continues one of so many entries.
        """
        for line in self._lines:
            if self._is_due(line, size):
                line.ask(Asked(line.size, size, note, tuple(consistency(line.size))))

    def take(self, size: int, note: str) -> list[Signature]:
        """Return the new cosignatures of the last checkpoint.

        Args:
            size: The number of its entries.
            note: The checkpoint.

        Raises:
            ProofInvalid: A witness has seen another history of this log, or more of it than there is.
        """
        found: list[Signature] = []
        for line in self._lines:
            try:
                answered = line.outbox.get_nowait()
            except Empty:
                continue
            line.is_busy = False
            problem = self._heed(line, answered, size)
            if not problem and answered.status == 200 and answered.asked.size == size:
                found += _of(answered.text, note, line.witness.key)
            if problem:
                line.again_s = self._clock.monotonic() + AGAIN_S
            self._say(line, problem)
        return found

    def _heed(self, line: _Line, answered: Answered, size: int) -> str:
        """Note what a witness answered; return why it has not cosigned, empty if it has or is asked again at once.

        Raises:
            ProofInvalid: It has seen another history.
        """
        name, asked = line.witness.key.name, answered.asked
        if answered.status == 200:
            if not _of(answered.text, asked.note, line.witness.key):
                return "answers with something that is not its cosignature"
            line.size, line.cosigned, line.is_corrected = asked.size, asked.size, False
            return ""
        if answered.status == 409 and answered.kind.partition(";")[0].strip() == SIZE_KIND:
            known = answered.text.strip()
            if not (known.isascii() and known.isdecimal() and len(known) < 16):
                return "answers with something that is not a size"
            if int(known) > size:
                raise ProofInvalid(
                    f"the witness {name} has seen {known} entries of this log, and this store has {size}: it is a copy of an earlier state"
                )
            line.size, line.is_corrected = int(known), not line.is_corrected
            return "" if line.is_corrected else "says that it has seen one size, and then another"
        if answered.status in (409, 422):
            raise ProofInvalid(
                f"the witness {name} has seen another history of this log than this store holds, in its first {asked.old} entries"
            )
        said = answered.text.strip().partition("\n")[0][:100]
        return f"answers with {answered.status}: {said}" if answered.status else f"does not answer: {said}"

    def _say(self, line: _Line, problem: str) -> None:
        """Tell the operator, when it changes, whether a witness cosigns."""
        if bool(problem) != bool(line.problem):
            self._tell(
                f"the witness {line.witness.key.name} {problem}"
                if problem
                else f"the witness {line.witness.key.name} cosigns again"
            )
        line.problem = problem

    def close(self) -> None:
        """End the threads of all that answer."""
        for line in self._lines:
            line.close()


def _of(answer: str, note: str, witness: Verifier) -> list[Signature]:
    """Return the line of an answer that is the cosignature of a checkpoint by a witness; none if there is none."""
    try:
        read = read_note(f"{note}{answer}")
        own = [one for one in read.signatures if is_by(one, witness)][-1:]
        return own if own and cosigned_at(read, witness) is not None else []
    except ProofInvalid:
        return []
