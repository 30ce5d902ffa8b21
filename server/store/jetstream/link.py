"""A connection to one of several NATS servers: requests with deadlines, wake-ups, and another server when one is lost."""

import json
import secrets
import select
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn, TypeVar

from events.codec import Struct
from events.errors import StoreUnavailable
from server.store.jetstream.protocol import (
    PING,
    PONG,
    Failure,
    Info,
    Malformed,
    Message,
    Parser,
    Ping,
    connect,
    publish,
    subscribe,
)
from server.store.remote import outage

CHUNK = 1 << 18

AGAIN_S = 0.08
"""How long a question waits until it is first put again to some replica, and for a better answer than that a server knows no leader (seconds)."""

Answer = TypeVar("Answer")


class Server(Struct, frozen=True):
    """One NATS server: the host and port at which it takes connections."""

    host: str
    port: int


class Lost(StoreUnavailable):
    """The connection was lost or no reply came, so that a request may have been carried out or not."""


def never(_: Message) -> bool:
    """Return that a reply is not vague."""
    return False


class Link:
    """A connection to one of several servers; one request at a time, but publications may be under way.

    Args:
        servers: The servers, which are tried in turn.
        user: The name of the user; empty for none.
        password: The password.
        is_encrypted: The connection is encrypted, and the certificate of the server is checked.
        woken: Is told each message that is not a reply.
        checked: Is called behind each new connection, and raises `Malformed` if that leads to another store.

    Attributes:
        connections: How often a server was connected.
        outage: When they do not answer.
        message_max: The largest message that they take (bytes).
    """

    def __init__(
        self,
        servers: Sequence[Server],
        user: str,
        password: str,
        *,
        is_encrypted: bool,
        woken: Callable[[Message], None],
        checked: Callable[[], None],
    ) -> None:
        self._servers = deque(servers)
        self._user, self._password, self._is_encrypted = user, password, is_encrypted
        self._woken, self._checked = woken, checked
        self._subjects: list[str] = []
        self._socket: socket.socket | None = None
        self._parser = Parser()
        self._inbox = f"_INBOX.{secrets.token_hex(8)}"
        self._count = 0
        self._replies: dict[str, deque[Message]] = {}
        self.connections = 0
        self.outage = outage.Outage()
        self._problem = ""
        self.message_max = 1 << 20

    def fileno(self) -> int:
        """Return the descriptor of the connection, or -1."""
        return -1 if self._socket is None else self._socket.fileno()

    def close(self) -> None:
        """Close the connection; the next request opens another one."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def listen(self, subject: str) -> None:
        """Subscribe to a subject, now and after each reconnection."""
        self._subjects.append(subject)
        self._send(subscribe(subject, len(self._subjects) + 1), self.due())

    # Requests

    def ask(self, subject: str, data: object, is_vague: Callable[[Message], bool] = never) -> Message:
        """Send a question as JSON, and return the reply.

        All servers hear it. Who does not know its leader says so, which is vague: the leader's own answer may come a moment later.

        Raises:
            StoreUnavailable: No server can be reached, or no reply came.
        """
        return self.again(lambda: self._ask_once(subject, data, is_vague))

    def again(self, ask: Callable[[], Answer]) -> Answer:
        """Ask, and once more if the connection is lost meanwhile, at another server; return the answer."""
        try:
            return ask()
        except Lost:
            if len(self._servers) > 1:
                self.outage.turn()
            return ask()

    def _ask_once(self, subject: str, data: object, is_vague: Callable[[Message], bool]) -> Message:
        reply = self.begin([(subject, json.dumps(data).encode(), {})])
        try:
            found = self.next_of(reply, self.due())
            while is_vague(found) and self.await_any([reply], AGAIN_S):
                found = self.next_of(reply, self.due())
        finally:
            self.forget(reply)
        return found

    def ask_any(self, subject: str, data: object, briefly: object = None) -> str:
        """Send a question as JSON that any replica answers, and again as long as none does; return the name of the first reply.

        NATS sends it to one of them by chance, also to one that is cut off, until it has noticed that. Where all are slow, the answers to all questions
        come in the end, before the answer to the next one. So what is put again is the question `briefly`, or else the whole one at ever longer intervals.

        Raises:
            StoreUnavailable: No server can be reached, or no reply came.
        """
        due, wait_s, replies = self.due(), AGAIN_S, list[str]()
        while True:
            question = data if briefly is None or not replies else briefly
            replies.append(self.begin([(subject, json.dumps(question).encode(), {})]))
            first = self.await_any(replies, min(wait_s, due - time.monotonic()))
            if first:
                for other in replies:
                    if other != first:
                        self.forget(other)
                return first
            if time.monotonic() >= due:
                self._turn_away()
            if briefly is None:
                wait_s *= 2

    def begin(self, messages: Sequence[tuple[str, bytes, dict[str, str]]]) -> str:
        """Send messages, of which the last one is answered; return the name of the reply.

        Raises:
            StoreUnavailable: No server can be reached; nothing was sent.
            Lost: The connection was lost while they were sent.
        """
        if self.outage.must_wait:
            raise StoreUnavailable("the cluster of the store does not answer; nothing was done")
        self._connected(self.due())
        self._count += 1
        reply = f"{self._inbox}.{self._count}"
        last = len(messages) - 1
        content = b"".join(
            [
                publish(subject, data, headers=headers, reply=reply if number == last else "")
                for number, (subject, data, headers) in enumerate(messages)
            ]
        )
        self._replies[reply] = deque()
        self._send(content, self.due())
        return reply

    def due(self) -> float:
        """Return until when a request that begins now waits for its reply (monotonic seconds)."""
        return time.monotonic() + self.outage.patience_s

    def has(self, reply: str) -> bool:
        """Return whether a reply has come."""
        self.look()
        return bool(self._replies.get(reply, True)) or self._socket is None

    def await_any(self, replies: Sequence[str], wait_s: float) -> str:
        """Wait for a message of one of some replies, but not for long; return the name of the first that has come, or nothing."""
        due = time.monotonic() + wait_s
        while not (first := next(filter(self.has, replies), "")) and time.monotonic() < due:
            self._receive(due)
        return first or next(filter(self.has, replies), "")

    def finish(self, reply: str, due: float | None = None) -> Message:
        """Return the next message of a reply, waiting for it until a time (0: not at all), and forget the reply.

        Raises:
            Lost: It did not come in time, or the connection was lost.
        """
        try:
            return self.next_of(reply, self.due() if due is None else due)
        finally:
            self._replies.pop(reply, None)

    def forget(self, reply: str) -> None:
        """Drop what may still come of a reply."""
        self._replies.pop(reply, None)

    def next_of(self, reply: str, due: float) -> Message:
        """Return the next message of a reply; see `finish`."""
        while True:
            waiting = self._replies.get(reply)
            if waiting:
                self.outage.end()
                return waiting.popleft()
            if waiting is None or self._socket is None:
                # Another connection has been opened since.
                raise Lost("the connection to the cluster was lost")
            if not self._receive(due) and self._socket is not None:
                self._turn_away()

    def _turn_away(self) -> NoReturn:
        """Give up a server that does not answer: it may take connections although no other server hears it."""
        self.outage.begin()
        self.close()
        self._servers.rotate(-1)
        raise Lost("the cluster of the store does not answer")

    def look(self) -> None:
        """Take what has come, without waiting."""
        while self._socket is not None and self._receive(0.0):
            pass

    # The connection

    def _connected(self, due: float) -> None:
        refused = ""
        while self._socket is None:
            server = self._servers[0]
            try:
                self._open(server, due)
                self._checked()
            except (OSError, Malformed, Lost) as error:
                self.close()
                self._servers.rotate(-1)
                # What a server is that is none of ours says more than that others are away.
                refused = str(error) if isinstance(error, Malformed) else refused
                if time.monotonic() >= due:
                    self.outage.begin()
                    problem = refused or f"{server.host}:{server.port}: {error}"
                    raise StoreUnavailable(f"no server of the cluster can be reached: {problem}") from None
                time.sleep(0.02)

    def _open(self, server: Server, due: float) -> None:
        left = max(0.1, min(1.0, (due - time.monotonic()) / 2))
        made = socket.create_connection((server.host, server.port), left)
        self._socket, self._parser = made, Parser()
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._replies.clear()
        first = next(iter(self._parser.feed(made.recv(CHUNK))), None)
        if not isinstance(first, Info):
            raise Malformed(f"{server.host}:{server.port} is not a NATS server")
        self.message_max = int(str(first.fields.get("max_payload", self.message_max)))
        if self._is_encrypted:
            self._socket = made = ssl.create_default_context().wrap_socket(made, server_hostname=server.host)
        names = [f"{self._inbox}.*", *self._subjects]
        subscriptions = b"".join([subscribe(name, number) for number, name in enumerate(names, start=1)])
        self._send(connect("wardiary", self._user, self._password) + subscriptions + PING, due)
        # A refusal comes before anything else.
        self._receive(time.monotonic() + left)
        if self._socket is None:
            raise Malformed(self._problem)
        self.connections += 1

    def _send(self, content: bytes, due: float) -> None:
        if self._socket is None:
            self._connected(due)
        assert self._socket is not None
        try:
            self._socket.settimeout(max(0.1, due - time.monotonic()))
            self._socket.sendall(content)
        except OSError as error:
            self.close()
            raise Lost(f"the connection to the cluster was lost: {error}") from None

    def _receive(self, due: float) -> bool:
        """Take what comes until a time (0: what has come); return whether anything came."""
        made = self._socket
        assert made is not None
        wait = max(0.0, due - time.monotonic()) if due else 0.0
        try:
            is_pending = isinstance(made, ssl.SSLSocket) and made.pending() > 0
            if not is_pending and not select.select([made], [], [], wait)[0]:
                return False
            content = made.recv(CHUNK)
            if not content:
                raise ConnectionResetError("it was closed")
            for received in self._parser.feed(content):
                self._take(received)
        except (OSError, Malformed) as error:
            self._problem = str(error)
            self.close()
            return False
        return True

    def _take(self, received: object) -> None:
        if isinstance(received, Message) and received.subject.startswith(self._inbox):
            with suppress(KeyError):
                self._replies[received.subject].append(received)
        elif isinstance(received, Message):
            self._woken(received)
        elif isinstance(received, Ping) and self._socket is not None:
            self._socket.sendall(PONG)
        elif isinstance(received, Failure):
            raise Malformed(received.text)
