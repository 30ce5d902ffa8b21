"""Subscriptions to the news of a match: one for each seat that is looked at, however many browsers look."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

from events.errors import BrokenEvidence
from events.ids import MatchId, Seat
from server.client.async_client import AsyncClient
from server.page_parts.story import Story
from server.protocol.errors import ServerError
from server.web.backend.story_cache import CachedStory

RESUBSCRIBE_S = 2.0
"""How long to wait before a subscription that failed is tried again (seconds)."""


class Subscription:
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

    async def current(self, ask: Callable[[], Coroutine[None, None, CachedStory]]) -> Story:
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


class Subscriptions:
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
        self._subscriptions: dict[tuple[MatchId, Seat, str], tuple[Subscription, asyncio.Task[None]]] = {}

    def end(self) -> None:
        """Wake all who wait, for the last time."""
        self.is_over = True
        for subscription, _ in self._subscriptions.values():
            subscription.happened()

    @asynccontextmanager
    async def subscription(self, match: MatchId, seat: Seat, token: str) -> AsyncIterator[Subscription]:
        """Subscription a match as a seat until the block ends."""
        key = (match, seat, token)
        if key not in self._subscriptions:
            made = Subscription()
            self._subscriptions[key] = made, asyncio.create_task(self._follow(made, match, seat, token))
        subscription, task = self._subscriptions[key]
        subscription.waiting += 1
        try:
            yield subscription
        finally:
            subscription.waiting -= 1
            if not subscription.waiting:
                del self._subscriptions[key]
                task.cancel()

    async def _follow(self, subscription: Subscription, match: MatchId, seat: Seat, token: str) -> None:
        """Tell a watch whenever something is published; who waits asks for it, and so learns of what was missed."""
        while True:
            try:
                async with self._turn:
                    self._client.add_token(match, seat, token)
                    following = await self._client.follow(match, seat)
                async with following:
                    # Something may have happened before the subscription began.
                    subscription.happened()
                    while True:
                        await following.next()
                        subscription.happened()
            except (ServerError, BrokenEvidence):
                # Who waits reads what is on record; dice that do not follow from it are told by the programs that play and watch.
                subscription.happened()
                await asyncio.sleep(RESUBSCRIBE_S)


async def _story(ask: Callable[[], Coroutine[None, None, CachedStory]]) -> Story:
    return (await ask()).story
