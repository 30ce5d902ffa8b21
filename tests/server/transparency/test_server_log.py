"""The log of a server: which commits have entries, when checkpoints are signed, and that nothing is signed over changed rows."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from typing_extensions import override

from events.commit import decode_commit
from events.entry_store import NewEntry, Written
from events.errors import OutcomeUnknown, StoreUnavailable
from events.ids import PUBLIC, MatchId
from events.log import NewCommit
from events.memory_log import MemoryLog
from events.transparency.entry import blinded, nonce
from events.transparency.signed_note import Signer
from projections.state.view import see
from server.store.sqlite_log import SqliteLog
from server.transparency.server_log import AGAIN_S, SHARE, SIGN_S, SLICE, ServerLog
from tests.events.making import Writer, end_of, march
from tests.support.server_logs import SIGNER, Kept, KeptKey, caught_up, places, server_log
from tests.support.sitting import FaultyLog, StillClock
from tests.support.twins import twin

Twins = tuple[MemoryLog, MemoryLog]


def entries(log: ServerLog, store: MemoryLog) -> list[bytes]:
    """Return all entries that a log has."""
    return [log._bytes(entry, index) for index, entry in enumerate(store.entries(0, 9_999))]


def filled(*matches: str, commits: int = 5) -> MemoryLog:
    store = MemoryLog()
    for match in matches:
        store.append(Writer(match).commits(commits))
    return store


@pytest.fixture
def twins() -> Twins:
    """Return two matches; in the second one a seat drew another card and wrote three private notes."""
    return _copied(_played(other_card=False)), _copied(_played(other_card=True))


@cache
def _played(*, other_card: bool) -> tuple[NewCommit, ...]:
    # To play a match of Battle, and type its draws, takes seconds.
    store = FaultyLog()
    twin(store, other_card=other_card, notes=3 * other_card)
    return tuple(store.kept)


def _copied(commits: Sequence[NewCommit]) -> MemoryLog:
    store = MemoryLog()
    store.append(commits)
    return store


def test_every_commit_that_spectators_see_something_of_has_an_entry_and_no_other(twins: Twins) -> None:
    _, store = twins
    (match,) = store.matches()
    log = caught_up(server_log(store))
    commits = [decode_commit(stored.body) for stored in store.read(match)]
    public = [commit for commit in commits if any(see(event, PUBLIC) is not None for event in commit.events)]

    assert len(commits) == len(public) + 3
    assert places(entries(log, store)) == [(match, number) for number in range(1, len(public) + 1)]


def test_twins_that_differ_in_a_secret_are_alike_in_entries_and_checkpoints(twins: Twins) -> None:
    """Matches, numbers, sizes and times tell nothing of it."""
    told = []
    for store in twins:
        clock = StillClock()
        log = server_log(store, clock=clock)
        log.heed(decode_commit(one.body) for one in store.written(0, 9_999))
        sizes = []
        for _ in range(5):
            caught_up(log)
            clock.seconds += 0.4
            sizes.append(log.size)
        told.append((places(entries(log, store)), sizes))
    first, second = twins

    assert len(second.written(0, 999)) == len(first.written(0, 999)) + 3
    assert told[0] == told[1]
    assert len(told[0][0]) == told[0][1][-1] > 0


def test_an_entry_is_proved_with_the_public_key_and_unblinded_with_its_nonce() -> None:
    store, clock = filled("a", "b"), StillClock()
    log = server_log(store, clock=clock)
    log.finish()
    for stored in store.written(0, 99):
        proved = log.proof(stored.match, stored.number)

        assert proved is not None
        assert proved.proof.check(proved.entry, SIGNER.verifier).size == 10
        assert proved.commit == stored.number
        assert blinded(proved.nonce, stored.hash).encode() in proved.entry


def test_nonces_follow_from_the_secret_of_the_log() -> None:
    store = filled("a")
    log = server_log(store)
    log.finish()
    proved = log.proof(MatchId("a"), 2)

    assert proved is not None
    assert proved.nonce == nonce(store.logs()[SIGNER.name], 1)


def test_a_commit_without_an_entry_is_covered_by_the_next_one(twins: Twins) -> None:
    _, store = twins
    (match,) = store.matches()
    (note,) = [one for one in store.written(0, 999) if b'"note-2"' in one.body]
    log = server_log(store)
    log.finish()
    proved = log.proof(match, note.number)

    assert proved is not None
    assert proved.commit == note.number + 1


def test_what_no_checkpoint_covers_is_not_proved() -> None:
    store = filled("a")
    log = server_log(store)
    before = log.proof(MatchId("a"), 1)
    log.finish()
    store.append(Writer("b").commits(1))
    log.look()
    caught_up(log)

    assert before is None
    assert log.proof(MatchId("b"), 6) is log.proof(MatchId("a"), 6) is log.proof(MatchId("c"), 1) is None


def test_a_fork_has_entries_of_its_own_commits_only() -> None:
    store = MemoryLog()
    parent = Writer("parent").commits(4)
    store.append([*parent, *Writer("fork", end_of(parent[1])).commits(2)])
    log = caught_up(server_log(store))

    assert places(entries(log, store)) == [
        ("parent", 1),
        ("parent", 2),
        ("parent", 3),
        ("parent", 4),
        ("fork", 1),
        ("fork", 2),
    ]


# Checkpoints


def test_a_checkpoint_is_signed_after_a_turn_began_and_at_most_once_a_second() -> None:
    store, clock = MemoryLog(), StillClock()
    log = server_log(store, clock=clock)
    kept = Kept()
    writer = Writer("a")
    seen = []
    for number in range(6):
        new = writer.open() if number == 0 else writer.take(march(number))
        store.append([new])
        log.heed([decode_commit(new.body)])
        log._is_wanted = True
        clock.seconds += 0.4
        caught_up(log)
        seen.append(None if (shown := kept.see(log)) is None else shown.size)

    assert seen == [None, None, 3, 3, 3, 6]


def test_without_such_an_event_nothing_is_signed_until_it_is_asked_for() -> None:
    store, clock = filled("a"), StillClock()
    log = server_log(store, clock=clock)
    log.heed([decode_commit(one.body) for one in store.written(0, 99)])
    caught_up(log, clock)
    before = log.note
    log.want()
    caught_up(log)

    assert before == ""
    assert log.size == 5


def test_a_checkpoint_is_signed_when_the_server_stops_and_not_twice() -> None:
    store, key = filled("a", commits=SLICE + 3), KeptKey()
    log = server_log(store, key)
    log.finish()
    first = key.signed
    again = server_log(store, key)
    again.finish()

    assert log.size == SLICE + 3
    assert again.note == key.signed == first == store.last_checkpoint()


def test_a_busy_server_gives_the_log_a_small_share_of_its_time() -> None:
    class Slow(MemoryLog):
        @override
        def written(self, after: int, limit: int) -> Sequence[Written]:
            clock.seconds += 0.001
            return super().written(after, limit)

    store, clock = Slow(), StillClock()
    store.append(Writer("a").commits(9 * SLICE))
    log = server_log(store, clock=clock)
    caught_up_to = []
    for _ in range(200):
        log.work()
        clock.seconds += 0.001
        caught_up_to.append(len(log._tree))

    assert caught_up_to[-1] == (1 + 200 // SHARE) * SLICE


# What is not signed


def test_nothing_is_signed_over_rows_that_were_changed() -> None:
    store, key, told = filled("a"), KeptKey(), list[str]()
    server_log(store, key).finish()
    store._entries[2] = store._entries[3]
    log = server_log(store, key, told=told)
    log.finish()

    assert told == [log.problem]
    assert "the first 5 entries of the log war.example/log are not those that were signed" in log.problem
    assert log.note == ""


def test_nothing_is_signed_in_an_earlier_copy_of_the_store() -> None:
    writer, key, told = Writer("a"), KeptKey(), list[str]()
    commits = writer.commits(5)
    store, copy = MemoryLog(), MemoryLog()
    store.append(commits)
    server_log(store, key).finish()
    copy.begin_log(SIGNER.name, store.logs()[SIGNER.name])
    copy.append(commits[:3])
    server_log(copy, key, told=told).finish()

    assert len(told) == 1
    assert "was signed with 5 entries, and this store has 0: it is a copy of an earlier state" in told[0]


def test_an_earlier_copy_that_went_on_is_found_by_its_root() -> None:
    store, copy, key, told = filled("a"), filled("b"), KeptKey(), list[str]()
    server_log(store, key).finish()
    copy.begin_log(SIGNER.name, store.logs()[SIGNER.name])
    copy.append_entries(0, [NewEntry(number) for number in range(1, 6)])
    server_log(copy, key, told=told).finish()

    assert len(told) == 1
    assert "not those that were signed" in told[0]


def test_a_new_log_begins_with_all_that_is_stored_and_ends_the_one_before() -> None:
    store, told = filled("a"), list[str]()
    server_log(store).finish()
    new = Signer(f"{SIGNER.name}/2", bytes(32))
    log = server_log(store, KeptKey(new))
    log.finish()
    server_log(store, told=told).finish()

    assert Kept(new).see(log)
    assert log.size == 5
    assert told == ["the log war.example/log ended when war.example/log/2 began in this store"]


def test_a_store_that_fails_is_tried_again_later() -> None:
    class Failing(MemoryLog):
        failures: list[Exception]

        @override
        def append_entries(self, after: int, entries: Sequence[NewEntry]) -> None:
            if self.failures:
                raise self.failures.pop()
            super().append_entries(after, entries)

    store, clock, told = Failing(), StillClock(), list[str]()
    store.append(Writer("a").commits(3))
    store.failures = [StoreUnavailable("full")]
    log = server_log(store, clock=clock, told=told)
    caught_up(log)
    failed = len(log._tree)
    caught_up(log)
    clock.seconds += AGAIN_S
    caught_up(log)

    assert failed == 0
    assert len(log._tree) == 3
    assert told == []


def test_entries_whose_outcome_was_unknown_are_read_again() -> None:
    class Unknown(MemoryLog):
        is_failing = True

        @override
        def append_entries(self, after: int, entries: Sequence[NewEntry]) -> None:
            super().append_entries(after, entries)
            if self.is_failing:
                self.is_failing = False
                raise OutcomeUnknown("the disk fails")

    store, clock = Unknown(), StillClock()
    store.append(Writer("a").commits(3))
    log = server_log(store, clock=clock)
    sizes = []
    for _ in range(3):
        caught_up(log)
        sizes.append((log.size, log.note))
        clock.seconds += AGAIN_S + SIGN_S
    log.finish()

    assert sizes == [(0, "")] * 3
    assert log.size == 3


def test_a_checkpoint_is_not_shown_while_the_rows_are_read_again() -> None:
    """Another process has written entries; without the tree nothing can be proved of the checkpoint."""
    store, clock = filled("a"), StillClock()
    log = server_log(store, clock=clock)
    log.finish()
    store.append(Writer("b").commits(1))
    store.append_entries(5, [NewEntry(6)])
    log.look()
    shown = []
    for _ in range(3):
        log.work(is_idle=True)
        shown.append((log.size, log.note != ""))
        clock.seconds += AGAIN_S
    caught_up(log)

    assert shown[0] == (0, False)
    assert (log.size, len(log._tree)) == (5, 6)


def test_a_server_that_stops_does_not_wait_for_a_log_that_is_far_behind(tmp_path: Path) -> None:
    class Slow(MemoryLog):
        @override
        def written(self, after: int, limit: int) -> Sequence[Written]:
            clock.seconds += 0.25
            return super().written(after, limit)

    store, key, clock = Slow(), KeptKey(), StillClock()
    store.append(Writer("a").commits(9 * SLICE))
    first = server_log(store, key, clock)
    first.finish(1.0)
    second = server_log(store, key, clock)
    second.finish()

    assert (first.size, second.size) == (4 * SLICE, 9 * SLICE)


@pytest.mark.parametrize("commits", [1, SLICE, SLICE + 1, 3 * SLICE])
def test_a_log_that_is_opened_again_is_the_same(tmp_path: Path, commits: int) -> None:
    key, kept = KeptKey(), Kept()
    for more in ("a", "b"):
        with SqliteLog(tmp_path / "store.db") as store:
            store.append(Writer(more).commits(commits))
            log = server_log(store, key)
            log.finish()
            kept.see(log)

    assert sorted(kept.roots) == [commits, 2 * commits]
