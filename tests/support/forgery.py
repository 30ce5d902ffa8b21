"""Forged logs, as a forger with write access to the store could make them."""

from collections.abc import Callable, Sequence

from core.match.live_match import load_match
from events.codec import Raw, encode, replace
from events.commit import GENESIS, Commit, chain_hash, encode_commit
from events.ids import MatchId
from events.log import Stored
from events.memory_log import MemoryLog, _Stream
from events.vocabulary import Event
from tests.support.desk import Desk


def forged(desk: Desk, commits: Sequence[Commit], *, covered: bool) -> Desk:
    """Return a match with forged commits.

    Args:
        desk: The honest match, no fork.
        commits: What the forger wrote.
        covered: Whether the chain is made valid again; otherwise each commit keeps the original hash of its position.
    """
    honest = list(desk.log.read(desk.match.id))
    log = MemoryLog()
    for board in {desk.table.board, desk.table.position}:
        content = None if board is None else desk.log.attachment(board)
        if board is not None and content is not None:
            log.attach(board, content)
    put(log, desk.match.id, commits, None if covered else honest)
    return Desk(log, desk.match)


def put(log: MemoryLog, match: MatchId, commits: Sequence[Commit], honest: Sequence[Stored] | None) -> None:
    """Write commits into a log without its checks, with a valid chain or with the original hashes."""
    log._streams.pop(match, None)
    stream = log._streams[match] = _Stream(None)
    prev = GENESIS
    for place, commit in enumerate(commits):
        chained = replace(commit, prev=prev) if honest is None else commit
        body = encode_commit(chained)
        hash_ = (
            chain_hash(body)
            if honest is None
            else next((one.hash for one in honest if one.key == commit.key), honest[min(place, len(honest) - 1)].hash)
        )
        stream.commits.append(Stored(match, chained.first, chained.last, chained.key, hash_, body))
        prev = hash_


def changed(commits: list[Commit], number: int, change: Callable[[Event], Event]) -> list[Commit]:
    """Change the event with a number (1-based)."""
    return [
        commit
        if not commit.first <= number <= commit.last
        else replace(
            commit,
            events=tuple(
                change(event) if commit.first + place == number else event for place, event in enumerate(commit.events)
            ),
        )
        for commit in commits
    ]


def renumbered(commits: list[Commit]) -> list[Commit]:
    """Let the commits follow each other without a gap."""
    first = 1
    fitting: list[Commit] = []
    for commit in commits:
        fitting.append(replace(commit, first=first))
        first += len(commit.events)
    return fitting


def with_command(commit: Commit, command: object) -> Commit:
    """Let a commit say that another command was given."""
    return replace(commit, command=Raw(encode(command)))


def refork(fork: Desk, commits: Sequence[Commit]) -> Desk:
    """Write the own commits of a fork anew as `write_fork` does, and load it."""
    write_fork(fork, commits)
    return Desk(fork.log, load_match(fork.log, fork.match.id))


def write_fork(fork: Desk, commits: Sequence[Commit]) -> Desk:
    """Write the own commits of a fork anew, with a chain that fits.

    Args:
        fork: In a memory log; what it shares with its parents stays.
        commits: What the forger wrote in the place of the fork's own commits.

    Returns:
        The fork, of which only the log is what the forger wrote.
    """
    log = fork.log
    assert isinstance(log, MemoryLog)
    stream = log._streams[fork.match.id]
    assert stream.origin is not None
    prev = stream.origin.hash
    stream.commits = []
    for commit in commits:
        body = encode_commit(replace(commit, prev=prev))
        prev = chain_hash(body)
        stream.commits.append(Stored(commit.match, commit.first, commit.last, commit.key, prev, body))
    return fork


def own_commits(fork: Desk) -> list[Commit]:
    """Return the commits that a fork does not share with its parents."""
    return [commit for commit in fork.commits if commit.match == fork.match.id]
