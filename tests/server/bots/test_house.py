"""A server's bots have workers take their decisions; whatever these do, each decision is taken once."""

from collections.abc import Callable, Iterator

import pytest
import zmq

from core.bots.choice_record import record_in
from core.secrets.knowledge import Hidden
from events.chain import checked
from events.codec import encode, replace
from events.ids import GameKey, MatchId, Seat
from events.memory_log import MemoryLog
from projections.state.view import SeatView
from server.bots import house, work_queue, worker
from server.bots.bot_turns import choose
from server.bots.choice_audit import OtherChoice, audit_choices
from server.bots.work_messages import (
    WORK,
    AskStatus,
    Events,
    Failed,
    Leaving,
    Question,
    Ready,
    Refused,
    Seen,
    Status,
    Thinking,
    Welcome,
)
from server.bots.worker import policies_here
from server.client.client import Client
from server.client.sockets import prepare
from server.protocol.bot_seats import choice_seed
from server.protocol.curve import CurveKey
from server.protocol.errors import RequestFailed
from tests.support.housed import SEATS, SECRET, Housed, RawWorker, housed
from tests.support.served import client_of, eventually

BOT, PERSON = Seat("russian"), Seat("german")
READY = Ready(secret=SECRET, name="raw", policies=policies_here())
BATTLE = GameKey("battle")


def known_nothing() -> Hidden:
    raise AssertionError("greedy imagines nothing")


def right(question: Question) -> bytes:
    return encode(choose(question, known_nothing))


def decisions(log: MemoryLog, match: MatchId) -> list[int]:
    """Return the numbers of the events of the bot's seat at which it decided, in order; the seed of each choice must be that of its number."""
    view, numbers = SeatView(BOT), list[int]()
    for commit in checked(log.read(match), match):
        record = record_in(commit.key)
        if record is not None:
            assert record.seed == choice_seed(SEATS.secret(match, BOT), match, BOT, view.count)
            numbers.append(view.count)
        view.take(commit.events, commit.at, commit.last)
    return numbers


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def here(log: MemoryLog, monkeypatch: pytest.MonkeyPatch) -> Iterator[Housed]:
    """Bots that do not give a worker up before a test says so."""
    monkeypatch.setattr(work_queue, "GONE_S", 60.0)
    for module in (house, worker):
        monkeypatch.setattr(module, "BEAT_S", 0.02)
    with housed(log) as running:
        yield running


def opened(client: Client) -> MatchId:
    """Open a match whose first decision is that of a bot, which is to sit down, as soon as a worker is there."""
    match = client.open("battle", dice="seeded", seed="5").match
    client.take_seat(match, PERSON, sign=False)
    return match


def played_on(client: Client, match: MatchId) -> None:
    eventually(lambda: client.legal(match).to_move == PERSON, "the bot does not play on")


def silent(worker: RawWorker, question: Question) -> None:
    """It never answers."""


def leaves(worker: RawWorker, question: Question) -> None:
    worker.send(Leaving())


def fails(worker: RawWorker, question: Question) -> None:
    worker.send(Failed(lease=question.lease, problem="no memory"))


def says_twice(worker: RawWorker, question: Question) -> None:
    worker.answer(question, right(question))
    worker.answer(question, right(question))


def resigns(worker: RawWorker, question: Question) -> None:
    worker.answer(question, b'{"do":"match:resign"}')


def chooses_nothing_legal(worker: RawWorker, question: Question) -> None:
    worker.answer(question, b'{"do":"choose","items":["the moon"]}')


def says_nan(worker: RawWorker, question: Question) -> None:
    worker.send_bytes(b'{"work":"chosen","lease":"%s","command":NaN}' % question.lease.encode())


def says_megabytes(worker: RawWorker, question: Question) -> None:
    worker.answer(question, b'{"do":"%s"}' % (b"x" * (1 << 20)))


def answers_for_another(worker: RawWorker, question: Question) -> None:
    other = replace(question, lease=str(int(question.lease) + 1))
    worker.send(Thinking(lease=other.lease))
    worker.send(Events(lease=other.lease, since=0))
    worker.answer(other, right(question))


def test_whatever_a_worker_does_each_decision_is_taken_once(
    log: MemoryLog, here: Housed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server's own worker decides instead, and what the other one says later is not heard."""
    ways: tuple[Callable[[RawWorker, Question], None], ...] = (
        silent,
        leaves,
        fails,
        says_twice,
        resigns,
        chooses_nothing_legal,
        says_nan,
        says_megabytes,
        answers_for_another,
    )
    found = set()
    with client_of(here.broker) as client:
        for way in ways:
            match, worker = opened(client), RawWorker(here.workers)
            client.seat_bot(match, BOT)
            question = worker.question()
            way(worker, question)
            with monkeypatch.context() as soon:
                soon.setattr(work_queue, "GONE_S", 0.01)
                played_on(client, match)
            worker.answer(question, right(question))
            worker.close()
            found.add(tuple(decisions(log, match)))

    assert [len(one) == len(set(one)) > 0 for one in found] == [True]


@pytest.mark.parametrize(
    ("ready", "problem"),
    [
        (replace(READY, secret="x" * 32), "not the secret of the server's workers"),
        (replace(READY, policies={BATTLE: {"greedy": "0" * 16}}), "plays greedy of battle in version 0000000000000000"),
    ],
)
def test_a_worker_that_must_not_work_is_told_why(here: Housed, ready: Ready, problem: str) -> None:
    worker = RawWorker(here.workers, ready)
    worker.send(AskStatus(secret=ready.secret))
    status = worker.heard()
    worker.close()

    assert isinstance(worker.welcome, Refused)
    assert problem in worker.welcome.problem
    assert isinstance(status, Refused if ready.secret != SECRET else Status)


def test_who_does_not_know_the_servers_key_is_not_heard_where_connections_are_encrypted(
    log: MemoryLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the clear, with the key of another server, and rightly, with the right secret each time."""
    monkeypatch.setattr(house, "BEAT_S", 0.02)
    key, other = CurveKey.new(), CurveKey.new()
    with housed(log, key) as here, client_of(here.broker) as client, zmq.Context() as context:
        strangers = [context.socket(zmq.DEALER) for _ in range(2)]
        for socket, server_key in zip(strangers, ("", other.public.decode()), strict=True):
            prepare(socket, server_key, here.workers)
            socket.send_multipart([WORK, encode(READY)])
        match, worker = opened(client), RawWorker(here.workers, server_key=key.public.decode())
        client.seat_bot(match, BOT)
        question = worker.question()
        worker.send(AskStatus(secret=SECRET))
        while not isinstance(status := worker.heard(), Status):
            pass
        heard = [socket.poll(0) for socket in strangers]
        worker.answer(question, right(question))
        worker.close()
        for socket in strangers:
            socket.close()
        played_on(client, match)

    assert ([one.name for one in status.workers], heard) == (["raw", "the server"], [0, 0])


def test_a_worker_sees_what_its_seat_sees_and_is_counted(log: MemoryLog, here: Housed) -> None:
    with client_of(here.broker) as client:
        match, worker = opened(client), RawWorker(here.workers)
        client.seat_bot(match, BOT)
        question = worker.question()
        worker.send(Thinking(lease=question.lease))
        worker.send(Events(lease=question.lease, since=2))
        seen = worker.heard()
        worker.answer(question, right(question))
        worker.send(AskStatus(secret=SECRET))
        while not isinstance(status := worker.heard(), Status):
            pass
        worker.close()
        played_on(client, match)
        client.add_token(match, BOT, SEATS.secret(match, BOT))
        slices = tuple(client.log(match, BOT, 2))

    assert isinstance(worker.welcome, Welcome)
    assert isinstance(seen, Seen)
    assert seen.slices == tuple(one for one in slices if one.first <= question.legal.seq)
    assert SEATS.secret(match, BOT) not in repr(question)
    assert [(one.name, one.decided) for one in status.workers] == [("raw", 1), ("the server", 0)]


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("greedy:0", "1 to 10000000 playouts, not 0"),
        ("greedy:1000000000", "1 to 10000000 playouts, not 1000000000"),
        ("greedy:9000000", "100000 playouts or 60000 ms about a decision at most, not 9000000"),
        ("greedy:90s", "100000 playouts or 60000 ms about a decision at most, not 90000ms"),
        ("greedy:", "a budget follows the colon"),
        ("greedy:much", "a budget is a number of playouts"),
    ],
)
def test_a_budget_that_a_server_does_not_play_is_refused_when_the_bot_sits_down(bot: str, problem: str) -> None:
    from server.client.local import LocalTransport
    from server.desk.desk import Desk
    from server.protocol.clock import SystemClock
    from server.protocol.identity import SystemIdentity

    client = Client(LocalTransport(Desk(MemoryLog(), bots=SEATS)), SystemIdentity(), SystemClock())
    match = client.open("battle", dice="seeded").match
    with pytest.raises(RequestFailed) as caught:
        client.seat_bot(match, BOT, bot)

    assert problem in str(caught.value)
    assert client.state(match).table.players == {}


def test_the_choices_of_bots_are_made_again_by_an_audit(log: MemoryLog, here: Housed) -> None:
    """A policy that imagines, one that does not, one with a budget of time, and a choice that the policy does not make."""
    with client_of(here.broker) as client:
        honest, timed, forged = (opened(client) for _ in range(3))
        for match, bot in ((honest, "search:4"), (timed, "search:1ms"), (forged, "greedy")):
            worker = RawWorker(here.workers) if match == forged else None
            client.seat_bot(match, BOT, bot)
            if worker is not None:
                question = worker.question()
                other = next(one for one in question.legal.options if bytes(one.command) != right(question))
                worker.answer(question, bytes(other.command))
                worker.close()
            played_on(client, match)
    reports = [audit_choices(log, match) for match in (honest, timed, forged)]

    assert [(one.same > 0, one.timed > 0, one.other_versions) for one in reports[:2]] == [
        (True, False, 0),
        (False, True, 0),
    ]
    assert [one.differ for one in reports[:2]] == [(), ()]
    assert [(one.seat, one.bot) for one in reports[2].differ] == [(BOT, "greedy")]
    assert isinstance(reports[2].differ[0], OtherChoice)
