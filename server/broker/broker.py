"""The broker: one loop between the sockets and the desk.

Up to 64 waiting requests are answered as one batch; a small batch also takes in requests that arrive while it is decided. A batch
takes one durable step, then its replies are sent, then its publications. Slow, silent or disconnected clients lose their own
messages and never block the loop.
"""

import socket as sockets
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress

import zmq

from server.broker.allowances import Allowances
from server.broker.background import Background
from server.broker.connections import Connections
from server.broker.intake import Counts, Intake
from server.broker.limits import Limits
from server.broker.loop_state import LoopState
from server.broker.publisher import SUBSCRIPTION_BYTES_MAX, Publisher
from server.broker.waiting import Asked, Waiting
from server.broker.zap import ZapHandler
from server.desk.batch import INTERNAL
from server.desk.desk import Desk
from server.desk.logger import SILENT, Logger
from server.desk.match_cache import CommittedCommand
from server.protocol.curve import CurveKey, secure_server
from server.protocol.errors import PortUnavailable
from server.protocol.replies import FailedReply, OpenedReply, PlayedReply, Reply
from server.protocol.wire import Request, SeatRequest

BATCH_MAX = 64
"""The largest number of requests in a batch."""

BATCH_WELL_FILLED = 20
"""A batch smaller than this also takes in requests that arrive while it is decided.

Measured with 4, 32 and 100 clients: a lower number causes too many durable steps; and if a batch takes in every client, no
request is left to decide while the clients read their replies.
"""

BATCH_S = 0.01
"""After how long (seconds) a batch takes in no more requests, so that slow requests do not delay the others for long."""

IDLE_MS = 20
"""How long no message must have come before the log may do its deferred work."""

TURNS_A_TIDYING = 256
"""After how many turns of the loop garbage is collected."""

FAULT_PAUSE_S = 0.01
"""How long the loop pauses after an internal fault, so that a recurring fault does not fill the log."""


class Broker:
    """Serves a desk over two sockets.

    Args:
        desk: Answers the requests.
        address: Address of the request socket: `tcp://HOST:PORT`, with `*` for any free port, or `ipc://PATH`.
        events: Address of the event socket, in the same form.
        key: The server's key, if connections are to be encrypted.
        allowed: With a key, the public keys (Z85) of the clients that may connect; by default all that know the server's key.
        limits: What clients may cost.
        logger: The log for operators.
        background: Loads long matches and checks files from outside; without it, the loop does so itself.
        tidy: Called from time to time, between two turns of the loop.
        is_shared: Other processes may write to the store. Nothing else in this process may then use the log's connection.

    Attributes:
        address: Address of the request socket, with the actual port.
        events: Address of the event socket, with the actual port.
        counts: Counters of messages and faults.
        requesters: The connections of the request socket.
        subscribers: The connections of the event socket.

    Raises:
        PortUnavailable: An address cannot be bound.
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
        logger: Logger = SILENT,
        background: Background | None = None,
        tidy: Callable[[], None] = lambda: None,
        is_shared: bool = False,
    ) -> None:
        self._is_shared = is_shared
        self._tidy = tidy
        self.counts = Counts()
        self._desk = desk
        self._limits = Limits() if limits is None else limits
        self._logger = logger
        self._background = background
        self._waiting = None if background is None else Waiting(desk, background, self._limits)
        self._allowances = Allowances(desk.clock, self._limits)
        self._stopping = False
        self._pending: deque[Asked] = deque()
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._waker, self._woken = sockets.socketpair()
        assert key is not None or allowed is None, "clients have keys only where connections are encrypted"
        self._zap = None if allowed is None else ZapHandler(self._context, allowed, logger)
        try:
            self._router = self._socket(zmq.ROUTER, key, self._limits.message_bytes)
            self._router.setsockopt(zmq.ROUTER_MANDATORY, 1)
            xpub = self._socket(zmq.XPUB, key, 2 * SUBSCRIPTION_BYTES_MAX)
            xpub.setsockopt(zmq.XPUB_MANUAL, 1)
            now = desk.clock.monotonic
            self.requesters = Connections(self._router, self._limits, now)
            self.subscribers = Connections(xpub, self._limits, now)
            self.address = _listen(self._router, address)
            self.events = _listen(xpub, events)
        except PortUnavailable:
            self._close()
            raise
        self._xpub = xpub
        self._intake = Intake(
            self._router,
            self.requesters,
            desk.handlers,
            self._allowances,
            self.counts,
            is_repeated=desk.is_repeated,
            heartbeat_s=self._limits.heartbeat_s,
        )
        self._intake.publisher = self.events
        self._publisher = Publisher(xpub, desk, self.subscribers, self._limits, logger)

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
        if self._zap is not None:
            self._zap.guard(made)
        return made

    @property
    def publisher(self) -> Publisher:
        """The publisher, for its counts."""
        return self._publisher

    @property
    def refused(self) -> int:
        """How often a client was rejected because its key is not listed."""
        return 0 if self._zap is None else self._zap.refused

    def stop(self) -> None:
        """Let `run` finish the current batch and return; may be called from a signal handler or another thread."""
        self._stopping = True
        with suppress(OSError):  # It has ended already.
            self._waker.send(b"!")

    def run(self) -> None:
        """Serve until told to stop, then close the sockets. The log stays open."""
        loop = LoopState(self._desk.clock, self._limits.heartbeat_s)
        poller = zmq.Poller()
        for source in (
            self._router,
            self._xpub,
            self.requesters.monitor,
            self.subscribers.monitor,
            self._woken.fileno(),
        ):
            poller.register(source, zmq.POLLIN)
        if self._zap is not None:
            poller.register(self._zap.socket, zmq.POLLIN)
        watched = -1
        try:
            while not self._stopping:
                if self._background is not None and self._background.fileno() != watched:
                    watched = self._watch(poller, watched)
                ready = dict(poller.poll(self._wait_ms(loop)))
                try:
                    self._turn(ready, loop)
                except Exception:
                    self.counts.faults += 1
                    self._logger.exception("turn failed")
                    self._desk.clock.sleep(FAULT_PAUSE_S)
        finally:
            self._close()

    def _watch(self, poller: zmq.Poller, watched: int) -> int:
        """Register the background's current pipe with the poller instead of the previous one; return its descriptor."""
        assert self._background is not None
        if watched >= 0:
            poller.unregister(watched)
        fd = self._background.fileno()
        if fd >= 0:
            poller.register(fd, zmq.POLLIN)
        return fd

    def _wait_ms(self, loop: LoopState) -> int:
        """Return how long the loop may wait for a message before it has work of its own to do."""
        if loop.has_more or self._has_requests:
            return 0
        now = self._desk.clock.monotonic()
        due_at = min(loop.next_heartbeat, loop.next_look) if self._is_shared else loop.next_heartbeat
        waits = [max(0.0, due_at - now)]
        if not loop.is_quiet:
            waits.append(IDLE_MS / 1000)
        due = None if self._background is None else self._background.wait_s(now)
        if due is not None:
            waits.append(due)
        return round(min(waits) * 1000)

    def _turn(self, ready: dict[object, int], loop: LoopState) -> None:
        """Do a bounded part of each kind of pending work."""
        if self._zap is not None and self._zap.socket in ready:
            self._zap.answer()
        if self.requesters.monitor in ready:
            self.requesters.update()
        if self.subscribers.monitor in ready:
            self._publisher.forget_vanished()
        loop.has_more = self._xpub in ready and self._publisher.read()
        if self._waiting is not None and self._is_background_due(ready):
            for asked, why in self._waiting.receive():
                self._intake.reply(asked.route, why, asked.connection)
        if self._router in ready or self._has_requests:
            self._serve()
        if not ready and not loop.is_quiet:
            self._desk.idle()
        loop.is_quiet = not ready
        loop.turns += 1
        if self._is_shared and loop.is_look_due() and self._desk.drop_overtaken():
            self._publisher.catch_up()
        if not loop.turns % TURNS_A_TIDYING:
            self._tidy()
        loop.has_more = self._publisher.heartbeat(begin=loop.is_heartbeat_due()) or loop.has_more

    @property
    def _has_requests(self) -> bool:
        """Return whether requests that were read earlier can be answered now."""
        return bool(self._pending) or (self._waiting is not None and self._waiting.is_ready)

    def _is_background_due(self, ready: dict[object, int]) -> bool:
        """Return whether the background has a result, or its job has taken too long."""
        background = self._background
        if background is None:
            return False
        fd = background.fileno()
        return fd < 0 or fd in ready or background.wait_s(self._desk.clock.monotonic()) == 0.0

    def _receive(self) -> Iterator[Asked]:
        """Yield the requests of a batch: those that wait, round-robin over the clients, and in a small batch those that arrive meanwhile.

        Requests that are left when the batch has taken long enough stay for the next one.
        """
        until = self._desk.clock.monotonic() + BATCH_S
        count = 0
        for asked in () if self._waiting is None else self._waiting.released(BATCH_MAX):
            count += 1
            yield asked
            if self._desk.clock.monotonic() >= until:
                return
        fresh = self._intake.messages(BATCH_MAX - count - len(self._pending))
        self._pending = in_turns([*self._pending, *[asked for asked in fresh if asked is not None]])
        count += len(self._pending)
        while self._pending:
            asked = self._pending.popleft()
            if not self._must_wait(asked):
                yield asked
            if self._desk.clock.monotonic() >= until:
                return
        for arrived in self._intake.messages(BATCH_WELL_FILLED - count):
            if arrived is not None and not self._must_wait(arrived):
                yield arrived

    def _must_wait(self, asked: Asked) -> bool:
        """Return whether a request cannot be answered now: it waits for the background, or is rejected because too many do."""
        if self._waiting is None:
            return False
        waits = self._waiting.take(asked)
        if isinstance(waits, FailedReply):
            self._intake.reply(asked.route, waits, asked.connection)
            return True
        return waits

    def _serve(self) -> None:
        """Answer a batch: make it durable, then send the replies, then the publications."""
        asked: list[Asked] = []

        def requests() -> Iterator[Request]:
            for one in self._receive():
                asked.append(one)
                yield one.request

        try:
            batch = self._desk.handle_batch(requests())
        except Exception:
            for one in asked:
                failed = FailedReply(id=one.request.id, code="internal", message=INTERNAL)
                self._intake.reply(one.route, failed, one.connection)
            raise
        for one, reply in zip(asked, batch.replies, strict=True):
            if one.connection is not None and not isinstance(reply, FailedReply):
                one.connection.is_useful = True
            if one.files is not None and isinstance(reply, OpenedReply) and not reply.repeated:
                self._allowances.opened(one.files, "" if one.connection is None else one.connection.identity)
            self._intake.reply(one.route, reply, one.connection)
        self._publisher.publish(batch.committed)
        self._log_batch(asked, batch.replies, batch.committed)
        self.counts.requests += len(asked)
        self.counts.commits += len(batch.committed)
        self._desk.housekeep()

    def _log_batch(self, asked: list[Asked], replies: Sequence[Reply], committed: Sequence[CommittedCommand]) -> None:
        lines: list[dict[str, str | int]] = [
            {
                "match": one.match,
                "seq": one.commit.last,
                "seat": one.commit.seat,
                "id": asked[one.request_index].request.id,
            }
            for one in committed
        ]
        if lines:
            self._logger.info_each("committed", lines)
        for way, reply in zip(asked, replies, strict=True):
            if isinstance(reply, FailedReply):
                client = way.request
                fields = {"match": client.match, "seat": client.seat} if isinstance(client, SeatRequest) else {}
                rule = {"refusal": reply.refusal, "rule": reply.rule} if reply.refusal else {}
                self._logger.info("failed", code=reply.code, id=reply.id, **fields, **rule)
            elif not isinstance(reply, PlayedReply):
                self._logger.debug("answered", ask=type(way.request).__name__, id=reply.id)

    def _close(self) -> None:
        if self._background is not None:
            self._background.close()
        self._context.destroy(linger=self._limits.linger_ms)
        self._waker.close()
        self._woken.close()


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


def _listen(socket: "zmq.Socket[bytes]", address: str) -> str:
    """Bind a socket and return its address.

    Raises:
        PortUnavailable: The address cannot be bound.
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
