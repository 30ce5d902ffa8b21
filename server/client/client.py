"""The blocking client: a few calls that work the same over sockets (`server.client.sockets`) and on one's own store (`server.client.local`)."""

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Protocol, Self, TypeVar

from events.ids import PUBLIC, MatchId, Seat
from events.vocabulary import Value
from projections.table import Table
from projections.view import EventSlice
from server.client.client_protocol import AnyCommand, Call, Calls
from server.client.subscription import Subscription
from server.protocol.clock import Clock
from server.protocol.errors import TimedOut
from server.protocol.wire import (
    HelloReply,
    LegalReply,
    MatchSummary,
    OpenedReply,
    PlayedReply,
    Reply,
    Request,
    StateReply,
    TakenReply,
)

T = TypeVar("T")

SUBSCRIBED_S = 10.0
"""How long a follower waits for the word that its subscription holds (seconds)."""


class Listener(Protocol):
    """Where what is published to one seat of one match comes in."""

    def receive(self, timeout_s: float | None) -> bytes | None:
        """Return the next published message; nothing if none came in time. Without a limit it waits for ever."""

    def close(self) -> None:
        """Stop listening."""


class Transport(Protocol):
    """What carries a client's requests."""

    def ask(self, request: Request) -> Reply:
        """Return the reply to a request, a `FailedReply` included."""

    def listen(self, match: MatchId, seat: Seat, token: str) -> Listener:
        """Begin to listen to what is published to a seat."""

    def close(self) -> None:
        """Be done."""


class Client:
    """A few calls, for one thread. All raise `RequestFailed` when the desk says no, with the documented code.

    Args:
        transport: What carries them.
        calls: What is asked, and the secrets of the seats.
        clock: Measures timeouts.
    """

    def __init__(self, transport: Transport, calls: Calls, clock: Clock) -> None:
        """Keep the parts."""
        self.calls = calls
        self._transport = transport
        self._clock = clock

    def close(self) -> None:
        """Be done."""
        self._transport.close()

    def __enter__(self) -> Self:
        """Use the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Be done."""
        self.close()

    def ask(self, request: Request) -> Reply:
        """Return the reply to any request, a `FailedReply` included."""
        return self._transport.ask(request)

    def run(self, call: Call[T]) -> T:
        """Carry out a call."""
        try:
            request = next(call)
            while True:
                request = call.send(self._transport.ask(request))
        except StopIteration as done:
            result: T = done.value
            return result

    def hello(self) -> HelloReply:
        """Ask whether the server is there, which version it is and what can be played."""
        return self.run(self.calls.hello())

    def open(
        self,
        game: str,
        scenario: str = "",
        *,
        mode: str = "",
        options: Mapping[str, Value] | None = None,
        dice: str = "sealed",
        seed: str = "",
        board: str | None = None,
        position: str | None = None,
        key: str = "",
    ) -> OpenedReply:
        """Open a match; see `wire.OpenRequest`."""
        call = self.calls.open(
            game,
            scenario,
            mode=mode,
            options=options,
            dice=dice,
            seed=seed,
            board=board,
            position=position,
            key=key,
        )
        return self.run(call)

    def take_seat(self, match: MatchId, seat: Seat, name: str = "", *, share: bool = True) -> TakenReply:
        """Sit down; the secret that proves the seat is kept for later calls and returned.

        Args:
            match: The match.
            seat: A free seat of it.
            name: Who sits down.
            share: Whether to put in a share of sealed dice, so that the server alone cannot choose them.
        """
        return self.run(self.calls.take_seat(match, seat, name, share=share))

    def leave(self, match: MatchId, seat: Seat) -> PlayedReply:
        """Stand up."""
        return self.run(self.calls.leave(match, seat))

    def begin(self, match: MatchId, seat: Seat, *, dice: Sequence[int] = (), draws: Sequence[str] = ()) -> PlayedReply:
        """Begin a match with manual dice, whose seats are all taken."""
        return self.run(self.calls.begin(match, seat, dice=dice, draws=draws))

    def legal(self, match: MatchId, seat: Seat = PUBLIC, *, words: bool = True) -> LegalReply:
        """Ask what is to be decided; its options are listed for the seat to move and for the arbiter."""
        return self.run(self.calls.legal(match, seat, words=words))

    def play(
        self,
        match: MatchId,
        seat: Seat,
        command: AnyCommand,
        *,
        expected: int | None = None,
        key: str = "",
        dice: Sequence[int] = (),
        draws: Sequence[str] = (),
    ) -> PlayedReply:
        """Carry out a command; see `wire.PlayRequest`. When this returns, it is durable."""
        return self.run(self.calls.play(match, seat, command, expected=expected, key=key, dice=dice, draws=draws))

    def state(self, match: MatchId, seat: Seat = PUBLIC, at: int | None = None) -> StateReply:
        """Ask for the table as a seat sees it, now or after its event `at`."""
        return self.run(self.calls.state(match, seat, at))

    def log(self, match: MatchId, seat: Seat = PUBLIC, since: int = 0) -> list[EventSlice]:
        """Ask for all events that a seat has seen after its event `since`."""
        return self.run(self.calls.log(match, seat, since))

    def fork(
        self,
        match: MatchId,
        seat: Seat = PUBLIC,
        at: int | None = None,
        *,
        dice: str = "fresh",
        hidden: str = "",
        seed: str = "",
        faces: Sequence[int] = (),
        draws: Sequence[str] = (),
        key: str = "",
    ) -> OpenedReply:
        """Open a new match that shares this one's events up to a seat's event `at`; see `wire.ForkRequest`."""
        call = self.calls.fork(match, seat, at, dice=dice, hidden=hidden, seed=seed, faces=faces, draws=draws, key=key)
        return self.run(call)

    def matches(self) -> list[MatchSummary]:
        """Ask for all matches, in the order of their opening."""
        return self.run(self.calls.matches())

    def board(self, match: MatchId, seat: Seat = PUBLIC) -> str | None:
        """Ask for the text of a match's own board; nothing where it is the one that ships with the game."""
        return self.run(self.calls.board(match, seat))

    def follow(self, match: MatchId, seat: Seat = PUBLIC) -> "Following":
        """Follow a match from where it stands, as a seat sees it, without a gap.

        Raises:
            TimedOut: The subscription was not confirmed; a wrong secret is told before that, by `RequestFailed`.
        """
        listener = self._transport.listen(match, seat, self.calls.token(match, seat))
        try:
            following = Following(self, listener, Subscription(self.state(match, seat)), self._clock)
            following.confirm()
        except BaseException:
            listener.close()
            raise
        return following


class Following:
    """A match that is being followed: the table as a seat sees it, and what happens next.

    Iterate over it to get every slice of events in order, each once, until the match has ended.
    """

    def __init__(self, client: Client, listener: Listener, subscription: Subscription, clock: Clock) -> None:
        """Start from the follower's table."""
        self._client = client
        self._listener = listener
        self._subscription = subscription
        self._clock = clock

    @property
    def table(self) -> Table:
        """The table after the events that were returned so far."""
        return self._subscription.table

    @property
    def seq(self) -> int:
        """The number of the last event that was returned."""
        return self._subscription.table.seq

    def confirm(self) -> None:
        """Wait for the word that the subscription holds: from then on, what is missed is noticed.

        Raises:
            TimedOut: It did not come.
        """
        if not self._hear(SUBSCRIBED_S) or not self._subscription.heard:
            raise TimedOut(f"the server did not confirm the subscription within {SUBSCRIBED_S:g} s")

    def heed(self, reply: PlayedReply) -> None:
        """Take the events that an own command brought about, without waiting for them to be published."""
        for slice_ in reply.slices:
            self._subscription.take(slice_)

    def next(self, timeout_s: float | None = None) -> EventSlice | None:
        """Return the next events; nothing if none came in time. Without a limit it waits for ever."""
        due = None if timeout_s is None else self._clock.monotonic() + timeout_s
        while (slice_ := self._subscription.pop()) is None:
            if self._subscription.behind:
                call = self._client.calls.log(self._subscription.match, self._subscription.seat, self._subscription.seq)
                for missed in self._client.run(call):
                    self._subscription.take(missed)
            elif not self._hear(None if due is None else due - self._clock.monotonic()):
                return None
        return slice_

    def _hear(self, timeout_s: float | None) -> bool:
        """Take the next published message; tell whether one came in time."""
        message = self._listener.receive(None if timeout_s is None else max(0.0, timeout_s))
        if message is not None:
            self._subscription.take_message(message)
        return message is not None

    def close(self) -> None:
        """Stop following."""
        self._listener.close()

    def __iter__(self) -> Iterator[EventSlice]:
        """Return everything that happens until the match has ended."""
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
