"""A thread that ends floods: as soon as the process's memory grows, it cuts the connections that send more than is delivered.

The library takes messages into its memory within one call, for as long as they arrive. The loop makes no turn meanwhile, but another
thread runs: the library's calls release the interpreter's lock.
"""

import mmap
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from server.broker.connections import Connections
from server.protocol.logger import Logger

TICK_S = 0.01
"""How often the memory is read (seconds). A flood takes some 4 MiB in this time."""

GROWTH_BYTES = 4 << 20
"""How much the memory has to grow for a look at the connections."""

STATUS = Path("/proc/self/statm")


class Watchdog:
    """Watches the memory of the process between `start` and `stop`; it needs Linux, and does nothing elsewhere.

    Args:
        groups: The connections of each socket that listens.
        logger: Logs an internal fault, after which it goes on.
    """

    def __init__(self, groups: Sequence[Connections], logger: Logger) -> None:
        self._groups = groups
        self._logger = logger
        self._is_over = Event()
        self._page_bytes = mmap.PAGESIZE
        self._file = -1
        self._last = 0
        self._thread = Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        # Only Linux tells it in a file, and only there is known what a connection has sent.
        with suppress(OSError):
            self._file = os.open(STATUS, os.O_RDONLY)
            self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        if self._file >= 0:
            self._is_over.set()
            self._thread.join()
            os.close(self._file)

    def _run(self) -> None:
        while not self._is_over.wait(TICK_S):
            try:
                self.tick()
            except Exception:
                self._logger.exception("watchdog failed")

    def tick(self) -> None:
        """Cut what floods the connections, if the memory has grown since they were looked at."""
        used = self._bytes()
        if used < self._last + GROWTH_BYTES:
            self._last = min(self._last, used)
            return
        self._last = used
        for group in self._groups:
            group.stop_floods()

    def _bytes(self) -> int:
        """Return the resident memory of the process."""
        # The second number of the file is that of resident pages; see proc(5).
        return int(os.pread(self._file, 128, 0).split()[1]) * self._page_bytes
