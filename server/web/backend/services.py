"""Services that all pages share: the way to the broker, and what was read and proved through it."""

import asyncio
from collections.abc import Callable, Collection, Mapping

from events.ids import MatchId, Seat
from server.protocol.clock import Clock
from server.web.backend.audits import Audits
from server.web.backend.fork_names import ForkNames
from server.web.backend.gateway import Gateway
from server.web.backend.lobby_games import OfferedBoards
from server.web.backend.match_evidence import Heads
from server.web.backend.match_list import MatchList
from server.web.backend.playouts import PlayoutRuns
from server.web.backend.server_bots import ServerBots
from server.web.backend.story_cache import StoryCache
from server.web.backend.thumbnails import Thumbnails
from server.web.backend.trial_runs import TrialRuns
from server.web.http.session_file import SessionFile
from server.web.http.sessions import Sessions

NO_BOARDS = OfferedBoards()


class OwnSeats:
    """Seats of the person who serves the pages, whose browser has them.

    Args:
        keep: Keeps the secret of a seat that this person gets in a rematch.

    Attributes:
        secrets: The secrets of the seats.
        tickets: Words that stand for the secrets of seats, each once: other users of the machine can see the address with which a browser is started.
    """

    def __init__(self, keep: Callable[[MatchId, Mapping[Seat, str]], None] = lambda *_: None) -> None:
        self._keep = keep
        self.secrets: set[str] = set()
        self.tickets: dict[str, str] = {}

    async def follow(self, proved: Collection[str], match: MatchId, taken: Mapping[Seat, str]) -> None:
        """Keep the seats that were taken in a rematch if who has proved seats of the match before is this person."""
        if taken and not self.secrets.isdisjoint(proved):
            self.secrets.update(taken.values())
            # Another process of the person may hold the file for a moment.
            await asyncio.to_thread(self._keep, match, taken)


class Services:
    """The services of the pages.

    Args:
        gateway: The way to the broker.
        clock: Measures how old things are.
        is_operator_allowed: Whether the operator's key may be used to see everything.
        own_seats: The seats of the person who serves the pages; None for nobody's.
        has_notices: Whether players can be told when it is their turn.
        playouts_s: How long bots play on from the points of a match that is over (seconds); 0 for never.
        boards: Boards of owners that can be chosen for new matches.
        session_file: Keeps what visitors have proved when the pages end; None for memory only.

    Attributes:
        gateway: The way to the broker.
        clock: Measures how old things are.
        bots: The bots of the server.
        is_operator_allowed: Whether the operator's key may be used to see everything.
        has_notices: Whether players can be told when it is their turn.
        stories: Matches as their viewers have seen them.
        sessions: What visitors have proved.
        match_list: The list of all matches.
        audits: The audits that visitors made.
        heads: The heads of chains that may be shown.
        fork_names: The names of forks that were listed.
        own_seats: The seats of the person who serves the pages.
        thumbnails: Thumbnails of matches.
        boards: Boards of owners that can be chosen for new matches.
        playouts: What bots won that played on from the points of matches that are over.
        trials: What came of the options that visitors let bots try at moments of such matches.
    """

    def __init__(
        self,
        gateway: Gateway,
        clock: Clock,
        *,
        is_operator_allowed: bool = False,
        own_seats: OwnSeats | None = None,
        has_notices: bool = False,
        playouts_s: float = 0.0,
        boards: OfferedBoards = NO_BOARDS,
        session_file: SessionFile | None = None,
    ) -> None:
        self.gateway = gateway
        self.clock = clock
        self.bots = ServerBots(clock)
        self.is_operator_allowed = is_operator_allowed
        self.has_notices = has_notices
        self.stories = StoryCache()
        self.sessions = Sessions(clock, session_file)
        self.match_list = MatchList(clock)
        self.audits = Audits(clock)
        self.heads = Heads()
        self.fork_names = ForkNames()
        self.own_seats = OwnSeats() if own_seats is None else own_seats
        self.thumbnails = Thumbnails()
        self.boards = boards
        self.playouts = PlayoutRuns(clock, self.stories, playouts_s)
        self.trials = TrialRuns(clock, playouts_s)
