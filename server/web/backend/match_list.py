"""The list of all matches, read again from the broker when it is older than a moment."""

import asyncio
from collections.abc import Sequence

from events.ids import MatchId
from projections.catalogue import Branch, MatchSummary, family
from server.protocol.clock import Clock
from server.web.backend.gateway import Caller

FRESH_S, FRESH_TIMES = 0.2, 20.0
"""How long the list is used again: so many seconds at least, and so many times as long as it took to read."""
MATCHES_MAX = 10_000
"""How many matches are listed at most, the oldest ones."""


class MatchList:
    """Summaries of all matches, as the public sees them.

    Args:
        clock: Measures how old the list is.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turn = asyncio.Lock()
        self._known: Sequence[MatchSummary] = ()
        self._read = float("-inf")
        self._fresh_s = 0.0
        self._families: dict[MatchId, Sequence[Branch[MatchSummary]]] = {}

    async def matches(self, caller: Caller) -> Sequence[MatchSummary]:
        """Return all matches in the order of their opening.

        Raises:
            TimedOut: The broker does not answer.
        """
        async with self._turn:
            begun = self._clock.monotonic()
            if begun - self._read >= max(FRESH_S, self._fresh_s):
                self._known = await caller.matches(limit=MATCHES_MAX)
                self._families.clear()
                self._read = self._clock.monotonic()
                self._fresh_s = FRESH_TIMES * (self._read - begun)
            return self._known

    def forget(self) -> None:
        """Read the list again when it is asked for next, because the visitor has added to it."""
        self._read = float("-inf")

    async def family(self, caller: Caller, match: MatchId) -> Sequence[Branch[MatchSummary]]:
        """Return the family of a match, its root first, each fork below its parent; nothing if it has none.

        Raises:
            TimedOut: The broker does not answer.
        """
        every = await self.matches(caller)
        if match not in self._families:
            known = any(one.match == match for one in every)
            found = family(every, match) if known else ()
            self._families[match] = found if len(found) > 1 else ()
        return self._families[match]
