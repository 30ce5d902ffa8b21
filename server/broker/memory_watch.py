"""Timing of the looks at what connections have sent: regularly, and as soon as the process's memory grows."""

import os
from contextlib import suppress
from pathlib import Path

from server.protocol.clock import Clock

TICK_S = 0.025
"""How often the memory is read (seconds). A message without an end takes some 20 MiB in this time."""

REGULARLY_S = 0.25
"""After how long the connections are looked at although the memory has not grown (seconds)."""

GROWTH_BYTES = 4 << 20
"""How much the memory has to grow for a look at the connections."""

STATUS = Path("/proc/self/statm")


class MemoryWatch:
    """Tells when to look at the connections.

    Args:
        clock: Measures the time between two looks.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tick = self._regular = 0.0
        self._page_bytes = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0
        self._file = -1
        # Only Linux tells it in a file, and only there is known what a connection has sent.
        with suppress(OSError):
            self._file = os.open(STATUS, os.O_RDONLY)
        self._last = self._bytes()

    def wait_s(self, now: float) -> float:
        """Return how long the loop may wait until `is_due` has to be called."""
        return max(0.0, self._tick - now)

    def is_due(self) -> bool:
        """Return whether to look at the connections now."""
        now = self._clock.monotonic()
        if now < self._tick:
            return False
        self._tick = now + TICK_S
        used = self._bytes()
        if now < self._regular and used < self._last + GROWTH_BYTES:
            return False
        self._regular = now + REGULARLY_S
        self._last = used
        return True

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _bytes(self) -> int:
        """Return the resident memory of the process, or 0 if it is not known."""
        # The second number of the file is that of resident pages; see proc(5).
        return int(os.pread(self._file, 128, 0).split()[1]) * self._page_bytes if self._file >= 0 else 0
