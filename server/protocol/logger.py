"""The port of the server's log for operators. `server.broker.json_logger` writes it; by default nothing is logged."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class Logger(Protocol):
    """Logs an event with its fields, each at its level."""

    def debug(self, what: str, **fields: str | int) -> None:
        """Log what is useful only for debugging."""

    def info(self, what: str, **fields: str | int) -> None:
        """Log normal operation."""

    def info_each(self, what: str, fields: Sequence[Mapping[str, str | int]]) -> None:
        """Log several events of one kind at once, each as `info` would."""

    def warning(self, what: str, **fields: str | int) -> None:
        """Log what should be rare."""

    def exception(self, what: str, **fields: str | int) -> None:
        """Log the exception that is being handled, with its traceback."""


class SilentLogger:
    """Discards everything."""

    def debug(self, what: str, **fields: str | int) -> None:
        """Discard; see `Logger.debug`."""

    def info(self, what: str, **fields: str | int) -> None:
        """Discard; see `Logger.info`."""

    def info_each(self, what: str, fields: Sequence[Mapping[str, str | int]]) -> None:
        """Discard; see `Logger.info_each`."""

    def warning(self, what: str, **fields: str | int) -> None:
        """Discard; see `Logger.warning`."""

    def exception(self, what: str, **fields: str | int) -> None:
        """Discard; see `Logger.exception`."""


SILENT: Logger = SilentLogger()
