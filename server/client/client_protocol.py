"""A client's side of the protocol without sockets: every call is written once and works on every kind of client.

A call is a generator: it yields requests, is sent their replies, and returns the outcome. `Client` carries calls out and returns
their outcomes, `AsyncClient` returns awaitables of them, `SansIoClient` returns the generators themselves.
"""

from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping, Sequence
from functools import update_wrapper
from types import MethodType
from typing import Concatenate, Generic, ParamSpec, Self, TypeVar, cast, overload

from core.command import Command
from events.codec import Raw, encode, tag_of
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.vocabulary import Value
from projections.view import EventSlice
from server.protocol.errors import ProtocolBroken, RequestFailed
from server.protocol.identity import Identity
from server.protocol.wire import (
    LOG_EVENTS_MAX,
    BeginRequest,
    BoardReply,
    BoardRequest,
    FailedReply,
    ForkRequest,
    HelloReply,
    HelloRequest,
    LeaveRequest,
    LegalReply,
    LegalRequest,
    LogReply,
    LogRequest,
    MatchesReply,
    MatchesRequest,
    MatchSummary,
    OpenedReply,
    OpenRequest,
    PlayedReply,
    PlayRequest,
    Reply,
    Request,
    StateReply,
    StateRequest,
    TakenReply,
    TakeRequest,
)

C = TypeVar("C")
P = ParamSpec("P")
R = TypeVar("R", bound=Reply)
T = TypeVar("T")

Call = Generator[Request, Reply, T]
"""What a client does for one call: requests out, replies in, and the outcome."""

AnyCommand = Command | Mapping[str, object] | str | bytes | int
"""A command as a struct, as plain data, as JSON text, or as the number of an option."""


def command_json(command: AnyCommand) -> Raw:
    """Return a command as JSON."""
    if isinstance(command, str):
        return Raw(command.encode())
    return Raw(command if isinstance(command, bytes) else encode(command))


def asked(request: Request, reply_type: type[R]) -> Call[R]:
    """Ask for one thing.

    Raises:
        RequestFailed: The server says why not.
        ProtocolBroken: It answers something else.
    """
    reply = yield request
    if isinstance(reply, FailedReply):
        raise RequestFailed(reply)
    if not isinstance(reply, reply_type):
        raise ProtocolBroken(
            f"the server does not keep to the protocol: it answers '{tag_of(type(request))}' with '{tag_of(type(reply))}'"
        )
    return reply


class BlockingDriver:
    """Carries calls out and returns their outcomes.

    Args:
        ask: Returns the reply to a request.
    """

    def __init__(self, ask: Callable[[Request], Reply]) -> None:
        self._ask = ask

    def run(self, call: Call[T]) -> T:
        """Carry out a call and return its outcome."""
        try:
            request = next(call)
            while True:
                request = call.send(self._ask(request))
        except StopIteration as done:
            outcome: T = done.value
            return outcome


class AsyncDriver:
    """Carries calls out in an event loop and returns awaitables of their outcomes.

    Args:
        ask: Returns an awaitable of the reply to a request.
    """

    def __init__(self, ask: Callable[[Request], Awaitable[Reply]]) -> None:
        self._ask = ask

    async def run(self, call: Call[T]) -> T:
        """Carry out a call and return its outcome."""
        try:
            request = next(call)
            while True:
                request = call.send(await self._ask(request))
        except StopIteration as done:
            outcome: T = done.value
            return outcome


class SansIoDriver:
    """Returns calls as they are, for programs that carry requests in their own way."""

    def run(self, call: Call[T]) -> Call[T]:
        """Return the call."""
        return call


class ClientCall(Generic[C, P, T]):
    """A call as a method of every kind of client; used as a decorator.

    Args:
        function: The call as a generator.
    """

    def __init__(self, function: Callable[Concatenate[C, P], Call[T]]) -> None:
        self._function = function
        update_wrapper(self, function)

    @overload
    def __get__(self, client: None, owner: type[object]) -> Self: ...
    @overload
    def __get__(self, client: BlockingDriver, owner: type[object]) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncDriver, owner: type[object]) -> Callable[P, Coroutine[object, object, T]]: ...
    @overload
    def __get__(self, client: SansIoDriver, owner: type[object]) -> Callable[P, Call[T]]: ...
    def __get__(self, client: object, owner: type[object]) -> object:
        """Return the call as a method of a client: blocking, awaitable or as a generator."""
        return self if client is None else MethodType(self, client)

    def __call__(
        self, client: BlockingDriver | AsyncDriver | SansIoDriver, *args: P.args, **kwargs: P.kwargs
    ) -> object:
        """Carry the call out in the way of a client."""
        return client.run(self._function(cast("C", client), *args, **kwargs))


class ClientCalls:
    """Everything that a client can ask, with the secrets of the seats it plays.

    All calls raise `RequestFailed` if the desk refuses, with the documented code. A driver beside this class carries them out.

    Args:
        identity: Generates keys, secrets and contributions to the dice.
        owner: The secret of the store's owner, for the arbiter's seat.
    """

    def __init__(self, identity: Identity, owner: str = "") -> None:
        self._identity = identity
        self._owner = owner
        self._tokens: dict[tuple[MatchId, Seat], str] = {}

    def add_token(self, match: MatchId, seat: Seat, token: str) -> None:
        """Add the secret of a seat that was taken earlier."""
        self._tokens[match, seat] = token

    def token(self, match: MatchId, seat: Seat) -> str:
        """Return the secret of a seat; empty for the public and where none is known."""
        if seat == PUBLIC:
            return ""
        return self._owner if seat == ARBITER else self._tokens.get((match, seat), "")

    @ClientCall
    def hello(self) -> Call[HelloReply]:
        """Ask whether the server is there, which version it is and what can be played."""
        return (yield from asked(HelloRequest(), HelloReply))

    @ClientCall
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
        variant: str = "",
        position: str | None = None,
        key: str = "",
    ) -> Call[OpenedReply]:
        """Open a match; see `wire.OpenRequest`."""
        request = OpenRequest(
            game=game,
            scenario=scenario,
            mode=mode,
            options=dict(options or {}),
            dice=dice,
            seed=seed,
            board=board,
            variant=variant,
            position=position,
            key=key or self._identity.key(),
        )
        return (yield from asked(request, OpenedReply))

    @ClientCall
    def take_seat(self, match: MatchId, seat: Seat, name: str = "", *, share: bool = True) -> Call[TakenReply]:
        """Take a seat with a new secret, which is kept for later calls and returned.

        Args:
            match: The match.
            seat: A free seat of it.
            name: The name of the player.
            share: Whether to contribute to sealed dice, as long as contributions are accepted, so that the server alone
                cannot choose them.
        """
        secret = self._identity.token()
        shares = (self._identity.seed(), "") if share else ("",)
        for contribution in shares:
            request = TakeRequest(
                match=match,
                seat=seat,
                name=name,
                contribution=contribution,
                secret=secret,
                key=self._identity.key(),
            )
            try:
                reply = yield from asked(request, TakenReply)
            except RequestFailed as error:
                if contribution and error.reply.refusal == "contribution_must_come_first":
                    continue
                raise
            self.add_token(match, seat, reply.token)
            return reply
        raise AssertionError("a seat without a share is taken or refused")

    @ClientCall
    def leave(self, match: MatchId, seat: Seat) -> Call[PlayedReply]:
        """Leave a seat, so that another player may take it."""
        request = LeaveRequest(match=match, seat=seat, token=self.token(match, seat), key=self._identity.key())
        return (yield from asked(request, PlayedReply))

    @ClientCall
    def begin(
        self, match: MatchId, seat: Seat, *, dice: Sequence[int] = (), draws: Sequence[str] = ()
    ) -> Call[PlayedReply]:
        """Begin a match with manual dice, whose seats are all taken."""
        request = BeginRequest(
            match=match,
            seat=seat,
            token=self.token(match, seat),
            key=self._identity.key(),
            dice=tuple(dice),
            draws=tuple(draws),
        )
        return (yield from asked(request, PlayedReply))

    @ClientCall
    def legal(self, match: MatchId, seat: Seat = PUBLIC, *, words: bool = True, about: str = "") -> Call[LegalReply]:
        """Ask what is to be decided; its options are listed for the seat to move and for the arbiter; see `wire.LegalRequest`."""
        request = LegalRequest(match=match, seat=seat, token=self.token(match, seat), words=words, about=about)
        return (yield from asked(request, LegalReply))

    @ClientCall
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
    ) -> Call[PlayedReply]:
        """Carry out a command; see `wire.PlayRequest`. When this returns, it is durable."""
        request = PlayRequest(
            match=match,
            seat=seat,
            token=self.token(match, seat),
            command=command_json(command),
            expected=expected,
            key=key or self._identity.key(),
            dice=tuple(dice),
            draws=tuple(draws),
        )
        return (yield from asked(request, PlayedReply))

    @ClientCall
    def take_back(
        self, match: MatchId, seat: Seat, to: int | None = None, *, expected: int | None = None, key: str = ""
    ) -> Call[PlayedReply]:
        """Take back a seat's last command, or all its commands after its event `to`; `legal` tells whether it may."""
        request = PlayRequest(
            match=match,
            seat=seat,
            token=self.token(match, seat),
            command=command_json({"do": "match:take-back"} if to is None else {"do": "match:take-back", "to": to}),
            expected=expected,
            key=key or self._identity.key(),
        )
        return (yield from asked(request, PlayedReply))

    @ClientCall
    def state(self, match: MatchId, seat: Seat = PUBLIC, at: int | None = None) -> Call[StateReply]:
        """Ask for the table as a seat sees it, now or after its event `at`."""
        request = StateRequest(match=match, seat=seat, token=self.token(match, seat), at=at)
        return (yield from asked(request, StateReply))

    @ClientCall
    def log(self, match: MatchId, seat: Seat = PUBLIC, since: int = 0) -> Call[list[EventSlice]]:
        """Ask for all events that a seat has seen after its event `since`, in as many requests as it takes."""
        found: list[EventSlice] = []
        while True:
            reply = yield from self._log_page(match, seat, since)
            found += reply.slices
            since = found[-1].last if found else since
            if since >= reply.seq or not reply.slices:
                return found

    def _log_page(self, match: MatchId, seat: Seat, since: int) -> Call[LogReply]:
        """Ask for what a seat has seen after a number, as much as one reply holds."""
        token = self.token(match, seat)
        request = LogRequest(match=match, seat=seat, token=token, since=since, limit=LOG_EVENTS_MAX)
        return (yield from asked(request, LogReply))

    @ClientCall
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
    ) -> Call[OpenedReply]:
        """Open a new match that shares this one's events up to a seat's event `at`; see `wire.ForkRequest`."""
        request = ForkRequest(
            match=match,
            seat=seat,
            token=self.token(match, seat),
            at=at,
            dice=dice,
            hidden=hidden,
            seed=seed,
            faces=tuple(faces),
            draws=tuple(draws),
            key=key or self._identity.key(),
        )
        return (yield from asked(request, OpenedReply))

    @ClientCall
    def matches(self) -> Call[list[MatchSummary]]:
        """Ask for all matches in the order of their opening, in as many requests as it takes."""
        found: list[MatchSummary] = []
        while True:
            after = found[-1].match if found else MatchId("")
            reply = yield from asked(MatchesRequest(after=after), MatchesReply)
            found += reply.matches
            if not reply.more:
                return found

    @ClientCall
    def board(self, match: MatchId, seat: Seat = PUBLIC) -> Call[str | None]:
        """Ask for the text of a match's own board; None if it is played on the board of the game."""
        reply = yield from asked(BoardRequest(match=match, seat=seat, token=self.token(match, seat)), BoardReply)
        return reply.text or None


class SansIoClient(ClientCalls, SansIoDriver):
    """A client whose calls return generators."""
