"""Bots that the pages start for free seats, where they run the server themselves."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

from core.registry.bot_policies import policy_names
from core.registry.games import load_game
from events.ids import GameKey, MatchId, Seat
from server.web.backend.gateway import Caller
from server.web.http.faults import Fault, PageFault

BOTS_MAX = 16
"""How many bots play at a time."""
SEATED_S = 15.0
"""How long a bot may take until it has its seat (seconds)."""
LOOK_EVERY_S = 0.1


class Running(Protocol):
    """A process."""

    def poll(self) -> int | None:
        """Return its exit code, or None while it runs."""


StartBot = Callable[[GameKey, MatchId, Seat, str], Running]
"""Starts a bot for a game, a match, a seat and a policy."""


class Bots:
    """The bots of these pages.

    Args:
        start: Starts one; None where the pages do not run the server.
        running: Those that play already.
    """

    def __init__(self, start: StartBot | None = None, running: Sequence[Running] = ()) -> None:
        self._start = start
        self._running = list(running)

    @property
    def can_start(self) -> bool:
        """Whether bots can be started."""
        return self._start is not None

    async def seat(self, caller: Caller, match: MatchId, seat: Seat, policy: str) -> None:
        """Start a bot for a free seat, and wait until it has the seat.

        Raises:
            PageFault: It cannot be started, or does not take the seat.
            RequestFailed: There is no such match.
        """
        table = (await caller.state(match)).table
        advice = "Go back, load the page again, and choose again."
        if self._start is None:
            raise PageFault(
                Fault(403, "No bots here", "These pages do not start bots.", "Start one with `wardiary bot`.")
            )
        if seat not in table.seats or seat in table.players or seat in table.reserved:
            raise PageFault(Fault(409, "The seat is not free", "A bot takes a free seat of the match.", advice))
        if policy not in policy_names(load_game(table.game)):
            raise PageFault(Fault(400, "Not understood", f"No bot of this game plays like {policy[:40]!r}.", advice))
        self._running = [one for one in self._running if one.poll() is None]
        if len(self._running) >= BOTS_MAX:
            why = f"{BOTS_MAX} bots play already."
            raise PageFault(Fault(429, "Too many bots", why, "Try again when one of their matches is over.", 60))
        bot = self._start(table.game, match, seat, policy)
        self._running.append(bot)
        for _ in range(round(SEATED_S / LOOK_EVERY_S)):
            if seat in (await caller.state(match)).table.players:
                return
            if bot.poll() is not None:
                break
            await asyncio.sleep(LOOK_EVERY_S)
        raise PageFault(
            Fault(502, "The bot did not sit down", "The seat may be reserved, or was taken meanwhile.", advice)
        )
