"""The store with a second process that appends: its receipts, its errors, and what happens when either process is killed."""

import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from events.errors import LogMisuse, LostRace, OutcomeUnknown, StoreUnavailable
from events.ids import MatchId
from events.log import AlreadyThere, Appended, NewCommit
from server.desk.pipeline_parts import ConcurrentLog
from server.store.concurrent_log import ConcurrentSqliteLog
from server.store.sqlite_log import SqliteLog
from tests.events.making import Writer, march

MATCH = MatchId("m")
SOON_S = 20.0


def eventually(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    until = time.monotonic() + SOON_S
    while not holds():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.005)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def writer() -> Writer:
    return Writer("m")


@pytest.fixture
def log(path: Path, writer: Writer) -> Iterator[ConcurrentSqliteLog]:
    """Open a store with a match of five commits, whose second process is ready."""
    with ConcurrentSqliteLog(path) as opened:
        opened.append(writer.commits(4))
        begin(opened, [writer.take(march(5))])
        opened.receive()
        yield opened


def begin(log: ConcurrentSqliteLog, batch: list[NewCommit]) -> None:
    """Submit commits as soon as the second process takes them."""
    eventually(lambda: log.submit(batch))


def child(log: ConcurrentSqliteLog) -> int:
    assert log._process.pid is not None
    return log._process.pid


def test_it_is_a_log_that_appends_concurrently(log: ConcurrentSqliteLog) -> None:
    assert isinstance(log, ConcurrentLog)


def test_submitted_commits_are_appended_and_read(log: ConcurrentSqliteLog, writer: Writer) -> None:
    batch = [writer.take(march(6)), writer.take(march(7))]
    begin(log, batch)
    eventually(log.has_receipts)
    receipts = log.receive()

    assert [type(receipt) for receipt in receipts] == [Appended, Appended]
    assert [receipt.stored.body for receipt in receipts if isinstance(receipt, Appended)] == [new.body for new in batch]
    assert log.head(MATCH).seq == batch[-1].last
    assert log.check() == []


def test_the_descriptor_is_there_only_while_something_is_submitted(log: ConcurrentSqliteLog, writer: Writer) -> None:
    assert log.fileno() == -1
    begin(log, [writer.take(march(6))])
    assert log.fileno() >= 0
    log.receive()
    assert log.fileno() == -1


def test_without_room_for_another_process_the_first_one_appends(
    log: ConcurrentSqliteLog, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", full)
    os.kill(child(log), signal.SIGKILL)
    log._process.join()
    new = writer.take(march(6))

    assert not log.submit([new])
    assert not log.submit([new])
    assert [type(receipt) for receipt in log.append([new])] == [Appended]


def test_appending_and_submitting_take_turns(log: ConcurrentSqliteLog, writer: Writer) -> None:
    for number in range(20):
        new = writer.take(march(number))
        if number % 3:
            begin(log, [new])
            receipts = log.receive()
        else:
            receipts = log.append([new])
        assert [type(receipt) for receipt in receipts] == [Appended]
        assert log.head(MATCH).seq == new.last


def test_a_repeated_key_and_a_lost_race_are_told(log: ConcurrentSqliteLog, path: Path, writer: Writer) -> None:
    known, late = writer.take(march(6)), writer.take(march(7))
    log.append([known])
    with SqliteLog(path) as other:
        other.append([late])
    begin(log, [known, Writer("m").take(march(1), key="new")])
    receipts = log.receive()

    assert isinstance(receipts[0], AlreadyThere)
    assert isinstance(receipts[1], LostRace)


def test_the_errors_of_the_second_process_are_raised(log: ConcurrentSqliteLog, writer: Writer) -> None:
    good = writer.take(march(6))
    begin(log, [NewCommit(MATCH, 9, 8, "k", good.hash, good.body)])
    with pytest.raises(LogMisuse, match="not possible"):
        log.receive()
    begin(log, [good])

    assert [type(receipt) for receipt in log.receive()] == [Appended]


def test_a_process_that_was_killed_before_is_replaced(log: ConcurrentSqliteLog, writer: Writer) -> None:
    before = child(log)
    os.kill(before, signal.SIGKILL)
    log._process.join()
    new = writer.take(march(6))

    assert not log.submit([new])
    assert [type(receipt) for receipt in log.append([new])] == [Appended]
    begin(log, [writer.take(march(7))])
    assert [type(receipt) for receipt in log.receive()] == [Appended]
    assert child(log) != before


@pytest.mark.parametrize("is_stored", [False, True])
def test_a_process_that_is_killed_meanwhile_leaves_the_outcome_unknown(
    log: ConcurrentSqliteLog, path: Path, writer: Writer, is_stored: bool
) -> None:
    new = writer.take(march(6))
    if not is_stored:
        os.kill(child(log), signal.SIGSTOP)
    begin(log, [new])
    if is_stored:
        with SqliteLog(path, read_only=True) as reader:
            eventually(lambda: reader.head(MATCH).seq == new.last)
        eventually(log.has_receipts)
        # What it said is lost with the pipe.
        assert log._pipe is not None
        log._pipe.recv_bytes()
    os.kill(child(log), signal.SIGKILL)
    with pytest.raises(OutcomeUnknown, match="has ended: it is not known"):
        log.receive()

    assert (log.head(MATCH).seq == new.last) == is_stored
    assert [type(receipt) for receipt in log.append([new])] == [AlreadyThere if is_stored else Appended]
    assert log.check() == []


def test_signals_to_all_processes_of_a_server_leave_it_to_the_first(log: ConcurrentSqliteLog, writer: Writer) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(child(log), number)
    begin(log, [writer.take(march(6))])

    assert [type(receipt) for receipt in log.receive()] == [Appended]


def test_closing_appends_what_was_submitted_and_ends_the_process(path: Path) -> None:
    writer = Writer("m")
    log = ConcurrentSqliteLog(path)
    log.append(writer.commits(2))
    new = writer.take(march(3))
    begin(log, [new])
    process = log._process
    log.close()

    assert not process.is_alive()
    with SqliteLog(path, read_only=True) as reader:
        assert reader.head(MATCH).seq == new.last


def test_news_are_the_commits_of_others_also_while_own_ones_are_appended(
    log: ConcurrentSqliteLog, path: Path, writer: Writer
) -> None:
    others = Writer("other").commits(3)
    begin(log, [writer.take(march(6))])
    log.receive()
    log.append([writer.take(march(7))])
    before = list(log.news())
    begin(log, [writer.take(march(8))])
    with SqliteLog(path) as other:
        other.append(others[:1])
        log.await_receipts()
        meanwhile = log.news()
        log.receive()
        other.append(others[1:])
        log.append([writer.take(march(9))])
        after = log.news()

    assert before == []
    assert [one.key for one in meanwhile] == [others[0].key]
    assert [one.key for one in after if one.match == "other"] == [one.key for one in others[1:]]
    assert list(log.news()) == []


def test_after_a_failed_write_nothing_is_submitted_before_the_file_is_settled(
    log: ConcurrentSqliteLog, writer: Writer
) -> None:
    log._is_unsettled = True
    new = writer.take(march(6))

    assert not log.submit([new])
    assert [type(receipt) for receipt in log.append([new])] == [Appended]
    begin(log, [writer.take(march(7))])
    assert [type(receipt) for receipt in log.receive()] == [Appended]


def test_a_process_that_ends_before_it_is_ready_is_not_started_again(path: Path) -> None:
    with ConcurrentSqliteLog(path) as log:
        os.kill(child(log), signal.SIGKILL)
        log._process.join()

        assert not log.submit([Writer("m").take(march(1))])
        assert log.fileno() == -1
        assert [type(receipt) for receipt in log.append(Writer("m").commits(1))] == [Appended]


def test_a_daemonic_process_appends_by_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Daemonic:
        daemon = True

    monkeypatch.setattr("multiprocessing.current_process", Daemonic)
    with ConcurrentSqliteLog(path) as log:
        assert (log.fileno(), log.submit(Writer("m").commits(1))) == (-1, False)


def test_a_process_that_stalls_is_replaced_within_the_bound_and_its_commits_may_be_stored_or_not(
    log: ConcurrentSqliteLog, writer: Writer
) -> None:
    log.stall_s = 0.3
    first = writer.take(march(6))
    begin(log, [first])
    log.receive()
    stalled = child(log)
    new = writer.take(march(7))
    os.kill(stalled, signal.SIGSTOP)
    began = time.monotonic()
    begin(log, [new])
    assert not log.has_stalled()
    assert not log.await_receipts()
    assert log.has_stalled()
    assert not log.has_receipts()
    with pytest.raises(OutcomeUnknown, match=r"did not answer for 0.3 s and was ended: it is not known"):
        log.receive()
    assert time.monotonic() - began < 2.0

    assert child(log) != stalled
    assert [type(receipt) for receipt in log.append([new])] == [Appended]
    assert log.check() == []


def test_receipts_of_a_stalled_process_are_overdue_after_the_bound(log: ConcurrentSqliteLog, writer: Writer) -> None:
    log.stall_s = 0.05
    begin(log, [writer.take(march(6))])
    os.kill(child(log), signal.SIGSTOP)
    eventually(log.has_receipts)
    os.kill(child(log), signal.SIGCONT)


def test_a_lock_of_another_process_is_waited_for_within_a_bound_while_reads_go_on(
    log: ConcurrentSqliteLog, path: Path, writer: Writer
) -> None:
    new = writer.take(march(6))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    with pytest.raises(StoreUnavailable, match="is locked by another process"):
        log.append([new])
    assert time.monotonic() - began < 1.0
    assert log.is_impeded
    assert log.head(MATCH).seq == new.first - 1
    # The second process waits longer, and nobody else for it.
    begin(log, [new])
    assert not log.await_receipts()
    other.execute("COMMIT")
    other.close()

    assert [type(receipt) for receipt in log.receive()] == [Appended]
    assert not log.is_impeded


def test_nothing_is_cached_while_writes_fail(log: ConcurrentSqliteLog, path: Path, writer: Writer) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable):
        log.append([writer.take(march(6))])
    began = time.monotonic()
    for _ in range(20):
        log.save_snapshot(MATCH, 1, b"")
    other.close()

    assert time.monotonic() - began < 0.2
