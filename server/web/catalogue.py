"""The list of all matches, read again from the broker when it is older than a moment."""

import asyncio
from collections.abc import Sequence

from events.ids import MatchId
from server.client.calls import asked
from server.protocol.clock import Clock
from server.protocol.errors import RequestFailed
from server.protocol.replies import LogReply, MatchSummary
from server.protocol.wire import LogRequest
from server.web.gateway import Caller

FRESH_S = 2.0
"""How long the list is used again."""
MATCHES_MAX = 10_000
"""How many matches are listed at most, the oldest ones."""
TIMES_MAX = 20_000


class Catalogue:
    """Summaries of all matches, as the public sees them.

    Args:
        clock: Measures how old the list is.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turn = asyncio.Lock()
        self._known: Sequence[MatchSummary] = ()
        self._read = float("-inf")
        self._times: dict[tuple[MatchId, int], int] = {}

    async def matches(self, caller: Caller) -> Sequence[MatchSummary]:
        """Return all matches in the order of their opening.

        Raises:
            TimedOut: The broker does not answer.
        """
        async with self._turn:
            if self._clock.monotonic() - self._read >= FRESH_S:
                self._known = await caller.matches(limit=MATCHES_MAX)
                self._read = self._clock.monotonic()
            return self._known

    async def since(self, caller: Caller, match: MatchSummary) -> int | None:
        """Return when the last event of a match was accepted (milliseconds since 1970, UTC); None if it is not known."""
        key = (match.match, match.seq)
        if key not in self._times and match.seq and not match.problem:
            request = LogRequest(match=match.match, since=match.seq - 1, limit=1)
            try:
                reply = await caller.run(asked(request, LogReply))
            except RequestFailed:
                # A list of matches checks none of them: this one is damaged, and its own page says how.
                return None
            if reply.slices:
                if len(self._times) >= TIMES_MAX:
                    self._times.clear()
                self._times[key] = reply.slices[0].at
        return self._times.get(key)
