"""The state of matches, read from stored summaries, which are made again with as little reading as possible."""

import inspect
import sys
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from typing_extensions import override

from core.history.match_reader import SAVED_AT_ONCE, read_match, relatives, summaries, summary_at_head, summary_of
from core.match.live_match import load_match
from events.commit import Head, chain_hash
from events.errors import BrokenEvidence, UnknownMatch
from events.ids import ARBITER, PUBLIC, MatchId
from events.log import NewSummary, Stored, StoredSummary
from events.memory_log import MemoryLog
from events.vocabulary import MatchForked
from projections.catalogue import Summary, encode_summary, summarize
from projections.snapshot import take_snapshot
from projections.state.view import SeatView
from tests.events.making import Writer, end_of
from tests.support.desk import Desk
from tests.support.rows import each_row
from tests.support.skirmish import BLUE, RED


class ReadLog(MemoryLog):
    """Records which commits were read."""

    def __init__(self) -> None:
        super().__init__()
        self.commits_read: list[tuple[MatchId, int]] = []

    @override
    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        found = list(super().read(match, after, upto))
        self.commits_read += [(stored.match, stored.first) for stored in found]
        return iter(found)


def told(log: MemoryLog, match: str) -> Summary | str:
    return dict(summaries(log))[MatchId(match)]


def test_a_summary_at_the_head_is_used_without_reading_commits() -> None:
    log = ReadLog()
    desk = Desk.open(log=log).play(9, Random(1))
    kept = summarize(desk.match.id, desk.table, 99)
    log.save_summaries([NewSummary(desk.match.id, desk.match.head, encode_summary(kept))])
    log.commits_read.clear()

    assert summary_at_head(log, desk.match.id) == kept == told(log, desk.match.id)
    assert log.commits_read == []


@each_row("content", [b"", b"spoilt", None])
def test_a_stale_or_damaged_summary_is_made_again_and_stored(content: bytes | None) -> None:
    log = ReadLog()
    desk = Desk.open(log=log)
    if content is None:
        log.save_summaries(
            [NewSummary(desk.match.id, desk.match.head, encode_summary(summarize(desk.match.id, desk.table)))]
        )
        desk.play(3, Random(1))
    else:
        log.save_summaries([NewSummary(desk.match.id, desk.match.head, content)])
    wanted = summary_of(log, desk.match.id, desk.table)

    assert summary_at_head(log, desk.match.id) == wanted
    assert told(log, desk.match.id) == wanted

    log.commits_read.clear()

    assert told(log, desk.match.id) == wanted
    assert log.commits_read == []


def test_a_summary_is_made_from_the_last_snapshot_and_later_commits() -> None:
    log = ReadLog()
    desk = Desk.open(log=log).play(9, Random(1))
    log.save_snapshot(desk.match.id, desk.table.seq, take_snapshot(desk.table, desk.match.head.hash))
    kept = desk.table.seq
    desk.play(2, Random(1))
    log.commits_read.clear()

    found = summary_at_head(log, desk.match.id)

    # The table is folded first; then the last commits say since when the match waits.
    assert log.commits_read[0][1] == kept + 1
    assert found == summary_of(log, desk.match.id, desk.table)


@pytest.mark.interpreted
def test_only_stale_summaries_are_saved_and_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.history.match_reader.SAVED_AT_ONCE", 3)
    log = MemoryLog()
    for number in range(7):
        Desk.open(log=log, name=f"m{number}")
    saved: list[list[str]] = []

    def save(batch: Sequence[NewSummary]) -> None:
        saved.append([new.match for new in batch])
        log.save_summaries(batch)

    first = list(summaries(log, save=save))

    assert saved == [["m0", "m1", "m2"], ["m3", "m4", "m5"], ["m6"]]
    assert list(summaries(log, save=save)) == first
    assert len(saved) == 3
    assert [match for match, _ in summaries(log, MatchId("m2"), 2)] == ["m3", "m4"]
    assert SAVED_AT_ONCE > 100


@each_row("hidden", ["truth", "resample"])
def test_a_fork_states_its_fork_point_in_public_numbers(hidden: str) -> None:
    parent = Desk.open(options={"fog": True})
    parent.accept({"do": "match:note", "text": "mine", "private": True}, RED)
    parent.play(4, Random(1))
    fork = parent.fork(parent.commits[-1].last, hidden=hidden, seat=RED if hidden == "resample" else ARBITER)
    fork.play(2, Random(1))
    kept = read_match(fork.log, fork.match.id)
    first = next(commit for commit in kept.commits if commit.match == fork.match.id)
    seen = SeatView.after(kept.table, PUBLIC, first.first - 1).take(first.events, first.at, first.last)
    assert seen is not None
    event = seen.events[0]
    assert isinstance(event, MatchForked)
    summary = summary_at_head(fork.log, fork.match.id)

    assert (summary.shown.parent, summary.shown.forked_at) == (parent.match.id, event.at)
    assert summary.shown.forked_at == parent.commits[-1].last - 1
    # Red alone has seen its private note.
    assert summary.numbers == {seat: kept.table.seq - (seat != RED) for seat in (RED, BLUE, PUBLIC)}


def test_a_damaged_match_is_named_and_the_others_are_listed() -> None:
    log = MemoryLog()
    desks = [Desk.open(log=log, name=name).play(3, Random(1)) for name in ("a", "b", "c")]
    commits = log._streams[MatchId("b")].commits
    del commits[1]

    assert told(log, "a") == summary_of(log, MatchId("a"), desks[0].table)
    assert told(log, "b") == f"event 2: this commit begins with event {commits[1].first}"
    assert told(log, "c") == summary_of(log, MatchId("c"), desks[2].table)
    with pytest.raises(BrokenEvidence):
        summary_at_head(log, MatchId("b"))


def test_an_undecodable_commit_is_named_when_a_summary_is_made() -> None:
    log = MemoryLog()
    desk = Desk.open(log=log).play(3, Random(1))
    commits = log._streams[desk.match.id].commits
    bad = commits[2]
    commits[2] = Stored(bad.match, bad.first, bad.last, bad.key, chain_hash(b"{}"), b"{}")

    assert str(told(log, desk.match.id)).startswith(f"event {bad.first}: this is not a valid commit: ")


def test_a_commit_whose_bytes_were_changed_is_named_when_a_summary_is_made() -> None:
    log = MemoryLog()
    desk = Desk.open(log=log).play(3, Random(1))
    commits = log._streams[desk.match.id].commits
    bad = commits[2]
    commits[2] = Stored(bad.match, bad.first, bad.last, bad.key, bad.hash, bad.body.replace(b'"at":', b'"at":1'))

    assert str(told(log, desk.match.id)).startswith(f"event {bad.first}: the bytes of this commit are not those")


def test_damage_found_by_the_log_is_reported() -> None:
    class Damaged(MemoryLog):
        @override
        def summary(self, match: MatchId) -> StoredSummary:
            return StoredSummary(match, Head(), damage=BrokenEvidence(match, 7, "this event is missing"))

    log = Damaged()
    Desk.open(log=log)

    assert told(log, "m1") == "event 7: this event is missing"


# Families


def test_the_family_of_a_match_is_found_from_any_of_them() -> None:
    log = MemoryLog()
    root = Writer("root").commits(3)
    child = Writer("child", end_of(root[1])).commits(2)
    log.append([*root, *child])
    for name, origin in {"grandchild": child[1], "sibling": root[0]}.items():
        log.append([Writer(name, end_of(origin)).open()])
    log.append([Writer("stranger").open()])
    everybody = {"root", "child", "grandchild", "sibling"}

    assert {match: set(relatives(log, MatchId(match))) for match in everybody} == dict.fromkeys(everybody, everybody)
    assert relatives(log, MatchId("stranger")) == ["stranger"]
    with pytest.raises(UnknownMatch):
        relatives(log, MatchId("gone"))


def test_a_fork_of_forks_deeper_than_python_recurses_is_loaded() -> None:
    root = Desk.open()
    deepest = root
    # So many frames are left to what is tested, because making more than a thousand forks takes long.
    left = 200
    for number in range(left + 50):
        deepest = deepest.fork(deepest.match.head.seq, dice="seeded", name=f"f{number}")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + left)
    try:
        loaded = load_match(root.log, deepest.match.id)
        family = relatives(root.log, root.match.id)
    finally:
        sys.setrecursionlimit(limit)

    assert (loaded.head, loaded.table) == (deepest.match.head, deepest.match.table)
    assert len(family) == left + 51
