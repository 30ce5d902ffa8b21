"""The dependencies of a desk's handlers."""

from events.codec import Struct
from events.log import Log
from server.desk.access import Access
from server.desk.logger import Logger
from server.desk.match_cache import MatchCache
from server.desk.match_creation import MatchCreator, PreparedForks
from server.desk.summaries import Summaries
from server.protocol.clock import Clock
from server.protocol.identity import Identity


class DeskContext(Struct, frozen=True, kw_only=True):
    """The dependencies of a desk's handlers.

    Attributes:
        log: The log of the matches; handlers only read it.
        matches: The matches in memory.
        summaries: The summaries of all matches.
        access: Decides which client may view and act.
        creator: Prepares the first commits of matches.
        forks: Forks that the background prepared.
        clock: Stamps commits.
        identity: Generates keys, seeds and secrets.
        logger: The log for operators.
        version: The version that `hello` returns.
    """

    log: Log
    matches: MatchCache
    summaries: Summaries
    access: Access
    creator: MatchCreator
    forks: PreparedForks
    clock: Clock
    identity: Identity
    logger: Logger
    version: str = ""
