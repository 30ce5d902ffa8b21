"""Copies matches from one store to another, of any kind: commits with the same bytes in the order of writing, parents before their forks.

A copy that was broken off is taken up again, and brought up to date, by copying again: what is there already is compared and skipped. The
source may be in use meanwhile. Snapshots and summaries are caches and are not copied.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from events.archive import attached
from events.chain import check_chain
from events.codec import DecodeError, Struct
from events.commit import Commit, Head, decode_commit
from events.entry_store import NewEntry, StoredEntry, Written
from events.errors import BrokenEvidence, LogMisuse, LostRace
from events.ids import Digest, MatchId
from events.log import Log, NewCommit
from events.transparency.checkpoint import checkpoint_in
from events.transparency.signed_note import read_note
from events.vocabulary import MatchOpened

PART = 256
"""How many commits are copied in one step."""


class Copied(Struct, frozen=True):
    """The matches of the copy, the commits in it that were copied now, and those that were there before."""

    matches: int
    commits: int
    known: int


def copy_log(source: Log, target: Log, progress: Callable[[int], None] = lambda _: None) -> Copied:
    """Copy all matches with their seeds, files and studies, the capabilities, and the server's log; then check the copy.

    Args:
        source: The store to copy.
        target: The copy; empty, or an earlier copy of the same store.
        progress: Is told how many commits were looked at.

    Raises:
        LogMisuse: The target holds a match or a commit that the source does not hold.
        BrokenEvidence: A match is damaged; nothing of the part with it was copied.
        LogError: One of the stores failed.
    """
    heads = _heads(source, target)
    copied, last = 0, 0
    while found := source.written(last, PART):
        last = found[-1].number
        copied += _append(target, [new for one in found if (new := _new(source, target, heads, one)) is not None])
        progress(last)
    for name, credential in source.appointed().items():
        if target.appointed().get(name) != credential:
            target.appoint(name, credential)
    matches = target.matches()
    for match in matches:
        _check(source, target, match)
        _copy_studies(source, target, match)
    _copy_entries(source, target)
    return Copied(len(matches), copied, last - copied)


def _heads(source: Log, target: Log) -> Mapping[MatchId, Head]:
    """Return the heads of the target's matches, all of which the source must have."""
    heads = {match: target.head(match) for match in target.matches()}
    if heads:
        known = set(source.matches())
        for match in heads:
            if match not in known:
                raise LogMisuse(f"the copy has match {match}, which the store does not have: copy to an empty store")
    return heads


def _new(source: Log, target: Log, heads: Mapping[MatchId, Head], one: Written) -> NewCommit | None:
    """Return a commit as it is to be appended, its files stored, or None if it is there already."""
    try:
        commit = decode_commit(one.body)
    except DecodeError as error:
        raise BrokenEvidence(one.match, 1, f"commit {one.number} of the store cannot be read: {error}") from None
    if one.match in heads and commit.last <= heads[one.match].seq:
        return None
    origin = source.origin(one.match)
    is_first = commit.first == (1 if origin is None else origin.seq + 1)
    if is_first:
        _copy_files(source, target, commit)
    return NewCommit(
        one.match,
        commit.first,
        commit.last,
        commit.key,
        one.hash,
        one.body,
        origin if is_first else None,
        source.seed(one.match) if is_first else "",
    )


def _copy_files(source: Log, target: Log, commit: Commit) -> None:
    for digest in attached(commit.events[0]) if isinstance(commit.events[0], MatchOpened) else ():
        content = source.attachment(digest)
        if content is not None and target.attachment(digest) is None:
            target.attach(digest, content)


def _append(target: Log, batch: Sequence[NewCommit]) -> int:
    """Append commits, and return how many."""
    for new, receipt in zip(batch, target.append(batch) if batch else (), strict=True):
        if isinstance(receipt, LostRace) or receipt.stored.hash != new.hash:
            raise LogMisuse(f"the copy has other commits of match {new.match} at event {new.first}: it is not a copy")
    return len(batch)


def _check(source: Log, target: Log, match: MatchId) -> None:
    """Check the chain of a copied match, and that its head is a commit of the source.

    Raises:
        LogMisuse: The source has another commit there.
        BrokenEvidence: The chain is broken.
    """
    head = target.head(match)
    if defect := check_chain(target.read(match), match, kept=head):
        raise defect
    last = next(iter(source.read(match, head.seq - 1, head.seq)), None)
    if last is None or (last.last, last.hash) != (head.seq, head.hash):
        raise LogMisuse(f"the copy of match {match} ends with a commit that the store does not have")


def _copy_studies(source: Log, target: Log, match: MatchId) -> None:
    """Copy the studies of a match.

    Raises:
        LogMisuse: The target holds an entry that the source does not hold.
    """
    for study in dict.fromkeys([*source.studies(match), *target.studies(match)]):
        there, known = source.study(match, study), target.study(match, study)
        if list(there[: len(known)]) != list(known):
            raise LogMisuse(f"the copy has other entries of study {match}/{study}: it is not a copy")
        for number, body in enumerate(there[len(known) :], start=len(known) + 1):
            target.append_study(match, study, number, body)


def _copy_entries(source: Log, target: Log) -> None:
    """Copy the server's log as far as its commits were copied; its entries name these by their numbers, which may differ in the two stores.

    Raises:
        LogMisuse: The target holds an entry that the source does not hold.
    """
    note, count = source.last_checkpoint(), 0
    for origin in [origin for origin in source.logs() if origin not in target.logs()]:
        target.begin_log(origin, source.logs()[origin])
    numbers = _numbers(target)
    while entries := _renumbered(source.entries(count, PART), numbers):
        known = [NewEntry(one.commit, one.key) for one in target.entries(count, len(entries))]
        if entries[: len(known)] != known:
            raise LogMisuse(f"the copy has other entries of the server's log from {count + 1} on: it is not a copy")
        if len(known) < len(entries):
            target.append_entries(count + len(known), entries[len(known) :])
        count += len(entries)
    if note and note != target.last_checkpoint() and checkpoint_in(read_note(note)).size <= count:
        target.save_checkpoint(count, note)


def _numbers(target: Log) -> Iterator[tuple[Digest, int]]:
    """Yield the hash and the number of each commit in the order of writing."""
    last = 0
    while found := target.written(last, PART):
        yield from ((one.hash, one.number) for one in found)
        last = found[-1].number


def _renumbered(entries: Sequence[StoredEntry], numbers: Iterator[tuple[Digest, int]]) -> list[NewEntry]:
    """Return entries with the numbers of their commits in the copy, up to the first whose commit is not there."""
    found: list[NewEntry] = []
    for entry in entries:
        number = 0
        if entry.commit:
            number = next((number for digest, number in numbers if digest == entry.hash), 0)
            if not number:
                break
        found.append(NewEntry(number, entry.key))
    return found
