"""The kinds of request handlers, and the table that has one handler for every type of request.

A query is answered from the log; a command decides what to append, and gets its reply once that is durable.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Generic, TypeVar, cast

from events.chain import stored_commit
from events.codec import Struct
from events.commit import Commit
from events.ids import MatchId, Seat
from server.desk.desk_context import DeskContext
from server.desk.jobs import Job
from server.desk.match_cache import CachedMatch, CommittedCommand
from server.desk.match_creator import Decided
from server.protocol.errors import EXPECTED, denied
from server.protocol.messages import request_decoder
from server.protocol.replies import FailedReply, Reply
from server.protocol.wire import MatchRequest, Request, SeatRequest

Q = TypeVar("Q", bound=Request)
M = TypeVar("M", bound=MatchRequest)
S = TypeVar("S", bound=SeatRequest)


class Reads(Enum):
    """Data that a request reads; waiting commits to it are appended first."""

    NOTHING = auto()
    MATCH = auto()
    STORE = auto()


class KeyLookup(Enum):
    """Time at which a command is looked up by its idempotency key, to see whether it was carried out before.

    `NEVER`: the server has just generated the key. `LAST`: only if the command cannot be carried out now, because most keys are
    new, and the log detects the others, since it accepts no key twice. `FIRST`: the log has detected the key, or may have.
    """

    NEVER = auto()
    LAST = auto()
    FIRST = auto()


class Handler(Struct, frozen=True, kw_only=True):
    """Processing of the requests of one type; `reads` is what they are answered from."""

    request: type[Request]
    reads: Reads


class Query(Handler, Generic[Q], frozen=True, kw_only=True):
    """Handles requests that append to no match.

    Attributes:
        answer: Answers a request. Raises `RequestFailed` if it cannot be answered or this client may not ask it, and propagates the
            errors of the log and the kernel.
        job: Returns the background job that a request needs first, or None. The match of the request
            is in memory.
    """

    answer: Callable[[DeskContext, Q], Reply]
    job: Callable[[DeskContext, Q], Job | None]


class Command(Handler, Generic[Q], frozen=True, kw_only=True):
    """Handles requests that append to a match.

    Attributes:
        key: Returns the idempotency key of a request; empty if it has none.
        target: Returns the match that a request with this key appends to.
        decide: Decides a request with this key on the matches in memory. Returns the change, by which its match in memory
            is then ahead of the log; or the refusal; or the first outcome of a repeated request. Raises `RequestFailed` if the
            request is not valid or this client may not make it, and propagates the errors of the log and the kernel.
        reply: Returns the reply to a request once its commits, or the first of them, are durable.
        job: As for a query.
        files: Returns the files that come with a request for a new match, or None for other requests.
    """

    key: Callable[[Q], str]
    target: Callable[[Q, str], MatchId]
    decide: Callable[[DeskContext, Q, str, KeyLookup], Decided | Reply]
    reply: Callable[[Q, Decided, Sequence[CommittedCommand]], Reply]
    job: Callable[[DeskContext, Q], Job | None]
    files: Callable[[Q], Sequence[str] | None]


def no_job(context: DeskContext, request: Request) -> None:
    """Return None: the request needs no background job."""


def no_files(request: Request) -> None:
    """Return None: the request creates no match."""


def query(request: type[Q], answer: Callable[[DeskContext, Q], Reply], *, reads: Reads = Reads.STORE) -> Query[Q]:
    """Return the handler of a query about the server or the whole store."""
    return Query(request=request, reads=reads, answer=answer, job=no_job)


def seat_query(
    request: type[S],
    answer: Callable[[DeskContext, CachedMatch, S], Reply],
    job: Callable[[DeskContext, CachedMatch, S], Job | None] | None = None,
    *,
    reads: Reads = Reads.MATCH,
) -> Query[S]:
    """Return the handler of a query about one match from a seat that may view it.

    Args:
        request: The type of its requests.
        answer: Answers a request.
        job: Returns the background job that a request needs first, or None.
        reads: What it is answered from.
    """

    def answer_admitted(context: DeskContext, request: S) -> Reply:
        return answer(context, admitted(context, request), request)

    def job_of_admitted(context: DeskContext, request: S) -> Job | None:
        return None if job is None else job(context, admitted(context, request), request)

    return Query(request=request, reads=reads, answer=answer_admitted, job=job_of_admitted)


def match_command(
    request: type[M],
    *,
    key: Callable[[M], str],
    admit: Callable[[DeskContext, CachedMatch, M], None],
    attempt: Callable[[DeskContext, CachedMatch, M, str], Decided | FailedReply],
    repeated: Callable[[DeskContext, CachedMatch, M, Commit], Reply],
    reply: Callable[[M, Decided, Sequence[CommittedCommand]], Reply],
    reads: Reads = Reads.NOTHING,
) -> Command[M]:
    """Return the handler of a command on an existing match.

    Args:
        request: The type of its requests.
        key: Returns the idempotency key of a request.
        admit: Raises `RequestFailed` if the client may not make the request.
        attempt: Decides an admitted request, moving the match in memory ahead of the log.
        repeated: Returns the outcome of the commit that has the key of a request.
        reply: Replies to a request once its commits are durable.
        reads: What a request is decided from beside the match in memory.
    """

    def first_outcome(context: DeskContext, match: CachedMatch, request: M, key: str) -> Reply | None:
        stored = context.log.find(match.id, key)
        return None if stored is None else repeated(context, match, request, stored_commit(stored))

    def decide(context: DeskContext, request: M, key: str, lookup: KeyLookup) -> Decided | Reply:
        match = context.matches.get(request.match)
        admit(context, match, request)
        if lookup is KeyLookup.FIRST and (first := first_outcome(context, match, request, key)) is not None:
            return first
        try:
            answer = match.attempt(lambda: attempt(context, match, request, key))
        except EXPECTED:
            first = first_outcome(context, match, request, key) if lookup is KeyLookup.LAST else None
            if first is None:
                raise
            return first
        if not isinstance(answer, Decided) and lookup is KeyLookup.LAST:
            return first_outcome(context, match, request, key) or answer
        return answer

    return Command(
        request=request,
        reads=reads,
        key=key,
        target=_match_of,
        decide=decide,
        reply=reply,
        job=no_job,
        files=no_files,
    )


def _match_of(request: MatchRequest, key: str) -> MatchId:
    return request.match


def admitted(context: DeskContext, request: SeatRequest) -> CachedMatch:
    """Return the match of a request from a seat that may view it.

    Raises:
        RequestFailed: The seat is not proved.
        UnknownMatch: There is no such match.
    """
    match = context.matches.get(request.match)
    context.access.check(match.table, request.seat, request.token)
    return match


def check_key_owner(commit: Commit, seat: Seat) -> None:
    """Check that a repeated key was first used by the same seat.

    Raises:
        RequestFailed: Another seat used it.
    """
    if commit.seat != seat:
        raise denied("key_used", "this key belongs to a command of another seat")


class HandlerTable:
    """The handlers of a desk, by the type of the request.

    Args:
        handlers: One for each type.

    Attributes:
        requests: The types of requests that have a handler.
        decode: Decodes any of these requests; raises `DecodeError` for anything else.
    """

    def __init__(self, handlers: Iterable[Handler]) -> None:
        self._handlers = {handler.request: handler for handler in handlers}
        self.requests = tuple(self._handlers)
        self.decode = request_decoder(self.requests).decode

    def __iter__(self) -> Iterator[Handler]:
        """Return all handlers."""
        return iter(self._handlers.values())

    def of(self, request: Q) -> Query[Q] | Command[Q]:
        """Return the handler of a request."""
        return cast("Query[Q] | Command[Q]", self._handlers[type(request)])
