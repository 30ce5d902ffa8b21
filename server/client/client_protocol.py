"""The client side of the protocol without sockets: every call is written once and works on every kind of client.

A call is a generator: it yields requests, is sent their replies, and returns the result. `Client` runs calls and returns
their results, `AsyncClient` returns awaitables of them, `SansIoClient` returns the generators themselves.
"""

from collections.abc import Mapping, Sequence

from core.engine.command import Command
from core.match.player_commands import Begin, LeaveSeat
from events.codec import convert, encode, replace, to_plain
from events.ids import ARBITER, PUBLIC, Digest, MatchId, Seat
from events.vocabulary import TakingBack, Value
from projections.catalogue import MatchSummary
from projections.state.offices import Invitation
from projections.state.view import EventSlice
from server.client.calls import AnyCommand, Call, ClientCall, SansIoDriver, asked, command_json
from server.client.study_calls import StudyCalls
from server.protocol.errors import RequestFailed
from server.protocol.replies import (
    AppointedReply,
    BoardReply,
    BotReply,
    CheckpointReply,
    CommitsReply,
    EntriesReply,
    HelloReply,
    LegalReply,
    LogReply,
    MatchesReply,
    OddsReply,
    OpenedReply,
    PlayedReply,
    ProofReply,
    StateReply,
    TileReply,
)
from server.protocol.wire import (
    LOG_EVENTS_MAX,
    MATCHES_MAX,
    AppointRequest,
    BeginRequest,
    BoardRequest,
    BotRequest,
    CheckpointRequest,
    CommitsRequest,
    EntriesRequest,
    ForkRequest,
    HelloRequest,
    LeaveRequest,
    LegalRequest,
    LogRequest,
    MatchesRequest,
    OddsRequest,
    OpenRequest,
    PlayRequest,
    ProofRequest,
    RedoRequest,
    StateRequest,
    TileRequest,
)

FIRST = MatchId("")
"""Comes before all matches."""


class ClientCalls(StudyCalls):
    """All calls of a client, and the secrets of the seats it plays.

    All calls raise `RequestFailed`, with the documented code, if the server refuses. A driver class runs them.

    Args:
        identity: Generates keys, secrets and chains of links.
        owner: The secret of the store's owner, for the arbiter's seat.
    """

    @ClientCall
    def hello(self) -> Call[HelloReply]:
        """Return the server's version and games."""
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
        title: str = "",
        taking_back: TakingBack = "consent",
        house_rules: Mapping[str, str] | None = None,
        position: str | None = None,
        invitations: Mapping[Seat, Invitation] | None = None,
        key: str = "",
        visitor: str = "",
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
            title=title,
            taking_back=taking_back,
            house_rules=dict(house_rules or {}),
            position=position,
            invitations=dict(invitations or {}),
            key=key or self._identity.key(),
            visitor=visitor,
        )
        return (yield from asked(request, OpenedReply))

    @ClientCall
    def seat_bot(
        self,
        match: MatchId,
        seat: Seat,
        policy: str = "",
        *,
        invitation: str = "",
        key: str = "",
        visitor: str = "",
        of: MatchId | None = None,
    ) -> Call[BotReply]:
        """Let a bot of the server play a seat; see `wire.BotRequest`."""
        request = BotRequest(
            match=match,
            seat=seat,
            policy=policy,
            invitation=invitation,
            key=key or self._identity.key(),
            visitor=visitor,
            of=of or MatchId(""),
        )
        return (yield from asked(request, BotReply))

    @ClientCall
    def leave(self, match: MatchId, seat: Seat, *, invitation: str = "") -> Call[PlayedReply]:
        """Leave a seat, so that another player may take it; with the secret of the invitation to a reserved seat, let anybody take that."""
        token = invitation or self.token(match, seat)
        request = LeaveRequest(match=match, seat=seat, token=token)
        return (yield from self.sent(request, encode(LeaveSeat())))

    @ClientCall
    def begin(
        self, match: MatchId, seat: Seat, *, dice: Sequence[int] = (), draws: Sequence[str] = ()
    ) -> Call[PlayedReply]:
        """Begin a match with manual dice; all its seats must be taken."""
        request = BeginRequest(
            match=match,
            seat=seat,
            token=self.token(match, seat),
            dice=tuple(dice),
            draws=tuple(draws),
        )
        return (yield from self.sent(request, encode(Begin())))

    @ClientCall
    def legal(
        self,
        match: MatchId,
        seat: Seat = PUBLIC,
        *,
        words: bool = True,
        about: str = "",
        at: int | None = None,
        table: bool = False,
    ) -> Call[LegalReply]:
        """Return the open decision; its options are listed for the deciding seat and the arbiter; see `wire.LegalRequest`."""
        # A signature names what the seat has seen, which comes along.
        token, since = self.token(match, seat), self._shown_upto(match, seat)
        request = LegalRequest(match=match, seat=seat, token=token, words=words, about=about, at=at, table=table)
        reply = yield from self._tended_table(replace(request, since=since), LegalReply)
        self._show(match, seat, reply.slices)
        return reply

    @ClientCall
    def odds(
        self,
        match: MatchId,
        seat: Seat = PUBLIC,
        numbers: Sequence[int] = (),
        *,
        command: Command | None = None,
        at: int | None = None,
    ) -> Call[OddsReply]:
        """Return the chances of options of the open decision, by default of all that lead to a roll; see `wire.OddsRequest`."""
        asks = None if command is None else convert(to_plain(command), dict)
        token = self.token(match, seat)
        request = OddsRequest(match=match, seat=seat, token=token, numbers=tuple(numbers), command=asks, at=at)
        return (yield from asked(request, OddsReply))

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
        """Play a command or an order; see `wire.PlayRequest`. It is durable when this returns.

        Raises:
            DecodeError: A text is not JSON; nothing was sent.
        """
        return (yield from self._played(match, seat, command, expected=expected, key=key, dice=dice, draws=draws))

    def _played(
        self,
        match: MatchId,
        seat: Seat,
        command: AnyCommand,
        *,
        expected: int | None,
        key: str,
        dice: Sequence[int] = (),
        draws: Sequence[str] = (),
    ) -> Call[PlayedReply]:
        request = PlayRequest(
            match=match,
            seat=seat,
            token=self.token(match, seat),
            command=command_json(command),
            expected=expected,
            key=key,
            dice=tuple(dice),
            draws=tuple(draws),
        )
        return (yield from self.sent(request))

    @ClientCall
    def undo(
        self, match: MatchId, seat: Seat, to: int | None = None, *, expected: int | None = None, key: str = ""
    ) -> Call[PlayedReply]:
        """Take back what a seat sent last, a command or an order, or all its commands after its event `to`; see `undo_to` in the reply to `legal`."""
        command = {"do": "match:undo"} if to is None else {"do": "match:undo", "to": to}
        return (yield from self._played(match, seat, command, expected=expected, key=key))

    @ClientCall
    def redo(
        self, match: MatchId, seat: Seat, *, everything: bool = False, expected: int | None = None, key: str = ""
    ) -> Call[PlayedReply]:
        """Put back the next command that a seat has taken back, or all of them; see `wire.RedoRequest`."""
        token = self.token(match, seat)
        request = RedoRequest(match=match, seat=seat, token=token, everything=everything, expected=expected, key=key)
        return (yield from self.sent(request))

    @ClientCall
    def adopt_rules(
        self, match: MatchId, seat: Seat, rules: Digest, *, expected: int | None = None, key: str = ""
    ) -> Call[PlayedReply]:
        """Adopt the rules with a digest, which the reply to `legal` names as `installed`; everybody sees who did."""
        command = {"do": "match:adopt-rules", "rules": rules}
        return (yield from self._played(match, seat, command, expected=expected, key=key))

    @ClientCall
    def state(self, match: MatchId, seat: Seat = PUBLIC, at: int | None = None) -> Call[StateReply]:
        """Return the table as a seat sees it, now or after its event `at`."""
        request = StateRequest(match=match, seat=seat, token=self.token(match, seat), at=at)
        return (yield from self._tended_table(request, StateReply))

    @ClientCall
    def log(self, match: MatchId, seat: Seat = PUBLIC, since: int = 0) -> Call[list[EventSlice]]:
        """Return all events that a seat has seen after its event `since`, in as many requests as needed; see `heed`."""
        found: list[EventSlice] = []
        while True:
            request = LogRequest(
                match=match, seat=seat, token=self.token(match, seat), since=since, limit=LOG_EVENTS_MAX
            )
            reply = yield from asked(request, LogReply)
            found += reply.slices
            since = found[-1].last if found else since
            if since >= reply.seq or not reply.slices:
                return self.heed(match, seat, found)

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
        visitor: str = "",
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
            visitor=visitor,
        )
        return (yield from asked(request, OpenedReply))

    @ClientCall
    def matches(self, after: MatchId = FIRST, limit: int = 0) -> Call[list[MatchSummary]]:
        """Return matches in the order of their opening, in as many requests as needed.

        Args:
            after: Only those opened after this one; empty for all.
            limit: The most matches to return; 0 for all.
        """
        found: list[MatchSummary] = []
        while True:
            wanted = min(limit - len(found), MATCHES_MAX) if limit else MATCHES_MAX
            reply = yield from asked(MatchesRequest(after=after, limit=wanted), MatchesReply)
            found += reply.matches
            if not reply.more or len(found) == limit:
                return found
            after = found[-1].match

    @ClientCall
    def matches_like(self, prefix: str, limit: int = MATCHES_MAX) -> Call[list[MatchSummary]]:
        """Return matches whose ids begin with a prefix, in the order of their ids: at most `limit`, and no more than fit into one reply."""
        reply = yield from asked(MatchesRequest(prefix=prefix, limit=limit), MatchesReply)
        return list(reply.matches)

    @ClientCall
    def commits(self, match: MatchId, seat: Seat = PUBLIC, since: int = 0) -> Call[CommitsReply]:
        """Return commits after the log's event `since`, as many as fit into one reply; see `wire.CommitsRequest`."""
        request = CommitsRequest(match=match, seat=seat, token=self.token(match, seat), since=since)
        return (yield from asked(request, CommitsReply))

    @ClientCall
    def checkpoint(self, since: int = 0) -> Call[CheckpointReply]:
        """Return the last checkpoint of the server's log, with the proof that it continues one of `since` entries."""
        return (yield from asked(CheckpointRequest(since=since), CheckpointReply))

    @ClientCall
    def proof(self, match: MatchId, seat: Seat = PUBLIC, at: int | None = None) -> Call[ProofReply]:
        """Return the proof that the commit with the seat's event `at`, or the last one, is in the server's log."""
        request = ProofRequest(match=match, seat=seat, token=self.token(match, seat), at=at)
        return (yield from asked(request, ProofReply))

    @ClientCall
    def entries(self, match: MatchId, seat: Seat = PUBLIC, after: int = 0) -> Call[EntriesReply]:
        """Return the entries of a match behind number `after` in the server's log, as many as fit into one reply; see `wire.EntriesRequest`."""
        request = EntriesRequest(match=match, seat=seat, token=self.token(match, seat), after=after)
        return (yield from asked(request, EntriesReply))

    @ClientCall
    def tile(self, level: int, number: int, width: int) -> Call[TileReply]:
        """Return a tile of the server's log; see `wire.TileRequest`."""
        return (yield from asked(TileRequest(level=level, number=number, width=width), TileReply))

    @ClientCall
    def appoint(self, name: str = "", credential: str = "") -> Call[AppointedReply]:
        """Give a person a capability for all matches of the server, or end it, and the offices that rest on it; only the owner may.

        Args:
            name: The person; empty to change nothing.
            credential: The SHA-256 (hex) of the capability's secret; empty to end the capability.

        Returns:
            The names of all who have one, and the matches whose offices were ended.
        """
        reply = yield from asked(AppointRequest(token=self._owner, name=name, credential=credential), AppointedReply)
        ended: list[MatchId] = []
        for match in reply.ended:
            try:
                seen = yield from asked(StateRequest(match=match, seat=ARBITER, token=self._owner), StateReply)
                leave = LeaveRequest(
                    match=match, seat=ARBITER, token=self._owner, key=self._identity.key(), expected=seen.seq
                )
                yield from asked(leave, PlayedReply)
            except RequestFailed:
                # Another one took it over meanwhile, or the match is damaged: if the office has not ended, it is listed the next time.
                continue
            ended.append(match)
        return replace(reply, ended=tuple(ended))

    @ClientCall
    def board(self, match: MatchId, seat: Seat = PUBLIC) -> Call[str | None]:
        """Return the text of a match's own board, or None if it is played on the game's board."""
        reply = yield from asked(BoardRequest(match=match, seat=seat, token=self.token(match, seat)), BoardReply)
        return None if reply.is_shipped else reply.text or None


class SansIoClient(ClientCalls, SansIoDriver):
    """A client whose calls return generators."""
