"""The port for time; tests supply their own clock."""

import time
from typing import Protocol

LAST_MS = 9_223_372_036_854
"""The last moment of which 64 bits can hold the nanoseconds since 1970: in April 2262."""


class Clock(Protocol):
    """The clock of a desk, a broker and a client."""

    def now_ms(self) -> int:
        """Return milliseconds since 1970 (UTC), from `-LAST_MS` to `LAST_MS`; the value may jump, so nothing is ordered or timed by it."""

    def monotonic(self) -> float:
        """Return monotonic seconds, for timeouts."""

    def sleep(self, seconds: float) -> None:
        """Return after this number of seconds."""


class SystemClock:
    """The machine's clock."""

    def now_ms(self) -> int:
        """Return milliseconds since 1970; see `Clock.now_ms`."""
        try:
            return time.time_ns() // 1_000_000
        except OverflowError:
            # A clock that is set wrong must not end a server.
            return LAST_MS

    def monotonic(self) -> float:
        """Return monotonic seconds; see `Clock.monotonic`."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Return after a number of seconds; see `Clock.sleep`."""
        time.sleep(seconds)
