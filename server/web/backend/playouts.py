"""Shares of wins of matches that are over: found one match at a time by a process beside the pages, and kept as long as these run."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from contextlib import suppress
from enum import Enum
from typing import NamedTuple

from core.errors import KernelError
from core.match.bound_games import is_on_shipped_board
from core.trials.win_shares import WinShares
from events.codec import Decoder
from events.ids import PUBLIC, MatchId
from server.page_parts.piped_match import lines_of
from server.playouts import share_process
from server.playouts.share_process import Wanted
from server.protocol.clock import Clock
from server.protocol.errors import ServerError
from server.web.backend.gateway import Caller
from server.web.backend.story_cache import StoryCache
from server.web.http.faults import PageFault
from server.web.http.rate_limits import Rates

ASKED, ASKED_PER_S = 6.0, 1 / 60
"""For how many matches an address may ask: at once, and each second."""
WAITING_MAX = 16
"""How many matches may wait for their turn."""
KEPT_MAX = 1_000
"""How many matches are remembered with what was found."""
LINE_MAX = 1_048_576
"""The most bytes of what one pass tells."""
FAILED = "the program that plays on ended with an error"

_SHARES: Decoder[WinShares] = Decoder(WinShares)


class Progress(Enum):
    """State of the shares of a match: nobody plays on here, they wait, bots play on, they are found, or too many matches were asked for."""

    ABSENT = "absent"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    REFUSED = "refused"


class Playouts(NamedTuple):
    """The shares of wins of a match as far as they are found."""

    progress: Progress = Progress.ABSENT
    shares: WinShares | None = None
    problem: str = ""


class PlayoutRuns:
    """The playouts of matches that are over. All visitors see the same numbers, which follow from what everybody has seen.

    Args:
        clock: Measures how often matches are asked for.
        stories: Matches as their viewers have seen them.
        limit_s: How long bots play on from one match at most (seconds); 0 for never.
    """

    def __init__(self, clock: Clock, stories: StoryCache, limit_s: float) -> None:
        self._stories = stories
        self._limit_s = limit_s
        self._asked = Rates(clock, most=ASKED, per_s=ASKED_PER_S)
        self._found: OrderedDict[MatchId, Playouts] = OrderedDict()
        self._tasks: dict[MatchId, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()

    def of(self, caller: Caller, match: MatchId, address: str) -> Playouts:
        """Return what is known of a match that is over, and see to it that more will be.

        Args:
            caller: The visitor.
            match: The match.
            address: The address of the visitor.
        """
        if not self._limit_s:
            return Playouts()
        if match not in self._found:
            if len(self._tasks) >= WAITING_MAX or self._asked.wait_s(address):
                return Playouts(Progress.REFUSED)
            self._keep(match, Playouts(Progress.WAITING))
            self._tasks[match] = asyncio.create_task(self._find(caller, match))
        return self._found[match]

    def _keep(self, match: MatchId, playouts: Playouts) -> None:
        self._found[match] = playouts
        self._found.move_to_end(match)
        while len(self._found) > KEPT_MAX:
            self._found.popitem(last=False)

    async def _find(self, caller: Caller, match: MatchId) -> None:
        """Find the shares of a match once it is its turn; a failure is told where they would be shown."""
        try:
            async with self._turn:
                await self._play_on(caller, match)
        except (ServerError, PageFault):
            # The match could not be read just now; who looks at it next asks again.
            self._found.pop(match, None)
        except (KernelError, OSError, ValueError) as error:
            self._keep(match, Playouts(Progress.DONE, problem=str(error) if isinstance(error, KernelError) else FAILED))
        finally:
            self._tasks.pop(match, None)

    async def _play_on(self, caller: Caller, match: MatchId) -> None:
        story = (await self._stories.current(caller, match, PUBLIC)).story
        now = story.now
        board = None if is_on_shipped_board(now) else await caller.board(match, PUBLIC)
        lines = b"".join(lines_of(Wanted(game=now.game, board=board, variant=now.variant), story.stream()))
        self._keep(match, Playouts(Progress.RUNNING))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", share_process.__name__, stdin=PIPE, stdout=PIPE, limit=LINE_MAX
        )
        try:
            await asyncio.wait_for(self._follow(process, lines, match), self._limit_s)
        except TimeoutError:
            pass
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        shares = self._found[match].shares
        problem = FAILED if process.returncode and process.returncode > 0 else shares.problem if shares else ""
        late = f"a first pass takes more than {self._limit_s:.0f} seconds"
        self._keep(match, Playouts(Progress.DONE, shares, problem or ("" if shares else late)))

    async def _follow(self, process: Process, lines: bytes, match: MatchId) -> None:
        """Give a process what it needs, and keep what it tells, pass by pass."""
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(lines)
        with suppress(BrokenPipeError, ConnectionResetError):
            await process.stdin.drain()
        process.stdin.close()
        while line := await process.stdout.readline():
            self._keep(match, Playouts(Progress.RUNNING, _SHARES.decode(line)))
        await process.wait()
