"""Who waits for news of a match: one subscription for each seat that is looked at, however many browsers look."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from events.ids import MatchId, Seat
from server.client.async_client import AsyncClient
from server.protocol.errors import ServerError

AGAIN_S = 2.0
"""How long to wait before a subscription that failed is tried again (seconds)."""


class Watch:
    """News of a match for one seat."""

    def __init__(self) -> None:
        self._happened = asyncio.Event()
        self.waiting = 0

    def happened(self) -> None:
        """Wake all who wait."""
        self._happened.set()
        self._happened = asyncio.Event()

    def mark(self) -> asyncio.Event:
        """Return what is set when something happens after now."""
        return self._happened


class Watches:
    """Subscriptions that are shared.

    Args:
        client: Carries them; it is used for nothing else.
    """

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._turn = asyncio.Lock()
        self._watches: dict[tuple[MatchId, Seat, str], tuple[Watch, asyncio.Task[None]]] = {}

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
