"""Services that all pages share: the way to the broker, and what was read and proved through it."""

from server.protocol.clock import Clock
from server.web.audits import Audits
from server.web.bots import Bots
from server.web.catalogue import Catalogue
from server.web.evidence import Heads
from server.web.gateway import Gateway
from server.web.line_names import LineNames
from server.web.sessions import Sessions
from server.web.stories import Stories


class Services:
    """The services of the pages.

    Args:
        gateway: The way to the broker.
        clock: Measures how old things are.
        bots: The bots that can be started.
        is_operator_allowed: Whether the operator's key may be used to see everything.

    Attributes:
        stories: Matches as their viewers have seen them.
        sessions: What visitors have proved.
        catalogue: The list of all matches.
        audits: The audits that visitors made.
        heads: The heads of chains that may be shown.
        fork_names: The names of forks that were listed.
    """

    def __init__(self, gateway: Gateway, clock: Clock, bots: Bots, *, is_operator_allowed: bool = False) -> None:
        self.gateway = gateway
        self.clock = clock
        self.bots = bots
        self.is_operator_allowed = is_operator_allowed
        self.stories = Stories()
        self.sessions = Sessions(clock)
        self.catalogue = Catalogue(clock)
        self.audits = Audits(clock)
        self.heads = Heads()
        self.fork_names = LineNames()
