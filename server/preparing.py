"""What a request needs before it can be answered without holding the server up, and what becomes of it when it is there."""

from core.errors import KernelError
from core.kept import DAMAGE, damage_to
from core.match import Match, Prepared, has_game, has_position, own_board, own_position, resumed
from events.codec import DecodeError, encode, replace
from events.commit import Head, decode_commit
from events.errors import LogError
from events.ids import ARBITER, GameKey, MatchId
from events.log import Log
from projections.fold import fold
from projections.snapshot import EVERY
from projections.table import Table, decode_table
from projections.view import log_number
from server.access import Access
from server.clock import Clock
from server.decide import Decided
from server.errors import EXPECTED
from server.identity import Identity
from server.jobs import CheckFiles, FoldView, Job, LoadedMatch, LoadMatch, PreparedFork, PrepareFork, ReadFiles
from server.live import Live, Matches
from server.openings import Opener
from server.wire import AnyRequest, ForkRequest, MatchRequest, OpenRequest, PlayRequest, StateRequest, TakeRequest
from server.writes import target

INLINE_EVENTS = 1_000
"""How many events may be read, checked and folded within the serving loop; it takes about 3 ms."""


class Preparer:
    """Tells what requests need that takes long, and keeps it for them.

    Args:
        log: Where the matches lie.
        matches: Those in memory.
        access: Decides who may ask for what.
        opener: Is given the forks that are ready.
        clock: Stamps forks.
        identity: Makes the seeds of forks.
    """

    def __init__(
        self, log: Log, matches: Matches, access: Access, opener: Opener, *, clock: Clock, identity: Identity
    ) -> None:
        self._log = log
        self._matches = matches
        self._access = access
        self._clock = clock
        self._identity = identity
        self._opener = opener

    def missing(self, request: AnyRequest) -> Job | None:
        """Return the job without which a request would hold the loop up, or None if it can be answered now."""
        if isinstance(request, OpenRequest):
            return self._check(request)
        if not isinstance(request, (MatchRequest, TakeRequest)):
            return None
        live = self._matches.loaded(request.match)
        if live is None:
            return self._load(request.match)
        if isinstance(request, PlayRequest) or live.match.head.seq <= INLINE_EVENTS:
            return None
        try:
            if isinstance(request, StateRequest):
                return self._view(live, request)
            if isinstance(request, ForkRequest):
                return self._fork(live, request)
        except EXPECTED:
            # The answer says why, and takes no time.
            return None
        return None

    def _check(self, request: OpenRequest) -> CheckFiles | None:
        """Return the job that checks files from outside, unless they are known."""
        if request.board is None and request.position is None:
            return None
        game = GameKey(request.game.replace("-", "_"))
        if has_game(game, request.board) and has_position(request.position):
            return None
        return CheckFiles(encode(replace(request, id="", key="")))

    def _load(self, match: MatchId) -> LoadMatch | None:
        try:
            is_long = self._log.head(match).seq > INLINE_EVENTS
            return LoadMatch(match) if is_long or self._has_unread_files(match) else None
        except (LogError, KernelError, DecodeError):
            # Loading it says what is wrong, and takes no time.
            return None

    def _has_unread_files(self, match: MatchId) -> bool:
        """Return whether a match was opened with a board or a position that is not known in this process."""
        opened = fold(decode_commit(next(self._log.read(match, 0, 1)).body).events)
        return not (
            has_game(opened.game, own_board(self._log, opened)) and has_position(own_position(self._log, opened))
        )

    def _view(self, live: Live, request: StateRequest) -> FoldView | None:
        self._access.check(live.table, request.seat, request.token)
        number = live.number(request.seat) if request.at is None else request.at
        seq = live.match.head.seq if request.at is None else log_number(live.table, request.seat, number)
        if live.view_cost(self._log, request.seat, seq) <= INLINE_EVENTS:
            return None
        return FoldView(live.id, request.seat, seq, live.table.limits)

    def _fork(self, live: Live, request: ForkRequest) -> PrepareFork | None:
        self._access.check(live.table, request.seat, request.token)
        match = target(request)
        if (
            self._opener.has_ready(match, request.seat)
            or not request.key
            or self._log.find(match, request.key) is not None
        ):
            return None
        number = live.number(request.seat) if request.at is None else request.at
        is_owner = self._access.trusted or request.seat == ARBITER
        return PrepareFork(
            match, replace(request, at=number, token=""), is_owner, self._clock.now_ms(), self._identity.seed()
        )

    def deliver(self, job: Job, result: object, error: Exception | None) -> Exception | None:
        """Keep what a job has brought for the requests that wait for it.

        Returns:
            Why there is nothing, or None.
        """
        try:
            if error is not None:
                raise error
            if isinstance(job, LoadMatch) and isinstance(result, LoadedMatch):
                self._loaded(job.match, result)
            elif isinstance(job, CheckFiles) and isinstance(result, ReadFiles):
                result.keep()
            elif isinstance(job, FoldView) and isinstance(result, bytes):
                self._folded(job, decode_table(result))
            elif isinstance(job, PrepareFork) and isinstance(result, PreparedFork):
                self._opener.keep_ready(job.match, job.request.seat, self._decided(job, result))
        except EXPECTED as reason:
            if isinstance(job, LoadMatch) and isinstance(reason, DAMAGE):
                self._matches.note_problem(job.match, damage_to(job.match, reason))
            return reason
        return None

    def _loaded(self, match: MatchId, loaded: LoadedMatch) -> None:
        loaded.files.keep()
        # Meanwhile it may have come into memory in another way, and gone on.
        if self._matches.loaded(match) is None and self._log.head(match) == loaded.head:
            live = self._matches.put(Live(resumed(self._log, match, decode_table(loaded.table), loaded.head)))
            found = self._log.snapshot(match, loaded.head.seq)
            if found is None or loaded.head.seq - found[0] >= EVERY:
                live.save_snapshots(self._log)

    def _folded(self, job: FoldView, table: Table) -> None:
        live = self._matches.loaded(job.match)
        if live is not None and live.table.limits == job.limits:
            live.keep_view(self._log, job.seat, job.seq, table)

    def _decided(self, job: PrepareFork, fork: PreparedFork) -> Decided:
        commits = tuple(
            [
                Prepared(new, decode_commit(new.body), decode_table(table))
                for new, table in zip(fork.commits, fork.tables, strict=True)
            ]
        )
        last = commits[-1]
        live = self._matches.get(job.request.match)
        match = Match(job.match, live.match.edition, last.table, Head(last.new.last, last.new.hash), fork.seed)
        return Decided(Live(match), commits)
