"""Who waits for news of a match: one subscription for each seat that is looked at, however many browsers look."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

from events.ids import MatchId, Seat
from server.client.async_client import AsyncClient
from server.pages.story import Story
from server.protocol.errors import ServerError
from server.web.stories import Kept

AGAIN_S = 2.0
"""How long to wait before a subscription that failed is tried again (seconds)."""


class Watch:
    """News of a match for one seat."""

    def __init__(self) -> None:
        self._happened = asyncio.Event()
        self._asking: asyncio.Task[Story] | None = None
        self.waiting = 0

    def happened(self) -> None:
        """Wake all who wait."""
        self._happened.set()
        self._happened = asyncio.Event()
        # What is being asked for may not have this yet.
        self._asking = None

    async def current(self, ask: Callable[[], Coroutine[None, None, Kept]]) -> Story:
        """Return the story as it is now; those who want it at the same time ask once.

        Args:
            ask: Asks for it.

        Raises:
            ServerError: As `ask`.
        """
        asking = self._asking
        if asking is None or asking.done():
            asking = self._asking = asyncio.create_task(_story(ask))
            # A failure that nobody waits for any more is not logged.
            asking.add_done_callback(lambda done: done.cancelled() or done.exception())
        # Who leaves does not end what others wait for.
        return await asyncio.shield(asking)

    def mark(self) -> asyncio.Event:
        """Return what is set when something happens after now."""
        return self._happened


class Watches:
    """Subscriptions that are shared.

    Args:
        client: Carries them; it is used for nothing else.

    Attributes:
        is_over: Whether the pages end, so that nobody waits any longer.
    """

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._turn = asyncio.Lock()
        self.is_over = False
        self._watches: dict[tuple[MatchId, Seat, str], tuple[Watch, asyncio.Task[None]]] = {}

    def end(self) -> None:
        """Wake all who wait, for the last time."""
        self.is_over = True
        for watch, _ in self._watches.values():
            watch.happened()

    @asynccontextmanager
    async def watch(self, match: MatchId, seat: Seat, token: str) -> AsyncIterator[Watch]:
        """Watch a match as a seat until the block ends."""
        key = (match, seat, token)
        if key not in self._watches:
            made = Watch()
            self._watches[key] = made, asyncio.create_task(self._follow(made, match, seat, token))
        watch, task = self._watches[key]
        watch.waiting += 1
        try:
            yield watch
        finally:
            watch.waiting -= 1
            if not watch.waiting:
                del self._watches[key]
                task.cancel()

    async def _follow(self, watch: Watch, match: MatchId, seat: Seat, token: str) -> None:
        """Tell a watch whenever something is published; who waits asks for it, and so learns of what was missed."""
        while True:
            try:
                async with self._turn:
                    self._client.add_token(match, seat, token)
                    following = await self._client.follow(match, seat)
                async with following:
                    # Something may have happened before the subscription began.
                    watch.happened()
                    while True:
                        await following.next()
                        watch.happened()
            except ServerError:
                watch.happened()
                await asyncio.sleep(AGAIN_S)


async def _story(ask: Callable[[], Coroutine[None, None, Kept]]) -> Story:
    return (await ask()).story
