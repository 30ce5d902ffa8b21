"""What clients may bring into the store: how many matches, how many files, how much in all."""

from collections.abc import Sequence

from server.broker.limits import Allowance, Limits
from server.protocol.clock import Clock
from server.protocol.errors import RequestFailed, denied


class Allowances:
    """Counts what clients bring, and turns away who brings too much.

    Args:
        clock: Measures the time in which allowances are refilled.
        limits: How much each client, and all together, may bring.
    """

    def __init__(self, clock: Clock, limits: Limits) -> None:
        self._clock = clock
        self._limits = limits
        self._opens = Allowance(limits.opens)
        self._files = Allowance(limits.files)
        self._file_bytes = 0

    def check(self, files: Sequence[str], identity: str) -> None:
        """Make sure that a client may bring what a new match needs, and count the files that have to be checked.

        Args:
            files: The texts that come with it.
            identity: Who asks.

        Raises:
            RequestFailed: With `too_many`: the client has opened too many matches or brought too many files lately, or the
                server takes no more files.
        """
        now = self._clock.monotonic()
        if wait := self._opens.wait(identity, now):
            raise _too_many(f"a client may open or fork {self._limits.opens} matches an hour", wait)
        if self._file_bytes + sum(map(len, files)) > self._limits.file_bytes:
            raise denied(
                "too_many",
                f"clients have brought {self._file_bytes >> 20} MiB of boards and positions, and the server takes no more "
                "before it is started again",
            )
        for _ in files:
            if wait := self._files.wait(identity, now):
                raise _too_many(f"a client may bring {self._limits.files} boards and positions an hour", wait)
            self._files.take(identity, now)

    def opened(self, files: Sequence[str], identity: str) -> None:
        """Count a match that was opened or forked, and the files that were stored with it."""
        self._opens.take(identity, self._clock.monotonic())
        self._file_bytes += sum(map(len, files))


def _too_many(rule: str, wait: float) -> RequestFailed:
    return denied("too_many", f"{rule}, refilled steadily; ask again in {round(wait) + 1} s")
