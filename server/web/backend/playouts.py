"""Shares of wins of matches that are over: found by a process beside the pages, and kept as long as these run."""

from functools import partial

from core.match.bound_games import is_on_shipped_board
from core.trials.win_shares import WinShares
from events.codec import Decoder
from events.ids import PUBLIC, MatchId
from server.page_parts.piped_match import lines_of
from server.playouts import share_process
from server.playouts.share_process import Wanted
from server.protocol.clock import Clock
from server.web.backend.gateway import Caller
from server.web.backend.processes.process_runs import Limits, ProcessRuns, Run
from server.web.backend.story_cache import StoryCache

ASKED, ASKED_PER_S = 6.0, 1 / 60
"""For how many matches an address may ask: at once, and each second."""
WAITING_MAX = 16
"""How many matches may wait for their turn."""
KEPT_MAX = 1_000
"""How many matches are remembered with what was found."""

Playouts = Run[WinShares]
"""The shares of wins of a match as far as they are found."""

_SHARES: Decoder[WinShares] = Decoder(WinShares)


class PlayoutRuns:
    """The playouts of matches that are over. All visitors see the same numbers, which follow from what everybody has seen.

    Args:
        clock: Measures how often matches are asked for.
        stories: Matches as their viewers have seen them.
        limit_s: How long bots play on from one match at most (seconds); 0 for never.
    """

    def __init__(self, clock: Clock, stories: StoryCache, limit_s: float) -> None:
        self._stories = stories
        limits = Limits(ASKED, ASKED_PER_S, WAITING_MAX, KEPT_MAX, limit_s)
        self._runs: ProcessRuns[MatchId, WinShares] = ProcessRuns(clock, share_process.__name__, _SHARES, limits)

    def of(self, caller: Caller, match: MatchId, address: str) -> Playouts:
        """Return what is known of a match that is over, and see to it that more will be.

        Args:
            caller: The visitor.
            match: The match.
            address: The address of the visitor.
        """
        return self._runs.asked(match, address, partial(self._lines, caller, match))

    async def _lines(self, caller: Caller, match: MatchId) -> bytes:
        story = (await self._stories.current(caller, match, PUBLIC)).story
        now = story.now
        board = None if is_on_shipped_board(now) else await caller.board(match, PUBLIC)
        return b"".join(lines_of(Wanted(game=now.game, board=board, variant=now.variant), story.stream()))
