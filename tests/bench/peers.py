"""The installed peers. A row whose peer is missing reports this and continues."""

import importlib
from types import ModuleType


def load(name: str) -> ModuleType | None:
    """Return a peer's module, or one of ours that needs a peer; None if the peer is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def eventsourcing() -> ModuleType | None:
    """Return our adapter of the `eventsourcing` library."""
    return load("tests.bench.peer_eventsourcing")


def chess() -> ModuleType | None:
    """Return python-chess."""
    return load("chess")
