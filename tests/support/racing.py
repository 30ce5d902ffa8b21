"""A log to which others append while it is read, as beside a running server."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

READS = ("head", "read", "find", "origin", "matches", "matches_like", "forks", "summary", "summaries", "snapshot")
"""The calls of a log after which somebody else may append."""


class Race:
    """Appends after calls that read, but not after the reads of the appending itself.

    Args:
        append: Appends something to the match that is read.
        only: The number of the only call after which it appends, from 0; None for all.

    Attributes:
        reads: How many calls have read so far.
    """

    def __init__(self, append: Callable[[], object], only: int | None = None) -> None:
        self._append = append
        self._only = only
        self._is_appending = False
        self.reads = 0

    def _overtaken(self, call: Callable[..., object]) -> Callable[..., object]:
        def read(*args: object, **kwargs: object) -> object:
            found = call(*args, **kwargs)
            if not self._is_appending:
                is_due = self._only in (None, self.reads)
                self.reads += 1
                if is_due:
                    self._is_appending = True
                    self._append()
                    self._is_appending = False
            return found

        return read

    @contextmanager
    def on(self, reader: type[object]) -> Iterator["Race"]:
        """Race with all logs of a class as long as the block lasts."""
        with ExitStack() as patches:
            for name in READS:
                patches.enter_context(patch.object(reader, name, self._overtaken(getattr(reader, name))))
            yield self
