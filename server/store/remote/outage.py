"""Bounds the time that a server waits for a store on other machines, so that its loop goes on answering from memory while that is away."""

import time

DEADLINE_S = 2.0
"""How long a request waits for its answer (seconds); an election takes longer, and clients are told to try again."""

AGAIN_S = 1.0
PROBE_S = 0.25
"""After a request without an answer, no other is sent for so long, and the next one waits only so long for its own (seconds)."""


class Outage:
    """A time in which a store does not answer, or none."""

    def __init__(self) -> None:
        self.is_on = False
        self._again_at = 0.0

    def begin(self) -> None:
        """Note that a request got no answer."""
        self.is_on, self._again_at = True, time.monotonic() + AGAIN_S

    def end(self) -> None:
        """Note that a request got its answer."""
        self.is_on = False

    @property
    def must_wait(self) -> bool:
        """Whether it is too soon to ask again."""
        return self.is_on and time.monotonic() < self._again_at

    @property
    def patience_s(self) -> float:
        """How long a request that begins now waits for its answer (seconds)."""
        return PROBE_S if self.is_on else DEADLINE_S
