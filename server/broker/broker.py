"""The broker: one loop between the sockets and the desk.

Requests are decided as they come. When enough of them wait, or no other has come, their commits are appended in one durable step, then
their replies are sent, then their publications; while a group is appended, the next requests are decided. Slow, silent or
disconnected clients lose their own messages and never block the loop.
"""

import socket as sockets
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress

import zmq

from server.broker.allowances import Allowances
from server.broker.answer_lines import log_answers
from server.broker.background import Background
from server.broker.connections import Connections
from server.broker.intake import Counts, Intake, in_turns
from server.broker.limits import Limits
from server.broker.listening import event_socket, listen, request_socket
from server.broker.loop_state import LoopState
from server.broker.payers import Payers
from server.broker.penalties import Penalties
from server.broker.publisher import UNDELIVERED_SUBSCRIPTIONS, Publisher
from server.broker.waiting import Asked, Waiting
from server.broker.watchdog import Watchdog
from server.broker.zap import ZapHandler
from server.desk.desk import Desk
from server.desk.match_cache import CommittedCommand
from server.desk.pipeline import WAITING_MAX, Pipeline
from server.desk.pipeline_parts import internal
from server.protocol.bot_seats import BotTurns
from server.protocol.curve import CurveKey
from server.protocol.errors import PortUnavailable
from server.protocol.logger import SILENT, Logger
from server.protocol.replies import BotReply, FailedReply, OpenedReply, WrittenReply
from server.protocol.wire import MatchRequest

TURN_MAX = WAITING_MAX
"""How many requests are taken in one turn, and how many commands wait at most to be appended."""

STALL_PAUSE_S = 0.005
"""How long the loop pauses before it sees again whether a store that has stalled answers."""

GROUP_WELL_FILLED = 16
"""How many commands are appended together although other requests wait to be decided.

Measured with 4, 32 and 100 clients: a lower number causes too many durable steps; and if a group holds a command of every client, no
request is left to decide while it is appended.
"""

GROUP_WORTHWHILE = 9
"""How many commands are worth handing to another process; fewer are appended at once.

Measured with 4 and 8 clients: with smaller groups the hand-over takes longer than what can be decided meanwhile.
"""

TURN_S = 0.01
"""After how long (seconds) a turn takes no more requests, so that slow requests do not delay the rest for long."""

IDLE_MS = 20
"""How long no message must have come before the log may do its deferred work."""

REQUESTS_A_TIDYING = 1_000
"""After how many requests garbage is collected; the more there were, the longer it takes."""

FAULT_PAUSE_S = 0.01
"""How long the loop pauses after an internal fault, so that one that recurs does not fill the log."""


class Broker:
    """Serves a desk over two sockets.

    Args:
        desk: Answers the requests.
        address: Address of the request socket: `tcp://HOST:PORT`, with `*` for any free port, or `ipc://PATH`.
        events: Address of the event socket, in the same form.
        key: The server's key, if connections are to be encrypted.
        allowed: With a key, the public keys (Z85) of the clients that may connect; by default all that know the server's key.
        pages: The keys of those of them that serve pages, and are believed to say for which visitor they ask.
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
        bots: Is told where the matches stand, and plays the bots of the server; by default it plays none.

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
        pages: Collection[str] = (),
        limits: Limits | None = None,
        logger: Logger = SILENT,
        background: Background | None = None,
        tidy: Callable[[], None] = lambda: None,
        is_shared: bool = False,
    ) -> None:
        self._is_shared = is_shared
        self._tidy = tidy
        self.bots: BotTurns | None = None
        self.counts = Counts()
        self._desk = desk
        self._pipeline: Pipeline[Asked] = desk.pipeline()
        self._limits = Limits() if limits is None else limits
        self._logger = logger
        self._background = background
        self._waiting = None if background is None else Waiting(desk, background, self._limits)
        self._allowances = Allowances(desk.clock, self._limits.share(len(desk.nodes)))
        self._penalties = Penalties()
        self._stopping = False
        self._pending: deque[Asked] = deque()
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._waker, self._woken = sockets.socketpair()
        assert key is not None or allowed is None, "clients have keys only where connections are encrypted"
        self._zap = ZapHandler(self._context, allowed, logger)
        try:
            self._router = request_socket(self._context, self._limits, key, self._zap)
            self._xpub = xpub = event_socket(self._context, self._limits, key, self._zap)
            self.requesters = self._connections(self._router, self._limits.undelivered_bytes)
            self.subscribers = self._connections(xpub, UNDELIVERED_SUBSCRIPTIONS * self._limits.subscription_bytes)
            self.address = listen(self._router, address)
            self.events = listen(xpub, events)
        except PortUnavailable:
            self._close()
            raise
        self._intake = Intake(
            self._router,
            self.requesters,
            desk.handlers,
            self._allowances,
            self.counts,
            payers=Payers(pages),
            is_repeated=desk.is_repeated,
            heartbeat_s=self._limits.heartbeat_s,
            logger=logger,
        )
        self._intake.publisher = self.events
        self._publisher = Publisher(xpub, desk, self.subscribers, self._limits, logger)
        self._watchdog = Watchdog((self.requesters, self.subscribers), logger)

    def _connections(self, socket: "zmq.Socket[bytes]", undelivered_bytes: int) -> Connections:
        return Connections(
            socket,
            self._limits,
            self._desk.clock.monotonic,
            undelivered_bytes=undelivered_bytes,
            penalties=self._penalties,
            logger=self._logger,
        )

    @property
    def publisher(self) -> Publisher:
        """The publisher, for its counts."""
        return self._publisher

    @property
    def refused(self) -> int:
        """How often a client was rejected because its key is not listed."""
        return self._zap.refused

    def stop(self) -> None:
        """Let `run` answer what it has taken and return; may be called from a signal handler or another thread."""
        self._stopping = True
        with suppress(OSError):  # It has ended already.
            self._waker.send(b"!")

    def run(self) -> None:
        """Serve until told to stop, then close the sockets. The log stays open."""
        loop = LoopState(self._desk.clock, self._limits.heartbeat_s)
        poller = zmq.Poller()
        monitors = self.requesters.monitor, self.subscribers.monitor
        for source in (self._router, self._xpub, *monitors, self._zap.socket, self._woken.fileno()):
            poller.register(source, zmq.POLLIN)
        watched: set[int] = set()
        self._watchdog.start()
        try:
            while not self._stopping:
                watched = self._watch(poller, watched)
                ready = dict(poller.poll(self._wait_ms(loop)))
                try:
                    self._turn(ready, loop)
                except Exception:
                    self.counts.faults += 1
                    self._logger.exception("turn failed")
                    self._desk.clock.sleep(FAULT_PAUSE_S)
            self._finish(patient=True)
        finally:
            self._watchdog.stop()
            self._close()

    def _watch(self, poller: zmq.Poller, watched: set[int]) -> set[int]:
        """Register the current descriptors of the other processes with the poller instead of the previous ones; return them."""
        sources = (self._pipeline, self._desk, *(() if self._background is None else (self._background,)))
        current = {source.fileno() for source in sources} - {-1}
        for fd in watched - current:
            poller.unregister(fd)
        for fd in current - watched:
            poller.register(fd, zmq.POLLIN)
        return current

    def _wait_ms(self, loop: LoopState) -> int:
        """Return how long the loop may wait for a message before it has work of its own to do."""
        if loop.has_more or self._has_requests:
            return 0
        now = self._desk.clock.monotonic()
        waits = [loop.wait_s(now, looks=len(self.requesters) + len(self.subscribers) > 0, is_shared=self._is_shared)]
        if not loop.is_quiet:
            waits.append(IDLE_MS / 1000)
        if self._waiting is not None and (due := self._waiting.look(now)) is not None:
            waits.append(due)
        return round(min(waits) * 1000)

    def _turn(self, ready: dict[object, int], loop: LoopState) -> None:
        """Do a bounded part of each kind of pending work; all but the requests is done with matches that are not ahead of the log."""
        is_look_due = loop.is_look_due()
        if is_look_due:
            self.requesters.look()
            self.subscribers.look()
        is_asked = self._zap.socket in ready
        # A look reads the monitors, which then have nothing more to tell of what came or went.
        if is_asked or is_look_due or self.requesters.monitor in ready:
            self.requesters.update()
        if is_asked or is_look_due or self.subscribers.monitor in ready:
            self._publisher.forget_vanished()
        if is_asked:
            # By now all connections that it is asked about are known.
            self._zap.answer()
        loop.has_more = False
        if self._xpub in ready and self._finish():
            loop.has_more = self._publisher.read()
        if (waiting := self._waiting) is not None and waiting.is_due(ready) and self._finish():
            for asked, why in waiting.receive():
                self._intake.reply(asked.route, why, asked.connection)
        if self._router in ready or self._has_requests or self._pipeline.is_appending:
            self._serve()
        if not ready:
            loop.has_more = self._rest(loop)
        loop.is_quiet = not ready
        if self._is_shared and (self._desk.fileno() in ready or loop.is_news_due()) and self._heed_news():
            loop.next_news = 0.0
        if self.counts.requests - loop.tidied >= REQUESTS_A_TIDYING:
            loop.tidied = self.counts.requests
            self._tidy()
        loop.has_more = self._publisher.heartbeat(begin=loop.is_heartbeat_due()) or loop.has_more

    def _rest(self, loop: LoopState) -> bool:
        """Let the logs do their deferred work while no message comes; return whether there is more of it."""
        is_due = not loop.is_quiet or self._desk.has_entries_to_make
        return is_due and self._finish() and self._desk.idle()

    def _heed_news(self) -> bool:
        """Tell subscribers and bots of what other processes have written to the store; return whether there was anything."""
        matches = self._desk.look()
        if not matches or (any(map(self._pipeline.is_ahead, matches)) and not self._finish()):
            return False
        heard = self._desk.take_news()
        self.counts.heard([one.commit.at for one in heard.committed], self._desk.clock.now_ms())
        self._publisher.tell(heard, self._waiting)
        self._tell_bots(heard.committed)
        if self.bots is not None:
            self.bots.look(heard.unread, self._desk.summaries.of)
        return True

    def _tell_bots(self, commands: Iterable[CommittedCommand]) -> None:
        if (bots := self.bots) is not None:
            for one in commands:
                bots.heed(one.match, one.table)

    @property
    def _has_requests(self) -> bool:
        """Return whether requests that were read earlier can be answered now."""
        return bool(self._pending) or (self._waiting is not None and self._waiting.is_ready)

    def _receive(self) -> Iterator[Asked]:
        """Yield the requests of a turn: those that wait, round-robin over the clients, and those that arrive meanwhile.

        Requests that are left when the turn has taken long enough stay for the next one.
        """
        until = self._desk.clock.monotonic() + TURN_S
        count = 0
        for asked in () if self._waiting is None else self._waiting.released(TURN_MAX):
            count += 1
            yield asked
            if self._desk.clock.monotonic() >= until:
                return
        fresh = self._intake.messages(TURN_MAX - count - len(self._pending))
        self._pending = in_turns([*self._pending, *[asked for asked in fresh if asked is not None]])
        count += len(self._pending)
        while self._pending:
            asked = self._pending.popleft()
            if not self._must_wait(asked):
                yield asked
            if self._desk.clock.monotonic() >= until:
                return
        for arrived in self._intake.messages(TURN_MAX - count):
            if arrived is not None and not self._must_wait(arrived):
                yield arrived
            if self._desk.clock.monotonic() >= until:
                return

    def _must_wait(self, asked: Asked) -> bool:
        """Return whether a request cannot be answered now: it waits for the background, or is rejected because too many do."""
        if self._waiting is None:
            return False
        request = asked.request
        is_read = (
            isinstance(request, MatchRequest) and self._pipeline.is_ahead(request.match) and self._desk.reads(request)
        )
        # The background reads the log. If that has stalled, the pipeline refuses the request.
        if is_read and not self._finish():
            return False
        waits = self._waiting.take(asked)
        if isinstance(waits, FailedReply):
            self._intake.reply(asked.route, waits, asked.connection)
            return True
        return waits

    def _serve(self) -> None:
        """Decide the requests of a turn, append their commits in groups, and answer the groups that are durable."""
        pipeline = self._pipeline
        try:
            for asked in self._receive():
                pipeline.take(asked, asked.request)
                if pipeline.is_appending or pipeline.waiting >= GROUP_WELL_FILLED:
                    self._advance(GROUP_WELL_FILLED)
            self._advance(1)
            self._answer() if pipeline.is_appending else self._desk.housekeep()
        except Exception:
            self._abandon()
            raise

    def _advance(self, enough: int) -> None:
        """If no group is being appended any more, answer the last one and begin to append the next, if it has enough commands."""
        pipeline = self._pipeline
        if not pipeline.complete(wait=pipeline.waiting >= TURN_MAX):
            if pipeline.has_stalled:
                self._answer()
            return
        self._desk.housekeep()
        if pipeline.waiting >= enough:
            if pipeline.waiting >= GROUP_WORTHWHILE or pipeline.is_impeded:
                pipeline.submit()
            else:
                pipeline.finish()
        self._answer()

    def _finish(self, *, patient: bool = False) -> bool:
        """Append what waits, and answer it, so that no match is ahead of the log; return False if the log has stalled."""
        try:
            is_done = self._pipeline.finish(patient=patient)
        except Exception:
            self._abandon()
            raise
        self._answer()
        if not is_done:
            self._desk.clock.sleep(STALL_PAUSE_S)
        return is_done

    def _abandon(self) -> None:
        """After an internal fault, answer what can be answered; the other requests get an error."""
        failed = self._pipeline.abandon()
        self._answer()
        for one in failed:
            self._intake.reply(one.route, internal(one.request.id), one.connection)

    def _answer(self) -> None:
        """Send the replies that are due, then the publications."""
        answers = self._pipeline.answers()
        if not (answers.replies or answers.committed):
            return
        for one, reply in answers.replies:
            if one.connection is not None and not isinstance(reply, FailedReply):
                one.connection.is_useful = True
            if one.files is not None and isinstance(reply, OpenedReply | WrittenReply) and not reply.repeated:
                self._allowances.opened(one.files, one.payer)
            if isinstance(reply, BotReply) and not reply.repeated:
                self._allowances.bot_seated(one.payer)
            self._intake.reply(one.route, reply, one.connection)
        self._publisher.publish(answers.committed)
        self._tell_bots(answers.committed)
        log_answers(self._logger, answers)
        self.counts.answered(len(answers.replies), len(answers.committed))

    def _close(self) -> None:
        if self._background is not None:
            self._background.close()
        self._context.destroy(linger=self._limits.linger_ms)
        self._waker.close()
        self._woken.close()
