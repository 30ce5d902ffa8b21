"""The background jobs that requests need before they can be answered without blocking the server."""

from core.errors import KernelError
from core.history.match_reader import DAMAGE, damage_to
from core.match.bound_games import has_game, has_position
from core.match.live_match import Match, Prepared, own_board, own_position, resumed
from core.odds.option_odds import OptionOdds
from events.chain import commits_between
from events.codec import DecodeError
from events.commit import Head, decode_commit
from events.errors import LogError
from events.ids import MatchId
from projections.snapshot import EVERY
from projections.state.fold import fold
from projections.state.table import Table
from projections.table_codec import decode_table
from server.desk.desk_context import DeskContext
from server.desk.handlers import HandlerTable
from server.desk.jobs import (
    CheckFiles,
    CountOdds,
    FoldView,
    Job,
    LoadedMatch,
    LoadMatch,
    PreparedFork,
    PrepareFork,
    ReadFiles,
    is_long,
)
from server.desk.match_cache import CachedMatch
from server.desk.match_creator import Decided
from server.protocol.errors import EXPECTED
from server.protocol.wire import MatchRequest, Request


class Preparer:
    """Finds the jobs that requests need, and keeps their results.

    Args:
        context: The desk's dependencies.
        handlers: Know which jobs their requests need.
    """

    def __init__(self, context: DeskContext, handlers: HandlerTable) -> None:
        self._context = context
        self._handlers = handlers
        self._log = context.log
        self._matches = context.matches

    def missing(self, request: Request) -> Job | None:
        """Return the background job that a request needs first, or None if it can be answered now."""
        if isinstance(request, MatchRequest) and self._matches.loaded(request.match) is None:
            return self.load(request.match)
        try:
            return self._handlers.of(request).job(self._context, request)
        except EXPECTED:
            # The reply gives the reason, and takes no time.
            return None

    def load(self, match: MatchId) -> LoadMatch | None:
        """Return the background job that loads a match, or None if it can be loaded now."""
        try:
            must_wait = is_long(self._log.head(match).seq) or self._has_unread_files(match)
            return LoadMatch(match) if must_wait else None
        except (LogError, KernelError, DecodeError):
            # Loading it reports the problem, and takes no time.
            return None

    def _has_unread_files(self, match: MatchId) -> bool:
        """Return whether a match was opened with a board or a position that is not cached in this process."""
        _, first = next(commits_between(self._log, match, 0, 1))
        opened = fold(first.events)
        return not (
            has_game(opened.game, own_board(self._log, opened), opened.variant)
            and has_position(own_position(self._log, opened))
        )

    def deliver(self, job: Job, result: object, error: Exception | None) -> Exception | None:
        """Keep a job's result for the requests that wait for it.

        Returns:
            The error that prevents this, or None.
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
            elif isinstance(job, CountOdds) and isinstance(result, tuple):
                self._counted(job, result)
            elif isinstance(job, PrepareFork) and isinstance(result, PreparedFork):
                self._context.forks.put(job.match, job.request.seat, self._decided(job, result))
        except EXPECTED as reason:
            if isinstance(job, LoadMatch) and isinstance(reason, DAMAGE):
                self._matches.note_problem(job.match, damage_to(job.match, reason))
            return reason
        return None

    def _loaded(self, match: MatchId, loaded: LoadedMatch) -> None:
        loaded.files.keep()
        # Meanwhile the match may have been loaded in another way, and played on.
        if self._matches.loaded(match) is None and self._log.head(match) == loaded.head:
            table = decode_table(loaded.table)
            cached = self._matches.put(CachedMatch(resumed(self._log, match, table, loaded.head, loaded.record)))
            found = self._log.snapshot(match, loaded.head.seq)
            if found is None or loaded.head.seq - found[0] >= EVERY:
                cached.save_snapshots(self._log)

    def _folded(self, job: FoldView, table: Table) -> None:
        cached = self._matches.loaded(job.match)
        if cached is not None and cached.table.limits == job.limits:
            cached.keep_view(self._log, job.seat, job.seq, table)

    def _counted(self, job: CountOdds, odds: tuple[OptionOdds, ...]) -> None:
        cached = self._matches.loaded(job.match)
        if cached is not None:
            cached.odds.keep(job.key, odds)

    def _decided(self, job: PrepareFork, fork: PreparedFork) -> Decided:
        commits = tuple(
            [
                Prepared(new, decode_commit(new.body), decode_table(table))
                for new, table in zip(fork.commits, fork.tables, strict=True)
            ]
        )
        match = Match(job.match, self._matches.get(job.request.match).match.ruleset, Table(), Head(), fork.seed)
        for done in commits:
            match.adopt(done)
        match.record = fork.record
        return Decided(CachedMatch(match), commits)
