"""The background process of the server, and requests that wait for it while all others are served."""

import os
import signal
import time
from collections.abc import Iterator
from multiprocessing import Pipe
from pathlib import Path

import pytest

import server.desk.jobs
from core.errors import SetupInvalid
from core.match.bound_games import _GAMES
from events.codec import Struct, encode
from events.ids import ARBITER, PUBLIC, MatchId
from events.log import Log
from server.broker.background import JOB_S, PAUSE_S, STARTS_MAX, Background, Done, _work
from server.broker.limits import Limits
from server.client.client import Client
from server.client.local import local_client
from server.client.sockets import connect
from server.desk.desk import Desk
from server.desk.jobs import Job, JobFailed
from server.protocol.clock import SystemClock
from server.protocol.errors import DAMAGED, RequestFailed
from server.protocol.logger import SILENT
from server.protocol.replies import FailedReply, HelloReply, OpenedReply, StateReply
from server.protocol.wire import (
    PROTOCOL,
    HelloRequest,
    LegalRequest,
    LogRequest,
    OpenRequest,
    PlayRequest,
    StateRequest,
)
from server.store.sqlite_log import SqliteLog
from tests.support.served import QUICK, ROOT, SOON_MS, Raw, client_of, play_through, seated, served
from tests.support.sitting import OWNER, ROLL, CountedIdentity, StillClock
from tests.support.skirmish import BLUE, RED
from tests.support.tampering import tamper

VERSION = PROTOCOL.encode()


class Echo(Struct, frozen=True):
    """A job that returns its text."""

    text: str

    def run(self, log: Log) -> str:
        """Return the text, and the number of matches."""
        return f"{self.text} {len(log.matches())}"


class Refuse(Struct, frozen=True):
    """A job that fails with an error for the client."""

    def run(self, log: Log) -> None:
        """Fail."""
        raise SetupInvalid((f"no board for {len(log.matches())} matches",))


class Break(Struct, frozen=True):
    """A job that fails because of a bug."""

    def run(self, log: Log) -> None:
        """Fail."""
        raise ZeroDivisionError(str(log))


class Sleep(Struct, frozen=True):
    """A job that takes long."""

    seconds: float

    def run(self, log: Log) -> float:
        """Sleep."""
        assert log.matches() is not None
        time.sleep(self.seconds)
        return self.seconds


class Die(Struct, frozen=True):
    """A job that kills its process."""

    def run(self, log: Log) -> None:
        """Kill the process, as the system does when memory runs out."""
        assert log.matches() is not None
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    SqliteLog(path).close()
    return path


@pytest.fixture
def background(store: Path) -> Iterator[Background]:
    made = Background(str(store), SystemClock(), SILENT)
    yield made
    made.close()


def finished(background: Background, count: int) -> list[Done]:
    """Wait until this number of jobs is done."""
    done: list[Done] = []
    until = time.monotonic() + SOON_MS / 1000
    while len(done) < count:
        assert time.monotonic() < until, done
        done += background.receive()
        time.sleep(0.002)
    return done


def test_jobs_run_and_their_errors_are_returned(background: Background) -> None:
    for job in (Echo("a"), Refuse(), Break(), Echo("b")):
        background.submit(job, "someone")
    a, refused, broken, b = finished(background, 4)

    assert (a.result, b.result) == ("a 0", "b 0")
    assert isinstance(refused.error, SetupInvalid)
    assert refused.error.defects == ("no board for 0 matches",)
    assert isinstance(broken.error, JobFailed)


def test_jobs_of_different_clients_take_turns(background: Background) -> None:
    for number in range(3):
        background.submit(Echo(f"greedy {number}"), "greedy")
    background.submit(Echo("modest"), "modest")
    order = [str(done.result) for done in finished(background, 4)]

    assert order.index("modest 0") == 1


def test_a_job_that_takes_too_long_is_aborted_and_the_next_is_run(store: Path) -> None:
    clock = StillClock()
    background = Background(str(store), clock, SILENT)
    background.submit(Echo("first"), "a")
    finished(background, 1)
    background.submit(Sleep(60.0), "a")
    background.submit(Echo("next"), "b")
    assert background.receive() == []
    clock.seconds += JOB_S
    late, following = finished(background, 2)
    background.close()

    assert isinstance(late.error, RequestFailed)
    assert (late.error.code, late.error.reply.retry) == ("busy", True)
    assert str(late.error) == "the server could not prepare this: it took too long; try again later"
    assert following.result == "next 0"


def test_a_process_that_dies_fails_only_its_job(background: Background) -> None:
    background.submit(Die(), "a")
    background.submit(Echo("next"), "b")
    dead, following = finished(background, 2)

    assert isinstance(dead.error, RequestFailed)
    assert (dead.error.code, dead.error.reply.retry) == ("busy", True)
    assert following.result == "next 0"


def test_a_process_whose_server_died_while_it_began_ends_in_silence(store: Path) -> None:
    ours, theirs = Pipe()
    ours.close()
    before = signal.getsignal(signal.SIGINT)
    try:
        _work(theirs, str(store), {})
    finally:
        signal.signal(signal.SIGINT, before)
        theirs.close()


def test_jobs_fail_if_no_process_can_be_started(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.broker.background._work", _die_at_once)
    clock = StillClock()
    background = Background(str(store), clock, SILENT)
    background.submit(Echo("never"), "a")
    (done,) = finished(background, 1)
    given_up = (background._starts, background.fileno())
    monkeypatch.undo()
    clock.seconds += PAUSE_S
    background.submit(Echo("later"), "a")
    (later,) = finished(background, 1)
    background.close()

    assert isinstance(done.error, RequestFailed)
    assert (done.error.code, done.error.reply.retry) == ("busy", True)
    assert given_up == (STARTS_MAX, -1)
    assert later.result == "later 0"


def _die_at_once(*_: object) -> None:
    """Stand in for a process that cannot be started."""


# Requests that wait


@pytest.fixture
def everything_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send matches of any length to the background."""
    monkeypatch.setattr(server.desk.jobs, "INLINE_EVENTS", 0)


@pytest.fixture
def played(store: Path) -> MatchId:
    """Return a match of the store in which some commands were played."""
    with SqliteLog(store) as log:
        client = local_client(log, SystemClock(), CountedIdentity())
        match = client.open("skirmish", dice="seeded", seed="3").match
        client.take_seat(match, RED, "Ada", sign=False)
        client.take_seat(match, BLUE, "Ben", sign=False)
        assert play_through(client, match, 8) == 8
        return match


class Answered:
    """A broker with a background process, and the number of jobs that it submitted."""

    def __init__(self, store: Path) -> None:
        self.log = SqliteLog(store)
        self.desk = Desk(self.log, owner=OWNER)
        self.background = Background(str(store), SystemClock(), SILENT)
        self.jobs: list[Job] = []
        submit = self.background.submit

        def counted(job: Job, client: object) -> None:
            self.jobs.append(job)
            submit(job, client)

        self.background.submit = counted  # type: ignore[method-assign]

    def client(self, address: str) -> Client:
        """Connect the store's owner."""
        return connect(address, retry_policy=QUICK, owner=OWNER)


@pytest.mark.usefixtures("everything_is_long")
def test_replies_prepared_in_the_background_equal_those_of_the_loop(store: Path, played: MatchId) -> None:
    one = Answered(store)
    with SqliteLog(store, read_only=True) as log:
        local = local_client(log, SystemClock(), CountedIdentity())
        expected = [local.state(played, seat, at) for seat in (PUBLIC, RED, ARBITER) for at in (None, 5)]
    with served(desk=one.desk, background=one.background) as broker, one.client(broker.address) as client:
        client.add_token(played, RED, "")
        found = [client.state(played, seat, at) for seat in (PUBLIC, ARBITER) for at in (None, 5)]
        fork = client.fork(played, PUBLIC, 23)
        again = client.ask(StateRequest(match=fork.match))
        client.take_seat(fork.match, RED)
        client.play(fork.match, RED, {"do": "match:note", "text": "signed after what the parent showed"})
    one.log.close()

    assert [encode(state.table) for state in found] == [encode(state.table) for state in expected if state.seat != RED]
    assert [type(job).__name__ for job in one.jobs[:4]] == ["LoadMatch", "FoldView", "FoldView", "PrepareFork"]
    assert isinstance(again, StateReply)
    assert again.table.parent == played


@pytest.mark.usefixtures("everything_is_long")
def test_a_table_within_a_commit_is_prepared_and_the_latest_one_stays_right(store: Path, played: MatchId) -> None:
    one = Answered(store)
    with SqliteLog(store, read_only=True) as log:
        local = local_client(log, SystemClock(), CountedIdentity())
        within = [slice_.first for slice_ in local.log(played) if len(slice_.events) > 2][-1]
        expected = [local.state(played, PUBLIC, at) for at in (within, None)]
    with served(desk=one.desk, background=one.background) as broker, one.client(broker.address) as client:
        found = [client.state(played, PUBLIC, at) for at in (within, None)]
    one.log.close()

    assert [encode(state.table) for state in found] == [encode(state.table) for state in expected]
    assert [type(job).__name__ for job in one.jobs] == ["LoadMatch", "FoldView", "FoldView"]


@pytest.mark.usefixtures("everything_is_long")
def test_requests_about_a_match_being_loaded_keep_their_order_and_do_not_delay_others(
    store: Path, played: MatchId
) -> None:
    one = Answered(store)
    with served(desk=one.desk, background=one.background) as broker, Raw(broker.address) as raw:
        for number in range(20):
            raw.send(VERSION, encode(LogRequest(id=str(number), match=played)))
        raw.send(VERSION, encode(HelloRequest(id="hello")))
        ids = [raw.reply().id for _ in range(21)]
    one.log.close()

    assert ids == ["hello", *map(str, range(20))]
    assert len(one.jobs) == 1


@pytest.mark.usefixtures("everything_is_long")
def test_a_match_that_cannot_be_loaded_fails_all_waiting_requests(store: Path, played: MatchId) -> None:
    tamper(store, '"name":"Ada"', '"name":"Ava"')
    one = Answered(store)
    with served(desk=one.desk, background=one.background) as broker, Raw(broker.address) as raw:
        for number in range(3):
            raw.send(VERSION, encode(LegalRequest(id=str(number), match=played)))
        replies = [raw.reply() for _ in range(3)]
        hello = raw.ask(HelloRequest(id="on"))
        with one.client(broker.address) as client:
            listed = client.matches()
    one.log.close()

    assert [(reply.id, reply.code) for reply in replies if isinstance(reply, FailedReply)] == [
        (str(number), "evidence_broken") for number in range(3)
    ]
    assert isinstance(hello, HelloReply)
    assert [known.problem for known in listed] == [DAMAGED]


@pytest.mark.usefixtures("everything_is_long")
def test_requests_beyond_the_waiting_limit_are_busy(store: Path, played: MatchId) -> None:
    one = Answered(store)
    limits = Limits(waiting_requests=3, all_waiting_requests=5)
    with (
        served(desk=one.desk, background=one.background, limits=limits) as broker,
        Raw(broker.address) as raw,
        Raw(broker.address) as other,
    ):
        # Nothing is prepared before the process has started.
        for number in range(5):
            raw.send(VERSION, encode(LegalRequest(id=str(number), match=played)))
        busy = [raw.reply() for _ in range(2)]
        for number in range(4):
            other.send(VERSION, encode(LegalRequest(id=str(number), match=played)))
        busy += [other.reply() for _ in range(2)]
        served_then = [raw.reply() for _ in range(3)] + [other.reply() for _ in range(2)]
        assert not isinstance(raw.ask(LegalRequest(id="later", match=played)), FailedReply)
    one.log.close()

    assert [(reply.id, reply.code, reply.retry) for reply in busy if isinstance(reply, FailedReply)] == [
        ("3", "busy", True),
        ("4", "busy", True),
        ("2", "busy", True),
        ("3", "busy", True),
    ]
    assert [type(reply).__name__ for reply in served_then] == ["LegalReply"] * 5


@pytest.mark.usefixtures("everything_is_long")
def test_a_server_keeps_serving_while_its_background_is_dead(
    store: Path, played: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.broker.background._work", _die_at_once)
    one = Answered(store)
    with served(desk=one.desk, background=one.background) as broker, client_of(broker) as client:
        match = seated(client)
        with pytest.raises(RequestFailed) as caught:
            client.legal(played)
        assert client.legal(match).to_move in (RED, BLUE)
    one.log.close()

    assert caught.value.code == "busy"


def test_files_from_outside_are_checked_in_the_background_once(store: Path) -> None:
    one = Answered(store)
    board = (ROOT / "core" / "games" / "battle" / "data" / "board.toml").read_text(encoding="utf-8") + "\n# Mine.\n"
    with served(desk=one.desk, background=one.background) as broker, client_of(broker) as client:
        with Raw(broker.address) as raw:
            raw.send(VERSION, encode(OpenRequest(id="file", game="battle", board=board, key="one")))
            raw.send(VERSION, encode(HelloRequest(id="hello")))
            first, second = raw.reply(), raw.reply()
        again = client.open("battle", board=board)
        with pytest.raises(RequestFailed) as wrong:
            client.open("battle", board="cards = []")
        with pytest.raises(RequestFailed) as unknown:
            client.open("chess", board=board)
    one.log.close()

    assert (first.id, second.id) == ("hello", "file")
    assert isinstance(second, OpenedReply)
    assert again.match != second.match
    assert wrong.value.code == "setup_invalid"
    assert wrong.value.reply.defects
    assert unknown.value.code == "unknown_game"
    assert [type(job).__name__ for job in one.jobs] == ["CheckFiles"] * 3


def test_a_match_on_an_owners_board_is_loaded_in_the_background_unless_the_board_is_known(store: Path) -> None:
    board = (ROOT / "core" / "games" / "battle" / "data" / "board.toml").read_text(encoding="utf-8") + "\n# Theirs.\n"
    with SqliteLog(store) as log:
        client = local_client(log, SystemClock(), CountedIdentity())
        matches = [client.open("battle", board=board).match for _ in range(2)]
    _GAMES.clear()
    one = Answered(store)
    with served(desk=one.desk, background=one.background) as broker, client_of(broker) as client:
        for match in matches:
            assert client.legal(match).match == match
    one.log.close()

    assert [type(job).__name__ for job in one.jobs] == ["LoadMatch"]


def test_a_command_is_handled_at_once_if_its_match_is_in_memory(store: Path) -> None:
    one = Answered(store)
    with served(desk=one.desk, background=one.background) as broker, client_of(broker) as client:
        match = seated(client)
        client.ask(PlayRequest(match=match, seat=RED, token=client.token(match, RED), command=ROLL))
    one.log.close()

    assert one.jobs == []
