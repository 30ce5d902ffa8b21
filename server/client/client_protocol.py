"""A client's side of the protocol without sockets: what is asked, in which order, and how a match is followed without a gap.

The blocking and the asynchronous client differ only in how they send and wait; what they send is decided here. A call is a
generator: it yields requests, is sent their replies, and returns what came of it.
"""

from collections.abc import Generator, Mapping, Sequence
from typing import TypeVar

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

T = TypeVar("T")
R = TypeVar("R", bound=Reply)

Call = Generator[Request, Reply, T]
"""What a client does for one call: requests out, replies in, and what came of it."""

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


class Calls:
    """What a client can ask, with the secrets of the seats it plays.

    Args:
        identity: Makes up keys, secrets and shares of the dice.
        owner: The secret of the store's owner, for the arbiter's seat.
    """

    def __init__(self, identity: Identity, owner: str = "") -> None:
        """Start with no seat."""
        self._identity = identity
        self._owner = owner
        self._tokens: dict[tuple[MatchId, Seat], str] = {}

    def know(self, match: MatchId, seat: Seat, token: str) -> None:
        """Keep the secret of a seat that was taken earlier."""
        self._tokens[match, seat] = token

    def token(self, match: MatchId, seat: Seat) -> str:
        """Return the secret of a seat; empty for the public and where none is known."""
        if seat == PUBLIC:
            return ""
        return self._owner if seat == ARBITER else self._tokens.get((match, seat), "")

    def hello(self) -> Call[HelloReply]:
        """Ask whether the server is there."""
        return (yield from asked(HelloRequest(), HelloReply))

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
    ) -> Call[OpenedReply]:
        """Open a match."""
        request = OpenRequest(
            game=game,
            scenario=scenario,
            mode=mode,
            options=dict(options or {}),
            dice=dice,
            seed=seed,
            board=board,
            position=position,
            key=key or self._identity.key(),
        )
        return (yield from asked(request, OpenedReply))

    def take_seat(self, match: MatchId, seat: Seat, name: str = "", *, share: bool = True) -> Call[TakenReply]:
        """Sit down with a new secret and, as long as shares are taken, a share of the dice."""
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
            self.know(match, seat, reply.token)
            return reply
        raise AssertionError("a seat without a share is taken or refused")

    def leave(self, match: MatchId, seat: Seat) -> Call[PlayedReply]:
        """Stand up."""
        request = LeaveRequest(match=match, seat=seat, token=self.token(match, seat), key=self._identity.key())
        return (yield from asked(request, PlayedReply))

    def begin(
        self, match: MatchId, seat: Seat, *, dice: Sequence[int] = (), draws: Sequence[str] = ()
    ) -> Call[PlayedReply]:
        """Begin a match with manual dice."""
        request = BeginRequest(
            match=match,
            seat=seat,
            token=self.token(match, seat),
            key=self._identity.key(),
            dice=tuple(dice),
            draws=tuple(draws),
        )
        return (yield from asked(request, PlayedReply))

    def legal(self, match: MatchId, seat: Seat, *, words: bool = True) -> Call[LegalReply]:
        """Ask for the legal commands."""
        request = LegalRequest(match=match, seat=seat, token=self.token(match, seat), words=words)
        return (yield from asked(request, LegalReply))

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
        """Carry out a command."""
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

    def state(self, match: MatchId, seat: Seat, at: int | None = None) -> Call[StateReply]:
        """Ask for the table."""
        request = StateRequest(match=match, seat=seat, token=self.token(match, seat), at=at)
        return (yield from asked(request, StateReply))

    def log(self, match: MatchId, seat: Seat, since: int = 0) -> Call[list[EventSlice]]:
        """Ask for all that a seat has seen after a number, in as many requests as it takes."""
        found: list[EventSlice] = []
        while True:
            reply = yield from self.some_log(match, seat, since)
            found += reply.slices
            since = found[-1].last if found else since
            if since >= reply.seq or not reply.slices:
                return found

    def some_log(self, match: MatchId, seat: Seat, since: int) -> Call[LogReply]:
        """Ask for what a seat has seen after a number, as much as one reply holds."""
        token = self.token(match, seat)
        request = LogRequest(match=match, seat=seat, token=token, since=since, limit=LOG_EVENTS_MAX)
        return (yield from asked(request, LogReply))

    def fork(
        self,
        match: MatchId,
        seat: Seat,
        at: int | None = None,
        *,
        dice: str = "fresh",
        hidden: str = "",
        seed: str = "",
        faces: Sequence[int] = (),
        draws: Sequence[str] = (),
        key: str = "",
    ) -> Call[OpenedReply]:
        """Fork a match."""
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

    def matches(self) -> Call[list[MatchSummary]]:
        """Ask for all matches, in as many requests as it takes."""
        found: list[MatchSummary] = []
        while True:
            after = found[-1].match if found else MatchId("")
            reply = yield from asked(MatchesRequest(after=after), MatchesReply)
            found += reply.matches
            if not reply.more:
                return found

    def board(self, match: MatchId, seat: Seat) -> Call[str | None]:
        """Ask for the text of a match's own board; nothing where it is the one that ships with the game."""
        reply = yield from asked(BoardRequest(match=match, seat=seat, token=self.token(match, seat)), BoardReply)
        return reply.text or None
