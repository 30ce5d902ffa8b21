"""The desk: the single writer of a store. It answers requests and uses no sockets.

Requests are decided one after the other, each on top of the one before. The commits of several accepted commands are appended to
the log in one durable step, and only then are replies sent. If that step fails, none of these commands has had an effect.
"""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Protocol, TypeVar, runtime_checkable

from events.codec import Struct
from events.errors import LogError
from events.ids import PUBLIC, MatchId, Seat
from events.log import Log
from server.desk.access import Access, Seated
from server.desk.arbiter_handlers import ARBITERS
from server.desk.command_handlers import COMMANDS
from server.desk.creation_handlers import CREATIONS
from server.desk.desk_context import DeskContext
from server.desk.handlers import Command, HandlerTable, Reads
from server.desk.jobs import Job
from server.desk.match_cache import CommittedCommand, MatchCache
from server.desk.match_creator import MatchCreator, PreparedForks
from server.desk.news import Heard, News
from server.desk.pipeline import Pipeline
from server.desk.preparation import Preparer
from server.desk.query_handlers import QUERIES
from server.desk.seat_handlers import SEATS
from server.desk.study_handlers import STUDIES
from server.desk.summaries import Summaries
from server.protocol.bot_seats import BotSeats
from server.protocol.clock import Clock, SystemClock
from server.protocol.errors import EXPECTED, RequestFailed
from server.protocol.identity import Identity, SystemIdentity
from server.protocol.logger import SILENT, Logger
from server.protocol.replies import FailedReply, Reply
from server.protocol.wire import Request
from server.transparency.server_log import ServerLog

T = TypeVar("T")

HANDLERS = HandlerTable((*QUERIES, *SEATS, *COMMANDS, *CREATIONS, *ARBITERS, *STUDIES))
"""One handler for each type of request."""

CACHED_MATCHES_MAX = 1_024
"""The largest number of matches in memory; the others are only in the log."""

LAST_ENTRIES_S = 2.0
"""How long the log of the server may take to catch up when the desk closes (seconds); what is left is found the next time."""


@runtime_checkable
class TidyLog(Protocol):
    """A log with deferred work, such as a checkpoint."""

    def idle(self) -> None:
        """Do the deferred work; called when no request waits."""


class Batch(Struct, frozen=True):
    """The outcome of a batch: a reply to each request, and the commits that are now in the log, both in order."""

    replies: tuple[Reply, ...]
    committed: tuple[CommittedCommand, ...]


class Desk:
    """The single writer of a store.

    Args:
        log: The log of the matches.
        clock: Stamps commits.
        identity: Generates ids, seeds and secrets.
        trusted: All clients own the store: no secrets are required, and every seat may be used. For the command line.
        owner: The secret of the store's owner, who may view and act as the arbiter of every match.
        shared: Other processes may write to the log at the same time, so matches in memory are compared with it first.
        cached_max: The largest number of matches in memory.
        logger: The log for operators.
        version: The version that `hello` returns.
        nodes: The request addresses of all servers of this log, as clients reach them, if there are several; for `hello`.
        workers: Where workers connect that take decisions of the bots; for `hello`.
        handlers: One for each type of request.
        bots: The seats of the bots that the server plays; by default it plays none.
        server_log: Entries and checkpoints of what is stored; by default the server keeps no such log.
        raises_faults: Faults of the program or of a game are raised, for a caller in the same process; else they are logged, and the
            client is told that the server failed.
    """

    def __init__(
        self,
        log: Log,
        clock: Clock | None = None,
        identity: Identity | None = None,
        *,
        trusted: bool = False,
        owner: str = "",
        shared: bool = False,
        cached_max: int = CACHED_MATCHES_MAX,
        logger: Logger = SILENT,
        version: str = "",
        nodes: Sequence[str] = (),
        workers: str = "",
        handlers: HandlerTable = HANDLERS,
        bots: BotSeats | None = None,
        server_log: ServerLog | None = None,
        raises_faults: bool = False,
    ) -> None:
        self.log = log
        self.clock: Clock = SystemClock() if clock is None else clock
        self.identity: Identity = SystemIdentity() if identity is None else identity
        self.logger = logger
        self._access = Access(trusted=trusted, owner=owner, appointed=log.appointed)
        self._matches = MatchCache(log, cached_max, shared=shared)
        self._news = News(log, self._matches)
        self.summaries = Summaries(log, self._matches, self.clock, tells_damage=trusted)
        self.handlers = handlers
        self._server_log = server_log
        self._context = DeskContext(
            log=log,
            matches=self._matches,
            news=self._news,
            summaries=self.summaries,
            access=self._access,
            creator=MatchCreator(log, self.clock, self.identity),
            forks=PreparedForks(),
            clock=self.clock,
            identity=self.identity,
            logger=logger,
            version=version,
            nodes=tuple(nodes),
            workers=workers,
            bots=bots,
            server_log=server_log,
            raises_faults=raises_faults,
        )
        self._preparer = Preparer(self._context, handlers)

    @property
    def nodes(self) -> Sequence[str]:
        """The request addresses of all servers of this log, if there are several."""
        return self._context.nodes

    @property
    def cached(self) -> int:
        """How many matches are in memory."""
        return len(self._matches)

    def handle(self, request: Request) -> Reply:
        """Answer one request; expected errors are returned as a `FailedReply`."""
        reply = self.handle_batch((request,)).replies[0]
        self.housekeep()
        return reply

    def handle_batch(self, requests: Iterable[Request]) -> Batch:
        """Answer several requests in order, with as few durable steps as possible.

        The replies are those that the requests would get one after the other. Everything returned is in the log.

        Args:
            requests: The requests. Each is taken after those before it are decided.

        Returns:
            The replies in the order of the requests, and the commits to publish.
        """
        pipeline: Pipeline[None] = self.pipeline()
        try:
            for request in requests:
                pipeline.take(None, request)
            pipeline.finish()
            answers = pipeline.answers()
        except BaseException:
            pipeline.abandon()
            raise
        return Batch(tuple([reply for _, reply in answers.replies]), tuple(answers.committed))

    def pipeline(self) -> Pipeline[T]:
        """Return a pipeline of this desk. Only one may have requests that are not answered, and it alone is used meanwhile."""
        return Pipeline(self._context, self.handlers)

    def reads(self, request: Request) -> bool:
        """Return whether a request is answered from the log, so that waiting commits have to be appended first."""
        return self.handlers.of(request).reads is not Reads.NOTHING

    def missing(self, request: Request) -> Job | None:
        """Return the background job that a request needs first, or None if it can be answered now."""
        return self._preparer.missing(request)

    def load(self, match: MatchId) -> Job | None:
        """Load a match unless it is in memory; return the background job that loads it, if it is a long one. One that cannot be loaded is left."""
        if self._matches.loaded(match) is not None or self._matches.problem(match):
            return None
        job = self._preparer.load(match)
        with suppress(*EXPECTED):
            if job is None:
                self._matches.get(match)
        return job

    def deliver(self, job: Job, result: object, error: Exception | None) -> Exception | None:
        """Keep a job's result for the requests that wait for it; return the error that prevents this, or None."""
        return self._preparer.deliver(job, result, error)

    def failure(self, error: Exception, request: Request) -> FailedReply:
        """Return the reply to a request that met an error of `server.protocol.errors.EXPECTED` before it was taken."""
        return self._context.failure(error, request)

    def is_repeated(self, request: Request) -> bool:
        """Return whether a command with the key of this request is already in the log; False if the log cannot be read."""
        handler = self.handlers.of(request)
        if not isinstance(handler, Command):
            return False
        key = handler.key(request)
        try:
            return bool(key) and self.log.find(handler.target(request, key), key) is not None
        except LogError:
            return False

    def topic_credential(self, match: MatchId, seat: Seat, token: str) -> str:
        """Return the credential in a subscriber's topic (`publications.topic`); empty for the public.

        Raises:
            RequestFailed: The client may not view the match as that seat.
            LogError: There is no such match, or it cannot be read.
        """
        try:
            return self._access.topic_credential(self.summaries.of(match), seat, token)
        except RequestFailed:
            # The seat may have been taken at another server.
            if not self._news.renew(match):
                raise
            return self._access.topic_credential(self.summaries.of(match), seat, token)

    def holds(self, table: Seated, seat: Seat, credential: str) -> bool:
        """Return whether a subscriber's topic still belongs to the seat of a match, by its table or summary."""
        return seat == PUBLIC or self._access.holds(table, seat, credential)

    def seated(self, match: MatchId) -> Seated:
        """Return the table of a match in memory, or the summary of another one; see `number` for the errors."""
        cached = self._matches.loaded(match)
        return self.summaries.of(match) if cached is None else cached.table

    def number(self, match: MatchId, seat: Seat) -> int:
        """Return how many events a seat has seen.

        Raises:
            LogError: There is no such match, or it cannot be read.
        """
        return self.summaries.number(match, seat)

    def housekeep(self) -> bool:
        """Save the snapshots and summaries that are due, except of matches that are ahead of the log; return whether there were any.

        They are caches: a snapshot that cannot be saved is only logged. The log of the server goes on, too.
        """
        if self._server_log is not None:
            self._server_log.work()
        if dropped := self._matches.dropped():
            self.summaries.save(dropped)
        due = self._matches.due()
        for match in due:
            head = match.match.head
            try:
                match.save_snapshots(self.log)
            except LogError as error:
                self.logger.warning("snapshot not saved", match=match.id, seq=head.seq, problem=str(error))
            except Exception:
                if self._context.raises_faults:
                    raise
                self.logger.exception("snapshot not written", match=match.id, seq=head.seq)
        return bool(due)

    def look(self) -> AbstractSet[MatchId]:
        """Return the matches that other processes have written to, according to the news of the log that wait for `take_news`."""
        found = self._news.look()
        if found and self._server_log is not None:
            self._server_log.look()
        return found

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when there may be news, or -1 if the log has to be asked."""
        return self._news.fileno()

    def take_news(self) -> Heard:
        """Let the matches in memory follow the news that wait; none of these matches may be ahead of the log."""
        return self._news.take()

    def close(self) -> None:
        """Save the summaries of the matches in memory, and sign a last checkpoint."""
        self.summaries.save(self._matches.all())
        if self._server_log is not None:
            self._server_log.finish(LAST_ENTRIES_S)
            self._server_log.close()

    @property
    def has_entries_to_make(self) -> bool:
        """Whether the log of the server may have something to do."""
        return self._server_log is not None and self._server_log.has_work

    def idle(self) -> bool:
        """Let the log, and the log of the server, do their deferred work; return whether there is more of it."""
        if isinstance(self.log, TidyLog):
            self.log.idle()
        return self._server_log is not None and self._server_log.work(is_idle=True)
