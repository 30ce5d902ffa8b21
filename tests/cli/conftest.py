"""Stores for the tests of the command line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.golden import opened
from tests.cli.running import Terminal
from tests.support.desk import skirmish_listed
from tests.support.sitting import StillClock


@pytest.fixture(autouse=True)
def _skirmish() -> Iterator[None]:
    with skirmish_listed():
        yield


@pytest.fixture
def timeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let lists of matches, which say for how long each has waited, not depend on the time at which they are made."""
    monkeypatch.setattr("cli.commands.matches.SystemClock", StillClock)


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """A terminal with an empty store."""
    return Terminal(tmp_path / "store.db")


@pytest.fixture
def skirmish(terminal: Terminal) -> str:
    """A running match of the test game in the terminal's store; it is red's turn."""
    return terminal.line("new", "skirmish", "--dice", "seeded:2", "--name", "Ada")


@pytest.fixture(scope="session")
def golden(tmp_path_factory: pytest.TempPathFactory) -> tuple[Terminal, str]:
    """A store with the golden match; tests must not change it."""
    return opened(tmp_path_factory.mktemp("golden") / "store.db")
