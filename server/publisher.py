"""What followers hear: one topic per match and seat, granted to whoever proves the seat, encoded once for all of them.

The library keeps who follows what; here is only which topics have followers. A private seat's topic is granted by hand
(XPUB_MANUAL), so that nobody hears another seat's events by asking for its topic or for a prefix of it.
"""

from collections import deque
from collections.abc import Iterable

import zmq

from events.errors import LogError
from events.ids import PUBLIC, MatchId, Seat
from server.desk import Desk
from server.errors import RequestFailed
from server.live import Happened
from server.notes import Notes
from server.topics import beat, publish, topic

SUBSCRIPTION_BYTES_MAX = 512
NO_WAIT = int(zmq.NOBLOCK)
SUBSCRIPTIONS_A_TURN = 256
"""How many subscriptions are read before requests get their turn again."""

BEATS_A_TURN = 64
"""How many beats are sent before requests get their turn again."""


class _Topic:
    """A topic with followers: whose view it is, the number of the last event, and by how many subscriptions."""

    __slots__ = ("credential", "followers", "match", "name", "seat", "seq")

    def __init__(self, match: MatchId, seat: Seat, credential: str, seq: int) -> None:
        self.match = match
        self.seat = seat
        self.credential = credential
        self.name = topic(match, seat, credential)
        self.seq = seq
        self.followers = 0


class _Words:
    """How often one and the same subscription was granted (and to which topic) and refused."""

    __slots__ = ("granted", "refused", "topic")

    def __init__(self) -> None:
        self.granted = 0
        self.refused = 0
        self.topic: _Topic | None = None


class Publisher:
    """Grants topics and publishes to those that have followers.

    Args:
        socket: An XPUB that grants by hand.
        desk: Says who may follow what.
        notes: Where refusals are noted.

    Attributes:
        refused: How many subscriptions were refused.
        published: How many messages were published, beats included.
    """

    def __init__(self, socket: zmq.Socket[bytes], desk: Desk, notes: Notes) -> None:
        """Start with no followers."""
        self.refused = 0
        self.published = 0
        self._socket = socket
        self._desk = desk
        self._notes = notes
        self._topics: dict[MatchId, dict[bytes, _Topic]] = {}
        self._words: dict[bytes, _Words] = {}
        self._new: dict[bytes, _Topic] = {}
        self._beats: deque[_Topic] = deque()

    @property
    def topics(self) -> int:
        """How many topics have followers."""
        return sum(len(topics) for topics in self._topics.values())

    def read(self) -> bool:
        """Read waiting subscriptions, grant or refuse them, greet the new followers; tell whether more may wait."""
        left = SUBSCRIPTIONS_A_TURN
        while left:
            try:
                parts = self._socket.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                break
            left -= 1
            message = parts[0].bytes
            if len(parts) == 1 and message[:1] == b"\1":
                self._subscribe(message[1:])
            elif len(parts) == 1 and message[:1] == b"\0":
                self._unsubscribe(message[1:], vanished=not _has_sender(parts[0]))
        # One word of greeting serves all that came together; without it a follower could not tell silence from refusal.
        for new in self._new.values():
            self._send(beat(new.match, new.seat, new.credential, new.seq))
        self._new.clear()
        return not left

    def _subscribe(self, said: bytes) -> None:
        granted = self._may_follow(said)
        if granted is None:
            self.refused += 1
        if len(said) > SUBSCRIPTION_BYTES_MAX:
            return
        words = self._words.setdefault(said, _Words())
        if granted is None:
            words.refused += 1
            return
        words.granted += 1
        words.topic = granted
        granted.followers += 1
        self._grant(granted.name)
        self._new[granted.name] = granted

    def _may_follow(self, said: bytes) -> _Topic | None:
        """Return the topic that a subscription is granted; nothing if it is refused."""
        if len(said) > SUBSCRIPTION_BYTES_MAX or said.count(b"/") < 2:
            return None
        match, seat, token = said.decode(errors="replace").split("/", 2)
        try:
            credential = self._desk.topic_credential(MatchId(match), Seat(seat), token)
            seq = self._desk.number(MatchId(match), Seat(seat))
        except (RequestFailed, LogError) as error:
            self._notes.debug("subscription refused", match=match, seat=seat, problem=str(error))
            return None
        if seat == PUBLIC and token:
            return None
        name = topic(MatchId(match), Seat(seat), credential)
        topics = self._topics.setdefault(MatchId(match), {})
        if name not in topics:
            topics[name] = _Topic(MatchId(match), Seat(seat), credential, seq)
        topics[name].seq = seq
        return topics[name]

    def _grant(self, name: bytes) -> None:
        """Let the connection whose subscription was read last have a topic."""
        self._socket.setsockopt(zmq.SUBSCRIBE, name)

    def _unsubscribe(self, said: bytes, *, vanished: bool) -> None:
        """Take back a subscription.

        Only what the library itself says of a vanished follower is counted: a living one may say what it likes, and must
        not be able to silence a topic for others.
        """
        words = self._words.get(said)
        if words is None:
            return
        if not vanished:
            if words.topic is not None:
                self._socket.setsockopt(zmq.UNSUBSCRIBE, words.topic.name)
            return
        if words.refused:
            words.refused -= 1
        elif words.granted and words.topic is not None:
            words.granted -= 1
            words.topic.followers -= 1
            if not words.topic.followers:
                self._end(words.topic)
        if not words.refused and not words.granted:
            del self._words[said]

    def _end(self, ended: _Topic) -> None:
        topics = self._topics.get(ended.match, {})
        if topics.get(ended.name) is ended:
            del topics[ended.name]
        if not topics:
            self._topics.pop(ended.match, None)

    def publish(self, happened: Iterable[Happened]) -> None:
        """Tell the followers of commits that lie in the log."""
        for one in happened:
            for told in self._topics.get(one.match, {}).values():
                # A seat that has changed hands has another topic; those who follow the old one hear no more.
                holds = self._desk.holds(one.table, told.seat, told.credential)
                stretch = one.stretch(told.seat) if holds else None
                if stretch is not None:
                    told.seq = stretch.last
                    self._send(publish(one.match, told.seat, told.credential, stretch))

    def beat(self, *, begin: bool) -> bool:
        """Tell followers how many events there are, some at a time; tell whether some are still to be told.

        Args:
            begin: Begin anew with all topics that have followers.
        """
        if begin:
            self._beats = deque(told for topics in self._topics.values() for told in topics.values())
        for _ in range(min(BEATS_A_TURN, len(self._beats))):
            told = self._beats.popleft()
            self._send(beat(told.match, told.seat, told.credential, told.seq))
        return bool(self._beats)

    def _send(self, message: bytes) -> None:
        """Publish; a follower that is behind by more than the high-water mark misses it and sees the hole."""
        self._socket.send(message, NO_WAIT)
        self.published += 1


def _has_sender(frame: zmq.Frame) -> bool:
    """Tell whether a subscription message comes from a connection; the library makes up those for vanished ones."""
    try:
        frame.get("Socket-Type")
    except zmq.ZMQError:
        return False
    return True
