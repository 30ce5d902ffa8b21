"""The port for time; tests supply their own clock."""

import time
from typing import Protocol


class Clock(Protocol):
    """The clock of a desk, a broker and a client."""

    def now_ms(self) -> int:
        """Return milliseconds since 1970 (UTC); the value may jump, so nothing is ordered or timed by it."""

    def monotonic(self) -> float:
        """Return monotonic seconds, for timeouts."""

    def sleep(self, seconds: float) -> None:
        """Return after this number of seconds."""


class SystemClock:
    """The machine's clock."""

    def now_ms(self) -> int:
        """Return milliseconds since 1970; see `Clock.now_ms`."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Return monotonic seconds; see `Clock.monotonic`."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Return after a number of seconds; see `Clock.sleep`."""
        time.sleep(seconds)
