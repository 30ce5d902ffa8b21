"""Requests that may change a match: let in, recognised if they come again, decided, and told once they are stored."""

from events.commit import Commit, decode_commit
from events.ids import ARBITER, PUBLIC, MatchId
from events.log import Log
from events.vocabulary import SeatTaken
from server.desk.access import Access
from server.desk.decide import Decided, Decider, SeatRequest
from server.desk.match_cache import CachedMatch, CommittedCommand, MatchCache, follow_up_key
from server.desk.match_creation import Opener
from server.protocol.errors import EXPECTED, denied
from server.protocol.identity import credential, match_id
from server.protocol.wire import (
    BeginRequest,
    FailedReply,
    ForkRequest,
    LeaveRequest,
    OpenedReply,
    OpenRequest,
    PlayedReply,
    PlayRequest,
    TakenReply,
    TakeRequest,
)

WriteRequest = SeatRequest | TakeRequest | OpenRequest | ForkRequest
Outcome = OpenedReply | TakenReply | PlayedReply


class Writer:
    """Decides requests on the matches in memory. Every request has its key by now.

    Args:
        log: Where the matches lie; it is only read.
        matches: Those in memory.
        access: Who may act.
        decider: Decides what seats ask.
        opener: Prepares new matches.
    """

    def __init__(self, log: Log, matches: MatchCache, access: Access, decider: Decider, opener: Opener) -> None:
        """Keep the parts."""
        self._log = log
        self._matches = matches
        self._access = access
        self._decider = decider
        self._opener = opener

    def decide(self, request: WriteRequest, *, first_try: bool, unseen: bool) -> Decided | Outcome | FailedReply:
        """Decide a request.

        Args:
            request: What is asked. Of a fork's parent nothing may wait to be appended.
            first_try: It was not tried in this batch before.
            unseen: Its key was made up just now, so that nothing can have come of it before.

        Returns:
            What it would change, by which its match in memory is ahead of the log then; or why not; or the first
            outcome of a request that comes again.

        Raises:
            RequestFailed: It cannot be asked for, or not by this asker; as do the errors of the log and the kernel.
        """
        if isinstance(request, (OpenRequest, ForkRequest)):
            return self._new_match(request, unseen=unseen)
        live = self._matches.get(request.match)
        if not isinstance(request, TakeRequest):
            self._access.check_actor(live.table, request.seat, request.token)
        if not first_try and not unseen and (known := self._known(live, request)) is not None:
            return known
        # Most requests are new, so whether one came before is looked up only if it cannot be carried out now. One that came
        # before and could be carried out again is recognised by the log, which takes no key twice; the second try looks first.
        may_be_known = first_try and not unseen
        try:
            answer = self._decided(live, request)
        except EXPECTED:
            known = self._known(live, request) if may_be_known else None
            if known is None:
                raise
            return known
        if may_be_known and not isinstance(answer, Decided):
            return self._known(live, request) or answer
        return answer

    def _decided(self, live: CachedMatch, request: SeatRequest | TakeRequest) -> Decided | FailedReply:
        if isinstance(request, TakeRequest):
            return live.kept(self._decider.take, request)
        return live.kept(self._decider.act, request)

    def _new_match(self, request: OpenRequest | ForkRequest, *, unseen: bool) -> Decided | Outcome:
        match = target(request)
        stored = None if unseen else self._log.find(match, request.key)
        if stored is not None:
            live = self._matches.get(match)
            return opened(request, CommittedCommand(match, decode_commit(stored.body), live.table), repeated=True)
        if isinstance(request, OpenRequest):
            return self._opener.open(match, request)
        parent = self._matches.get(request.match)
        self._access.check(parent.table, request.seat, request.token)
        owner = self._access.trusted or request.seat == ARBITER
        return self._opener.fork(match, parent, request, owner=owner)

    def _known(self, live: CachedMatch, request: SeatRequest | TakeRequest) -> Outcome | None:
        """Return the first outcome of a request that comes again; nothing if it is new."""
        stored = self._log.find(live.id, request.key)
        if stored is None:
            return None
        commit = decode_commit(stored.body)
        if commit.seat != request.seat:
            raise denied("key_used", "this key belongs to a command of another seat")
        if isinstance(request, TakeRequest):
            return _taken_again(live, request, commit)
        commits = [commit]
        while (stored := self._log.find(live.id, follow_up_key(request.key, len(commits)))) is not None:
            commits.append(decode_commit(stored.body))
        happened = [CommittedCommand(live.id, commit, live.table) for commit in commits]
        return played(request, happened, repeated=True)


def target(request: WriteRequest) -> MatchId:
    """Return the match that a request appends to."""
    match request:
        case PlayRequest() | TakeRequest() | LeaveRequest() | BeginRequest():
            return request.match
        case OpenRequest():
            return match_id(request.key)
        case ForkRequest():
            return match_id(f"{request.match}/{request.key}")


def outcome(request: WriteRequest, decided: Decided, happened: list[CommittedCommand]) -> Outcome:
    """Tell what a request has brought about, now that it lies in the log."""
    match request:
        case PlayRequest() | LeaveRequest() | BeginRequest():
            return played(request, happened)
        case OpenRequest() | ForkRequest():
            return opened(request, happened[-1])
        case TakeRequest():
            table = happened[-1].table
            seq = happened[-1].number(request.seat)
            return TakenReply(
                id=request.id, match=request.match, seat=request.seat, token=decided.token, seq=seq, began=table.began
            )


def opened(request: OpenRequest | ForkRequest, happened: CommittedCommand, *, repeated: bool = False) -> OpenedReply:
    """Tell of a new match."""
    return OpenedReply(
        id=request.id,
        match=happened.match,
        seats=happened.table.seats,
        seq=happened.number(PUBLIC),
        repeated=repeated,
    )


def played(request: SeatRequest, happened: list[CommittedCommand], *, repeated: bool = False) -> PlayedReply:
    """Tell what a seat's command has brought about, as that seat sees it."""
    slices = [slice_ for one in happened if (slice_ := one.slice_for(request.seat)) is not None]
    return PlayedReply(
        id=request.id,
        match=request.match,
        seq=happened[-1].number(request.seat),
        slices=tuple(slices),
        repeated=repeated,
    )


def _taken_again(live: CachedMatch, request: TakeRequest, commit: Commit) -> TakenReply:
    first = commit.events[0]
    mine = isinstance(first, SeatTaken) and first.credential == credential(request.secret)
    if not mine:
        raise denied("key_used", "this key was used before, and not with this secret; secrets are told only once")
    seq = CommittedCommand(live.id, commit, live.table).number(request.seat)
    return TakenReply(
        id=request.id,
        match=live.id,
        seat=request.seat,
        token=request.secret,
        seq=seq,
        began=live.table.began,
        repeated=True,
    )
