"""The bots that the server of matches plays for each game, and whether it keeps a log: both are in its greeting."""

from collections.abc import Mapping, Sequence

from events.ids import GameKey
from server.protocol.clock import Clock
from server.protocol.errors import TimedOut
from server.protocol.replies import HelloReply
from server.web.backend.gateway import Caller

FRESH_S = 60.0
"""How long what the server has said is used again; it may be started again with other bots."""


class ServerBots:
    """The policies of the server's bots.

    Args:
        clock: Measures how old they are.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: HelloReply | None = None
        self._read = float("-inf")

    async def policies(self, caller: Caller, game: GameKey) -> Sequence[str]:
        """Return the policies for a game, the best one last; none if the server plays no bots or does not answer."""
        return (await self.all(caller)).get(game, ())

    async def all(self, caller: Caller) -> Mapping[GameKey, Sequence[str]]:
        """Return the policies for each game; nothing if the server plays no bots or does not answer."""
        hello = await self._hello(caller)
        return {} if hello is None else hello.bots

    async def has_log(self, caller: Caller) -> bool:
        """Return whether the server keeps a log of entries and checkpoints; not if it does not answer."""
        hello = await self._hello(caller)
        return hello is not None and hello.log != ""

    async def _hello(self, caller: Caller) -> HelloReply | None:
        if self._clock.monotonic() - self._read >= FRESH_S:
            try:
                self._known = await caller.hello()
            except TimedOut:
                return None
            self._read = self._clock.monotonic()
        return self._known
