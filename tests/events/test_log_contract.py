"""The contract of every log, tested on each adapter; reading is also tested on a second connection beside the writer."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, cast

import pytest

from events.commit import Head
from events.entry_store import NewEntry, StoredEntry, Written
from events.errors import LogMisuse, LostRace, NoForkPoint, UnknownMatch
from events.ids import Digest, MatchId, Seat, StudyId
from events.log import (
    BATCH_MAX,
    NEWS_MAX,
    AlreadyThere,
    Appended,
    Log,
    NewCommit,
    NewSummary,
    Origin,
    Stored,
    StoredSummary,
    fork_point,
)
from events.memory_log import MemoryLog
from server.store.jetstream.jetstream_log import JetStreamLog
from server.store.postgres.postgres_log import PostgresLog
from server.store.sqlite_log import SqliteLog
from tests.events.making import BOARD, BOARD_DIGEST, Writer, end_of, march
from tests.support.nats_server import Nats, nats_servers
from tests.support.postgres_server import Postgres, postgres_server
from tests.support.soak import sampled

SEED = "ab" * 32
LONG = 1_500


class Pair(NamedTuple):
    """A log to write to and one to read from, which may be the same."""

    writes: Log
    reads: Log

    def append(self, *batch: NewCommit) -> list[type]:
        """Append a batch and return the kinds of its receipts."""
        return [type(receipt) for receipt in self.writes.append(batch)]

    def bodies(self, match: str, after: int = 0, upto: int | None = None) -> list[bytes]:
        """Return the bodies of the commits in a log."""
        return [stored.body for stored in self.reads.read(MatchId(match), after, upto)]


@pytest.fixture(scope="module")
def nats() -> Iterator[Nats]:
    with nats_servers() as made:
        yield made


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with postgres_server() as made:
        yield made


WAYS = [
    *("memory", "sqlite", "sqlite beside its writer", "sqlite opened anew each time", "jetstream"),
    *("jetstream beside its writer", "postgres beside its writer"),
]
"""How a log is read: by what writes to it, or by another one of the same store."""


@pytest.fixture(params=sampled(WAYS, lambda way: way == "memory" or way.endswith("beside its writer")))
def logs(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    if request.param == "memory":
        memory = MemoryLog()
        yield Pair(memory, memory)
        return
    if request.param.startswith("jetstream"):
        cluster = request.getfixturevalue("nats").store()
        with JetStreamLog(cluster) as one, JetStreamLog(cluster) as other:
            yield Pair(one, one if request.param == "jetstream" else other)
        return
    if request.param.startswith("postgres"):
        database = request.getfixturevalue("postgres").emptied()
        with PostgresLog(database) as one, PostgresLog(database, read_only=True) as other:
            yield Pair(one, other)
        return
    path = tmp_path / "store.db"
    with SqliteLog(path) as writer:
        if request.param == "sqlite":
            yield Pair(writer, writer)
        elif request.param == "sqlite beside its writer":
            with SqliteLog(path, read_only=True) as reader:
                yield Pair(writer, reader)
        else:
            anew = cast("Log", _Anew(path))
            yield Pair(anew, anew)


class _Anew:
    """Opens the store for each call, as the command line does."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __getattr__(self, name: str) -> Callable[..., object]:
        def call(*arguments: object, **named: object) -> object:
            with SqliteLog(self._path) as log:
                result = getattr(log, name)(*arguments, **named)
                return iter(list(result)) if name == "read" else result

        return call


@pytest.fixture(params=["memory", "sqlite", "jetstream", "postgres"])
def writers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Log, Log]]:
    """Two logs of one store, which both write."""
    if request.param == "memory":
        memory = MemoryLog()
        yield memory, memory.beside()
        return
    if request.param == "jetstream":
        cluster = request.getfixturevalue("nats").store()
        with JetStreamLog(cluster) as first, JetStreamLog(cluster) as second:
            yield first, second
        return
    if request.param == "postgres":
        database = request.getfixturevalue("postgres").emptied()
        with PostgresLog(database) as left, PostgresLog(database) as right:
            yield left, right
        return
    with SqliteLog(tmp_path / "store.db") as one, SqliteLog(tmp_path / "store.db") as other:
        yield one, other


def stored(new: NewCommit) -> Stored:
    return Stored(new.match, new.first, new.last, new.key, new.hash, new.body)


def bodies(commits: Sequence[NewCommit]) -> list[bytes]:
    return [new.body for new in commits]


# Several writers


def heard(log: Log, least: int) -> list[Stored]:
    """Return news as soon as there are so many; they may be late."""
    found: list[Stored] = []
    until = time.monotonic() + 10
    while len(found) < least and time.monotonic() < until:
        found += log.news()
    return [*found, *log.news()]


def test_news_are_what_others_appended_in_the_order_of_the_store_and_each_once(writers: tuple[Log, Log]) -> None:
    one, other = writers
    left, right = Writer("left").commits(4), Writer("right").commits(4)
    one.append([left[0], right[0]])
    first = heard(other, 2)
    other.append([left[1]])
    own = other.news()
    one.append([right[1], left[2]])
    other.append([right[2]])
    second = heard(other, 2)
    one.append([right[3]])

    assert first == [stored(left[0]), stored(right[0])]
    assert list(own) == []
    assert [found for found in second if found.key != right[2].key] == [stored(right[1]), stored(left[2])]
    assert heard(other, 1) == [stored(right[3])]
    assert heard(other, 0) == []


def test_many_news_come_in_parts(writers: tuple[Log, Log]) -> None:
    one, other = writers
    commits = Writer("m").commits(NEWS_MAX + 5)
    one.append(commits[: NEWS_MAX // 2])
    one.append(commits[NEWS_MAX // 2 :])
    heard_of = other.news()
    while not heard_of:
        heard_of = other.news()
    rest = heard(other, len(commits) - len(heard_of))

    assert len(heard_of) <= NEWS_MAX < len(commits)
    assert [*heard_of, *rest] == [stored(new) for new in commits]


def test_after_a_lost_race_the_head_is_the_one_that_won(writers: tuple[Log, Log]) -> None:
    one, other = writers
    writer = Writer("m")
    first = writer.commits(1)
    one.append(first)
    known = other.head(MatchId("m"))
    won = writer.take(march(6))
    one.append([won])
    late = Writer("m").commits(2)[1]
    receipts = other.append([NewCommit(late.match, late.first, late.last, "late", late.hash, late.body)])

    assert known.seq == first[0].last
    assert [type(receipt) for receipt in receipts] == [LostRace]
    assert other.head(MatchId("m")) == Head(won.last, won.hash)


# Appending


def test_what_was_appended_is_read_again_in_order(logs: Pair) -> None:
    commits = Writer("m").commits(5)
    for new in commits:
        receipts = logs.writes.append([new])

        assert receipts == [Appended(stored(new))]

    assert list(logs.reads.read(MatchId("m"))) == [stored(new) for new in commits]
    assert logs.reads.head(MatchId("m")) == Head(commits[-1].last, commits[-1].hash)


def test_an_empty_batch_has_no_effect(logs: Pair) -> None:
    assert logs.writes.append([]) == []
    assert list(logs.reads.matches()) == []


def test_a_batch_may_hold_many_commits_of_many_matches(logs: Pair) -> None:
    one, two = Writer("one").commits(3), Writer("two").commits(3)
    mixed = [new for both in zip(one, two, strict=True) for new in both]

    assert logs.append(*mixed) == [Appended] * 6
    assert logs.bodies("one") == bodies(one)
    assert logs.bodies("two") == bodies(two)


def test_a_batch_may_go_on_with_a_match_before_it_opens_another(logs: Pair) -> None:
    known, other = Writer("known"), Writer("other")
    logs.append(known.open())
    more = [known.take(march(1)), other.open(seed="seed")]

    assert logs.append(*more) == [Appended] * 2
    assert logs.bodies("other") == bodies(more[1:])


def test_a_key_sent_again_is_answered_with_the_first_commit(logs: Pair) -> None:
    writer = Writer("m")
    first, second = writer.open(), writer.take(march(1), key="again")
    third, retried = writer.take(march(2)), writer.take(march(3), key="again")
    logs.append(first, second, third)

    assert logs.writes.append([retried]) == [AlreadyThere(stored(second))]
    assert logs.bodies("m") == bodies([first, second, third])


def test_a_key_sent_twice_in_one_batch_takes_effect_once(logs: Pair) -> None:
    first = Writer("m").open()

    assert logs.append(first, first) == [Appended, AlreadyThere]
    assert logs.bodies("m") == [first.body]


def test_a_known_key_comes_before_a_lost_race(logs: Pair) -> None:
    first, second, third = Writer("m").commits(3)
    logs.append(first, second, third)

    assert logs.append(first) == [AlreadyThere]


def test_two_matches_may_use_the_same_key(logs: Pair) -> None:
    one, two = Writer("one"), Writer("two")

    assert logs.append(one.take(march(1), key="k"), two.take(march(1), key="k")) == [Appended, Appended]


@pytest.mark.parametrize("skipped", [0, 2])
def test_a_commit_that_does_not_follow_the_head_has_lost_the_race(logs: Pair, skipped: int) -> None:
    """This applies to a commit that comes too late and to one that would leave a gap."""
    writer = Writer("m")
    commits = [writer.open(), writer.take(march(1)), writer.take(march(2)), writer.take(march(3))]
    rival = Writer("m")
    rival.open()
    late = rival.take(march(4), key="late")
    logs.append(*commits[:2])
    (receipt,) = logs.writes.append([late if skipped == 0 else commits[3]])
    expected = late.first - 1 if skipped == 0 else commits[3].first - 1

    assert isinstance(receipt, LostRace)
    assert (receipt.match, receipt.expected, receipt.actual) == (MatchId("m"), expected, commits[1].last)
    assert logs.bodies("m") == bodies(commits[:2])


def test_a_match_that_does_not_begin_with_its_first_event_has_lost_the_race(logs: Pair) -> None:
    _, second = Writer("m").commits(2)

    assert logs.append(second) == [LostRace]
    assert list(logs.reads.matches()) == []
    with pytest.raises(UnknownMatch):
        logs.reads.head(MatchId("m"))


def test_a_lost_race_does_not_affect_other_matches_of_its_batch(logs: Pair) -> None:
    one, two = Writer("one").commits(2), Writer("two").commits(3)

    assert logs.append(one[0], two[1], one[1], two[0]) == [Appended, LostRace, Appended, LostRace]
    assert logs.append(two[0]) == [Appended]
    assert logs.bodies("one") == bodies(one)
    assert logs.bodies("two") == bodies(two[:1])


def test_what_follows_a_commit_that_is_not_appended_loses_the_race_too(logs: Pair) -> None:
    mine, rival = Writer("m"), Writer("m")
    opening = mine.open()
    rival.head = mine.head
    logs.append(opening)
    ours = [mine.take(march(1), key="a"), mine.take(march(2), key="b")]
    theirs = rival.take(march(3), key="a")
    logs.append(theirs)

    assert logs.append(*ours) == [AlreadyThere, LostRace]
    assert logs.bodies("m") == bodies([opening, theirs])


def test_later_commits_of_a_match_in_a_batch_follow_its_first(logs: Pair) -> None:
    fork = Writer("fork", end_of(Writer("m").open()))
    writer = Writer("m")

    assert logs.append(writer.open(), fork.open(), fork.take(march(1)), writer.take(march(2))) == [Appended] * 4


def misfit(name: str, parent: list[NewCommit]) -> NewCommit:
    """Return a commit that no log may accept."""
    last = parent[-1]
    origins = {
        "fork of a missing match": Origin(MatchId("gone"), last.last, last.hash),
        "fork of a commit's middle": Origin(last.match, last.last - 1, last.hash),
        "fork beyond the end": Origin(last.match, last.last + 1, last.hash),
        "fork with another hash": Origin(last.match, last.last, parent[0].hash),
        "fork of nothing": Origin(last.match, 0, Head().hash),
    }
    if name in origins:
        return Writer("fork", origins[name]).open()
    follower = Writer("m")
    follower.head = Head(last.last, last.hash)
    follower.count = 1
    if name == "no events":
        new = follower.take(march(9))
        return NewCommit(new.match, new.first, new.first - 1, new.key, new.hash, new.body)
    if name == "another seed":
        return follower.take(march(9), key="k", seed="cd" * 32)
    assert name == "an origin too late"
    new = follower.take(march(9), key="k")
    return NewCommit(new.match, new.first, new.last, new.key, new.hash, new.body, end_of(parent[0]))


@pytest.mark.parametrize(
    "name",
    [
        "fork of a missing match",
        "fork of a commit's middle",
        "fork beyond the end",
        "fork with another hash",
        "fork of nothing",
        "no events",
        "another seed",
        "an origin too late",
    ],
)
def test_an_impossible_commit_fails_its_whole_batch(logs: Pair, name: str) -> None:
    """Such a commit is a programming error: nothing of the batch is written, and the log stays usable."""
    writer = Writer("m")
    kept = [writer.open(seed=SEED), writer.take(march(1)), writer.take(march(2))]
    logs.append(*kept)
    new, other = writer.take(march(3)), Writer("other")
    batch = [other.open(seed=SEED), other.take(march(1)), misfit(name, kept), new]

    with pytest.raises((LogMisuse, UnknownMatch)):
        logs.append(*batch)

    assert list(logs.reads.matches()) == ["m"]
    assert logs.bodies("m") == bodies(kept)
    assert logs.reads.find(MatchId("other"), batch[0].key) is None
    assert logs.reads.seed(MatchId("other")) == ""
    assert logs.append(*batch[:2], new) == [Appended] * 3
    assert logs.reads.seed(MatchId("other")) == SEED


def test_the_seed_of_a_failed_batch_is_not_stored(logs: Pair) -> None:
    writer = Writer("m")
    first = writer.open()
    logs.append(first)
    with pytest.raises(UnknownMatch):
        logs.append(writer.take(march(1), seed=SEED), misfit("fork of a missing match", [first]))

    assert logs.reads.seed(MatchId("m")) == ""


def test_a_failed_batch_leaves_the_seed_that_was_there(logs: Pair) -> None:
    writer = Writer("m")
    first = writer.open(seed=SEED)
    logs.append(first)
    with pytest.raises(UnknownMatch):
        logs.append(writer.take(march(1), seed=SEED), misfit("fork of a missing match", [first]))

    assert logs.reads.seed(MatchId("m")) == SEED


# Reading


def test_a_range_is_read_by_whole_commits(logs: Pair) -> None:
    commits = Writer("m").commits(8)
    logs.append(*commits)
    for after in range(commits[-1].last + 3):
        for upto in [*range(commits[-1].last + 3), None]:
            wanted = [new.body for new in commits if new.last > after and (upto is None or new.first <= upto)]

            assert logs.bodies("m", after, upto) == wanted, (after, upto)


def test_a_long_match_is_read_completely_and_without_other_matches(logs: Pair) -> None:
    """The match is longer than an adapter fetches at once."""
    before, match, after = Writer("a").commits(3), Writer("m").commits(LONG), Writer("z").commits(3)
    logs.append(*before, *match[:700], *after)
    logs.append(*match[700:])

    assert logs.bodies("m") == bodies(match)
    assert logs.bodies("m", match[LONG - 2].last) == [match[-1].body]
    assert logs.bodies("m", 0, match[600].first) == bodies(match[:601])
    assert logs.bodies("m", 2**40) == []
    assert logs.bodies("m", 0, 2**40) == bodies(match)


def test_commits_appended_during_a_read_are_not_part_of_it(logs: Pair) -> None:
    commits = Writer("m").commits(4)
    logs.append(*commits[:2])
    reading = logs.reads.read(MatchId("m"))
    next(reading)
    logs.append(*commits[2:])

    assert [found.body for found in reading] == [commits[1].body]


def test_two_readers_can_read_at_once(logs: Pair) -> None:
    commits = Writer("m").commits(4)
    logs.append(*commits)
    pairs = list(zip(logs.reads.read(MatchId("m")), logs.reads.read(MatchId("m")), strict=True))

    assert [one.body for one, _ in pairs] == [two.body for _, two in pairs] == bodies(commits)


@pytest.mark.parametrize("ask", ["head", "read", "origin", "forks", "summary"])
def test_reading_a_missing_match_fails_at_once(logs: Pair, ask: str) -> None:
    with pytest.raises(UnknownMatch, match="no match 'gone' in this store"):
        getattr(logs.reads, ask)(MatchId("gone"))


def test_parts_of_a_missing_match_are_not_found(logs: Pair) -> None:
    gone = MatchId("gone")

    assert logs.reads.find(gone, "k") is None
    assert logs.reads.seed(gone) == ""
    assert logs.reads.snapshot(gone, 9) is None


def test_matches_are_listed_in_the_order_of_their_opening(logs: Pair) -> None:
    writers = [Writer(name) for name in ("zebra", "ape", "Ärger", "ape2")]
    for writer in writers:
        logs.append(writer.open())
    logs.append(writers[0].take(march(1)))

    assert list(logs.reads.matches()) == ["zebra", "ape", "Ärger", "ape2"]


def test_matches_are_listed_in_pages(logs: Pair) -> None:
    names = [f"m{number}" for number in range(7)]
    for name in names:
        logs.append(Writer(name).open())
    pages = [logs.reads.matches(MatchId(after), 3) for after in ("m0", "m3", "m5", "m6")]

    assert list(logs.reads.matches(limit=2)) == ["m0", "m1"]
    assert list(map(list, pages)) == [["m1", "m2", "m3"], ["m4", "m5", "m6"], ["m6"], []]
    assert list(logs.reads.matches(MatchId("m4"))) == ["m5", "m6"]


@pytest.mark.parametrize("ask", ["matches", "summaries"])
def test_a_page_after_a_missing_match_fails(logs: Pair, ask: str) -> None:
    logs.append(Writer("m").open())
    with pytest.raises(UnknownMatch, match="no match 'gone' in this store"):
        getattr(logs.reads, ask)(MatchId("gone"), 3)


def test_matches_are_found_by_a_prefix_of_their_ids(logs: Pair) -> None:
    for name in ("zebra", "äpfel", "apricot", "ap", "app%", "apx", "a"):
        logs.append(Writer(name).open())

    assert list(logs.reads.matches_like("ap", 9)) == ["ap", "app%", "apricot", "apx"]
    assert list(logs.reads.matches_like("ap", 2)) == ["ap", "app%"]
    assert list(logs.reads.matches_like("ä", 9)) == ["äpfel"]
    assert list(logs.reads.matches_like("app_", 9)) == []
    assert len(logs.reads.matches_like("", 9)) == 7


def test_a_commit_is_found_by_its_key(logs: Pair) -> None:
    commits = Writer("m").commits(3)
    logs.append(*commits)

    assert logs.reads.find(MatchId("m"), commits[1].key) == stored(commits[1])
    assert logs.reads.find(MatchId("m"), "no such key") is None


# Forks


class Family(NamedTuple):
    """A match, its fork, a fork of the fork, and a second fork of the match."""

    root: list[NewCommit]
    child: list[NewCommit]
    grandchild: list[NewCommit]
    sibling: list[NewCommit]


@pytest.fixture
def family(logs: Pair) -> Family:
    root = Writer("root").commits(6)
    child = Writer("child", end_of(root[3])).commits(4)
    grandchild = Writer("grandchild", end_of(child[1])).commits(3)
    sibling = Writer("sibling", end_of(root[0])).commits(2)
    logs.append(*root, *child, *grandchild, *sibling)
    return Family(root, child, grandchild, sibling)


def test_a_fork_is_read_with_the_prefix_it_shares(logs: Pair, family: Family) -> None:
    root, child, grandchild, sibling = family

    assert logs.bodies("child") == bodies(root[:4] + child)
    assert logs.bodies("grandchild") == bodies(root[:4] + child[:2] + grandchild)
    assert logs.bodies("sibling") == bodies(root[:1] + sibling)
    assert logs.bodies("root") == bodies(root)


def test_a_range_of_a_fork_may_lie_in_any_of_its_ancestors(logs: Pair, family: Family) -> None:
    root, child, grandchild, _ = family
    whole = root[:4] + child[:2] + grandchild
    for after in range(whole[-1].last + 2):
        for upto in [*range(whole[-1].last + 2), None]:
            wanted = [new.body for new in whole if new.last > after and (upto is None or new.first <= upto)]

            assert logs.bodies("grandchild", after, upto) == wanted, (after, upto)


def test_commits_of_a_shared_prefix_name_the_match_that_wrote_them(logs: Pair, family: Family) -> None:
    owners = [found.match for found in logs.reads.read(MatchId("grandchild"))]

    assert owners == ["root"] * 4 + ["child"] * 2 + ["grandchild"] * 3


def test_a_fork_knows_its_origin(logs: Pair, family: Family) -> None:
    assert logs.reads.origin(MatchId("root")) is None
    assert logs.reads.origin(MatchId("child")) == end_of(family.root[3])
    assert logs.reads.origin(MatchId("grandchild")) == end_of(family.child[1])


def test_the_forks_of_a_match_are_those_that_left_its_own_stream(logs: Pair, family: Family) -> None:
    late = Writer("late", end_of(family.root[1]))
    logs.append(late.open())

    assert list(logs.reads.forks(MatchId("root"))) == ["child", "sibling", "late"]
    assert list(logs.reads.forks(MatchId("child"))) == ["grandchild"]
    assert list(logs.reads.forks(MatchId("late"))) == []


def test_forks_of_forks_may_lie_deeper_than_python_recurses(logs: Pair) -> None:
    depth = sys.getrecursionlimit() + 200
    writer = Writer("m0")
    commits = [writer.open()]
    for number in range(1, depth):
        commits.append(Writer(f"m{number}", end_of(commits[-1])).open())
    for start in range(0, depth, BATCH_MAX):
        logs.append(*commits[start : start + BATCH_MAX])
    logs.writes.save_snapshot(MatchId("m0"), commits[0].last, b"root")
    deepest = MatchId(f"m{depth - 1}")

    assert logs.bodies(deepest) == bodies(commits)
    assert logs.bodies(deepest, commits[-3].last) == bodies(commits[-2:])
    assert logs.reads.snapshot(deepest, 2**40) == (commits[0].last, b"root")
    assert logs.reads.head(deepest) == Head(commits[-1].last, commits[-1].hash)


def test_a_parent_continues_independently_of_its_forks(logs: Pair, family: Family) -> None:
    parent = Writer("root")
    parent.head, parent.count = Head(family.root[-1].last, family.root[-1].hash), 9
    logs.append(parent.take(march(7)))

    assert logs.bodies("child") == bodies(family.root[:4] + family.child)


def test_the_keys_of_the_parent_are_not_keys_of_the_fork(logs: Pair, family: Family) -> None:
    assert logs.reads.find(MatchId("child"), family.root[1].key) is None


def test_a_fork_that_does_not_follow_its_origin_has_lost_the_race(logs: Pair, family: Family) -> None:
    late = Writer("late", end_of(family.root[3]))
    late.open()
    second = late.take(march(1))
    new = NewCommit(second.match, second.first, second.last, "k", second.hash, second.body, end_of(family.root[3]))
    (receipt,) = logs.writes.append([new])

    assert isinstance(receipt, LostRace)
    assert (receipt.expected, receipt.actual) == (second.first - 1, family.root[3].last)
    assert "late" not in logs.reads.matches()


def test_a_fork_sent_again_is_answered_as_the_first_time(logs: Pair, family: Family) -> None:
    assert logs.append(family.child[0]) == [AlreadyThere]


def test_the_origin_of_a_fork_is_a_commit_of_the_match_that_wrote_it(logs: Pair, family: Family) -> None:
    """A fork of the grandchild within the part of the root is a child of the root."""
    grandchild = MatchId("grandchild")

    assert fork_point(logs.reads, grandchild, family.root[2].last) == end_of(family.root[2])
    assert fork_point(logs.reads, grandchild, family.child[1].last) == end_of(family.child[1])
    assert fork_point(logs.reads, grandchild, family.grandchild[1].last) == end_of(family.grandchild[1])


def test_a_fork_must_leave_at_the_end_of_an_existing_commit(logs: Pair, family: Family) -> None:
    second = family.root[1]
    with pytest.raises(NoForkPoint, match=f"fork after event {second.first - 1} or {second.last}$"):
        fork_point(logs.reads, MatchId("root"), second.first)
    with pytest.raises(NoForkPoint, match=f"has {family.root[-1].last} events; there is no event 99"):
        fork_point(logs.reads, MatchId("root"), 99)
    with pytest.raises(NoForkPoint, match="there is no event 0"):
        fork_point(logs.reads, MatchId("root"), 0)


# Seeds, files, snapshots and summaries


def test_a_seed_is_kept_beside_its_match(logs: Pair) -> None:
    writer = Writer("m")
    new = writer.open(seed=SEED)
    logs.append(new, writer.take(march(1)))

    assert logs.reads.seed(MatchId("m")) == SEED
    assert SEED.encode() not in b"".join(logs.bodies("m"))


def test_the_same_seed_can_be_stored_again(logs: Pair) -> None:
    writer = Writer("m")
    logs.append(writer.open(seed=SEED), writer.take(march(1), seed=SEED))

    assert logs.reads.seed(MatchId("m")) == SEED


def test_a_fork_has_its_own_seed(logs: Pair, family: Family) -> None:
    fork = Writer("fork", end_of(family.root[1]))
    logs.append(fork.open(seed=SEED))

    assert logs.reads.seed(MatchId("fork")) == SEED
    assert logs.reads.seed(MatchId("root")) == ""


def test_a_file_is_kept_under_its_digest(logs: Pair) -> None:
    logs.writes.attach(BOARD_DIGEST, BOARD)
    logs.writes.attach(BOARD_DIGEST, BOARD)

    assert logs.reads.attachment(BOARD_DIGEST) == BOARD
    assert logs.reads.attachment(Digest("0" * 64)) is None


def test_an_empty_file_is_a_file(logs: Pair) -> None:
    digest = Digest(sha256(b"").hexdigest())
    logs.writes.attach(digest, b"")

    assert logs.reads.attachment(digest) == b""


def test_a_file_with_a_wrong_digest_is_not_stored(logs: Pair) -> None:
    with pytest.raises(LogMisuse):
        logs.writes.attach(Digest("0" * 64), BOARD)

    assert logs.reads.attachment(Digest("0" * 64)) is None


def test_the_last_word_on_a_capability_holds(logs: Pair) -> None:
    for name, credential in (("Olga", "ab"), ("Otto", "cd"), ("Olga", "ef"), ("Otto", "")):
        logs.writes.appoint(name, credential)

    assert logs.reads.appointed() == {"Olga": "ef"}


def test_entries_of_a_study_follow_each_other_and_the_second_of_two_writers_is_told(logs: Pair) -> None:
    logs.append(*Writer("m").commits(1))
    match, first, second = MatchId("m"), StudyId("aaaaaaaa"), StudyId("bbbbbbbb")
    written = [
        logs.writes.append_study(match, study, number, f"{study}{number}".encode())
        for study, number in ((first, 2), (first, 1), (first, 1), (second, 1), (first, 2), (first, 4))
    ]

    assert written == [False, True, False, True, True, False]
    assert list(logs.reads.study(match, first)) == [b"aaaaaaaa1", b"aaaaaaaa2"]
    assert list(logs.reads.studies(match)) == [first, second]
    assert list(logs.reads.study(match, StudyId("cccccccc"))) == []
    for asked in (logs.reads.studies, lambda gone: logs.writes.append_study(gone, first, 1, b"")):
        with pytest.raises(UnknownMatch):
            asked(MatchId("gone"))


def test_the_latest_snapshot_up_to_an_event_is_returned(logs: Pair) -> None:
    logs.append(*Writer("m").commits(9))
    match = MatchId("m")
    for seq, content in ((3, b"old"), (3, b"three"), (9, b"nine")):
        logs.writes.save_snapshot(match, seq, content)

    assert logs.reads.snapshot(match, 2) is None
    assert logs.reads.snapshot(match, 3) == (3, b"three")
    assert logs.reads.snapshot(match, 8) == (3, b"three")
    assert logs.reads.snapshot(match, 2**63 - 1) == (9, b"nine")


def test_seats_have_snapshots_of_their_own_and_a_fork_inherits_none_of_them(logs: Pair, family: Family) -> None:
    shared = family.root[2].last
    logs.writes.save_snapshot(MatchId("root"), shared, b"all")
    logs.writes.save_snapshot(MatchId("root"), shared, b"red", Seat("red"))

    assert logs.reads.snapshot(MatchId("root"), 2**40) == (shared, b"all")
    assert logs.reads.snapshot(MatchId("root"), 2**40, Seat("red")) == (shared, b"red")
    assert logs.reads.snapshot(MatchId("root"), shared - 1, Seat("red")) is None
    assert logs.reads.snapshot(MatchId("root"), 2**40, Seat("blue")) is None
    assert logs.reads.snapshot(MatchId("child"), 2**40, Seat("red")) is None


def test_a_fork_may_use_the_snapshots_of_the_prefix_it_shares(logs: Pair, family: Family) -> None:
    shared, beyond = family.root[2].last, family.root[4].last
    logs.writes.save_snapshot(MatchId("root"), shared, b"shared")
    logs.writes.save_snapshot(MatchId("root"), beyond, b"of the root alone")

    assert logs.reads.snapshot(MatchId("grandchild"), 99) == (shared, b"shared")
    assert logs.reads.snapshot(MatchId("sibling"), 99) is None

    logs.writes.save_snapshot(MatchId("child"), family.child[1].last, b"child")

    assert logs.reads.snapshot(MatchId("grandchild"), 99) == (family.child[1].last, b"child")
    assert logs.reads.snapshot(MatchId("grandchild"), shared) == (shared, b"shared")


def summed(new: NewCommit, content: bytes) -> NewSummary:
    return NewSummary(new.match, Head(new.last, new.hash), content)


def test_summaries_of_older_heads_are_stale(logs: Pair) -> None:
    """A summary of an older head is stale; the list gives the present head."""
    one, two, none = Writer("one").commits(2), Writer("two").commits(3), Writer("none").commits(1)
    logs.append(*one, *two[:2], *none)
    logs.writes.save_summaries([summed(one[-1], b"first"), summed(two[1], b"two")])
    logs.writes.save_summaries([summed(one[-1], b"one")])
    logs.append(two[2])
    heads = [Head(commits[-1].last, commits[-1].hash) for commits in (one, two, none)]
    listed = logs.reads.summaries()

    assert list(listed) == [
        StoredSummary(MatchId("one"), heads[0], heads[0], b"one"),
        StoredSummary(MatchId("two"), heads[1], Head(two[1].last, two[1].hash), b"two"),
        StoredSummary(MatchId("none"), heads[2]),
    ]
    assert [kept.current for kept in listed] == [b"one", None, None]
    assert [logs.reads.summary(kept.match) for kept in listed] == list(listed)


def test_a_summary_of_another_head_of_the_same_length_is_stale(logs: Pair) -> None:
    commits = Writer("m").commits(2)
    logs.append(*commits)
    logs.writes.save_summaries([NewSummary(MatchId("m"), Head(commits[-1].last, commits[0].hash), b"of another")])

    assert logs.reads.summary(MatchId("m")).current is None


def test_summaries_are_listed_by_the_page(logs: Pair) -> None:
    writers = [Writer(f"m{number}") for number in range(5)]
    logs.append(*[writer.open() for writer in writers])

    assert [kept.match for kept in logs.reads.summaries(MatchId("m1"), 2)] == ["m2", "m3"]
    assert [kept.match for kept in logs.reads.summaries(limit=1)] == ["m0"]
    assert list(logs.reads.summaries(MatchId("m4"))) == []


def test_a_fork_has_its_own_summary(logs: Pair, family: Family) -> None:
    logs.writes.save_summaries([summed(family.root[-1], b"root"), summed(family.child[-1], b"child")])
    contents = {kept.match: kept.current for kept in logs.reads.summaries()}

    assert contents == {"root": b"root", "child": b"child", "grandchild": None, "sibling": None}


def test_a_summary_of_a_missing_match_is_ignored(logs: Pair) -> None:
    first = Writer("m").open()
    logs.append(first)
    logs.writes.save_summaries([NewSummary(MatchId("gone"), Head(), b"gone"), summed(first, b"m")])

    assert [(kept.match, kept.current) for kept in logs.reads.summaries()] == [("m", b"m")]


def test_snapshots_and_summaries_beyond_the_end_are_not_stored(logs: Pair) -> None:
    """A match that ends before its own snapshot or summary would count as damaged."""
    commits = Writer("m").commits(2)
    logs.append(commits[0])
    beyond = commits[1]
    logs.writes.save_snapshot(MatchId("m"), beyond.last, b"beyond")
    logs.writes.save_summaries([summed(beyond, b"beyond")])

    assert logs.reads.snapshot(MatchId("m"), 2**40) is None
    assert logs.reads.summary(MatchId("m")).content is None
    assert logs.bodies("m") == [commits[0].body]


# The server's log


def test_commits_are_told_in_the_order_of_writing(logs: Pair) -> None:
    one, two = Writer("one").commits(2), Writer("two").commits(2)
    mixed = [one[0], two[0], two[1], one[1]]
    logs.append(*mixed)
    expected = [Written(number, new.match, new.hash, new.body) for number, new in enumerate(mixed, start=1)]

    assert list(logs.reads.written(0, 9)) == expected
    assert list(logs.reads.written(1, 2)) == expected[1:3]
    assert list(logs.reads.written(4, 9)) == []
    assert [logs.reads.number_of(new.match, new.first) for new in mixed] == [1, 2, 3, 4]
    assert logs.reads.number_of(MatchId("one"), 2_000) == logs.reads.number_of(MatchId("nobody"), 1) == 0


def test_entries_are_of_commits_or_of_keys(logs: Pair) -> None:
    first, second, third = Writer("m").commits(3)
    logs.append(first, second, third)
    logs.writes.append_entries(0, [NewEntry(1), NewEntry(3)])
    logs.writes.append_entries(2, [NewEntry(key=b"{}")])
    expected = [
        StoredEntry(1, match=MatchId("m"), hash=first.hash),
        StoredEntry(3, match=MatchId("m"), hash=third.hash),
        StoredEntry(key=b"{}"),
    ]

    assert list(logs.reads.entries(0, 9)) == expected
    assert list(logs.reads.entries(1, 1)) == expected[1:2]


@pytest.mark.parametrize(("after", "entries"), [(0, [1]), (2, [3]), (1, [1]), (1, [3, 2]), (1, [2, 2])], ids=str)
def test_entries_that_do_not_follow_are_refused(logs: Pair, after: int, entries: list[int]) -> None:
    logs.append(*Writer("m").commits(3))
    logs.writes.append_entries(0, [NewEntry(1)])
    with pytest.raises(LogMisuse):
        logs.writes.append_entries(after, [NewEntry(number) for number in entries])

    assert len(logs.reads.entries(0, 9)) == 1


def test_the_last_checkpoint_is_kept(logs: Pair) -> None:
    assert logs.reads.last_checkpoint() == ""

    logs.writes.save_checkpoint(1, "one")
    logs.writes.save_checkpoint(2, "two")

    assert logs.reads.last_checkpoint() == "two"


def test_logs_are_told_in_the_order_in_which_they_began(logs: Pair) -> None:
    logs.writes.begin_log("b", b"1")
    logs.writes.begin_log("a", b"2")
    with pytest.raises(LogMisuse):
        logs.writes.begin_log("b", b"3")

    assert list(logs.reads.logs().items()) == [("b", b"1"), ("a", b"2")]
