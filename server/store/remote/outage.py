"""Bounds the time that a server waits for a store on other machines, so that its loop goes on answering from memory while that is away."""

import time
from typing import Protocol, runtime_checkable

DEADLINE_S = 2.0
"""How long a request waits for its answer (seconds); an election takes longer, and clients are told to try again."""

LOOP_S = 0.5
"""How long it waits in the loop of a server, which answers everybody (seconds)."""

AGAIN_S = 1.0
PROBE_S = 0.25
"""After a request without an answer, no other is sent for so long, and the next one waits only so long for its own (seconds)."""


class Outage:
    """A time in which a store does not answer, or none.

    Attributes:
        is_on: A request got no answer, and none has got one since.
        is_watched: The loop of a server asks, and another process asks beside it whether the store is there again. So a request never waits long
            for its answer, and after one without an answer none is sent until `end`.
    """

    def __init__(self) -> None:
        self.is_on = False
        self.is_watched = False
        self._again_at = 0.0

    def begin(self) -> None:
        """Note that a request got no answer."""
        self.is_on, self._again_at = True, time.monotonic() + AGAIN_S

    def turn(self) -> None:
        """Let the next request, which goes to another machine, be sent at once."""
        self._again_at = 0.0

    def end(self) -> None:
        """Note that a request got its answer."""
        self.is_on = False

    @property
    def must_wait(self) -> bool:
        """Whether it is too soon to ask again."""
        return self.is_on and (self.is_watched or time.monotonic() < self._again_at)

    @property
    def patience_s(self) -> float:
        """How long a request that begins now waits for its answer (seconds)."""
        if self.is_watched:
            return LOOP_S
        return PROBE_S if self.is_on else DEADLINE_S


@runtime_checkable
class DistantLog(Protocol):
    """A log on other machines."""

    @property
    def outage(self) -> Outage:
        """When it does not answer."""


def outage_of(log: object) -> Outage | None:
    """Return the outage of a log on other machines, or None for any other log."""
    return log.outage if isinstance(log, DistantLog) else None
