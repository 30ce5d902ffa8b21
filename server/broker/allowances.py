"""Quotas on what clients may add to the store: matches, files, and bytes in total, and on the bots that they may call."""

from collections.abc import Sequence

from server.broker.limits import Allowance, Limits
from server.protocol.clock import Clock
from server.protocol.errors import RequestFailed, denied


class Allowances:
    """Counts what clients add to the store, and rejects what exceeds their quotas.

    Args:
        clock: Measures the time over which quotas are refilled.
        limits: How much each client, and all of them together, may add.
    """

    def __init__(self, clock: Clock, limits: Limits) -> None:
        self._clock = clock
        self._limits = limits
        self._opens = Allowance(limits.opens)
        self._files = Allowance(limits.files)
        self._bots = Allowance(limits.bots)
        self._file_bytes = 0

    def check(self, files: Sequence[str], identity: str) -> None:
        """Check that a client may add what a new match needs, and count the files that have to be checked.

        Args:
            files: The texts that come with it.
            identity: The client's identity.

        Raises:
            RequestFailed: With `too_many`: the client recently opened too many matches or sent too many files, or the
                server accepts no more files.
        """
        now = self._clock.monotonic()
        if wait := self._opens.wait(identity, now):
            raise _too_many(
                f"a client may open or fork {self._limits.opens} matches an hour, entries of studies without a seat included",
                wait,
            )
        if self._file_bytes + sum(map(len, files)) > self._limits.file_bytes:
            raise denied(
                "too_many",
                f"clients have sent {self._file_bytes >> 20} MiB of boards and positions, and the server accepts no more "
                "until it is restarted",
            )
        for _ in files:
            if wait := self._files.wait(identity, now):
                raise _too_many(f"a client may send {self._limits.files} boards and positions an hour", wait)
            self._files.take(identity, now)

    def check_bot(self, identity: str) -> None:
        """Check that a client may have another bot.

        Raises:
            RequestFailed: With `too_many`: it recently had too many.
        """
        if wait := self._bots.wait(identity, self._clock.monotonic()):
            raise _too_many(f"a client may have {self._limits.bots} seats played by bots of the server an hour", wait)

    def bot_seated(self, identity: str) -> None:
        """Count a bot that took a seat."""
        self._bots.take(identity, self._clock.monotonic())

    def opened(self, files: Sequence[str], identity: str) -> None:
        """Count a match that was opened or forked, and the files that were stored with it."""
        self._opens.take(identity, self._clock.monotonic())
        self._file_bytes += sum(map(len, files))


def _too_many(rule: str, wait: float) -> RequestFailed:
    return denied("too_many", f"{rule}, refilled steadily; try again in {round(wait) + 1} s")
