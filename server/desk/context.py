"""What all handlers of a desk work with."""

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
    """What all handlers of a desk work with.

    Attributes:
        log: Where the matches lie; handlers only read it.
        matches: The matches in memory.
        summaries: How all matches stand.
        access: Decides who may look and act.
        creator: Prepares the first commits of matches.
        forks: The forks that the background has prepared.
        clock: Stamps commits.
        identity: Generates keys, seeds and secrets.
        logger: The log for operators.
        version: What `hello` answers.
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
