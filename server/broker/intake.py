"""The request socket of a server: reads frames, decodes requests, sends replies."""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import count

import zmq

from events.codec import DecodeError, Struct, encode, replace
from events.ids import PUBLIC
from server.broker.allowances import Allowances
from server.broker.connections import Connection, Connections
from server.broker.payers import Payers
from server.broker.waiting import Asked
from server.desk.handlers import Command, HandlerTable
from server.desk.pipeline_parts import internal
from server.protocol.errors import RequestFailed, denied, failure
from server.protocol.logger import Logger
from server.protocol.messages import check_size, message_id
from server.protocol.replies import FailedReply, HelloReply, Reply
from server.protocol.wire import PROTOCOL, REQUEST_BYTES_MAX, BotRequest, Request, WriteStudyRequest

MALFORMED = frozenset({"malformed", "too_large", "unsupported_version"})
"""Codes for frames that hold no valid request."""

FRAMES_MAX = 4
"""The frames of a request: the routing id, an empty frame if the client sent one, the protocol's, and the request."""

SKIPPED_MAX = 128
"""How many further frames of a message are skipped before its connection is cut."""

ID_CHARACTERS_MAX = 200
"""The longest correlation id of a request."""

BOUNDED = ("id", "match", "seat")
"""Fields of requests that are repeated in replies and in the operator's log."""

PROTOCOL_FRAME = PROTOCOL.encode()

# Plain numbers, because putting named flags together takes longer than sending a frame.
NO_WAIT = int(zmq.NOBLOCK)
MORE_FOLLOWS = int(zmq.NOBLOCK) | int(zmq.SNDMORE)


class Counts(Struct):
    """Counters of the broker.

    `malformed` requests got a reply with such a code, `dropped` frames could not be answered, `undelivered` replies were lost because
    the client was gone or did not read, `faults` are internal errors of the loop. `failed` are the replies that say why not, by their code. `followed` are the commits of
    other servers of the store, and `followed_ms` is how long ago they were decided when they were heard of, all together (milliseconds, by the clocks of both).
    """

    requests: int = 0
    commits: int = 0
    malformed: int = 0
    dropped: int = 0
    undelivered: int = 0
    faults: int = 0
    followed: int = 0
    followed_ms: int = 0
    failed: dict[str, int] = {}

    def answered(self, requests: int, commits: int) -> None:
        """Count requests that were answered, and the commits that were stored for them."""
        self.requests += requests
        self.commits += commits

    def heard(self, decided_ms: Iterable[int], now_ms: int) -> None:
        """Count commits of other servers, by the times at which these decided them."""
        for at in decided_ms:
            self.followed += 1
            self.followed_ms += max(0, now_ms - at)


class Intake:
    """Reads requests and sends replies.

    Args:
        socket: A ROUTER.
        connections: Its connections.
        handlers: Know which files come with a request.
        allowances: Decides what clients may add to the store.
        payers: Tells whose quotas requests use.
        counts: The counters to update.
        is_repeated: Returns whether a match was already created with the key of a request.
        heartbeat_s: The heartbeat interval that `hello` returns.
        logger: The log for operators.

    Attributes:
        publisher: The address of the event socket, for `hello`.
    """

    def __init__(
        self,
        socket: "zmq.Socket[bytes]",
        connections: Connections,
        handlers: HandlerTable,
        allowances: Allowances,
        counts: Counts,
        *,
        payers: Payers,
        is_repeated: Callable[[Request], bool],
        heartbeat_s: float,
        logger: Logger,
    ) -> None:
        self._is_repeated = is_repeated
        self.publisher = ""
        self._socket = socket
        self._connections = connections
        self._handlers = handlers
        self._allowances = allowances
        self._payers = payers
        self._counts = counts
        self._heartbeat_s = heartbeat_s
        self._logger = logger

    def messages(self, most: int) -> Iterator[Asked | None]:
        """Read waiting messages lazily; None stands for a message that holds no request."""
        for frames in self._messages(most):
            yield self._read(frames)

    def _messages(self, most: int) -> Iterator[list[zmq.Frame]]:
        """Yield the frames of waiting messages, none of a message that has too many."""
        for _ in range(most):
            try:
                frames = [self._socket.recv(NO_WAIT, copy=False)]
            except zmq.Again:
                return
            while frames[-1].more:
                if len(frames) == FRAMES_MAX:
                    self._skip(frames[-1])
                    frames = []
                    break
                frames.append(self._socket.recv(NO_WAIT, copy=False))
            yield frames

    def _skip(self, frame: zmq.Frame) -> None:
        """Skip the rest of a message behind this frame, and cut its connection if the rest is long."""
        for skipped in count(1):
            if not frame.more:
                return
            # Whether more follows is asked in half the time of a copy and an option of the socket.
            frame = self._socket.recv(NO_WAIT, copy=False)
            if skipped == SKIPPED_MAX and (connection := self._connections.of(frame, 0)) is not None:
                self._connections.cut(connection, "it sends a message of too many frames")

    def _read(self, received: list[zmq.Frame]) -> Asked | None:
        """Read a request; if the frames hold none, reply so if possible, and return None."""
        frames = [frame.bytes for frame in received]
        if not frames:
            self._counts.dropped += 1
            return None
        *route, version, body = frames if len(frames) > 1 else (b"", b"", b"")
        if len(route) not in {1, 2} or route[1:] not in ([], [b""]):
            self._counts.dropped += 1
            return None
        back = (*route, PROTOCOL_FRAME)
        connection = self._connections.of(received[-1], len(body))
        try:
            request = self._decoded(version, body)
            handler = self._handlers.of(request)
            files, payer = handler.files(request) if isinstance(handler, Command) else None, ""
            if isinstance(request, WriteStudyRequest) and request.seat == PUBLIC:
                # Who proves no seat of the match adds to the store as with a match of their own.
                files = ()
            if files is not None or isinstance(request, BotRequest):
                if connection is not None:
                    self._connections.name(connection, received[-1])
                payer = self._payers.of(request, connection)
                self._check_allowances(request, files, payer)
            return Asked(back, request, connection, len(body), files=files, payer=payer)
        except RequestFailed as problem:
            self._counts.malformed += problem.code in MALFORMED
            id_ = message_id(body)[:ID_CHARACTERS_MAX] if len(body) <= REQUEST_BYTES_MAX else ""
            self.reply(back, failure(problem, id_), connection)
            return None

    def _check_allowances(self, request: Request, files: Sequence[str] | None, identity: str) -> None:
        """Reject a request that exceeds the client's quotas, unless it repeats an earlier request.

        Raises:
            RequestFailed: With `too_many`.
        """
        try:
            if files is None:
                self._allowances.check_bot(identity)
            else:
                self._allowances.check(files, identity)
        except RequestFailed:
            if not self._is_repeated(request):
                raise

    def reply(self, route: tuple[bytes, ...], reply: Reply, connection: Connection | None) -> None:
        """Send a reply. It is lost if the client is gone or does not read; a connection that leaves too much unread is closed."""
        if isinstance(reply, FailedReply):
            self._counts.failed[reply.code] = self._counts.failed.get(reply.code, 0) + 1
        elif isinstance(reply, HelloReply):
            reply = replace(reply, heartbeat_s=self._heartbeat_s, publisher=self.publisher)
        body = self._written(reply)
        if connection is not None and not self._connections.may_send(connection, len(body)):
            self._counts.undelivered += 1
            return
        try:
            # Frame by frame, because the library's own loop over them costs more than the rest of a reply.
            for frame in route:
                self._socket.send(frame, MORE_FOLLOWS)
            self._socket.send(body, NO_WAIT)
        except zmq.ZMQError:
            # The client is gone or does not read; a command with a key can be sent again.
            self._counts.undelivered += 1

    def _written(self, reply: Reply) -> bytes:
        """Return the bytes of a reply; if it cannot be written, those of an internal fault, which is logged."""
        try:
            return encode(reply)
        except Exception:
            self._logger.exception("reply not written", reply=type(reply).__name__, id=reply.id)
            return encode(internal(reply.id))

    def _decoded(self, version: bytes, body: bytes) -> Request:
        """Decode a request.

        Raises:
            RequestFailed: It is of another protocol, too large, or not a request.
        """
        if version != PROTOCOL_FRAME:
            raise denied("unsupported_version", f"this server speaks {PROTOCOL}; the frame before the request says so")
        check_size(body)
        try:
            request = self._handlers.decode(body)
        except DecodeError as error:
            raise denied("malformed", f"this is not a request: {error}") from None
        for name in BOUNDED:
            text = getattr(request, name, "")
            if len(text) > ID_CHARACTERS_MAX:
                raise denied(
                    "malformed",
                    f"the field {name} has at most {ID_CHARACTERS_MAX} characters; this one has {len(text)}",
                )
        return request


def in_turns(asked: Sequence[Asked]) -> deque[Asked]:
    """Order requests round-robin: every client's first before any client's second; those of one client keep their order."""
    turns: Counter[Hashable] = Counter()
    numbered: list[tuple[int, Asked]] = []
    for one in asked:
        client = one.route[0] if one.connection is None else one.connection.fd
        numbered.append((turns[client], one))
        turns[client] += 1
    if len(turns) < len(asked):
        numbered.sort(key=lambda pair: pair[0])
    return deque([one for _, one in numbered])
