"""What can be asked without changing anything: the table, the log, the legal commands, the matches, the board."""

from core.games import game_keys
from core.match import bound_game
from core.ports import BoundGame
from events.codec import Raw, encode
from events.ids import ARBITER, PUBLIC, Seat
from events.log import Log
from projections.catalogue import Summary
from projections.table import Table
from server.access import Access
from server.errors import RequestFailed, denied
from server.live import Live, Matches
from server.summaries import Summaries
from server.wire import (
    LOG_EVENTS_MAX,
    MATCHES_MAX,
    PROTOCOL,
    BoardReply,
    BoardRequest,
    FailedReply,
    HelloReply,
    HelloRequest,
    LegalOption,
    LegalReply,
    LegalRequest,
    LogReply,
    LogRequest,
    MatchesReply,
    MatchesRequest,
    MatchRequest,
    StateReply,
    StateRequest,
)

ReadRequest = HelloRequest | LegalRequest | StateRequest | LogRequest | MatchesRequest | BoardRequest
ReadReply = HelloReply | LegalReply | StateReply | LogReply | MatchesReply | BoardReply


class Reader:
    """Answers what changes nothing. Nothing of a match that is asked about may wait to be appended.

    Args:
        log: Where the matches lie.
        matches: Those in memory.
        summaries: How all of them stand.
        access: Who may look.
        version: What `hello` answers.
    """

    def __init__(self, log: Log, matches: Matches, summaries: Summaries, access: Access, version: str) -> None:
        self._log = log
        self._matches = matches
        self._summaries = summaries
        self._access = access
        self._version = version

    def answer(self, request: ReadRequest) -> ReadReply:
        """Answer a request.

        Raises:
            RequestFailed: It cannot be answered, or not to this asker.
            UnknownMatch: There is no such match.
        """
        match request:
            case HelloRequest():
                return HelloReply(id=request.id, version=self._version, protocols=(PROTOCOL,), games=tuple(game_keys()))
            case LegalRequest():
                return self._legal(request)
            case StateRequest():
                return self._state(request)
            case LogRequest():
                return self._since(request)
            case MatchesRequest():
                return self._list(request)
            case BoardRequest():
                return self._board(request)

    def _admit(self, request: MatchRequest) -> Live:
        live = self._matches.get(request.match)
        self._access.check(live.table, request.seat, request.token)
        return live

    def _legal(self, request: LegalRequest) -> LegalReply:
        live = self._admit(request)
        top, seq = live.table.top, live.number(request.seat)
        if top is None:
            return LegalReply(id=request.id, match=live.id, seq=seq)
        options: tuple[LegalOption, ...] = ()
        if request.seat in (top.seat, ARBITER):
            options = listed_options(live.match.edition.game, live.table, words=request.words)
        return LegalReply(
            id=request.id,
            match=live.id,
            seq=seq,
            decision=top.kind,
            to_move=top.seat,
            arguments=top.arguments,
            options=options,
        )

    def _state(self, request: StateRequest) -> StateReply:
        live = self._admit(request)
        last = live.number(request.seat)
        at = last if request.at is None else checked_number(request.at, last)
        table = live.view(self._log, request.seat) if at == last else live.view_at(self._log, request.seat, at)
        return StateReply(id=request.id, match=live.id, seat=request.seat, seq=at, table=table)

    def _since(self, request: LogRequest) -> LogReply:
        live = self._admit(request)
        last = live.number(request.seat)
        since = checked_number(request.since, last)
        limit = max(1, min(request.limit, LOG_EVENTS_MAX))
        stretches = live.stretches(self._log, request.seat, since, limit) if since < last else []
        return LogReply(id=request.id, match=live.id, seq=last, stretches=tuple(stretches))

    def _list(self, request: MatchesRequest) -> MatchesReply:
        found, more = self._summaries.page(request.after or None, max(1, min(request.limit, MATCHES_MAX)))
        return MatchesReply(id=request.id, matches=tuple(found), more=more)

    def _board(self, request: BoardRequest) -> BoardReply:
        live = self._admit(request)
        is_shipped = bound_game(live.table.game, None).board_digest == live.table.board
        content = None if is_shipped else self._log.attachment(live.table.board)
        return BoardReply(id=request.id, match=live.id, text="" if content is None else content.decode())


def listed_options(bound: BoundGame, table: Table, *, words: bool) -> tuple[LegalOption, ...]:
    """Number the legal commands of the open decision, from 1, as JSON and perhaps in words."""
    return tuple(
        [
            LegalOption(number, Raw(encode(option)), bound.narration.describe(table, option) if words else "")
            for number, option in enumerate(bound.rules.options(table), start=1)
        ]
    )


def checked_number(number: int, last: int, *, first: int = 0) -> int:
    """Return the number of an event if there is such an event; 0 stands for before the first.

    Raises:
        RequestFailed: With `unknown_sequence`.
    """
    if not first <= number <= last:
        message = f"there is no event {number} here; there are {last}"
        raise RequestFailed(FailedReply(code="unknown_sequence", message=message, expected=number, actual=last))
    return number


def admitted(summary: Summary, access: Access, seat: Seat, token: str) -> str:
    """Return the credential that is part of a follower's topic; empty for the public.

    Raises:
        RequestFailed: The follower may not look as that seat.
    """
    access.check(summary, seat, token)
    if seat == PUBLIC:
        return ""
    found = access.credential(summary, seat)
    if not found:
        raise denied("not_your_seat", f"the seat {seat} is free, so nobody has proved it")
    return found
