"""The chain check finds every kind of tampering and names the first bad event."""

from collections.abc import Callable, Iterator

import pytest
from typing_extensions import override

from events.chain import check_chain, checked, commits_between
from events.codec import Raw, decode_plain, encode, replace
from events.commit import GENESIS, Commit, Head, chain_hash, decode_commit
from events.errors import BrokenEvidence
from events.ids import Digest, MatchId
from events.log import NewCommit, Stored
from events.memory_log import MemoryLog
from events.vocabulary import Event
from tests.events.making import Writer, end_of, forking, march, opening
from tests.support.rows import each_row

MATCH = MatchId("m")


def stored(new: NewCommit) -> Stored:
    return Stored(new.match, new.first, new.last, new.key, new.hash, new.body)


@pytest.fixture
def chain() -> list[Stored]:
    return [stored(new) for new in Writer("m").commits(6)]


@pytest.fixture
def family() -> MemoryLog:
    log = MemoryLog()
    root = Writer("root").commits(5)
    child = Writer("child", end_of(root[2])).commits(4)
    log.append([*root, *child, *Writer("grandchild", end_of(child[1])).commits(3)])
    return log


def defect(commits: list[Stored], kept: Head | None = None) -> tuple[int, str] | None:
    """Return the number of the first bad event and what is wrong with it."""
    found = check_chain(commits, MATCH, kept=kept)
    return None if found is None else (found.seq, found.problem)


def rewritten(old: Stored, body: bytes) -> Stored:
    """Replace the bytes of a commit, with a matching hash."""
    return replace(old, body=body, hash=chain_hash(body))


def edited(old: Stored, **changes: object) -> Stored:
    """Change fields of a commit, with matching hash and labels."""
    commit: Commit = replace(decode_commit(old.body), **changes)
    body = encode(commit)
    return Stored(commit.match, commit.first, commit.last, commit.key, chain_hash(body), body)


def test_an_unchanged_chain_is_valid(chain: list[Stored]) -> None:
    assert defect(chain) is None
    assert [commit.first for commit in checked(chain, MATCH)] == [found.first for found in chain]


@pytest.mark.parametrize("match", ["root", "child", "grandchild"])
def test_chains_of_forks_of_forks_are_valid(family: MemoryLog, match: str) -> None:
    assert check_chain(family.read(MatchId(match)), MatchId(match)) is None


@pytest.mark.parametrize("match", ["root", "child", "grandchild"])
def test_every_earlier_head_is_part_of_the_chain(family: MemoryLog, match: str) -> None:
    for found in family.read(MatchId(match)):
        assert check_chain(family.read(MatchId(match)), MatchId(match), kept=Head(found.last, found.hash)) is None


def test_every_changed_byte_is_found_where_it_is(chain: list[Stored]) -> None:
    for number, old in enumerate(chain):
        for place in range(0, len(old.body), 7):
            body = bytearray(old.body)
            body[place] ^= 1 << place % 8
            broken = [*chain[:number], replace(old, body=bytes(body)), *chain[number + 1 :]]

            assert defect(broken) == (
                old.first,
                "the bytes of this commit are not those that were written: its hash differs",
            )


def swap(chain: list[Stored]) -> list[Stored]:
    return [chain[0], chain[2], chain[1], *chain[3:]]


def foreign(chain: list[Stored]) -> list[Stored]:
    """Replace a commit by one of another match."""
    other = [stored(new) for new in Writer("n").commits(6)]
    return [*chain[:2], other[2], *chain[3:]]


def relabelled(**labels: object) -> Callable[[list[Stored]], list[Stored]]:
    return lambda chain: [*chain[:2], replace(chain[2], **labels), *chain[3:]]


def spoilt(**changes: object) -> Callable[[list[Stored]], list[Stored]]:
    return lambda chain: [*chain[:2], edited(chain[2], **changes), *chain[3:]]


def inserted(*events: Event) -> Callable[[list[Stored]], list[Stored]]:
    """Add events at the beginning of the third commit, and drop the commits after it."""
    return lambda chain: [*chain[:2], edited(chain[2], events=(*events, *march(9)))]


def spaced(chain: list[Stored]) -> list[Stored]:
    return [*chain[:2], rewritten(chain[2], chain[2].body.replace(b'"first":', b'"first": ')), *chain[3:]]


def loose_command(chain: list[Stored]) -> list[Stored]:
    return [*chain[:2], edited(chain[2], command=Raw(b'{"do": "move"}')), *chain[3:]]


def sorted_fields(chain: list[Stored]) -> list[Stored]:
    plain = decode_plain(chain[2].body)
    assert isinstance(plain, dict)
    return [*chain[:2], rewritten(chain[2], encode(dict(sorted(plain.items())))), *chain[3:]]


TAMPERED: dict[str, tuple[Callable[[list[Stored]], list[Stored]], int, str]] = {
    # Each with the number of the commit (from 0) whose first event must be named.
    "removed": (lambda chain: [*chain[:2], *chain[3:]], 2, "this commit begins with event 6"),
    "head removed": (lambda chain: chain[1:], 0, "this commit begins with event 2"),
    "doubled": (lambda chain: [*chain[:3], *chain[2:]], 3, "this commit begins with event 4"),
    "swapped": (swap, 1, "this commit begins with event 4"),
    "foreign": (foreign, 2, "the chain is broken"),
    "hash rewritten": (relabelled(hash=Digest("0" * 64)), 2, "its hash differs"),
    "body rewritten": (spoilt(at=0), 2, "this commit was rewritten: the one after it names another hash"),
    "two bodies rewritten": (
        lambda chain: spoilt(at=0)([*chain[:3], edited(chain[3], at=0), *chain[4:]]),
        3,
        "the chain",
    ),
    "link rewritten": (spoilt(prev=GENESIS), 2, "the chain is broken"),
    "first link rewritten": (lambda chain: [edited(chain[0], prev=Digest("1" * 64))], 0, "the chain is broken"),
    "first link rewritten, second follows": (
        lambda chain: [first := edited(chain[0], prev=Digest("1" * 64)), edited(chain[1], prev=first.hash)],
        0,
        "the chain is broken",
    ),
    "match label": (relabelled(match=MatchId("n")), 2, "the commit is of match m"),
    "first label": (relabelled(first=5), 2, "the commit says events 4 to 5, the store 5 to 5"),
    "last label": (relabelled(last=9), 2, "the commit says events 4 to 5, the store 4 to 9"),
    "key label": (relabelled(key="k"), 2, "the commit has the idempotency key 'm-2', the store 'k'"),
    "no events": (spoilt(events=()), 2, "this commit holds no events"),
    "known key": (spoilt(key="m-1"), 2, "the idempotency key 'm-1' was used before"),
    "other match": (spoilt(match=MatchId("n")), 2, "a commit of match n follows one of match m without being its fork"),
    "fork of itself": (inserted(forking(MATCH, 3)), 2, "a commit of match m follows one of match m without"),
    "opened again": (inserted(opening()), 2, "a match begins with its opening and has no other"),
    "never opened": (lambda chain: [edited(chain[0], events=march(1))], 0, "a match begins with its opening"),
    "spaced": (spaced, 2, "this is not a valid commit: the commit is not in its canonical form"),
    "sorted": (sorted_fields, 2, "this is not a valid commit: the commit is not in its canonical form"),
    "loose command": (loose_command, 2, "this is not a valid commit: the commit is not in its canonical form"),
    "string for a command": (
        spoilt(command=Raw(b'"move"')),
        2,
        "this is not a valid commit: Expected `object` - at `$.command`",
    ),
    "junk": (lambda chain: [*chain[:2], rewritten(chain[2], b"{}")], 2, "this is not a valid commit: "),
    "not text": (lambda chain: [*chain[:2], rewritten(chain[2], b"\xff" * 9)], 2, "this is not a valid commit: "),
    "nothing left": (lambda chain: chain[:0], 0, "the match has no commits of its own"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_each_kind_of_tampering_is_found_at_its_first_event(chain: list[Stored], name: str) -> None:
    tamper, commit, words = TAMPERED[name]
    seq = chain[commit].first
    found = defect(tamper(chain))

    assert found is not None
    assert found[0] == seq
    assert words in found[1]


def test_a_rewritten_last_commit_is_found_with_a_recorded_head(chain: list[Stored]) -> None:
    last, before = chain[-1], edited(chain[-2], at=0)
    kept = Head(last.last, last.hash)

    assert defect([*chain[:-2], before, last], kept) == (
        before.first,
        "this commit was rewritten: the one after it names another hash",
    )


def test_a_fork_may_use_the_keys_of_its_parent(family: MemoryLog) -> None:
    fork = Writer("late", end_of(Writer("root").commits(5)[2]))
    family.append([fork.open(), fork.take(march(1), key="root-1")])

    assert check_chain(family.read(MatchId("late")), MatchId("late")) is None


def test_a_fork_without_its_own_commits_is_invalid(family: MemoryLog) -> None:
    shared = [found for found in family.read(MatchId("child")) if found.match == "root"]
    found = check_chain(shared, MatchId("child"))

    assert found is not None
    assert (found.seq, found.problem) == (shared[-1].last + 1, "the match has no commits of its own")


def test_a_fork_moved_to_another_point_is_found(family: MemoryLog) -> None:
    """Only the fork's first commit is evidence of its origin, not the store's list of origins."""
    root = list(family.read(MatchId("root")))
    own = [found for found in family.read(MatchId("child")) if found.match == "child"]
    earlier, later = check_chain([*root[:2], *own], MatchId("child")), check_chain([*root[:4], *own], MatchId("child"))

    assert earlier is not None
    assert earlier.seq == root[2].first
    assert later is not None
    assert later.seq == root[3].last + 1


def test_a_cut_off_end_is_found_with_a_recorded_head(chain: list[Stored]) -> None:
    """The chain alone cannot show that its end is missing."""
    kept = Head(chain[-1].last, chain[-1].hash)

    assert defect(chain[:-1]) is None
    assert defect(chain[:-1], kept) == (
        chain[-1].first,
        f"the match never stood at event {kept.seq} with hash {kept.hash}",
    )


def test_a_rewritten_match_is_found_with_a_recorded_head(chain: list[Stored]) -> None:
    writer = Writer("m")
    forged = [stored(writer.open()), *(stored(writer.take(march(number + 5))) for number in range(5))]
    kept = Head(chain[3].last, chain[3].hash)
    found = defect(forged, kept)

    assert defect(forged) is None
    assert found is not None
    assert found[0] == kept.seq


def test_the_exception_and_the_value_have_the_same_content(chain: list[Stored]) -> None:
    broken = [chain[0], *chain[2:]]
    with pytest.raises(BrokenEvidence) as caught:
        list(checked(broken, MATCH))

    assert str(caught.value) == str(check_chain(broken, MATCH)) == "match m, event 2: this commit begins with event 4"


class Reading(MemoryLog):
    """A log that returns the given commits, whatever it is asked for."""

    def __init__(self, commits: list[Stored]) -> None:
        super().__init__()
        self.commits = commits

    @override
    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        return iter(self.commits)


DISORDERED: dict[str, tuple[Callable[[list[Stored]], list[Stored]], int, str]] = {
    # Commits 1 to 3 hold events 2 to 3, 4 to 5 and 6 to 8; each with the number of the event that is named.
    "a gap": (lambda chain: [chain[1], chain[3]], 4, "this event is missing"),
    "without the first": (lambda chain: [chain[2], chain[3]], 2, "this event is missing"),
    "without the last": (lambda chain: [chain[1], chain[2]], 6, "this event is missing"),
    "swapped": (lambda chain: [chain[2], chain[1], chain[3]], 2, "this event is missing"),
    "twice": (lambda chain: [chain[1], chain[1], chain[2], chain[3]], 4, "this event is missing"),
    "overlapping": (
        lambda chain: [chain[1], edited(chain[2], first=3, prev=chain[1].hash), chain[3]],
        4,
        "this event is missing",
    ),
    "another predecessor": (
        lambda chain: [chain[1], edited(chain[2], prev=GENESIS), chain[3]],
        4,
        "the chain is broken: this commit names another one as the one before it",
    ),
}


@pytest.mark.parametrize("name", DISORDERED)
def test_commits_of_a_loaded_match_follow_each_other(chain: list[Stored], name: str) -> None:
    disorder, seq, problem = DISORDERED[name]
    with pytest.raises(BrokenEvidence) as found:
        list(commits_between(Reading(disorder(chain)), MATCH, 1, chain[3].last))

    assert (found.value.seq, found.value.problem) == (seq, problem)


@each_row(("after", "upto", "first"), [(0, 1, 1), (1, 8, 2), (2, 8, 2), (3, 3, None), (4, 7, 4), (0, 0, None)])
def test_commits_of_a_loaded_match_are_read_from_any_event(after: int, upto: int, first: int | None) -> None:
    log = MemoryLog()
    log.append(Writer("m").commits(4))
    found = [commit for _, commit in commits_between(log, MATCH, after, upto)]

    assert [commit.first for commit in found][:1] == ([] if first is None else [first])
