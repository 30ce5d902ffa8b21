"""The server's log for whoever runs it: one JSON object a line, with structlog."""

import traceback
from datetime import UTC, datetime
from typing import BinaryIO, cast

import structlog
from structlog.typing import EventDict, WrappedLogger

from events.codec import encode_in_order
from server.clock import Clock

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


class _Lines:
    """Writes finished lines; a log that cannot be written must not stop a match."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def msg(self, line: bytes) -> None:
        try:
            self._stream.write(line + b"\n")
            self._stream.flush()
        except (OSError, ValueError):
            return

    debug = info = warning = error = msg


class JsonNotes:
    """Notes as JSON lines: `at` (UTC), `level`, `what`, then the facts; a fault has its `traceback`.

    Args:
        stream: Where the lines go.
        clock: What time it is.
        level: The least level that is written: `debug`, `info`, `warning` or `error`.
    """

    def __init__(self, stream: BinaryIO, clock: Clock, level: str = "info") -> None:
        """Prepare the logger."""

        def stamp(_: WrappedLogger, level: str, facts: EventDict) -> EventDict:
            at = datetime.fromtimestamp(clock.now_ms() / 1000, UTC).isoformat(timespec="milliseconds")
            return {"at": at, "level": level, "what": facts.pop("event"), **facts}

        logger = structlog.wrap_logger(
            _Lines(stream),
            processors=[stamp, _line],
            wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        )
        self._logger = cast("structlog.typing.FilteringBoundLogger", logger.bind())

    def debug(self, what: str, **facts: str | int) -> None:
        """Write a line; see `Notes.debug`."""
        self._logger.debug(what, **facts)

    def info(self, what: str, **facts: str | int) -> None:
        """Write a line; see `Notes.info`."""
        self._logger.info(what, **facts)

    def warning(self, what: str, **facts: str | int) -> None:
        """Write a line; see `Notes.warning`."""
        self._logger.warning(what, **facts)

    def fault(self, what: str, **facts: str | int) -> None:
        """Write a line with the traceback of the exception that is being handled; see `Notes.fault`."""
        self._logger.error(what, traceback=traceback.format_exc(), **facts)


def _line(_: WrappedLogger, level: str, facts: EventDict) -> bytes:
    return encode_in_order(facts)
