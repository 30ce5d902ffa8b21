"""The server's log for operators: one JSON object a line, written with structlog."""

import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, BinaryIO, cast

from events.codec import encode_in_order
from server.protocol.clock import Clock

if TYPE_CHECKING:
    from structlog.typing import EventDict, FilteringBoundLogger, WrappedLogger

TEXT_CHARACTERS_MAX = 300
TRACE_CHARACTERS_MAX = 20_000
TRACES = ("traceback", "trace")

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


class _Lines:
    """Writes finished lines; a log that cannot be written must not stop the server."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def msg(self, line: bytes) -> None:
        with suppress(OSError, ValueError):
            self._stream.write(line + b"\n")
            self._stream.flush()

    debug = info = warning = error = msg


class JsonLogger:
    """A logger that writes JSON lines: `at` (UTC), `level`, `what`, then the fields; a fault has its `traceback`.

    Args:
        stream: Receives the lines.
        clock: Stamps the lines.
        level: The lowest level that is written: `debug`, `info`, `warning` or `error`.
    """

    def __init__(self, stream: BinaryIO, clock: Clock, level: str = "info") -> None:
        self._clock = clock
        self._lowest = LEVELS[level]
        self._lines = _Lines(stream)

    @cached_property
    def _logger(self) -> "FilteringBoundLogger":
        """The library's logger, made for the first line."""
        import structlog

        def stamp(_: "WrappedLogger", level: str, fields: "EventDict") -> "EventDict":
            return {"at": _written(self._clock.now_ms()), "level": level, "what": fields.pop("event"), **fields}

        wrapper = structlog.make_filtering_bound_logger(self._lowest)
        logger = structlog.wrap_logger(self._lines, processors=[stamp, _line], wrapper_class=wrapper)
        return cast("FilteringBoundLogger", logger.bind())

    def debug(self, what: str, **fields: str | int) -> None:
        """Write a line; see `Logger.debug`."""
        if self._lowest <= LEVELS["debug"]:
            self._logger.debug(what, **fields)

    def info(self, what: str, **fields: str | int) -> None:
        """Write a line; see `Logger.info`."""
        if self._lowest <= LEVELS["info"]:
            self._logger.info(what, **fields)

    def info_each(self, what: str, fields: Sequence[Mapping[str, str | int]]) -> None:
        """Write one line for each item; see `Logger.info_each`."""
        if self._lowest > LEVELS["info"] or not fields:
            return
        # Each commit of the server makes such a line, so they are written with one call, and without structlog's.
        head = encode_in_order({"at": _written(self._clock.now_ms()), "level": "info", "what": what})[:-1]
        self._lines.msg(b"\n".join([b"%b,%b" % (head, _encoded(one)[1:]) for one in fields]))

    def warning(self, what: str, **fields: str | int) -> None:
        """Write a line; see `Logger.warning`."""
        if self._lowest <= LEVELS["warning"]:
            self._logger.warning(what, **fields)

    def exception(self, what: str, **fields: str | int) -> None:
        """Write a line with the traceback of the exception that is being handled; see `Logger.exception`."""
        self._logger.error(what, traceback=traceback.format_exc(), **fields)


@lru_cache(maxsize=1)
def _written(at: int) -> str:
    """Return a time (milliseconds since 1970) as text; cached, because many lines share one."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


def _line(_: "WrappedLogger", level: str, fields: "EventDict") -> bytes:
    return _encoded(fields)


def _encoded(fields: Mapping[str, object]) -> bytes:
    """Return a line without its line feed."""
    line = encode_in_order(fields)
    if len(line) <= TEXT_CHARACTERS_MAX:
        return line
    return encode_in_order(
        {
            name: _cut(name, value) if isinstance(value, str) and len(value) > TEXT_CHARACTERS_MAX else value
            for name, value in fields.items()
        }
    )


def _cut(name: str, text: str) -> str:
    """Cut a long text, since clients choose most of them."""
    most = TRACE_CHARACTERS_MAX if name in TRACES else TEXT_CHARACTERS_MAX
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"
