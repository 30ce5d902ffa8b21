"""Stores for the tests of the command line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.memory_log import MemoryLog
from server.broker.broker import Broker
from server.client.client import Client
from tests.cli.golden import opened
from tests.cli.running import Player, Terminal
from tests.support.desk import skirmish_listed
from tests.support.served import client_of, served
from tests.support.sitting import StillClock


@pytest.fixture(autouse=True)
def _skirmish() -> Iterator[None]:
    with skirmish_listed():
        yield


@pytest.fixture(autouse=True)
def _seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep secrets of seats, and what players have seen, in a folder of each test's own."""
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "seats.json"))


@pytest.fixture
def timeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let lists of matches, which say for how long each has waited, not depend on the time at which they are made."""
    monkeypatch.setattr("cli.commands.viewing.matches.SystemClock", StillClock)


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """A terminal with an empty store."""
    return Terminal(tmp_path / "store.db")


@pytest.fixture
def skirmish(terminal: Terminal) -> str:
    """A running match of the test game in the terminal's store; it is red's turn."""
    return terminal.line("new", "skirmish", "--dice", "seeded:2", "--name", "Ada")


@pytest.fixture
def log() -> MemoryLog:
    """An empty log, of the server."""
    return MemoryLog()


@pytest.fixture
def broker(log: MemoryLog) -> Iterator[Broker]:
    """A server."""
    with served(log) as running:
        yield running


@pytest.fixture
def client(broker: Broker) -> Iterator[Client]:
    """A client of the server."""
    with client_of(broker) as connected:
        yield connected


@pytest.fixture
def player(tmp_path: Path, broker: Broker) -> Player:
    """Somebody at a terminal of their own."""
    return Player(tmp_path / "somebody", broker)


@pytest.fixture(scope="session")
def golden(tmp_path_factory: pytest.TempPathFactory) -> tuple[Terminal, str]:
    """A store with the golden match; tests must not change it."""
    return opened(tmp_path_factory.mktemp("golden") / "store.db")
