"""Which peers are installed here. A row whose peer is missing says so and goes on."""

import importlib
from types import ModuleType


def load(name: str) -> ModuleType | None:
    """Import a peer's module, or one of ours that needs a peer; None where the peer is not installed."""
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
