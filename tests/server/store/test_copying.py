"""Copies between stores of any kind: the same bytes, taken up again where they were broken off, and checked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.codec import replace
from events.entry_store import NewEntry
from events.errors import BrokenEvidence, LogMisuse, StoreUnavailable
from events.ids import ARBITER, StudyId
from events.log import Log
from events.memory_log import MemoryLog
from events.transparency.checkpoint import checkpoint_in
from events.transparency.signed_note import read_note
from server.client.local import local_client
from server.store.copying import Copied, copy_log
from server.store.opening import open_log
from server.store.sqlite_log import SqliteLog
from tests.events.making import Writer
from tests.support.server_logs import caught_up, server_log
from tests.support.sitting import FaultyLog, Sitting
from tests.support.skirmish import BOARD


@pytest.fixture
def played() -> MemoryLog:
    """Return a store with a match on a board of its own, its fork, another match with sealed dice, and a capability."""
    log = MemoryLog()
    with local_client(log) as owner:
        first = owner.open("skirmish", dice="seeded", seed="3", board=BOARD).match
        for seat in owner.state(first).table.seats:
            owner.take_seat(first, seat, sign=False)
        owner.play(first, owner.legal(first, ARBITER).to_move, 1)
        owner.fork(first)
        owner.open("skirmish")
    log.appoint("Ann", "ab" * 32)
    for number in (1, 2):
        log.append_study(first, StudyId("study"), number, bytes(number))
    return log


@pytest.fixture
def target(tmp_path: Path) -> Iterator[SqliteLog]:
    with SqliteLog(tmp_path / "copy.db") as log:
        yield log


def content(log: Log) -> object:
    """Return all evidence of a store."""
    commits = {match: list(log.read(match)) for match in log.matches()}
    files = [log.attachment(local_client(log).state(match).table.board) for match in log.matches()]
    rest = [(log.origin(match), log.seed(match), log.forks(match)) for match in log.matches()]
    studies = [list(log.study(match, study)) for match in log.matches() for study in log.studies(match)]
    return log.matches(), commits, rest, files, studies, log.appointed(), log.logs(), log.last_checkpoint()


def test_a_copy_has_the_same_matches_and_secrets_and_goes_back_again(played: MemoryLog, target: SqliteLog) -> None:
    caught_up(server_log(played)).finish()
    again = MemoryLog()
    there = copy_log(played, target)
    back = copy_log(target, again)

    assert there == back == Copied(3, len(played.written(0, 100)), 0)
    assert checkpoint_in(read_note(played.last_checkpoint())).size > 0
    assert content(target) == content(again) == content(played)
    assert list(target.entries(0, 100)) == list(played.entries(0, 100))


def test_a_copy_that_was_broken_off_is_taken_up_again_and_brought_up_to_date(
    played: MemoryLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.store.copying.PART", 2)
    copy = FaultyLog()
    copy.failures = [StoreUnavailable("the disk is full")]
    with pytest.raises(StoreUnavailable):
        copy_log(played, copy)
    copy_log(played, copy)
    match = played.matches()[0]
    with local_client(played) as owner:
        owner.play(match, ARBITER, '{"do":"match:note","text":"later"}')
    caught_up(server_log(played)).finish()

    assert copy_log(played, copy) == Copied(3, 1, len(played.written(0, 100)) - 1)
    assert content(copy) == content(played)


def test_a_copy_with_many_entries_of_the_log_is_brought_up_to_date(
    target: SqliteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Far more than are copied in one step."""
    monkeypatch.setattr("server.store.copying.PART", 3)
    source = MemoryLog()
    for name in "ab":
        source.append(Writer(name).commits(10))
        caught_up(server_log(source)).finish()
        copy_log(source, target)

    assert list(target.entries(0, 100)) == list(source.entries(0, 100))
    assert len(target.entries(0, 100)) == 20


def test_a_store_that_holds_other_entries_of_the_log_is_no_copy(target: SqliteLog) -> None:
    source = MemoryLog()
    source.append(Writer("a").commits(3))
    copy_log(source, target)
    caught_up(server_log(source)).finish()
    target.append_entries(0, [NewEntry(key=b"of another log")])

    with pytest.raises(LogMisuse, match="other entries of the server's log from 1 on"):
        copy_log(source, target)


def test_a_store_that_holds_other_matches_or_other_commits_is_no_copy(played: MemoryLog) -> None:
    stranger, other = MemoryLog(), MemoryLog()
    Sitting(stranger)
    copy_log(played, other)
    match = played.matches()[0]
    for log in (played, other):
        with local_client(log) as owner:
            owner.play(match, ARBITER, f'{{"do":"match:note","text":"{id(log)}"}}')

    with pytest.raises(LogMisuse, match="which the store does not have: copy to an empty store"):
        copy_log(played, stranger)
    with pytest.raises(LogMisuse, match="ends with a commit that the store does not have"):
        copy_log(played, other)


def test_a_copy_of_a_damaged_match_is_told(played: MemoryLog) -> None:
    commits = Writer("m").commits(3)
    played.append([*commits[:2], replace(commits[2], body=commits[2].body.replace(b"grenadier", b"musketeer"))])

    with pytest.raises(BrokenEvidence, match="match m"):
        copy_log(played, MemoryLog())


def test_only_locators_that_are_known_are_opened(tmp_path: Path) -> None:
    with open_log(str(tmp_path / "new.db")) as made:
        assert made.matches() == ()
    with pytest.raises(StoreUnavailable, match=r"a store is a file .*, not 'ftp://host'"):
        open_log("ftp://host")
