"""The server's log for operators: one JSON object a line."""

import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from typing import BinaryIO

from events.codec import encode_in_order
from server.protocol.clock import Clock

TEXT_CHARACTERS_MAX = 300
TRACE_CHARACTERS_MAX = 20_000
TRACES = ("traceback", "trace")

LEVELS = ("debug", "info", "warning", "error")


class JsonLogger:
    """A logger that writes JSON lines: `at` (UTC), `level`, `what`, then the fields; a fault has its `traceback`.

    Args:
        stream: Receives the lines.
        clock: Stamps the lines.
        level: The lowest level that is written: `debug`, `info`, `warning` or `error`.
    """

    def __init__(self, stream: BinaryIO, clock: Clock, level: str = "info") -> None:
        self._stream = stream
        self._clock = clock
        self._levels = frozenset(LEVELS[LEVELS.index(level) :])

    def debug(self, what: str, **fields: str | int) -> None:
        """Write a line; see `Logger.debug`."""
        self._log("debug", what, fields)

    def info(self, what: str, **fields: str | int) -> None:
        """Write a line; see `Logger.info`."""
        self._log("info", what, fields)

    def info_each(self, what: str, fields: Sequence[Mapping[str, str | int]]) -> None:
        """Write one line for each item; see `Logger.info_each`."""
        if "info" not in self._levels or not fields:
            return
        # Each commit of the server makes such a line, so they are written with one call.
        head = encode_in_order({"at": _written(self._clock.now_ms()), "level": "info", "what": what})[:-1]
        self._write(b"\n".join([b"%b,%b" % (head, _encoded(one)[1:]) for one in fields]))

    def warning(self, what: str, **fields: str | int) -> None:
        """Write a line; see `Logger.warning`."""
        self._log("warning", what, fields)

    def exception(self, what: str, **fields: str | int) -> None:
        """Write a line with the traceback of the exception that is being handled; see `Logger.exception`."""
        self._log("error", what, {"traceback": traceback.format_exc(), **fields})

    def _log(self, level: str, what: str, fields: Mapping[str, str | int]) -> None:
        if level in self._levels:
            self._write(_encoded({"at": _written(self._clock.now_ms()), "level": level, "what": what, **fields}))

    def _write(self, lines: bytes) -> None:
        """Write finished lines; a log that cannot be written must not stop the server."""
        with suppress(OSError, ValueError):
            self._stream.write(lines + b"\n")
            self._stream.flush()


@lru_cache(maxsize=1)
def _written(at: int) -> str:
    """Return a time (milliseconds since 1970) as text; cached, because many lines share one."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


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
