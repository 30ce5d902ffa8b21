"""The state of a subscription, without sockets: the table first, then publications, with gaps repaired."""

from collections import deque

from events.codec import DecodeError
from events.ids import MatchId, Seat
from projections.state.table import Table
from projections.state.view import EventSlice
from server.client.checked_events import fold_checked
from server.protocol.errors import denied
from server.protocol.publications import (
    EventsPublication,
    HeartbeatPublication,
    TooManyPublication,
    decode_publication,
)
from server.protocol.replies import StateReply


class Subscription:
    """A seat's stream, assembled from the table, publications and repairs.

    Subscribe first, then request the state and create the subscription, so that no event is lost in between. Events older
    than the table are ignored; missing ones are requested with `log` since `seq`.

    Args:
        state: The table to start from.

    Attributes:
        table: The table after all events that were returned by `pop`.
        heard: Whether a publication has arrived, which confirms the subscription.
    """

    def __init__(self, state: StateReply) -> None:
        self.match: MatchId = state.match
        self.seat: Seat = state.seat
        self.table: Table = state.table
        self.heard = False
        self._ready: deque[EventSlice] = deque()
        self._seq = state.seq
        self._head = state.seq

    @property
    def seq(self) -> int:
        """The number of the last known event."""
        return self._seq

    @property
    def behind(self) -> bool:
        """Return whether events are missing that are known to exist: request the log since `seq`."""
        return self._head > self._seq

    def take_message(self, message: bytes) -> None:
        """Take a published message; ignore messages of other streams, and those that are not publications.

        Raises:
            RequestFailed: With `too_many`: the server refuses the subscription.
        """
        try:
            publication = decode_publication(message)
        except DecodeError:
            return
        if (publication.match, publication.seat) != (self.match, self.seat):
            return
        self.heard = True
        match publication:
            case HeartbeatPublication():
                self._head = max(self._head, publication.seq)
            case TooManyPublication():
                raise denied("too_many", publication.message)
            case EventsPublication():
                self.take(EventSlice(publication.first, publication.at, publication.events))

    def take(self, slice_: EventSlice) -> None:
        """Take events from a publication, a repair, or the reply to the client's own command."""
        self._head = max(self._head, slice_.last)
        if slice_.first > self._seq + 1 or slice_.last <= self._seq:
            return
        known = self._seq + 1 - slice_.first
        self._ready.append(EventSlice(slice_.first + known, slice_.at, slice_.events[known:]) if known else slice_)
        self._seq = slice_.last

    def expect(self, seq: int) -> None:
        """Note that events up to this one exist, as another reply has told."""
        self._head = max(self._head, seq)

    def pop(self) -> EventSlice | None:
        """Return the next events in order, each exactly once, and fold them into the table; None if none are ready.

        Raises:
            BrokenEvidence: Their dice do not follow from the links that were opened; they are not folded, now or later.
        """
        if not self._ready:
            return None
        fold_checked(self.match, self._ready[0], self.table)
        return self._ready.popleft()
