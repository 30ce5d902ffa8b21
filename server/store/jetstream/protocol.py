"""Messages of the NATS protocol as bytes, without a socket: what a client sends, and a parser of what it receives.

Source: docs.nats.io/reference/reference-protocols/nats-protocol.
"""

import json
from collections.abc import Iterator, Mapping

from events.codec import Struct

VERSION_LINE = "NATS/1.0"
END = b"\r\n"

LINE_MAX = 64 << 10
"""Bytes of a control line at most; longer ones are from something else than a NATS server."""

MESSAGE_MAX = 64 << 20
"""Bytes of a message at most."""


class Malformed(Exception):
    """The bytes received are not of this protocol."""


class Info(Struct, frozen=True):
    """The server's description of itself, the first message of a connection."""

    fields: dict[str, object]


class Message(Struct, frozen=True):
    """A message with its headers. `status` is the code in its first line, such as 404 or 503; 0 if there is none."""

    subject: str
    data: bytes = b""
    headers: dict[str, str] = {}
    status: int = 0


class Ping(Struct, frozen=True):
    """A question whether the client is there."""


class Failure(Struct, frozen=True):
    """An error that the server tells, such as of a wrong password."""

    text: str


Received = Info | Message | Ping | Failure


def connect(name: str, user: str, password: str) -> bytes:
    """Return the message with which a client begins."""
    fields: dict[str, object] = {
        "verbose": False, "pedantic": False, "lang": "python", "version": "1", "protocol": 1, "name": name,
        "headers": True, "no_responders": True,
    }  # fmt: skip
    if user:
        fields |= {"user": user, "pass": password}
    return b"CONNECT " + json.dumps(fields).encode() + END


def subscribe(subject: str, number: int) -> bytes:
    """Return the message that subscribes to a subject."""
    return f"SUB {subject} {number}\r\n".encode()


def publish(subject: str, data: bytes, *, reply: str = "", headers: Mapping[str, str] | None = None) -> bytes:
    """Return a message to publish; neither headers nor subjects may hold line ends."""
    where = f"{subject} {reply}" if reply else subject
    if not headers:
        return b"".join((f"PUB {where} {len(data)}\r\n".encode(), data, END))
    lines = "".join([f"{name}: {text}\r\n" for name, text in headers.items()])
    head = f"{VERSION_LINE}\r\n{lines}\r\n".encode()
    return b"".join((f"HPUB {where} {len(head)} {len(head) + len(data)}\r\n".encode(), head, data, END))


PING, PONG = b"PING\r\n", b"PONG\r\n"


class Parser:
    """Makes messages of received bytes, however they were cut."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, received: bytes) -> Iterator[Received]:
        """Take bytes and yield the messages that are whole.

        Raises:
            Malformed: They are not of this protocol.
        """
        self._rest += received
        while (end := self._rest.find(END)) >= 0:
            line = self._rest[:end].decode(errors="replace")
            verb, _, rest = line.partition(" ")
            verb = verb.upper()
            if verb not in ("MSG", "HMSG"):
                del self._rest[: end + 2]
                if (control := _control(verb, rest)) is not None:
                    yield control
                continue
            subject, head, size = _sizes(verb, rest.split())
            start = end + 2
            if len(self._rest) < start + size + 2:
                return
            content = bytes(self._rest[start : start + size])
            del self._rest[: start + size + 2]
            yield _message(subject, content[:head], content[head:])
        if len(self._rest) > LINE_MAX:
            raise Malformed("a line is too long")


def _control(verb: str, rest: str) -> Received | None:
    if verb == "INFO":
        try:
            fields = json.loads(rest)
        except ValueError:
            raise Malformed("its description of itself is not JSON") from None
        return Info(fields if isinstance(fields, dict) else {})
    if verb == "PING":
        return Ping()
    if verb == "-ERR":
        return Failure(rest.strip("'"))
    if verb in ("PONG", "+OK"):
        return None
    raise Malformed(f"a message begins with {verb[:20]!r}")


def _sizes(verb: str, words: list[str]) -> tuple[str, int, int]:
    """Return the subject of a message, and the bytes of its headers and of it all."""
    numbers = words[-2:] if verb == "HMSG" else ["0", *words[-1:]]
    if len(words) < len(numbers) + 1 or not all(number.isdecimal() for number in numbers):
        raise Malformed(f"a message begins with {verb} {' '.join(words)[:80]!r}")
    head, size = map(int, numbers)
    if not head <= size <= MESSAGE_MAX:
        raise Malformed(f"a message has {size} bytes")
    return words[0], head, size


def _message(subject: str, head: bytes, data: bytes) -> Message:
    first, *lines = head.decode(errors="replace").split("\r\n")
    words = first.split()
    status = int(words[1]) if len(words) > 1 and words[1].isdecimal() else 0
    parts = [line.partition(":") for line in lines if line]
    return Message(subject, data, {name: text.strip() for name, _, text in parts}, status)
