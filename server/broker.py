"""The broker: one loop between the sockets and the desk.

Up to 64 waiting requests are answered as one batch, or if fewer wait, those with them that come while they are decided: one
durable step for all of them, then the replies, then the publications. Slow, silent or vanished clients cost their own
messages, never the loop's time.
"""

import socket as sockets
from collections.abc import Iterator, Sequence
from contextlib import suppress

import zmq

from events.codec import DecodeError, Struct, encode, replace
from server.admission import Admission
from server.curve import CurveKey, secure_server
from server.desk import Desk
from server.errors import PortUnavailable, denied, failure
from server.live import Happened
from server.notes import SILENCE, Notes
from server.publisher import Publisher
from server.wire import (
    PROTOCOL,
    REQUEST_BYTES_MAX,
    AnyReply,
    AnyRequest,
    FailedReply,
    HelloReply,
    MatchRequest,
    PlayedReply,
    decode_request,
    request_id,
)

BATCH_MAX = 64
"""How many requests are answered together at most."""

BATCH_WELL_FILLED = 20
"""Up to how many requests a batch takes in what arrives while it is decided.

Measured with 4, 32 and 100 clients: fewer make too many durable steps; and where a batch takes in everybody, nobody is left
to be served while they read their replies.
"""

IDLE_MS = 20
"""After how much silence the log may do what it has left for a quiet moment."""

PROTOCOL_FRAME = PROTOCOL.encode()

# Plain numbers, because putting named flags together takes longer than sending a frame.
NO_WAIT = int(zmq.NOBLOCK)
MORE_FOLLOWS = int(zmq.NOBLOCK) | int(zmq.SNDMORE)


class Limits(Struct, frozen=True, kw_only=True):
    """What clients may cost.

    `message_bytes` closes a connection that sends more in one frame; `waiting_messages` is how many messages wait for a
    slow client before it misses some; `beat_s` is how often followers are told the last number; `quiet_ms` after how much
    silence a connection is asked whether it lives, and `dead_ms` when it counts as dead; `linger_ms` how long the last
    replies may take at the end.
    """

    message_bytes: int = 2 * REQUEST_BYTES_MAX
    waiting_messages: int = 1_000
    beat_s: float = 5.0
    quiet_ms: int = 10_000
    dead_ms: int = 30_000
    linger_ms: int = 1_000


class Counts(Struct):
    """What the broker has seen.

    `malformed` requests were answered as such, `dropped` frames could not be answered at all, `undelivered` replies found
    their asker gone or not reading.
    """

    requests: int = 0
    commits: int = 0
    malformed: int = 0
    dropped: int = 0
    undelivered: int = 0


class Asked(Struct, frozen=True):
    """A request and the way back to its asker: its routing id, perhaps an empty frame, and the protocol's frame."""

    route: tuple[bytes, ...]
    request: AnyRequest


class Broker:
    """Serves a desk over two sockets.

    Args:
        desk: Answers.
        address: Where requests are taken: `tcp://HOST:PORT`, with `*` for any free port, or `ipc://PATH`.
        events: Where events are published, likewise.
        key: The server's key, if connections are to be encrypted.
        allowed: The public keys (Z85) of the clients that may connect then; by default whoever knows the server's.
        limits: What clients may cost.
        notes: Where it is noted what happens.

    Attributes:
        address: Where requests are taken, with the port that was found.
        events: Where events are published.
        counts: What it has seen.

    Raises:
        PortUnavailable: It cannot listen there.
    """

    def __init__(
        self,
        desk: Desk,
        address: str,
        events: str,
        *,
        key: CurveKey | None = None,
        allowed: frozenset[bytes] | None = None,
        limits: Limits | None = None,
        notes: Notes = SILENCE,
    ) -> None:
        """Listen; nothing is answered before `run`."""
        self.counts = Counts()
        self._desk = desk
        self._limits = Limits() if limits is None else limits
        self._notes = notes
        self._stopping = False
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._waker, self._woken = sockets.socketpair()
        assert key is not None or allowed is None, "clients have keys only where connections are encrypted"
        self._admission = None if allowed is None else Admission(self._context, allowed, notes)
        try:
            self._router = self._socket(zmq.ROUTER, key, self._limits.message_bytes)
            self._router.setsockopt(zmq.ROUTER_MANDATORY, 1)
            xpub = self._socket(zmq.XPUB, key, 4_096)
            xpub.setsockopt(zmq.XPUB_MANUAL, 1)
            self.address = _listen(self._router, address)
            self.events = _listen(xpub, events)
        except PortUnavailable:
            self._close()
            raise
        self._xpub = xpub
        self._publisher = Publisher(xpub, desk, notes)

    def _socket(self, kind: int, key: CurveKey | None, message_bytes: int) -> "zmq.Socket[bytes]":
        made = self._context.socket(kind)
        made.linger = self._limits.linger_ms
        made.sndhwm = self._limits.waiting_messages
        made.setsockopt(zmq.MAXMSGSIZE, message_bytes)
        made.setsockopt(zmq.HEARTBEAT_IVL, self._limits.quiet_ms)
        made.setsockopt(zmq.HEARTBEAT_TIMEOUT, self._limits.dead_ms)
        made.setsockopt(zmq.HANDSHAKE_IVL, self._limits.dead_ms)
        made.setsockopt(zmq.BACKLOG, 1_024)
        secure_server(made, key)
        if self._admission is not None:
            self._admission.guard(made)
        return made

    @property
    def publisher(self) -> Publisher:
        """The publisher, for its counts."""
        return self._publisher

    @property
    def refused(self) -> int:
        """How often a client was turned away whose key is not listed."""
        return 0 if self._admission is None else self._admission.refused

    def stop(self) -> None:
        """Let `run` finish the batch at hand and return; may be called from a signal handler or another thread."""
        self._stopping = True
        with suppress(OSError):  # It has ended already.
            self._waker.send(b"!")

    def run(self) -> None:
        """Serve until told to stop, then close the sockets. The log stays open."""
        poller = zmq.Poller()
        for source in (self._router, self._xpub, self._woken.fileno()):
            poller.register(source, zmq.POLLIN)
        if self._admission is not None:
            poller.register(self._admission.socket, zmq.POLLIN)
        clock = self._desk.clock
        next_beat = clock.monotonic() + self._limits.beat_s
        more, quiet = False, True
        try:
            while not self._stopping:
                until_beat = max(0, round((next_beat - clock.monotonic()) * 1000))
                ready = dict(poller.poll(0 if more else until_beat if quiet else min(IDLE_MS, until_beat)))
                if self._admission is not None and self._admission.socket in ready:
                    self._admission.answer()
                more = self._xpub in ready and self._publisher.read()
                if self._router in ready:
                    self._serve()
                if not ready and not quiet:
                    self._desk.idle()
                quiet = not ready
                begin = clock.monotonic() >= next_beat
                if begin:
                    next_beat = clock.monotonic() + self._limits.beat_s
                more = self._publisher.beat(begin=begin) or more
        finally:
            self._close()

    def _receive(self) -> Iterator[Asked]:
        """Take a batch: what waits, and if that is little, what comes while it is decided."""
        waiting = [self._read(frames) for frames in self._messages(BATCH_MAX)]
        for asked in waiting:
            if asked is not None:
                yield asked
        for frames in self._messages(BATCH_WELL_FILLED - len(waiting)):
            asked = self._read(frames)
            if asked is not None:
                yield asked

    def _messages(self, most: int) -> Iterator[list[bytes]]:
        """Take messages, each when it is asked for, until none waits."""
        for _ in range(most):
            try:
                frame = self._router.recv(NO_WAIT, copy=False)
            except zmq.Again:
                return
            frames = [frame.bytes]
            while frame.more:
                frame = self._router.recv(NO_WAIT, copy=False)
                frames.append(frame.bytes)
            yield frames

    def _read(self, frames: list[bytes]) -> Asked | None:
        """Read a request; nothing is returned if it is none, which its sender has been told then if there is a way."""
        *route, version, body = frames if len(frames) > 1 else (b"", b"", b"")
        if len(route) not in {1, 2} or route[1:] not in ([], [b""]):
            self.counts.dropped += 1
            return None
        if version != PROTOCOL_FRAME:
            problem = denied(
                "unsupported_version", f"this server speaks {PROTOCOL}; the frame before the request says so"
            )
        elif len(body) > REQUEST_BYTES_MAX:
            problem = denied("too_large", f"a request has at most {REQUEST_BYTES_MAX} bytes; this one has {len(body)}")
        else:
            try:
                return Asked((*route, PROTOCOL_FRAME), decode_request(body))
            except DecodeError as error:
                problem = denied("malformed", f"this is no request: {error}")
        self.counts.malformed += 1
        id_ = request_id(body) if len(body) <= REQUEST_BYTES_MAX else ""
        self._reply((*route, PROTOCOL_FRAME), failure(problem, id_))
        return None

    def _serve(self) -> None:
        """Answer a batch: first it is durable, then the askers learn of it, then the followers."""
        asked: list[Asked] = []

        def requests() -> Iterator[AnyRequest]:
            for one in self._receive():
                asked.append(one)
                yield one.request

        batch = self._desk.handle_batch(requests())
        for one, reply in zip(asked, batch.replies, strict=True):
            self._reply(one.route, reply)
        self._publisher.publish(batch.happened)
        self._note(asked, batch.replies, batch.happened)
        self.counts.requests += len(asked)
        self.counts.commits += len(batch.happened)
        self._desk.housekeep()

    def _reply(self, route: tuple[bytes, ...], reply: AnyReply) -> None:
        if isinstance(reply, HelloReply):
            reply = replace(reply, beat_s=self._limits.beat_s, publisher=self.events)
        try:
            # Frame by frame, because the library's own loop over them costs more than all else about a reply.
            for frame in route:
                self._router.send(frame, MORE_FOLLOWS)
            self._router.send(encode(reply), NO_WAIT)
        except zmq.ZMQError:
            # The asker is gone or does not read; a command with a key can be asked for again.
            self.counts.undelivered += 1

    def _note(self, asked: list[Asked], replies: Sequence[AnyReply], happened: Sequence[Happened]) -> None:
        committed: list[dict[str, str | int]] = [
            {"match": one.match, "seq": one.commit.last, "seat": one.commit.seat, "id": asked[one.asked].request.id}
            for one in happened
        ]
        if committed:
            self._notes.infos("committed", committed)
        for way, reply in zip(asked, replies, strict=True):
            if isinstance(reply, FailedReply):
                asker = way.request
                facts = {"match": asker.match, "seat": asker.seat} if isinstance(asker, MatchRequest) else {}
                rule = {"refusal": reply.refusal, "rule": reply.rule} if reply.refusal else {}
                self._notes.info("failed", code=reply.code, id=reply.id, **facts, **rule)
            elif not isinstance(reply, PlayedReply):
                self._notes.debug("answered", ask=type(way.request).__name__, id=reply.id)

    def _close(self) -> None:
        self._context.destroy(linger=self._limits.linger_ms)
        self._waker.close()
        self._woken.close()


def _listen(socket: "zmq.Socket[bytes]", address: str) -> str:
    """Bind a socket and return where it listens.

    Raises:
        PortUnavailable: It cannot.
    """
    try:
        socket.bind(address)
    except zmq.ZMQError as error:
        if error.errno == zmq.EADDRINUSE:
            why = "it is in use"
        elif error.errno in (zmq.EINVAL, zmq.EPROTONOSUPPORT):
            why = "an address is tcp://HOST:PORT, with * for any free port, or ipc://PATH"
        else:
            why = str(error).lower()
        raise PortUnavailable(f"cannot listen at {address}: {why}") from None
    return socket.getsockopt_string(zmq.LAST_ENDPOINT)
