"""A server that ends by itself is started again at the same address, and nothing is lost."""

import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from threading import Event

import pytest

from cli.shell.processes import Processes, _pass_on
from events.ids import Seat
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.store.one_server import only_server
from server.store.sqlite_log import SqliteLog
from tests.support.browsing import played

PATIENT = RetryPolicy(timeout_s=2.0, tries=10)
SOON_S = 30.0


class Started(subprocess.Popen[bytes]):
    """A process that notes itself."""

    every: list["Started"] = []

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[call-overload]
        self.every.append(self)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A store with a match; the processes of the test are noted."""
    monkeypatch.setattr("cli.shell.processes.subprocess.Popen", Started)
    Started.every.clear()
    path = tmp_path / "store.db"
    with SqliteLog(path) as log:
        played(log, "battle", 1)
    yield path
    assert all(one.poll() is not None for one in Started.every)


def test_a_killed_server_is_started_again_with_what_was_acknowledged(store: Path) -> None:
    told: list[str] = []
    with Processes(store) as processes:
        address = processes.keep_serving(told.append, told.clear)
        with connect(address, retry_policy=PATIENT) as client:
            opened = client.open("battle", dice="seeded", seed="1")
            client.take_seat(opened.match, Seat("german"), "Ada")
            Started.every[0].kill()
            state = client.state(opened.match, Seat("german"))

    assert state.table.players[Seat("german")] == "Ada"
    assert told == [f"the server of {store} ended with exit code -9; it is started again"]
    assert len(Started.every) == 2


def test_a_server_that_does_not_start_again_is_given_up(store: Path) -> None:
    told: list[str] = []
    given_up = Event()
    with Processes(store) as processes:
        processes.keep_serving(told.append, given_up.set)
        Started.every[0].kill()
        Started.every[0].wait(SOON_S)
        with SqliteLog(store), only_server(store):
            assert given_up.wait(SOON_S)

    assert told[1:] == ["the server did not start: exit code 3"]


def test_a_server_that_is_ended_is_not_started_again(store: Path) -> None:
    told: list[str] = []
    with Processes(store) as processes:
        processes.keep_serving(told.append, told.clear)

    assert (told, len(Started.every)) == ([], 1)


def test_what_a_server_logs_as_a_problem_is_told() -> None:
    """Nobody reads the log of a server behind pages of their own, and a bot that stands still would be waited for in vain."""
    told: list[str] = []
    lines = [
        b'{"at":"2026-11-30T06:00:00Z","level":"warning","what":"a bot does not play on","problem":"m axis: no memory"}',
        b'{"at":"2026-11-30T06:00:00Z","level":"warning","what":"SQLite is old"}',
        b"Traceback (most recent call last):",
    ]
    _pass_on(BytesIO(b"\n".join(lines)), told.append)

    assert told == ["a bot does not play on: m axis: no memory"]
