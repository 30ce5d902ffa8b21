"""`watch`, `watch --all` and `bot` come back by themselves when the server was away; a line tells it, and another that it is back."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from time import sleep

import pytest

from cli.commands.viewing import watch_all
from events.memory_log import MemoryLog
from projections.state.table import Table
from server.client.local import local_client
from server.client.retry import RetryPolicy
from tests.cli.running import Ran, Terminal
from tests.support.browsing import secret_of
from tests.support.served import client_of, eventually, play_through, served
from tests.support.skirmish import BLUE, RED

AWAY_S = 0.5
"""How long the server is away (seconds): longer than the clients of these tests wait for a single reply."""


class Outage:
    """A match on a server that goes away, and comes back when the match is over, in another thread.

    Args:
        pool: The thread.
    """

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.log = MemoryLog()
        self._server = ExitStack()
        first = self._server.enter_context(served(self.log))
        self.address, self._events = first.address, first.events
        self._publisher = first.publisher
        with client_of(first) as client:
            self.match = client.open("skirmish", dice="seeded", seed="3").match
            # While the server is away its owner plays for both, whom no signature must bind.
            for seat in (RED, BLUE):
                client.take_seat(self.match, seat, sign=False, secret=secret_of(seat))
        self._is_over = Event()
        self._running: Future[None] | None = None
        self._pool = pool

    @property
    def table(self) -> Table:
        """The table as the public sees it."""
        return local_client(self.log).state(self.match).table

    def is_followed(self) -> None:
        """Wait until the match has a follower."""
        eventually(lambda: self._publisher.topics > 0, "the match is followed")

    def begin(self, when: Callable[[], object]) -> None:
        """Let the outage begin after a function has returned."""
        self._running = self._pool.submit(self._run, when)

    def _run(self, when: Callable[[], object]) -> None:
        when()
        self._server.close()
        sleep(AWAY_S)
        # While a server is there, nobody else writes into a log in memory: it would not notice.
        play_through(local_client(self.log), self.match)
        with served(self.log, addresses=(self.address, self._events)):
            assert self._is_over.wait(20)

    def end(self) -> None:
        """Stop the server for good."""
        self._is_over.set()
        assert self._running is not None
        self._running.result(20)

    def was_told(self, err: str) -> bool:
        """Return whether exactly one line tells that the server is away, and one that it is back."""
        away = err.count(f"the server at {self.address} does not answer; trying again for up to 20 s\n")
        return (away, err.count(f"the server at {self.address} is back after ")) == (1, 1)


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the clients of the command line notice an outage soon."""
    monkeypatch.setattr(
        "cli.shell.remote.RetryPolicy", lambda patience_s: RetryPolicy(timeout_s=0.1, tries=50, patience_s=patience_s)
    )
    monkeypatch.setattr("server.client.client.SILENT_S", 0.2)
    monkeypatch.setattr("server.client.client.SILENT_HEARTBEATS", 0)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """A thread for the server's outage."""
    with ThreadPoolExecutor(1) as made:
        yield made


def watched(tmp_path: Path, address: str, *line: str) -> Ran:
    """Run a verb against a server."""
    return Terminal(tmp_path / "none.db")(*line, "--connect", address, "--give-up-after", "20s")


def test_a_watched_match_is_printed_whole_and_once(pool: ThreadPoolExecutor, tmp_path: Path) -> None:
    outage = Outage(pool)
    outage.begin(outage.is_followed)
    ran = watched(tmp_path, outage.address, "--json", "watch", outage.match, "--from-start")
    outage.end()

    assert ran.code == 0, ran.err
    assert [shape["seq"] for shape in ran.objects] == list(range(1, outage.table.seq + 1))
    assert outage.was_told(ran.err), ran.err


def test_a_bot_plays_on(pool: ThreadPoolExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    outage = Outage(pool)
    outage.begin(outage.is_followed)
    ran = watched(
        tmp_path,
        outage.address,
        "bot",
        "skirmish",
        "--match",
        outage.match,
        "--seat",
        "blue",
        "--token",
        secret_of(BLUE),
    )
    outage.end()

    assert ran.code == 0, ran.err
    assert outage.was_told(ran.err), ran.err


def test_all_matches_are_watched_on(pool: ThreadPoolExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outage, is_looking = Outage(pool), Event()
    outage.begin(is_looking.wait)

    def pause(seconds: float) -> None:
        was_over = is_looking.is_set() and outage.table.ended is not None
        is_looking.set()
        sleep(0.05)
        if was_over:
            raise KeyboardInterrupt

    monkeypatch.setattr(watch_all.watch_all, "__defaults__", (pause,))
    ran = watched(tmp_path, outage.address, "watch", "--all")
    outage.end()

    assert ran.code == 130, ran
    assert [line.split()[0] for line in ran.out.splitlines()] == [outage.match] * 2
    assert outage.was_told(ran.err), ran.err


def test_a_bound_is_a_duration(tmp_path: Path) -> None:
    for verb in (("bot", "skirmish"), ("watch", "--all")):
        ran = Terminal(tmp_path / "none.db")(*verb, "--give-up-after", "soon")

        assert (ran.code, ran.err.count("a duration is made of numbers")) == (2, 1)
