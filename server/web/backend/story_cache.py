"""Keeps the stories of matches that were looked at, one for each seat, and brings them up to date before they are shown."""

import asyncio
from collections import OrderedDict
from math import inf
from time import monotonic

from core.errors import SetupInvalid, UnknownName
from core.game.bound_game import BoundGame
from core.match.bound_games import bound_game, is_on_shipped_board
from core.telling.names import IdsOnly, Names
from events.ids import PUBLIC, MatchId, Seat
from projections.catalogue import InstalledRules
from projections.state.fold import fold
from projections.state.table import Table
from server.page_parts.story import Story
from server.protocol.errors import ServerError
from server.web.backend.gateway import Caller
from server.web.http.faults import PageFault, still_reading

EVENTS_MAX = 400_000
"""How many events the kept stories have altogether at most; those that were looked at longest ago are dropped."""

SLICES_AT_ONCE = 50
"""After so many commits other visitors get their turn."""


class CachedStory:
    """A cached story.

    Attributes:
        story: The story.
        credential: The secret that proved the seat when the story was begun; another player of the seat begins another one.
        problem: Why there are no names and no picture; empty if there are.
        bound: The game on its board, or None.
        installed: The rules that the server has, if the match stands still because it is played under others.
        turn: Held while it is brought up to date.
    """

    __slots__ = ("bound", "credential", "installed", "problem", "story", "turn")

    def __init__(self, story: Story, credential: str, problem: str, bound: BoundGame | None = None) -> None:
        self.story = story
        self.bound = bound
        self.credential = credential
        self.problem = problem
        self.installed: InstalledRules | None = None
        self.turn = asyncio.Lock()


class StoryCache:
    """StoryCache by match and seat."""

    def __init__(self, events_max: int = EVENTS_MAX) -> None:
        self._kept: OrderedDict[tuple[MatchId, Seat], CachedStory] = OrderedDict()
        self._events_max = events_max

    async def begun(self, caller: Caller, match: MatchId, seat: Seat = PUBLIC) -> CachedStory:
        """Return a story as far as it was read, at least up to its first events.

        Raises:
            RequestFailed: There is no such match or seat, or the secret does not prove the seat.
            TimedOut: The broker does not answer.
        """
        cached = self._kept.get((match, seat))
        if cached is None or cached.credential != caller.token(match, seat):
            cached = await _begun(caller, match, seat)
            self._kept[match, seat] = cached
        return cached

    async def current(self, caller: Caller, match: MatchId, seat: Seat = PUBLIC, *, wait_s: float = inf) -> CachedStory:
        """Return a story up to the last event.

        The broker is asked for what is new every time, and so checks the secret of the seat every time.

        Args:
            caller: The visitor.
            match: The match.
            seat: Who looks.
            wait_s: How long to read on (seconds).

        Raises:
            RequestFailed: There is no such match or seat, or the secret does not prove the seat.
            TimedOut: The broker does not answer.
            PageFault: There is more to read; what was read is kept.
        """
        until = monotonic() + wait_s
        cached = await self.begun(caller, match, seat)
        key = (match, seat)
        try:
            async with cached.turn:
                left = await _read_on(caller, cached)
                while left and monotonic() < until:
                    left = await _read_on(caller, cached)
        except ServerError:
            raise
        except Exception:
            # A story that failed in the middle of a commit cannot go on.
            self._kept.pop(key, None)
            raise
        if left:
            raise PageFault(still_reading(cached.story.last, left))
        self._kept[key] = cached
        self._kept.move_to_end(key)
        self._shrink()
        return cached

    def _shrink(self) -> None:
        """Drop what was looked at longest ago."""
        count = sum(cached.story.last for cached in self._kept.values())
        while count > self._events_max and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            count -= dropped.story.last


async def _begun(caller: Caller, match: MatchId, seat: Seat) -> CachedStory:
    """Begin a story with its first commits, which say what it is drawn with; a table of a long match would take the broker long."""
    slices = (await caller.part_of_log(match, seat, 0, 1)).slices
    now = Table()
    for slice_ in slices:
        fold(slice_.events, now)
    story, problem, bound = Story(match, seat, Names(IdsOnly(now.game))), "", None
    try:
        board = None if is_on_shipped_board(now) else await caller.board(match, seat)
        bound = bound_game(now.game, board, now.variant)
        story = Story(match, seat, Names(bound.narration), bound.narration)
    except (UnknownName, SetupInvalid) as error:
        problem = str(error)
    for slice_ in slices:
        story.take(slice_)
    return CachedStory(story, caller.token(match, seat), problem, bound)


async def _read_on(caller: Caller, cached: CachedStory) -> int:
    """Take the next commits of a story, and return how many events are left."""
    story = cached.story
    reply = await caller.part_of_log(story.match, story.seat, story.last)
    cached.installed = reply.installed
    for number, slice_ in enumerate(reply.slices, start=1):
        story.take(slice_)
        if number % SLICES_AT_ONCE == 0:
            await asyncio.sleep(0)
    return reply.seq - story.last if reply.slices else 0
