"""Keeps the stories of matches that were looked at, one for each seat, and brings them up to date before they are shown."""

import asyncio
from collections import OrderedDict

from core.bound_games import bound_game, is_on_shipped_board
from core.errors import SetupInvalid, UnknownName
from core.ports import BoundGame
from core.telling.names import IdsOnly, Names
from events.ids import PUBLIC, MatchId, Seat
from server.pages.story import Story
from server.web.gateway import Caller

EVENTS_MAX = 400_000
"""How many events the kept stories have altogether at most; those that were looked at longest ago are dropped."""

SLICES_AT_ONCE = 50
"""After so many commits other visitors get their turn."""


class Kept:
    """A kept story.

    Attributes:
        story: The story.
        credential: The secret that proved the seat when the story was begun; another player of the seat begins another one.
        problem: Why there are no names and no picture; empty if there are.
        bound: The game on its board, or None.
        turn: Held while it is brought up to date.
    """

    __slots__ = ("bound", "credential", "problem", "story", "turn")

    def __init__(self, story: Story, credential: str, problem: str, bound: BoundGame | None = None) -> None:
        self.story = story
        self.bound = bound
        self.credential = credential
        self.problem = problem
        self.turn = asyncio.Lock()


class Stories:
    """Stories by match and seat."""

    def __init__(self, events_max: int = EVENTS_MAX) -> None:
        self._kept: OrderedDict[tuple[MatchId, Seat], Kept] = OrderedDict()
        self._events_max = events_max

    async def current(self, caller: Caller, match: MatchId, seat: Seat = PUBLIC) -> Kept:
        """Return a story up to the last event.

        The broker is asked for what is new every time, and so checks the secret of the seat every time.

        Raises:
            RequestFailed: There is no such match or seat, or the secret does not prove the seat.
            TimedOut: The broker does not answer.
        """
        key = (match, seat)
        kept = self._kept.get(key)
        if kept is None or kept.credential != caller.token(match, seat):
            kept = await self._begun(caller, match, seat)
            self._kept[key] = kept
        async with kept.turn:
            for number, slice_ in enumerate(await caller.log(match, seat, kept.story.last), start=1):
                kept.story.take(slice_)
                if number % SLICES_AT_ONCE == 0:
                    await asyncio.sleep(0)
        self._kept[key] = kept
        self._kept.move_to_end(key)
        self._shrink()
        return kept

    async def _begun(self, caller: Caller, match: MatchId, seat: Seat) -> Kept:
        now = (await caller.state(match, seat)).table
        try:
            board = None if is_on_shipped_board(now) else await caller.board(match, seat)
            bound = bound_game(now.game, board, now.variant)
            narration = bound.narration
        except (UnknownName, SetupInvalid) as error:
            return Kept(Story(match, seat, Names(IdsOnly(now.game))), caller.token(match, seat), str(error))
        return Kept(Story(match, seat, Names(narration), narration), caller.token(match, seat), "", bound)

    def _shrink(self) -> None:
        """Drop what was looked at longest ago."""
        count = sum(kept.story.last for kept in self._kept.values())
        while count > self._events_max and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            count -= dropped.story.last
