"""A store that does not answer for a while, and a background process that is killed: truthful replies, and service that goes on."""

import io
import json
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import server.broker.broker
import server.desk.jobs
from core.audit.match_audit import audit_match
from events.codec import encode
from events.ids import MatchId
from server.broker.background import Background
from server.broker.json_logger import JsonLogger
from server.client.client import Client
from server.client.local import local_client
from server.desk.desk import Desk
from server.protocol.clock import SystemClock
from server.protocol.errors import RequestFailed
from server.protocol.logger import SILENT
from server.protocol.replies import FailedReply, HelloReply, LegalReply, PlayedReply
from server.protocol.wire import PROTOCOL, HelloRequest, LegalRequest, PlayRequest
from server.store.concurrent_log import ConcurrentSqliteLog
from server.store.sqlite_log import SqliteLog
from tests.server.desk.test_desk_batch import NOTE
from tests.support.served import Raw, client_of, eventually, seated, served
from tests.support.skirmish import RED

VERSION = PROTOCOL.encode()
COMMANDS = 16
STALL_S = 0.8


@pytest.fixture
def log(tmp_path: Path) -> Iterator[ConcurrentSqliteLog]:
    """A store whose second process is ready."""
    with ConcurrentSqliteLog(tmp_path / "store.db") as opened:
        opened.stall_s = STALL_S
        assert opened._pipe is not None
        pipe = opened._pipe
        eventually(lambda: opened._prepared(pipe), "its second process is ready")
        yield opened


@pytest.fixture
def each_command_is_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hand even a single command to the second process: how many wait in a turn of the loop depends on the machine."""
    monkeypatch.setattr(server.broker.broker, "GROUP_WORTHWHILE", 1)


def many_notes(client: Client, match: MatchId, raw: Raw) -> None:
    """Send commands at once, which are handed to the second process."""
    for number in range(COMMANDS):
        request = PlayRequest(
            id=f"{number}", match=match, seat=RED, token=client.token(match, RED), command=NOTE, key=f"key {number}"
        )
        raw.send(VERSION, encode(request))


def stalled(log: ConcurrentSqliteLog, client: Client, match: MatchId, raw: Raw) -> None:
    """Stop the second process, and hand it commands."""
    assert log._process.pid is not None
    os.kill(log._process.pid, signal.SIGSTOP)
    many_notes(client, match, raw)
    raw.send(VERSION, encode(HelloRequest()))
    assert isinstance(raw.reply(), HelloReply), "the notes before it have been received as well"
    eventually(lambda: log.fileno() >= 0, "commands are handed over")


@pytest.mark.interpreted
@pytest.mark.usefixtures("each_command_is_handed_over")
def test_a_stopped_append_process_is_replaced_and_all_is_answered_truthfully(log: ConcurrentSqliteLog) -> None:
    written = io.BytesIO()
    with (
        served(log, logger=JsonLogger(written, SystemClock()), is_shared=True) as broker,
        client_of(broker) as client,
        Raw(broker.address) as raw,
    ):
        match, other = seated(client), seated(client)
        began = time.monotonic()
        stalled(log, client, match, raw)
        assert client.legal(other).to_move == RED
        assert time.monotonic() - began < STALL_S
        with pytest.raises(RequestFailed) as refused:
            client.legal(match)
        replies = {reply.id: reply for reply in [raw.reply() for _ in range(COMMANDS)]}
        assert isinstance(client.play(match, RED, NOTE), PlayedReply)
        many_notes(client, match, raw)
        again = [raw.reply() for _ in range(COMMANDS)]
        assert audit_match(log, match).clean
        stored = [commit.key for commit in log.read(match)]

    codes = {reply.code if isinstance(reply, FailedReply) else "" for reply in replies.values()}
    assert refused.value.code == "store_unavailable"
    assert "outcome_unknown" in codes
    assert codes <= {"outcome_unknown", ""}
    assert {type(reply) for reply in again} == {PlayedReply}
    assert [stored.count(f"key {number}") for number in range(COMMANDS)] == [1] * COMMANDS
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert [line["what"] for line in lines if line["what"].startswith("store ")] == [
        "store not written",
        "store written again",
    ]


@pytest.mark.interpreted
@pytest.mark.usefixtures("each_command_is_handed_over")
def test_a_server_whose_append_process_is_stopped_ends(log: ConcurrentSqliteLog) -> None:
    with served(log, is_shared=True) as broker, client_of(broker) as client, Raw(broker.address) as raw:
        stalled(log, client, seated(client), raw)
        broker.stop()
        began = time.monotonic()
        replies = [raw.reply() for _ in range(COMMANDS)]
        assert time.monotonic() - began < 3 * STALL_S

    assert len(replies) == COMMANDS


def test_a_lock_of_another_process_delays_no_read_and_is_reported(log: ConcurrentSqliteLog) -> None:
    written = io.BytesIO()
    with (
        served(log, logger=JsonLogger(written, SystemClock()), is_shared=True) as broker,
        client_of(broker) as client,
    ):
        match, other = seated(client), seated(client)
        locking = sqlite3.connect(log.path, isolation_level=None)
        locking.execute("BEGIN IMMEDIATE")
        with pytest.raises(RequestFailed) as locked:
            client.play(match, RED, NOTE)
        began = time.monotonic()
        for _ in range(20):
            assert client.legal(other).to_move == RED
        assert time.monotonic() - began < 1.0
        locking.execute("COMMIT")
        locking.close()
        assert isinstance(client.play(match, RED, NOTE), PlayedReply)

    assert (locked.value.code, locked.value.reply.retry) == ("store_unavailable", True)
    assert "is locked by another process" in str(locked.value)
    assert written.getvalue().count(b'"store not written"') == 1


def test_a_request_whose_background_process_is_killed_may_be_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.desk.jobs, "INLINE_EVENTS", 0)
    store = tmp_path / "store.db"
    with SqliteLog(store) as log:
        match = local_client(log).open("skirmish", dice="seeded", seed="3").match
        background = Background(str(store), SystemClock(), SILENT)
        with served(desk=Desk(log), background=background) as broker, Raw(broker.address) as raw:
            eventually(lambda: background._is_ready, "the process is ready")
            pid = background._process.pid
            assert pid is not None
            os.kill(pid, signal.SIGSTOP)
            raw.send(VERSION, encode(LegalRequest(id="killed", match=match)))
            eventually(lambda: background._running is not None, "the job runs")
            os.kill(pid, signal.SIGKILL)
            failed = raw.reply()
            again = raw.ask(LegalRequest(id="again", match=match))

    assert isinstance(failed, FailedReply)
    assert (failed.id, failed.code, failed.retry) == ("killed", "busy", True)
    assert isinstance(again, LegalReply)
