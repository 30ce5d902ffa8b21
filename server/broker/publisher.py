"""Publications: one topic per match and seat, granted to clients that prove the seat, encoded once for all subscribers.

The library keeps the subscriptions; this module only tracks which topics have subscribers, and what each connection subscribed
to. Topics are granted one by one (XPUB_MANUAL), so that no client receives another seat's events by subscribing to its topic or
to a prefix of it.
"""

from collections import deque
from collections.abc import Iterable
from contextlib import suppress

import zmq

from events.codec import encode
from events.ids import PUBLIC, MatchId, Seat
from projections.state.view import EventSlice
from server.broker.connections import Connection, Connections, Topic
from server.broker.limits import Limits
from server.broker.waiting import Waiting
from server.desk.desk import Desk
from server.desk.match_cache import CommittedCommand
from server.desk.news import Heard
from server.protocol.errors import EXPECTED
from server.protocol.logger import Logger
from server.protocol.publications import TooManyPublication, heartbeat, notice_topic, publish, topic

SUBSCRIPTION_BYTES_MAX = 512
SUBSCRIPTION_OVERHEAD = 32
"""Bytes that each subscription counts in addition to its own, so that short ones are not free."""

NO_WAIT = int(zmq.NOBLOCK)
SUBSCRIPTIONS_A_TURN = 256
SUBSCRIPTIONS_S = 0.002
"""How many subscriptions are read, and for how long (seconds), before requests are served again."""

SUBSCRIPTIONS_AHEAD = 4
"""How many subscriptions of a connection the library reads ahead of this module.

The library keeps each subscription in a tree with a node for each byte, also those that are refused, and reads on as long as more arrive.
With a low number it waits for this module, which cuts a connection that sends too many.
"""

CUT_BEYOND = 2
"""How many times its limit of bytes a connection may subscribe to before it is cut."""

UNDELIVERED_SUBSCRIPTIONS = 4
"""How many times the limit of its subscriptions a connection of the event socket may send without a whole message."""

SUBSCRIPTION, END_OF_ONE = b"\1", b"\0"
"""The first byte of a message that subscribes, and of one that ends a subscription."""

HEARTBEATS_A_TURN = 64
"""How many heartbeats are sent before requests are served again."""


class Publisher:
    """Grants topics and publishes to those that have subscribers.

    Args:
        socket: An XPUB socket in manual mode.
        desk: Decides which client may subscribe to what.
        connections: The connections of the socket.
        limits: What subscribers may cost.
        logger: The log for operators.

    Attributes:
        refused: How many subscriptions were refused.
        published: How many messages were published, heartbeats included.
        held: Bytes of all subscriptions, refused ones included.
    """

    def __init__(
        self, socket: zmq.Socket[bytes], desk: Desk, connections: Connections, limits: Limits, logger: Logger
    ) -> None:
        self.refused = 0
        self.published = 0
        self.held = 0
        self._socket = socket
        self._desk = desk
        self._connections = connections
        self._limits = limits
        self._logger = logger
        self._topics: dict[MatchId, dict[bytes, Topic]] = {}
        self._new: dict[bytes, Topic] = {}
        self._heartbeats: deque[Topic] = deque()
        self._is_shifted = False
        self._notices = 0
        self._too_many = (
            f"a connection may subscribe to {limits.subscription_bytes} bytes, {SUBSCRIPTION_OVERHEAD} more for each "
            "subscription; this one and all further ones are refused: use another connection for them"
        )

    @property
    def topics(self) -> int:
        """How many topics have subscribers."""
        return sum(len(topics) for topics in self._topics.values())

    def read(self) -> bool:
        """Read waiting subscriptions, grant or refuse them, and send new subscribers a heartbeat; return whether more may wait."""
        self.forget_vanished()
        is_empty = False
        until = self._desk.clock.monotonic() + SUBSCRIPTIONS_S
        for _ in range(SUBSCRIPTIONS_A_TURN):
            try:
                frame = self._socket.recv(NO_WAIT, copy=False)
            except zmq.Again:
                is_empty = True
                self._is_shifted = False
                break
            self._take(frame)
            if self._desk.clock.monotonic() > until:
                break
        # One heartbeat serves all new subscribers; without it a subscriber could not tell silence from refusal.
        for new in self._new.values():
            self._send(heartbeat(new.match, new.seat, new.credential, new.seq))
        self._new.clear()
        return not is_empty

    def _take(self, frame: zmq.Frame) -> None:
        """Take a frame: a subscription, the end of one, or anything else, which nobody but an attacker sends."""
        message = frame.bytes
        connection = self._connections.of(frame, len(message))
        kind = message[:1]
        if kind not in {SUBSCRIPTION, END_OF_ONE}:
            # From here on the library takes each subscription for that of the connection behind it, until none waits.
            self._is_shifted = True
            if connection is not None:
                self._cut(connection, "it sends what is not a subscription")
            return
        # A message of the library about a lost connection has no sender; `forget_vanished` handles that connection as a whole.
        if connection is None:
            return
        if self._is_shifted:
            # A topic would be granted to another connection. This one comes back by itself, and subscribes again.
            self._connections.close(connection)
            self._drop(connection)
        elif kind == SUBSCRIPTION:
            self._subscribe(connection, message[1:], frame)
        else:
            self._unsubscribe(connection, message[1:])

    def forget_vanished(self) -> None:
        """Drop the subscriptions of closed connections."""
        for connection in self._connections.update():
            self._drop(connection)

    def _subscribe(self, connection: Connection, said: bytes, frame: zmq.Frame) -> None:
        if said not in connection.subscriptions:
            self._connections.name(connection, frame)
            connection.subscriptions[said] = None
            self._hold(connection, len(said) + SUBSCRIPTION_OVERHEAD)
        if connection.is_closing:
            # It was cut for this very subscription, and has none any more.
            self.refused += 1
            return
        if connection.held > self._limits.subscription_bytes:
            self.refused += 1
            self._tell(connection, said)
            return
        before = connection.subscriptions[said]
        granted = self._granted(said)
        if granted is None:
            self.refused += 1
            return
        if before is not granted:
            self._leave(before)
            connection.subscriptions[said] = granted
            granted.subscribers += 1
        connection.is_useful = True
        self._grant(granted.name)
        self._new[granted.name] = granted

    def _hold(self, connection: Connection, size: int) -> None:
        """Count what a subscription costs the library until it ends, and cut connections that hold too much."""
        connection.held += size
        self.held += size
        if connection.held > CUT_BEYOND * self._limits.subscription_bytes:
            self._cut(connection, f"it subscribes to too much: {connection.held} bytes")
        while self.held > self._limits.all_subscription_bytes:
            largest = self._connections.largest()
            if largest is None:
                break
            self._cut(largest, f"of what all subscribe to, it holds most: {largest.held} bytes")

    def _cut(self, connection: Connection, why: str) -> None:
        self._connections.cut(connection, why)
        self._drop(connection)

    def _tell(self, connection: Connection, said: bytes) -> None:
        """Tell a connection once that it has too many subscriptions, on a topic that no other has."""
        if connection.is_told:
            return
        connection.is_told = True
        self._notices += 1
        name = notice_topic(self._notices)
        self._grant(name)
        match, seat, *_ = [*said.decode(errors="replace").split("/", 2), "", ""]
        self._send(name + encode(TooManyPublication(match=MatchId(match), seat=Seat(seat), message=self._too_many)))

    def _drop(self, connection: Connection) -> None:
        for granted in connection.subscriptions.values():
            self._leave(granted)
        connection.subscriptions.clear()
        self.held -= connection.held
        connection.held = 0

    def _granted(self, said: bytes) -> Topic | None:
        """Return the topic that a subscription is granted, or None if it is refused; never raise because of its content."""
        if len(said) > SUBSCRIPTION_BYTES_MAX or said.count(b"/") < 2:
            return None
        match, seat, token = said.decode(errors="replace").split("/", 2)
        try:
            return self._topic(MatchId(match), Seat(seat), token)
        except EXPECTED as error:
            self._logger.debug("subscription refused", match=match, seat=seat, problem=str(error))
        except Exception:
            self._logger.exception("subscription failed", match=match, seat=seat)
        return None

    def _topic(self, match: MatchId, seat: Seat, token: str) -> Topic | None:
        credential = self._desk.topic_credential(match, seat, token)
        if seat == PUBLIC and token:
            return None
        seq = self._desk.number(match, seat)
        name = topic(match, seat, credential)
        topics = self._topics.setdefault(match, {})
        if name not in topics:
            topics[name] = Topic(match, seat, credential, seq)
        topics[name].seq = seq
        # The same secret may prove the seat again.
        topics[name].is_over = False
        return topics[name]

    def _grant(self, name: bytes) -> None:
        """Grant a topic to the connection whose subscription was read last."""
        self._socket.setsockopt(zmq.SUBSCRIBE, name)

    def _unsubscribe(self, connection: Connection, said: bytes) -> None:
        """Drop a subscription of this connection only; no client can silence a topic for others."""
        if said not in connection.subscriptions:
            return
        granted = connection.subscriptions.pop(said)
        size = len(said) + SUBSCRIPTION_OVERHEAD
        connection.held -= size
        self.held -= size
        if granted is not None:
            self._socket.setsockopt(zmq.UNSUBSCRIBE, granted.name)
            self._leave(granted)

    def _leave(self, topic_: Topic | None) -> None:
        """Remove one subscriber; drop a topic that has no more."""
        if topic_ is None:
            return
        topic_.subscribers -= 1
        topics = self._topics.get(topic_.match, {})
        if not topic_.subscribers and topics.get(topic_.name) is topic_:
            del topics[topic_.name]
        if not topics:
            self._topics.pop(topic_.match, None)

    def publish(self, committed: Iterable[CommittedCommand]) -> None:
        """Publish commits, which must already be durable; what the subscribers of a topic know of is not published again."""
        for one in committed:
            for told in self._topics.get(one.match, {}).values():
                if not self._desk.holds(one.table, told.seat, told.credential):
                    self._end(told)
                elif (slice_ := one.slice_for(told.seat)) is not None and slice_.last > told.seq:
                    told.seq = slice_.last
                    self._publish(told, slice_)

    def _publish(self, told: Topic, slice_: EventSlice) -> None:
        """Publish events; those that cannot be written are logged, and subscribers see the gap with the next heartbeat."""
        try:
            message = publish(told.match, told.seat, told.credential, slice_)
        except Exception:
            self._logger.exception("events not written", match=told.match, seat=told.seat)
        else:
            self._send(message)

    def tell(self, heard: Heard, waiting: Waiting | None = None) -> None:
        """Publish what others have appended, and that more was appended than is known here.

        A match that has subscribers is loaded, a long one by the background, so that its next news are folded and published: else each of them
        would cost a look at the whole match.
        """
        for match in heard.unread.intersection(self._topics):
            job = self._desk.load(match)
            if job is not None and waiting is not None:
                waiting.prepare(match, job)
        self.publish(heard.committed)
        self.catch_up(heard.unread)

    def catch_up(self, matches: Iterable[MatchId]) -> None:
        """Send a heartbeat to the subscribers of matches that have gone on elsewhere: they see the gap, and ask for what they missed."""
        for told in [told for match in matches for told in self._topics.get(match, {}).values()]:
            with suppress(*EXPECTED):
                number = self._desk.number(told.match, told.seat)
                if not self._desk.holds(self._desk.seated(told.match), told.seat, told.credential):
                    self._end(told)
                elif number > told.seq:
                    told.seq = number
                    self._send(heartbeat(told.match, told.seat, told.credential, number))

    def _end(self, told: Topic) -> None:
        """Let the subscribers of a seat that changed hands see a gap: they ask for what they missed, and are told that they may not have it.

        The seat has a new topic, and those of the old one get no event any more.
        """
        if not told.is_over:
            told.is_over = True
            told.seq += 1
            self._send(heartbeat(told.match, told.seat, told.credential, told.seq))

    def heartbeat(self, *, begin: bool) -> bool:
        """Send a bounded number of heartbeats; return whether more have to be sent.

        Args:
            begin: Start over with all topics that have subscribers.
        """
        if begin:
            self._heartbeats = deque([told for topics in self._topics.values() for told in topics.values()])
        for _ in range(min(HEARTBEATS_A_TURN, len(self._heartbeats))):
            told = self._heartbeats.popleft()
            self._send(heartbeat(told.match, told.seat, told.credential, told.seq))
        return bool(self._heartbeats)

    def _send(self, message: bytes) -> None:
        """Publish a message; a subscriber beyond the high-water mark misses it and detects the gap."""
        self._socket.send(message, NO_WAIT)
        self.published += 1
