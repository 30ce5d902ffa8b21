"""The dependencies of a desk's handlers."""

from contextlib import suppress

from events.codec import Struct, replace
from events.errors import LogError
from events.ids import ARBITER
from events.log import Log
from server.desk.access import Access
from server.desk.match_cache import MatchCache
from server.desk.match_creator import MatchCreator, PreparedForks
from server.desk.news import News
from server.desk.summaries import Summaries
from server.protocol.bot_seats import BotSeats
from server.protocol.clock import Clock
from server.protocol.errors import DAMAGED, EVIDENCE_BROKEN, failure
from server.protocol.identity import Identity
from server.protocol.logger import Logger
from server.protocol.replies import FailedReply
from server.protocol.wire import Request, SeatRequest
from server.transparency.server_log import ServerLog


class DeskContext(Struct, frozen=True, kw_only=True):
    """The dependencies of a desk's handlers.

    Attributes:
        log: The log of the matches; handlers only read it.
        matches: The matches in memory.
        news: What others have appended to these.
        summaries: The summaries of all matches.
        access: Decides which client may view and act.
        creator: Prepares the first commits of matches.
        forks: Forks that the background prepared.
        clock: Stamps commits.
        identity: Generates keys, seeds and secrets.
        logger: The log for operators.
        version: The version that `hello` returns.
        nodes: The servers that it names.
        workers: Where it says that workers connect.
        bots: The seats of the bots that the server plays; None if it plays none.
        server_log: Entries and checkpoints of what is stored; None if the server keeps no such log.
        raises_faults: Errors that are no request's fault are raised, and not answered: the caller is in the same process.
    """

    log: Log
    matches: MatchCache
    news: News
    summaries: Summaries
    access: Access
    creator: MatchCreator
    forks: PreparedForks
    clock: Clock
    identity: Identity
    logger: Logger
    version: str = ""
    nodes: tuple[str, ...] = ()
    workers: str = ""
    bots: BotSeats | None = None
    server_log: ServerLog | None = None
    raises_faults: bool = False

    def failure(self, error: Exception, request: Request) -> FailedReply:
        """Return the reply to a request that met an error of `server.protocol.errors.EXPECTED`.

        Where the damage to a match begins is a number of the log, which counts what is hidden from a seat: it is logged for the operator,
        and told only to a client that sees everything.
        """
        reply = failure(error, request.id)
        if reply.code != EVIDENCE_BROKEN or self._sees_all(request):
            return reply
        self.logger.warning("evidence broken", problem=reply.message, id=request.id)
        return replace(reply, message=DAMAGED)

    def _sees_all(self, request: Request) -> bool:
        """Return whether a request comes from the store's owner, or from the arbiter of a match in memory."""
        if self.access.trusted or not isinstance(request, SeatRequest) or request.seat != ARBITER:
            return self.access.trusted
        with suppress(LogError):
            match = self.matches.loaded(request.match)
            if match is not None and self.access.proves(match.table, ARBITER, request.token):
                return True
        return self.access.is_owner(request.token)
