"""The blocking client: calls that work the same over sockets (`server.client.sockets`) and on a local store (`server.client.local`)."""

from collections.abc import Iterator
from types import TracebackType
from typing import Protocol, Self

from events.ids import PUBLIC, MatchId, Seat
from projections.state.table import Table
from projections.state.view import EventSlice
from server.client.calls import BlockingDriver
from server.client.client_protocol import ClientCalls
from server.client.subscription import Subscription
from server.protocol.clock import Clock
from server.protocol.errors import TimedOut
from server.protocol.identity import Identity
from server.protocol.replies import PlayedReply, Reply
from server.protocol.wire import Request

SUBSCRIBED_S = 10.0
"""How long a client waits for the confirmation of a subscription (seconds)."""


SILENT_S = 30.0
"""Silence (seconds) after which a follower asks whether the server is still there; heartbeats come much more often."""

SILENT_HEARTBEATS = 1.5
"""Silence in heartbeats of the server, if they are rarer than that."""


class Listener(Protocol):
    """Receives the publications of one seat of one match."""

    def receive(self, timeout_s: float | None) -> bytes | None:
        """Return the next published message, or None if none came in time; without a limit, wait indefinitely."""

    def close(self) -> None:
        """Stop listening."""


class Transport(Protocol):
    """Carries a client's requests."""

    @property
    def silent_s(self) -> float | None:
        """Silence (seconds) after which a follower turns to another server; None if there is none."""

    def ask(self, request: Request) -> Reply:
        """Return the reply to a request, a `FailedReply` included."""

    def listen(self, match: MatchId, seat: Seat, token: str) -> Listener:
        """Subscribe to a seat's publications."""

    def close(self) -> None:
        """Close the connections."""


class Client(ClientCalls, BlockingDriver):
    """The blocking client, for one thread.

    Args:
        transport: Carries its requests.
        identity: Generates keys, secrets and chains of links.
        clock: Measures timeouts.
        owner: The secret of the store's owner, for the arbiter's seat.
    """

    def __init__(self, transport: Transport, identity: Identity, clock: Clock, owner: str = "") -> None:
        ClientCalls.__init__(self, identity, owner)
        BlockingDriver.__init__(self, transport.ask)
        self._transport = transport
        self._clock = clock

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        """Use the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the client."""
        self.close()

    def ask(self, request: Request) -> Reply:
        """Return the reply to any request, a `FailedReply` included."""
        return self._transport.ask(request)

    def follow(self, match: MatchId, seat: Seat = PUBLIC, *, silent_s: float | None = None) -> "Following":
        """Follow a match from its present state, as a seat sees it, without a gap.

        Args:
            match: The match.
            seat: The seat.
            silent_s: Silence (seconds) after which the follower asks whether the server is still there, and subscribes again; by default half a minute, or some heartbeats if there are other servers.

        Raises:
            TimedOut: The subscription was not confirmed.
            RequestFailed: The secret is wrong.
        """
        listener = self.listen(match, seat)
        try:
            silent_s = self._transport.silent_s if silent_s is None else silent_s
            following = Following(self, listener, Subscription(self.state(match, seat)), self._clock, silent_s)
        except BaseException:
            listener.close()
            raise
        try:
            following.confirm()
        except BaseException:
            following.close()
            raise
        return following

    def listen(self, match: MatchId, seat: Seat) -> Listener:
        """Subscribe to a seat's publications."""
        return self._transport.listen(match, seat, self.token(match, seat))


class Following:
    """A subscription to a match: the table as a seat sees it, and the events that follow.

    Iterate over it to get every slice of events in order, each exactly once, until the match has ended.
    """

    def __init__(
        self,
        client: Client,
        listener: Listener,
        subscription: Subscription,
        clock: Clock,
        silent_s: float | None = None,
    ) -> None:
        self._client = client
        self._silent_s = SILENT_S if silent_s is None else silent_s
        self._listener = listener
        self._subscription = subscription
        self._clock = clock
        self._heard = clock.monotonic()

    @property
    def table(self) -> Table:
        """The table after the events that were returned so far."""
        return self._subscription.table

    @property
    def seq(self) -> int:
        """The number of the last event that was returned."""
        return self._subscription.table.seq

    @property
    def silence_s(self) -> float:
        """How long nothing has been heard of the server (seconds)."""
        return self._clock.monotonic() - self._heard

    def confirm(self) -> None:
        """Wait until the subscription is confirmed; from then on every gap is detected.

        Raises:
            TimedOut: No confirmation came.
        """
        due = self._clock.monotonic() + SUBSCRIBED_S
        while not self._subscription.heard:
            if not self._hear(due - self._clock.monotonic()):
                raise TimedOut(f"the server did not confirm the subscription within {SUBSCRIBED_S:g} s")

    def heed(self, reply: PlayedReply) -> None:
        """Take the events of the client's own command, without waiting for them to be published."""
        for slice_ in reply.slices:
            self._subscription.take(slice_)

    def expect(self, seq: int) -> None:
        """Note that events up to this one exist, so that `next` requests them if they have not come."""
        self._subscription.expect(seq)

    def next(self, timeout_s: float | None = None) -> EventSlice | None:
        """Return the next events, or None if none came in time; without a limit, wait indefinitely.

        Raises:
            TimedOut: Nothing was heard for long, and the server does not answer; see `retry.RetryPolicy`.
            BrokenEvidence: The dice of the next events do not follow from the links that were opened (`sealed/2`); it names the match and the event.
        """
        due = None if timeout_s is None else self._clock.monotonic() + timeout_s
        while (slice_ := self._subscription.pop()) is None:
            if self._subscription.behind:
                self._catch_up()
            elif not self._hear(None if due is None else due - self._clock.monotonic()):
                return None
        self._client.heed(self._subscription.match, self._subscription.seat, [slice_])
        return slice_

    def _hear(self, timeout_s: float | None) -> bool:
        """Take the next published message, or what was missed in a long silence; return whether anything came in time."""
        now = self._clock.monotonic
        due = None if timeout_s is None else now() + max(0.0, timeout_s)
        while True:
            if now() - self._heard >= self._silent_s:
                self._subscribe_again()
                return True
            wait = self._heard + self._silent_s - now()
            message = self._listener.receive(max(0.0, wait if due is None else min(wait, due - now())))
            if message is not None:
                self._heard = now()
                self._subscription.take_message(message)
                return True
            if due is not None and now() >= due:
                return False

    def _subscribe_again(self) -> None:
        """After a silence, wait until the server answers, subscribe again, and ask for what was missed.

        The server may be another process by now, at another address for publications, or it may have closed the connection. If the seat has
        changed hands meanwhile, the question about what was missed is refused.
        """
        self._silent_s = max(self._silent_s, SILENT_HEARTBEATS * self._client.hello().heartbeat_s)
        known = self._subscription
        listener = self._client.listen(known.match, known.seat)
        self._listener.close()
        self._listener = listener
        self._catch_up()
        self._heard = self._clock.monotonic()

    def _catch_up(self) -> None:
        known = self._subscription
        for missed in self._client.log(known.match, known.seat, known.seq):
            known.take(missed)

    def close(self) -> None:
        """Stop following."""
        self._listener.close()

    def __iter__(self) -> Iterator[EventSlice]:
        """Yield all events until the match has ended."""
        while self.table.ended is None:
            slice_ = self.next()
            if slice_ is not None:
                yield slice_

    def __enter__(self) -> Self:
        """Follow."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop following."""
        self.close()
