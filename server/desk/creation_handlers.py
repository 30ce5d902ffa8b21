"""The handlers of requests that create a match: open and fork."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from core.match.arbiter_commands import ReserveSeat, SeatArbiter
from core.match.bound_games import has_game, has_position
from core.refusal import Refusal
from core.registry.games import game_key
from events.chain import stored_commit
from events.codec import encode, replace
from events.ids import ARBITER, PUBLIC, MatchId, match_id
from projections.state.offices import Invitation
from server.desk.access import unknown_seat
from server.desk.desk_context import DeskContext
from server.desk.handlers import Command, KeyLookup, Reads, admitted
from server.desk.jobs import CheckFiles, Job, PrepareFork, is_long
from server.desk.match_cache import CachedMatch, CommittedCommand
from server.desk.match_creator import Decided
from server.protocol.errors import RequestFailed, refused
from server.protocol.identity import credential
from server.protocol.replies import OpenedReply, Reply
from server.protocol.wire import ForkRequest, OpenRequest, Request

Q = TypeVar("Q", bound=Request)


def creation(
    request: type[Q],
    create: Callable[[DeskContext, MatchId, Q, str], Decided],
    *,
    reads: Reads,
    key: Callable[[Q], str],
    target: Callable[[Q, str], MatchId],
    job: Callable[[DeskContext, Q], Job | None],
    files: Callable[[Q], Sequence[str]],
) -> Command[Q]:
    """Return the handler of a request that creates a match whose id is derived from the key; its reply is `opened`.

    Args:
        request: The type of its requests.
        create: Prepares the first commits of the match.
        reads: What has to be read to create it.
        key: Returns the idempotency key of a request.
        target: Returns the id of the new match.
        job: Returns the background job that a request needs, or None.
        files: Returns the files that come with a request.
    """

    def decide(context: DeskContext, request: Q, key: str, lookup: KeyLookup) -> Decided | Reply:
        match = target(request, key)
        stored = None if lookup is KeyLookup.NEVER else context.log.find(match, key)
        if stored is None:
            return create(context, match, request, key)
        first = CommittedCommand(match, stored_commit(stored), context.matches.get(match).table)
        return _opened(request, first, repeated=True)

    return Command(
        request=request,
        reads=reads,
        key=key,
        target=target,
        decide=decide,
        reply=_reply_opened,
        job=job,
        files=files,
    )


def _reply_opened(request: Request, decided: Decided, committed: Sequence[CommittedCommand]) -> OpenedReply:
    return _opened(request, committed[-1])


def _opened(request: Request, committed: CommittedCommand, *, repeated: bool = False) -> OpenedReply:
    return OpenedReply(
        id=request.id,
        match=committed.match,
        seats=committed.table.seats,
        seq=committed.number(PUBLIC),
        repeated=repeated,
    )


def _open(context: DeskContext, match: MatchId, request: OpenRequest, key: str) -> Decided:
    return _with_invitations(context, context.creator.open(match, request, key), request, key)


def _with_invitations(context: DeskContext, opened: Decided, request: OpenRequest, key: str) -> Decided:
    """Reserve the seats of a new match for whom they are meant, before anybody knows of it.

    Raises:
        RequestFailed: There is no such seat, or an invitation is not valid.
    """
    match, commits = opened.match.match, list(opened.commits)
    for seat, one in request.invitations.items():
        if seat not in match.table.seats:
            raise unknown_seat(match.table, seat)
        command = ReserveSeat(seat=seat, name=one.name, credential=one.credential, until=one.until, key=one.key)
        done = match.prepare(ARBITER, encode(command), key=f"{key}/{seat}", at=context.clock.now_ms())
        if isinstance(done, Refusal):
            raise RequestFailed(refused(done))
        match.adopt(done)
        commits.append(done)
    return replace(opened, commits=tuple(commits))


def _open_target(request: OpenRequest, key: str) -> MatchId:
    return match_id(key)


def _open_files(request: OpenRequest) -> Sequence[str]:
    return [text for text in (request.board, request.position) if text]


def _open_job(context: DeskContext, request: OpenRequest) -> CheckFiles | None:
    """Return the job that checks the files, unless they are known."""
    if request.board is None and not request.variant and request.position is None:
        return None
    game = game_key(request.game)
    if has_game(game, request.board, request.variant) and has_position(request.position):
        return None
    return CheckFiles(encode(replace(request, id="", key="")))


def _fork(context: DeskContext, match: MatchId, request: ForkRequest, key: str) -> Decided:
    parent = admitted(context, request)
    fork = context.forks.pop(match, request.seat)
    if fork is None:
        fork = context.creator.fork(
            match, parent, request, key, owner=_may_know_all(context, request), maker=_maker(context, parent, request)
        )
    return _with_arbiter(context, parent, request, key, fork)


def _with_arbiter(context: DeskContext, parent: CachedMatch, request: ForkRequest, key: str, fork: Decided) -> Decided:
    """Let the arbiter who makes a fork be its arbiter, also if it leaves the parent before the arbiter had the office."""
    arbiter, match = parent.table.arbiter, fork.match.match
    if (
        request.seat != ARBITER
        or arbiter is None
        or match.table.arbiter == arbiter
        or context.access.is_owner(request.token)
    ):
        return fork
    command = SeatArbiter(
        name=arbiter.name, credential=arbiter.credential, capability=arbiter.capability, is_granted=True
    )
    done = match.prepare(ARBITER, encode(command), key=f"{key}/arbiter", at=context.clock.now_ms())
    if isinstance(done, Refusal):
        return fork
    match.adopt(done)
    return replace(fork, commits=(*fork.commits, done))


def _fork_target(request: ForkRequest, key: str) -> MatchId:
    return match_id(f"{request.match}/{key}")


def _fork_files(request: ForkRequest) -> Sequence[str]:
    return ()


def _fork_job(context: DeskContext, request: ForkRequest) -> PrepareFork | None:
    """Return the job that prepares the fork of a long match, unless it is ready or stored already."""
    parent = admitted(context, request)
    if not is_long(parent.match.head.seq) or not request.key:
        return None
    match = _fork_target(request, request.key)
    if (match, request.seat) in context.forks or context.log.find(match, request.key) is not None:
        return None
    number = parent.number(request.seat) if request.at is None else request.at
    return PrepareFork(
        match,
        replace(request, at=number, token=""),
        _may_know_all(context, request),
        _maker(context, parent, request),
        context.clock.now_ms(),
        context.identity.seed(),
    )


def _maker(context: DeskContext, parent: CachedMatch, request: ForkRequest) -> Invitation:
    """Return who makes a fork. On the store no secret is needed, so that none opens the seats of the fork to a client."""
    table, arbiter = parent.table, parent.table.arbiter
    known = credential(request.token or context.identity.token())
    if request.seat != ARBITER:
        return Invitation(table.players.get(request.seat, ""), known)
    return Invitation(arbiter.name if arbiter is not None and arbiter.credential == known else "", known)


def _may_know_all(context: DeskContext, request: ForkRequest) -> bool:
    return context.access.trusted or request.seat == ARBITER


CREATIONS = (
    creation(
        OpenRequest,
        _open,
        reads=Reads.NOTHING,
        key=lambda request: request.key,
        target=_open_target,
        job=_open_job,
        files=_open_files,
    ),
    creation(
        ForkRequest,
        _fork,
        reads=Reads.MATCH,
        key=lambda request: request.key,
        target=_fork_target,
        job=_fork_job,
        files=_fork_files,
    ),
)
