"""Time comes from here, and tests bring their own."""

import time
from typing import Protocol


class Clock(Protocol):
    """Where a desk, a broker and a client look what time it is."""

    def now_ms(self) -> int:
        """Return milliseconds since 1970 (UTC); it may jump either way, so nothing is ordered or timed by it."""

    def monotonic(self) -> float:
        """Return seconds that only ever grow; timeouts are measured with them."""

    def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""


class SystemClock:
    """The machine's clock."""

    def now_ms(self) -> int:
        """Return milliseconds since 1970; see `Clock.now_ms`."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Return growing seconds; see `Clock.monotonic`."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Return after so many seconds; see `Clock.sleep`."""
        time.sleep(seconds)
