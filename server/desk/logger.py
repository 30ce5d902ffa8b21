"""What a server notes for whoever runs it. Where it goes is decided elsewhere (`server.broker.json_logger`); by default nowhere."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class Notes(Protocol):
    """Takes notes: what happened, and the facts that belong to it."""

    def debug(self, what: str, **facts: str | int) -> None:
        """Note what only matters when something is looked into."""

    def info(self, what: str, **facts: str | int) -> None:
        """Note what happened as it should."""

    def infos(self, what: str, facts: Sequence[Mapping[str, str | int]]) -> None:
        """Note several things of a kind that happened together, as `info` would each of them."""

    def warning(self, what: str, **facts: str | int) -> None:
        """Note what should not happen often."""

    def fault(self, what: str, **facts: str | int) -> None:
        """Note a fault of ours that is being handled, with where it came from."""


class Silence:
    """Takes no notes."""

    def debug(self, what: str, **facts: str | int) -> None:
        """Pass over; see `Notes.debug`."""

    def info(self, what: str, **facts: str | int) -> None:
        """Pass over; see `Notes.info`."""

    def infos(self, what: str, facts: Sequence[Mapping[str, str | int]]) -> None:
        """Pass over; see `Notes.infos`."""

    def warning(self, what: str, **facts: str | int) -> None:
        """Pass over; see `Notes.warning`."""

    def fault(self, what: str, **facts: str | int) -> None:
        """Pass over; see `Notes.fault`."""


SILENCE: Notes = Silence()
