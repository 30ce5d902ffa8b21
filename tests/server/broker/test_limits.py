"""Limits on what clients may cost a server: every limit of `docs/protocol.md`, without effect on other clients."""

import io
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import zmq
from typing_extensions import override

import server.desk.summaries
from events.codec import Raw as RawJson
from events.codec import encode
from events.errors import BrokenEvidence
from events.ids import PUBLIC, MatchId, Seat
from events.log import Log
from events.memory_log import MemoryLog
from projections.catalogue import Summary
from projections.state.view import EventSlice
from server.broker.background import JOB_S
from server.broker.broker import TURN_MAX, TURN_S, Broker
from server.broker.connections import Connections
from server.broker.intake import FRAMES_MAX, ID_CHARACTERS_MAX, SKIPPED_MAX, in_turns
from server.broker.json_logger import TEXT_CHARACTERS_MAX, JsonLogger
from server.broker.limits import IDENTITIES_MAX, RESERVE, Allowance, Limits
from server.broker.penalties import FIRST_S, LONGEST_S
from server.broker.publisher import CUT_BEYOND, SUBSCRIPTION_BYTES_MAX, UNDELIVERED_SUBSCRIPTIONS, Publisher
from server.broker.waiting import WAITING_BYTES_MAX, Asked
from server.client.client import Client
from server.client.local import local_client
from server.desk.desk import Desk
from server.desk.match_cache import PAGE_BYTES_MAX, CachedMatch, CommittedCommand, MatchCache
from server.desk.pipeline import Pipeline
from server.protocol.clock import SystemClock
from server.protocol.errors import RequestFailed
from server.protocol.publications import EventsPublication, HeartbeatPublication, decode_publication, subscription_text
from server.protocol.replies import FailedReply, HelloReply, LogReply, OpenedReply, PlayedReply
from server.protocol.wire import PROTOCOL, ForkRequest, HelloRequest, LegalRequest, LogRequest, OpenRequest, PlayRequest
from server.store.concurrent_log import THEIR_LOCK_S
from tests.support.rows import each_row
from tests.support.served import SOON_MS, Raw, client_of, eventually, seated, served
from tests.support.sitting import OWNER, ROLL, StillClock
from tests.support.skirmish import RED

VERSION = PROTOCOL.encode()
DOCUMENT = Path(__file__).parents[3] / "docs" / "protocol.md"


class Silent(Raw):
    """A connection that does not reconnect after it is closed."""

    def __init__(self, address: str, kind: int = zmq.DEALER, *, rcvhwm: int = 1_000, rcvbuf: int = -1) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(kind)
        self.socket.linger, self.socket.rcvhwm, self.socket.rcvbuf = 0, rcvhwm, rcvbuf
        self.socket.setsockopt(zmq.RECONNECT_IVL, -1)
        # Otherwise subscriptions beyond the high-water mark are lost before they are sent.
        self.socket.sndhwm = 0
        self.socket.connect(address)

    def is_answered(self, wait_ms: int = SOON_MS) -> bool:
        """Return whether the connection still works."""
        try:
            self.socket.send_multipart([VERSION, encode(HelloRequest(id="there"))], zmq.NOBLOCK)
        except zmq.Again:
            return False
        return bool(self.socket.poll(wait_ms)) and bool(self.socket.recv_multipart())


@pytest.fixture
def crowd() -> Iterator[ExitStack]:
    """A stack of connections that are closed at the end of the test."""
    with ExitStack() as stack:
        yield stack


def heard_after_a_command(client: Client, match: MatchId, listener: Raw) -> int:
    """Let red play, and return how many event publications the public's listener receives."""
    client.play(match, RED, ROLL)
    heard = [decode_publication(message) for message in listener.heard(200)]
    return sum(isinstance(one, EventsPublication) for one in heard)


# Faults


def test_a_fault_with_one_subscription_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(MemoryLog(), owner=OWNER)
    credential = desk.topic_credential

    def spoiled(match: MatchId, seat: object, token: str) -> str:
        if match == "spoiled":
            raise RuntimeError("a fault in a game")
        return credential(match, PUBLIC, token)

    monkeypatch.setattr(desk, "topic_credential", spoiled)
    with served(desk=desk) as broker, client_of(broker) as client, Raw(broker.events, zmq.XSUB) as listener:
        match = seated(client)
        listener.send(b"\1spoiled/public/")
        listener.send(b"\1" + subscription_text(match, PUBLIC))
        assert listener.socket.poll(SOON_MS)
        assert heard_after_a_command(client, match, listener) == 1
        assert broker.publisher.refused == 1


@pytest.mark.interpreted
def test_a_fault_of_the_loop_is_noted_and_the_loop_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    publish, faults = Publisher.publish, [RuntimeError("a fault")]

    def failing(self: Publisher, happened: object) -> None:
        if happened and faults:
            raise faults.pop()
        publish(self, happened)  # type: ignore[arg-type]

    monkeypatch.setattr(Publisher, "publish", failing)
    with served(logger=JsonLogger(written, SystemClock()), faults=1) as broker, client_of(broker) as client:
        match = seated(client)
        assert client.legal(match).to_move == RED
    assert b'"turn failed"' in written.getvalue()


@pytest.mark.interpreted
def test_clients_get_an_error_after_a_fault_of_the_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(MemoryLog(), owner=OWNER)

    def fail(*_: object) -> None:
        raise RuntimeError("a fault")

    with served(desk=desk, faults=1) as broker, Raw(broker.address) as raw:
        monkeypatch.setattr(Pipeline, "_guarded", fail)
        failed = raw.ask(HelloRequest(id="7"))
        monkeypatch.undo()
        answered = raw.ask(HelloRequest(id="8"))

    assert isinstance(failed, FailedReply)
    assert (failed.id, failed.code) == ("7", "internal")
    assert isinstance(answered, HelloReply)


@pytest.mark.interpreted
def test_what_cannot_be_written_is_an_error_for_its_client_alone_and_a_line_of_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A reply, the events of a commit and a snapshot; half of a surrogate pair has no bytes."""
    written = io.BytesIO()
    logger, slice_for = JsonLogger(written, SystemClock()), CommittedCommand.slice_for

    def spoiled(command: CommittedCommand, seat: Seat) -> EventSlice | None:
        return EventSlice(99, 0, ("\ud800",)) if seat == PUBLIC else slice_for(command, seat)  # type: ignore[arg-type]

    desk = Desk(MemoryLog(), owner=OWNER, logger=logger, version="\ud800")
    with (
        served(desk=desk, logger=logger) as broker,
        client_of(broker) as client,
        Raw(broker.address) as raw,
        Raw(broker.events, zmq.XSUB) as listener,
    ):
        match = seated(client)
        listener.send(b"\1" + subscription_text(match, PUBLIC))
        assert listener.socket.poll(SOON_MS)
        monkeypatch.setattr(CommittedCommand, "slice_for", spoiled)
        monkeypatch.setattr(MatchCache, "due", lambda cache: [cache.get(match)])
        monkeypatch.setattr(CachedMatch, "save_snapshots", lambda *_: encode("\ud800"))
        failed = raw.ask(HelloRequest(id="7"))
        played = raw.ask(PlayRequest(id="8", match=match, seat=RED, token=client.token(match, RED), command=ROLL))
        heard = [type(decode_publication(one)) for one in listener.heard(100)]

    assert isinstance(failed, FailedReply)
    assert (failed.id, failed.code, type(played)) == ("7", "internal", PlayedReply)
    assert heard == [HeartbeatPublication]
    lines = map(json.loads, written.getvalue().splitlines())
    wanted = {"reply not written", "events not written", "snapshot not written"}
    assert {line["what"] for line in lines if line["level"] == "error"} == wanted


# Subscriptions


def test_a_connection_with_too_many_refused_subscriptions_is_closed_without_affecting_others() -> None:
    limits = Limits(subscription_bytes=8_000)
    with served(limits=limits) as broker, client_of(broker) as client:
        match = seated(client)
        with Raw(broker.events, zmq.XSUB) as listener, Silent(broker.events, zmq.XSUB) as greedy:
            listener.send(b"\1" + subscription_text(match, PUBLIC))
            assert listener.socket.poll(SOON_MS)
            for number in range(2_000):
                greedy.send(b"\1" + f"{match}/red/{number:0100}".encode())
            eventually(lambda: broker.subscribers.closed == 1, "who subscribes in vain is closed")
            eventually(lambda: len(broker.subscribers) == 1, "its connection is gone")
            assert broker.publisher.held < 200
            assert heard_after_a_command(client, match, listener) == 1


def test_without_the_limit_all_refused_subscriptions_would_be_held() -> None:
    """The canary: the same subscriptions use memory as long as the connection exists."""
    limits = Limits(subscription_bytes=1 << 30, all_subscription_bytes=1 << 30)
    with served(limits=limits) as broker, Silent(broker.events, zmq.XSUB) as greedy:
        for number in range(2_000):
            greedy.send(b"\1" + f"nowhere/red/{number:0100}".encode())
        eventually(lambda: broker.publisher.held > 200_000, "they are held")


def test_an_ended_subscription_uses_no_memory() -> None:
    with served() as broker, client_of(broker) as client, Raw(broker.events, zmq.XSUB) as raw:
        match = seated(client)
        for said in (b"nowhere/red/x", subscription_text(match, PUBLIC)):
            raw.send(b"\1" + said)
        eventually(lambda: broker.publisher.held > 0, "subscribed")
        for said in (b"nowhere/red/x", subscription_text(match, PUBLIC)):
            raw.send(b"\0" + said)
        eventually(lambda: broker.publisher.held == 0, "forgotten")
        assert broker.publisher.topics == 0


def test_if_all_together_hold_too_much_the_largest_holder_is_closed(crowd: ExitStack) -> None:
    limits = Limits(all_subscription_bytes=4_000)
    with served(limits=limits) as broker, client_of(broker) as client:
        match = seated(client)
        small = crowd.enter_context(Raw(broker.events, zmq.XSUB))
        small.send(b"\1" + subscription_text(match, PUBLIC))
        assert small.socket.poll(SOON_MS)
        large = [crowd.enter_context(Silent(broker.events, zmq.XSUB)) for _ in range(3)]
        for number in range(30):
            for raw in large:
                raw.send(b"\1" + f"nowhere/public/{number:040}".encode())
        eventually(lambda: broker.subscribers.closed > 0, "the largest is closed")
        eventually(lambda: broker.publisher.held <= 4_000, "no more is held than may be")
        assert heard_after_a_command(client, match, small) == 1


def test_an_oversized_subscription_is_refused_or_closes_the_connection() -> None:
    with served() as broker, client_of(broker) as client, Raw(broker.events, zmq.XSUB) as raw:
        match = seated(client)
        raw.send(b"\1" + b"x" * (SUBSCRIPTION_BYTES_MAX + 1))
        raw.send(b"\1" + b"x" * 5 * SUBSCRIPTION_BYTES_MAX)
        with Raw(broker.events, zmq.XSUB) as listener:
            listener.send(b"\1" + subscription_text(match, PUBLIC))
            assert listener.socket.poll(SOON_MS)
            assert heard_after_a_command(client, match, listener) == 1


# Connections


def test_idle_connections_do_not_block_new_clients_or_active_players(crowd: ExitStack) -> None:
    with served(limits=Limits(connections=20)) as broker:
        player = crowd.enter_context(Silent(broker.address))
        assert player.is_answered()
        idle = [crowd.enter_context(Silent(broker.address)) for _ in range(60)]
        eventually(lambda: broker.requesters.closed >= 40, "the first idle ones are closed")
        eventually(lambda: len(broker.requesters) <= 20, "there are no more than may be")
        assert crowd.enter_context(Silent(broker.address)).is_answered()
        assert player.is_answered()
        assert not idle[0].is_answered(100)


def test_idle_followers_do_not_block_new_ones(crowd: ExitStack) -> None:
    with served(limits=Limits(connections=20)) as broker, client_of(broker) as client:
        match = seated(client)
        listener = crowd.enter_context(Silent(broker.events, zmq.XSUB))
        listener.send(b"\1" + subscription_text(match, PUBLIC))
        assert listener.socket.poll(SOON_MS)
        for _ in range(60):
            crowd.enter_context(Silent(broker.events, zmq.XSUB))
        eventually(lambda: broker.subscribers.closed >= 40, "the first idle ones are closed")
        newcomer = crowd.enter_context(Silent(broker.events, zmq.XSUB))
        newcomer.send(b"\1" + subscription_text(match, PUBLIC))
        assert newcomer.socket.poll(SOON_MS)
        assert heard_after_a_command(client, match, listener) == 1


def test_a_client_continues_after_its_connection_was_closed(crowd: ExitStack) -> None:
    """The library reconnects automatically, and the request is sent again with its key."""
    with served(limits=Limits(connections=10)) as broker, client_of(broker) as client:
        match = seated(client)
        for _ in range(30):
            assert crowd.enter_context(Silent(broker.address)).is_answered()
        assert isinstance(client.play(match, RED, ROLL), PlayedReply)


# Matches and files


def opened(raw: Raw, key: str, board: str | None = None) -> str:
    """Open a match and return the code of the failure, or an empty string."""
    reply = raw.ask(OpenRequest(game="skirmish", key=key, board=board))
    assert isinstance(reply, (OpenedReply, FailedReply))
    return reply.code if isinstance(reply, FailedReply) else ""


def test_the_matches_that_a_client_may_open_per_hour_are_limited() -> None:
    clock = StillClock()
    desk = Desk(MemoryLog(), clock, owner=OWNER)
    with served(desk=desk, limits=Limits(opens=3)) as broker, Raw(broker.address) as raw:
        codes = [opened(raw, f"key {number}") for number in range(4)]
        with Raw(broker.address) as again:
            other = again.ask(OpenRequest(game="skirmish", key="key 5"))
        clock.seconds += 20 * 60 + 1
        later = opened(raw, "key 6")

    assert codes == ["", "", "", "too_many"]
    assert isinstance(other, FailedReply)
    assert (
        other.message
        == "a client may open or fork 3 matches an hour, entries of studies without a seat included, refilled steadily; try again in 1201 s"
    )
    assert later == ""


def test_all_servers_of_a_store_together_give_no_more_than_a_quota() -> None:
    """Each gives its part, so that who turns from one to the other gains nothing; they share no count."""
    nodes = ("tcp://one:5942", "tcp://two:5942")
    log = MemoryLog()
    codes: list[str] = []
    for number, each in enumerate((log, log.beside())):
        with served(each, nodes=nodes, limits=Limits(opens=6, files=2)) as broker, Raw(broker.address) as raw:
            codes += [opened(raw, f"key {number} {count}") for count in range(3)]
            codes += [opened(raw, f"late {number}"), opened(raw, f"key {number} 0")]

    assert codes == 2 * [*3 * [""], "too_many", ""]
    shared = Limits(opens=5, files=1, bots=0, file_bytes=64).share(2)
    assert (shared.opens, shared.files, shared.bots, shared.file_bytes) == (3, 1, 0, 32)
    assert Limits().share(0) == Limits().share(1) == Limits()


def test_only_opened_matches_count_and_a_repeated_request_gets_the_first_outcome() -> None:
    with served(limits=Limits(opens=2)) as broker, Raw(broker.address) as raw:
        failed = [raw.ask(OpenRequest(game=game, key=f"no {game}")) for game in ("go", "chess", "go")]
        first = raw.ask(OpenRequest(game="skirmish", key="one"))
        again = [raw.ask(OpenRequest(game="skirmish", key="one")) for _ in range(3)]
        second = opened(raw, "two")
        third = opened(raw, "three")
        late = raw.ask(OpenRequest(game="skirmish", key="one"))

    assert [reply.code for reply in failed if isinstance(reply, FailedReply)] == ["unknown_game"] * 3
    assert isinstance(first, OpenedReply)
    assert all(isinstance(reply, OpenedReply) and reply.repeated for reply in [*again, late])
    assert (second, third) == ("", "too_many")


def test_forks_count_as_opened_matches() -> None:
    with served(limits=Limits(opens=2)) as broker, client_of(broker) as client:
        match = seated(client)
        client.fork(match, PUBLIC)
        with pytest.raises(RequestFailed) as caught:
            client.fork(match, PUBLIC)

    assert caught.value.code == "too_many"


def test_the_files_that_a_client_may_send_per_hour_are_limited() -> None:
    with served(limits=Limits(files=2)) as broker, Raw(broker.address) as raw:
        codes = [opened(raw, f"key {number}", board="goal = 4\n") for number in range(3)]

        assert opened(raw, "key 4") == ""
    assert codes == ["", "", "too_many"]


def test_the_total_size_of_stored_files_is_limited() -> None:
    board = "goal = 4\n" + "#" * 400 + "\n"
    with served(limits=Limits(file_bytes=1_000)) as broker, Raw(broker.address) as raw:
        wrong = [opened(raw, f"wrong {number}", board=f"nonsense {'#' * 400}") for number in range(5)]
        codes = [opened(raw, f"key {number}", board=board) for number in range(3)]

    assert wrong == ["setup_invalid"] * 5
    assert codes == ["", "", "too_many"]


def test_an_allowance_drops_the_client_that_asked_longest_ago() -> None:
    allowance = Allowance(1)
    for number in range(IDENTITIES_MAX + 1):
        allowance.take(f"client {number}", 0.0)

    assert allowance.wait("client 1", 0.0) == 3600.0
    assert allowance.wait("client 0", 0.0) == 0.0


def test_an_allowance_of_zero_refuses_everything() -> None:
    assert Allowance(0).wait("client", 5.0) > 0


# Texts


def test_an_overlong_id_is_refused_with_its_prefix() -> None:
    with served() as broker, Raw(broker.address) as raw:
        refused = raw.ask(HelloRequest(id="i" * (ID_CHARACTERS_MAX + 1)))
        answered = raw.ask(HelloRequest(id="i" * ID_CHARACTERS_MAX))

    assert isinstance(refused, FailedReply)
    assert (refused.code, refused.id) == ("malformed", "i" * ID_CHARACTERS_MAX)
    assert isinstance(answered, HelloReply)


def test_the_operators_log_is_bounded_whatever_clients_send() -> None:
    written = io.BytesIO()
    long = "x" * 100_000
    token = "t" * 40
    with served(logger=JsonLogger(written, SystemClock(), "debug")) as broker, client_of(broker) as client:
        match = seated(client)
        with Raw(broker.address) as raw:
            for request in (
                HelloRequest(id=long),
                LegalRequest(match=MatchId(long)),
                LegalRequest(match=match, seat=type(RED)(long), token=token),
                PlayRequest(match=match, seat=RED, token=long, command=RawJson(b'{"do":"roll"}')),
                ForkRequest(match=match, hidden=long),
                OpenRequest(game=long),
                OpenRequest(game="skirmish", key=long),
                OpenRequest(game="skirmish", options={long: 1}),
            ):
                assert isinstance(raw.ask(request), FailedReply)
        with Raw(broker.events, zmq.XSUB) as listener:
            listener.send(b"\1" + f"{long[:200]}/{long[:200]}/x".encode())
            eventually(lambda: broker.publisher.refused == 1, "refused")

    lines = written.getvalue().splitlines()
    assert len(lines) > 8
    assert max(map(len, lines)) < 8 * TEXT_CHARACTERS_MAX
    assert all(json.loads(line)["what"] for line in lines)


# The document


def rows_of_limits() -> list[list[str]]:
    """Return the cells of the document's table of limits: what, limit, beyond it, name."""
    text = DOCUMENT.read_text(encoding="utf-8").replace(",", "")
    table = text[text.index("## Limits") :]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\| .* \|$", table, re.MULTILINE)]


def written(limit: str, number: float) -> str:
    """Return the number of a limit as the document writes it: its name says the unit."""
    if limit.endswith("_bytes"):
        return f"{round(number) >> 20} MiB" if number % (1 << 20) == 0 else f"{round(number) >> 10} KiB"
    if limit.endswith("_ms"):
        return f"{number / 1000:g} s"
    return f"{number:g} s" if limit.endswith("_s") else f"{number:g}"


def test_the_document_names_every_limit_with_its_number() -> None:
    named = {name: cells for cells in rows_of_limits() for name in re.findall(r"`(\w+)`", cells[3])}
    defaults = {name: getattr(Limits(), name) for name in Limits.__struct_fields__}

    assert sorted(named) == sorted(defaults)
    assert {
        name: cells[1:3]
        for name, cells in named.items()
        if not re.search(rf"(?<![0-9]){re.escape(written(name, defaults[name]))}(?![0-9])", f"{cells[1]} {cells[2]}")
    } == {}


@each_row(
    ("what", "number"),
    [
        ("events in a reply to `log`", f"{PAGE_BYTES_MAX >> 10} KiB"),
        ("the same for all connections", f"{WAITING_BYTES_MAX >> 20} MiB"),
        ("a subscription", f"{SUBSCRIPTION_BYTES_MAX} bytes"),
        ("the `id` `match` and `seat` of a request a key a secret a name", f"{ID_CHARACTERS_MAX} characters"),
        ("requests taken at once and commands appended together", f"{TURN_MAX}"),
        ("frames of a message to the request socket", f"{FRAMES_MAX}"),
        ("frames of a message to the request socket", f"{SKIPPED_MAX} more"),
        ("all subscriptions of a connection refused ones included plus 32 bytes each", f"{CUT_BEYOND} times"),
        ("bytes that a connection has sent to the event socket", f"{UNDELIVERED_SUBSCRIPTIONS} times"),
        ("new connections from an address that one was cut from", f"{FIRST_S:g} s"),
        ("new connections from an address that one was cut from", f"{LONGEST_S:g} s"),
        ("the process's open files besides its connections", f"{RESERVE}"),
        ("a job in the background", f"{JOB_S:g} s"),
        ("a lock of another process on the store", f"{THEIR_LOCK_S:g} s"),
    ],
)
def test_the_document_gives_the_numbers_that_are_fixed(what: str, number: str) -> None:
    rows = [" ".join(cells[1:3]) for cells in rows_of_limits() if cells[0].startswith(what)]

    assert rows
    assert any(number in row for row in rows)


# Long work and unread replies


def deaf(broker: Broker) -> Raw:
    """Connect a client that does not read its replies."""
    return Silent(broker.address, rcvhwm=1, rcvbuf=4_096)


def test_a_client_that_leaves_too_much_unread_is_closed() -> None:
    note = RawJson(encode({"do": "match:note", "text": "n" * 4_000}))
    limits = Limits(unread_bytes=500_000)
    with served(limits=limits) as broker, client_of(broker) as client:
        match = seated(client)
        for _ in range(50):
            client.play(match, RED, note)
        with deaf(broker) as raw:
            # Once it is closed, its own queue may be full.
            with suppress(zmq.Again):
                for number in range(200):
                    raw.socket.send_multipart([VERSION, encode(LogRequest(id=str(number), match=match))], zmq.NOBLOCK)
            eventually(lambda: broker.requesters.closed == 1, "who does not read is closed")
        assert len(client.log(match)) > 50


def test_a_client_that_reads_may_receive_any_amount() -> None:
    note = RawJson(encode({"do": "match:note", "text": "n" * 4_000}))
    with served(limits=Limits(unread_bytes=500_000, all_unread_bytes=600_000)) as broker, client_of(broker) as client:
        match = seated(client)
        for _ in range(50):
            client.play(match, RED, note)
        for _ in range(20):
            assert len(client.log(match)) > 50
        assert broker.requesters.closed == 0


def test_if_all_leave_too_much_unread_the_worst_is_closed() -> None:
    note = RawJson(encode({"do": "match:note", "text": "n" * 4_000}))
    with served(limits=Limits(all_unread_bytes=500_000)) as broker, client_of(broker) as client:
        match = seated(client)
        for _ in range(50):
            client.play(match, RED, note)
        with deaf(broker) as raw, deaf(broker) as other:
            for number in range(200):
                for one in (raw, other):
                    # Once it is closed, it would wait for ever.
                    with suppress(zmq.Again):
                        message = [VERSION, encode(LogRequest(id=str(number), match=match))]
                        one.socket.send_multipart(message, zmq.NOBLOCK)
            eventually(lambda: broker.requesters.closed == 2, "those who do not read are closed")
        assert len(client.log(match)) > 50


def test_the_size_of_a_log_reply_is_limited() -> None:
    note = RawJson(encode({"do": "match:note", "text": "n" * 4_000}))
    with served() as broker, client_of(broker) as client, Raw(broker.address) as raw:
        match = seated(client)
        for _ in range(100):
            client.play(match, RED, note)
        reply = raw.ask(LogRequest(match=match, limit=2_000))
        whole = client.log(match)

    assert isinstance(reply, LogReply)
    assert PAGE_BYTES_MAX // 3 < len(encode(reply)) < PAGE_BYTES_MAX + 5_000
    assert sum(len(part.events) for part in whole) == reply.seq


def test_requests_of_different_clients_are_answered_in_turns() -> None:
    def ask(asker: int, number: int) -> Asked:
        return Asked((b"%d" % asker, VERSION), HelloRequest(id=f"{asker}/{number}"))

    greedy, modest, other = [ask(1, number) for number in range(4)], ask(2, 0), [ask(3, 0), ask(3, 1)]
    order = [asked.request.id for asked in in_turns([*greedy, modest, *other])]

    assert order == ["1/0", "2/0", "3/0", "1/1", "3/1", "1/2", "1/3"]


def test_a_batch_ends_at_its_time_limit_and_the_rest_is_answered_next() -> None:
    desk = Desk(MemoryLog(), SlowClock(), owner=OWNER)
    with served(desk=desk) as broker, Raw(broker.address) as raw:
        for number in range(2 * TURN_MAX):
            raw.send(VERSION, encode(HelloRequest(id=str(number))))
        ids = [raw.reply().id for _ in range(2 * TURN_MAX)]

    assert ids == [str(number) for number in range(2 * TURN_MAX)]


class SlowClock(StillClock):
    """A clock that advances by the time limit of a batch on each reading."""

    @override
    def monotonic(self) -> float:
        """Advance and return the time."""
        self.seconds += TURN_S
        return self.seconds


def test_the_damage_of_a_match_is_detected_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[MatchId] = []

    def damaged(log: Log, match: MatchId) -> Summary:
        assert log.matches() == (match,)
        looked.append(match)
        raise BrokenEvidence(match, 7, "this commit begins with event 9")

    monkeypatch.setattr(server.desk.summaries, "summary_at_head", damaged)
    log = MemoryLog()
    match = local_client(log).open("skirmish").match
    with served(log) as broker, Raw(broker.events, zmq.XSUB) as listener:
        for number in range(20):
            listener.send(b"\1" + f"{match}/public/{number}".encode())
        eventually(lambda: broker.publisher.refused == 20, "refused")

    assert looked == [match]


@each_row("name", ["match", "seat"])
def test_input_quoted_in_replies_is_bounded(name: str) -> None:
    fields = {"match": MatchId("m"), "seat": RED, name: "x" * (ID_CHARACTERS_MAX + 1)}
    with served() as broker, Raw(broker.address) as raw:
        reply = raw.ask(LegalRequest(match=MatchId(fields["match"]), seat=type(RED)(fields["seat"])))

    assert isinstance(reply, FailedReply)
    assert reply.message == f"the field {name} has at most 200 characters; this one has 201"


# Newcomers


def test_a_connection_is_known_as_soon_as_its_first_frame_is_read() -> None:
    """The monitor may report the new connection only after it was last read."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    socket = context.socket(zmq.XPUB)
    connections = Connections(socket, Limits(connections=10), SystemClock().monotonic)
    port = socket.bind_to_random_port("tcp://127.0.0.1")
    connections.update()
    with Raw(f"tcp://127.0.0.1:{port}", zmq.XSUB) as raw:
        raw.send(b"\1words")
        assert socket.poll(SOON_MS)
        (frame,) = socket.recv_multipart(copy=False)
        connection = connections.of(frame, 5)

    assert connection is not None
    assert connection.identity == "127.0.0.1"
    context.destroy(linger=0)
