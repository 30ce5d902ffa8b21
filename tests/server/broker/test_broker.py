"""The broker over real sockets: its replies, and its robustness against clients that stall, crash or send junk."""

import io
import json
import os
import signal
import socket as sockets
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
import zmq

from core.audit.match_audit import audit_match
from events.codec import Raw as RawJson
from events.codec import encode, replace
from events.errors import OutcomeUnknown, StoreUnavailable
from server.broker.broker import TURN_MAX, Broker
from server.broker.json_logger import JsonLogger
from server.broker.limits import Limits
from server.client.addresses import publisher_address
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.protocol.errors import PortUnavailable
from server.protocol.messages import decode_reply
from server.protocol.replies import FailedReply, HelloReply, PlayedReply
from server.protocol.wire import PROTOCOL, REQUEST_BYTES_MAX, HelloRequest, LegalRequest, OpenRequest, PlayRequest
from server.store.concurrent_log import ConcurrentSqliteLog
from server.store.sqlite_log import SqliteLog
from tests.support.rows import each_row
from tests.support.served import ANYWHERE, Process, Raw, client_of, connected, eventually, play_through, seated, served
from tests.support.sitting import ROLL, STAND, FaultyLog, StillClock
from tests.support.skirmish import BLUE, RED
from tests.support.soak import sampled

VERSION = PROTOCOL.encode()
LONG_NOTE = RawJson(encode({"do": "match:note", "text": "n" * 4_000}))


def test_hello_tells_where_events_are_published() -> None:
    with served(limits=Limits(heartbeat_s=7.0)) as broker, Raw(broker.address) as raw:
        hello = raw.ask(HelloRequest(id="17"))

    assert isinstance(hello, HelloReply)
    assert (hello.id, hello.publisher, hello.heartbeat_s) == ("17", broker.events, 7.0)


def test_a_match_is_played_over_sockets_to_its_end() -> None:
    with served() as broker, client_of(broker) as client:
        match = seated(client)
        played = play_through(client, match)

        assert played > 5
        assert client.state(match).table.ended is not None


def test_a_request_with_a_leading_empty_frame_is_answered_alike() -> None:
    with served() as broker, Raw(broker.address, zmq.REQ) as raw:
        hello = raw.ask(HelloRequest(id="r"))

    assert hello.id == "r"


def test_requests_of_many_clients_share_transactions() -> None:
    log = FaultyLog()
    with served(log) as broker, client_of(broker) as client, Raw(broker.address) as raw:
        match = seated(client)
        before = log.steps
        request = PlayRequest(
            match=match,
            seat=RED,
            token=client.token(match, RED),
            command=RawJson(b'{"do":"match:note","text":"x"}'),
        )
        for number in range(3 * TURN_MAX):
            raw.send(VERSION, encode(replace(request, id=str(number))))
        replies = [raw.reply() for _ in range(3 * TURN_MAX)]

    assert [reply.id for reply in replies] == [str(number) for number in range(3 * TURN_MAX)]
    assert {type(reply) for reply in replies} == {PlayedReply}
    assert log.steps - before < TURN_MAX


def test_commands_survive_the_death_of_the_process_that_appends(tmp_path: Path, budget: float) -> None:
    choose, unknown = Random(5), 0
    with ConcurrentSqliteLog(tmp_path / "store.db") as log:
        with served(log) as broker, client_of(broker) as client, Raw(broker.address) as raw:
            matches = [seated(client) for _ in range(8)]
            until = time.monotonic() + budget
            # On a machine with much else to do, a kill seldom comes between a commit and its receipt.
            while time.monotonic() < until or (not unknown and time.monotonic() < until + 30):
                left = {
                    f"{choose.getrandbits(64)}": PlayRequest(
                        match=match, seat=RED, token=client.token(match, RED), command=LONG_NOTE
                    )
                    for match in matches
                    for _ in range(8)
                }
                wanted = set(left)
                while left:
                    for key, request in left.items():
                        raw.send(VERSION, encode(replace(request, id=key, key=key)))
                    pid = log._process.pid
                    if log._is_ready and pid is not None and choose.random() < 0.8:
                        time.sleep(choose.random() * 0.01)
                        with suppress(ProcessLookupError):
                            os.kill(pid, signal.SIGKILL)
                    for _ in list(left):
                        reply = raw.reply()
                        if isinstance(reply, PlayedReply):
                            del left[reply.id]
                        else:
                            assert isinstance(reply, FailedReply)
                            assert (reply.code, reply.retry) == ("outcome_unknown", True)
                            unknown += 1
                with SqliteLog(log.path, read_only=True) as reader:
                    keys = [stored.key for match in matches for stored in reader.read(match)]
                assert wanted <= set(keys)
                assert len(keys) == len(set(keys))
        assert all(audit_match(log, match).clean for match in matches)
        assert log.check() == []
    assert unknown > 0


@each_row(
    ("frames", "code"),
    [
        ([VERSION, b""], "malformed"),
        ([VERSION, b"{}"], "malformed"),
        ([VERSION, b"\xff\xfe"], "malformed"),
        ([VERSION, b'{"ask":"hello"'], "malformed"),
        ([VERSION, b'{"ask":"sing"}'], "malformed"),
        ([VERSION, b'{"ask":"hello","loud":true}'], "malformed"),
        ([VERSION, b'{"ask":"play","match":7}'], "malformed"),
        ([VERSION, b'{"ask":"play","match":"x","command":{"do":"roll"},"dice":["six"]}'], "malformed"),
        ([VERSION, b"[" * 100_000], "malformed"),
        ([VERSION, b'{"ask":"play","match":"x","command":' + b"[" * 5_000 + b"]" * 5_000 + b"}"], "malformed"),
        ([VERSION, b'{"ask":"hello","id":"' + b"x" * REQUEST_BYTES_MAX + b'"}'], "too_large"),
        ([b"wardiary/2", b'{"ask":"hello"}'], "unsupported_version"),
        ([b"", b'{"ask":"hello"}'], "unsupported_version"),
    ],
)
def test_an_invalid_request_is_answered_with_a_code(frames: list[bytes], code: str) -> None:
    with served() as broker, Raw(broker.address) as raw:
        raw.send(*frames)
        reply = raw.reply()
        assert isinstance(raw.ask(HelloRequest()), HelloReply)

    assert isinstance(reply, FailedReply)
    assert reply.code == code
    assert "\n" not in reply.message


def test_a_request_that_cannot_be_read_is_answered_under_its_id() -> None:
    with served() as broker, Raw(broker.address) as raw:
        raw.send(VERSION, b'{"id":"42","ask":"sing"}')

        assert raw.reply().id == "42"


@each_row("frames", [[b""], [b"x"], [VERSION], [b"x", VERSION, b"{}"], [b"", b"", VERSION, b"{}"], [b"x"] * 99])
def test_frames_without_a_return_address_are_dropped_and_counted(frames: list[bytes]) -> None:
    with served() as broker, Raw(broker.address) as raw:
        raw.send(*frames)
        assert isinstance(raw.ask(HelloRequest()), HelloReply)

    assert broker.counts.dropped == 1


def test_an_oversized_frame_closes_the_connection() -> None:
    with served() as broker, Raw(broker.address) as raw, Raw(broker.address) as other:
        raw.send(VERSION, bytes(3 * REQUEST_BYTES_MAX))

        assert isinstance(other.ask(HelloRequest()), HelloReply)
        assert raw.heard(100) == []


def mutated(good: list[bytes], choose: Random) -> bytes:
    """Return a request with random defects."""
    body = bytearray(choose.choice(good))
    for _ in range(choose.randrange(1, 6)):
        at = choose.randrange(len(body) + 1)
        kind = choose.randrange(4)
        if kind == 0:
            body[at:at] = choose.randbytes(choose.randrange(1, 9))
        elif kind == 1:
            del body[at : at + choose.randrange(1, 9)]
        elif kind == 2 and at < len(body):
            body[at] ^= 1 << choose.randrange(8)
        else:
            body[at:at] = choose.choice(
                [b'"', b"{", b"}", b"null", b"-1", b"1e999", b"\\u0000", b"999999999999999999999"]
            )
    return bytes(body)


def test_defective_requests_are_answered_and_change_nothing_unauthorized(budget: float) -> None:
    choose = Random(1942)
    with served() as broker, client_of(broker) as client, Raw(broker.address) as raw:
        match = seated(client)
        token = client.token(match, RED)
        good = [
            encode(HelloRequest(id="1")),
            encode(OpenRequest(game="skirmish", key="k", options={"speed": 2})),
            encode(LegalRequest(match=match, seat=RED, token=token)),
            encode(PlayRequest(match=match, seat=BLUE, token="w" * 40, command=ROLL, expected=3)),
        ]
        before = client.log(match)
        for _ in range(max(1, round(20 * budget))):
            for _ in range(50):
                raw.send(VERSION, mutated(good, choose))
            replies = [raw.reply() for _ in range(50)]
            assert all(decode_reply(encode(reply)) == reply for reply in replies)

        assert client.log(match) == before
        assert broker.counts.malformed > 100


def test_junk_connections_stall_no_client(budget: float) -> None:
    choose = Random(7)
    with served() as broker, client_of(broker) as client:
        ports = [int(address.rpartition(":")[2]) for address in (broker.address, broker.events)]
        half_open = [sockets.create_connection(("127.0.0.1", port)) for port in ports for _ in range(10)]
        for number in range(max(1, round(100 * budget))):
            with sockets.create_connection(("127.0.0.1", ports[number % 2])) as junk:
                junk.sendall(choose.randbytes(choose.randrange(1, 300)))
        match = seated(client)

        assert play_through(client, match) > 5
        for connection in half_open:
            connection.close()


def test_a_vanished_client_affects_no_other() -> None:
    with served() as broker, client_of(broker) as client:
        match = seated(client)
        request = PlayRequest(match=match, seat=RED, token=client.token(match, RED), command=ROLL, key="last words")
        with Raw(broker.address) as raw:
            raw.socket.linger = 1_000
            raw.send(VERSION, encode(request))
            eventually(lambda: client.legal(match).to_move == BLUE, "the last words came to nothing")
        repeated = client.ask(request)

        assert isinstance(repeated, PlayedReply)
        assert repeated.repeated


def test_a_client_that_does_not_read_loses_replies_but_delays_no_other() -> None:
    with served(limits=Limits(waiting_messages=5)) as broker, client_of(broker) as client:
        match = seated(client)
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        deaf = context.socket(zmq.DEALER)
        deaf.linger, deaf.rcvhwm, deaf.rcvbuf = 0, 1, 4_096
        deaf.connect(broker.address)
        padding = "x" * 190
        for number in range(5_000):
            deaf.send_multipart([VERSION, encode(HelloRequest(id=f"{number}{padding}"))])
        eventually(lambda: broker.counts.undelivered > 0, "the deaf client was given everything")

        assert play_through(client, match) > 5
        context.destroy(linger=0)


def test_an_unreadable_store_is_reported_and_service_resumes_once_it_is_readable() -> None:
    log = FaultyLog()
    with served(log) as broker, client_of(broker) as client, Raw(broker.address) as raw:
        match = seated(client)
        request = PlayRequest(match=match, seat=RED, token=client.token(match, RED), command=ROLL, key="k")
        log.failures = [StoreUnavailable("the disk is full")]
        failed, played = raw.ask(request), raw.ask(request)

    assert isinstance(failed, FailedReply)
    assert (failed.code, failed.retry) == ("store_unavailable", True)
    assert isinstance(played, PlayedReply)
    assert not played.repeated


PATIENT = RetryPolicy(timeout_s=10.0, tries=3, pause_s=0.01)


@each_row("is_stored", [False, True])
def test_a_client_retries_after_an_unknown_outcome_and_plays_once(is_stored: bool) -> None:
    log = FaultyLog()
    with served(log) as broker, connect(broker.address, retry_policy=PATIENT) as client:
        match = seated(client)
        (log.late_failures if is_stored else log.failures).append(OutcomeUnknown("the disk fails"))
        played = client.play(match, RED, {"do": "roll"}, key="once")
        table = client.state(match, RED)

    assert played.repeated == is_stored
    assert [new.key for new in log.kept].count("once") == 1
    assert table.seq == played.seq


@each_row("part", ["address", "events"])
def test_a_port_in_use_is_reported_in_one_line(part: str) -> None:
    with served() as broker:
        taken = getattr(broker, part)
        addresses = {"address": ANYWHERE, "events": ANYWHERE, part: taken}
        with pytest.raises(PortUnavailable) as caught:
            Broker(broker._desk, addresses["address"], addresses["events"])

        assert str(caught.value) == f"cannot listen at {taken}: it is in use"


@each_row("address", ["tcp://256.0.0.1:5942", "tcp://nowhere", "carrier-pigeon://loft", "", "tcp://192.0.2.1:5942"])
def test_an_invalid_address_is_reported_in_one_line(address: str) -> None:
    with served() as broker, pytest.raises(PortUnavailable, match=r"^cannot listen at [^\n]*$"):
        Broker(broker._desk, address, ANYWHERE)


def test_a_client_that_uses_a_host_name_takes_only_the_publishers_port() -> None:
    assert publisher_address("tcp://diary.example:5942", "tcp://0.0.0.0:5943") == "tcp://diary.example:5943"
    assert publisher_address("ipc://requests", "ipc://events") == "ipc://events"


def test_the_operators_log_is_json_lines_with_match_number_seat_and_id() -> None:
    lines = io.BytesIO()
    logger = JsonLogger(lines, StillClock())
    with served(logger=logger) as broker, client_of(broker) as client, Raw(broker.address) as raw:
        match = seated(client)
        token = client.token(match, RED)
        raw.ask(PlayRequest(id="c-1", match=match, seat=RED, token=token, command=ROLL))
        raw.ask(PlayRequest(id="c-2", match=match, seat=RED, token=token, command=STAND))
        seq = client.log(match)[-1].last
    noted = [json.loads(line) for line in lines.getvalue().splitlines()]
    at = "2023-11-14T22:13:20.000+00:00"

    assert {
        "at": at,
        "level": "info",
        "what": "committed",
        "match": match,
        "seq": seq,
        "seat": "red",
        "id": "c-1",
    } in noted
    failed = {
        "at": at,
        "level": "info",
        "what": "failed",
        "code": "refused",
        "id": "c-2",
        "match": match,
        "seat": "red",
    }
    assert failed | {"refusal": "seat_must_be_asked", "rule": "1.turn"} in noted
    assert all(token not in line for line in lines.getvalue().decode().splitlines())


def test_an_unwritable_log_does_not_stop_the_server() -> None:
    class Broken(io.BytesIO):
        def write(self, data: object) -> int:  # type: ignore[explicit-override]
            raise OSError

    with served(logger=JsonLogger(Broken(), StillClock())) as broker, client_of(broker) as client:
        assert play_through(client, seated(client)) > 5


# A server in a separate process


@pytest.mark.parametrize("number", sampled([signal.SIGINT, signal.SIGTERM], lambda number: number == signal.SIGTERM))
def test_a_signal_ends_the_server_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    process = Process(tmp_path / "store.db")
    try:
        with Raw(process.address) as raw:
            assert isinstance(raw.ask(HelloRequest()), HelloReply)
            code = process.signal(number)
    finally:
        process.close()

    assert code == 0
    # A store that is closed properly leaves no other files.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["store.db", "store.db.keys"]


@pytest.mark.long
def test_every_command_sent_before_the_signal_is_stored_completely_or_not_at_all(tmp_path: Path) -> None:
    process = Process(tmp_path / "store.db")
    try:
        with connected(process) as client, Raw(process.address) as raw:
            match = seated(client)
            token = client.token(match, RED)
            for number in range(300):
                raw.send(
                    VERSION, encode(PlayRequest(id=f"{number}", match=match, seat=RED, token=token, command=LONG_NOTE))
                )
            first = raw.reply()
            assert process.signal(signal.SIGTERM) == 0
            acknowledged = 1 + len(raw.heard(500)) // 2
    finally:
        process.close()
    with SqliteLog(tmp_path / "store.db", read_only=True) as log:
        noted = sum(b'"event":"note-added/1"' in stored.body for stored in log.read(match))

    assert isinstance(first, PlayedReply)
    assert acknowledged <= noted <= 300


def test_clients_reconnect_to_a_restarted_server(tmp_path: Path) -> None:
    first = Process(tmp_path / "store.db")
    try:
        with connected(first) as client:
            match = seated(client)
            tokens = {seat: client.token(match, seat) for seat in (RED, BLUE)}
        first.signal(signal.SIGTERM)
        second = Process(tmp_path / "store.db")
        try:
            with connected(second) as client:
                for seat, token in tokens.items():
                    client.add_token(match, seat, token)
                played = play_through(client, match)
        finally:
            second.signal(signal.SIGTERM)
    finally:
        first.close()

    assert played > 5
