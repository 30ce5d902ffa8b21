"""The log port in memory: for tests, simulation and rollouts."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import chain
from typing import Self

from events.commit import GENESIS, Head
from events.entry_store import NewEntry, StoredEntry, Written, check_entries, name_used
from events.errors import LogMisuse, LostRace, UnknownMatch
from events.ids import ARBITER, Digest, MatchId, Seat, StudyId
from events.log import (
    NEWS_MAX,
    AlreadyThere,
    Appended,
    NewCommit,
    NewSummary,
    Origin,
    Receipt,
    Stored,
    StoredSummary,
    Wanted,
    appended,
    check_attachment,
    check_new,
    is_lost,
    no_origin,
    other_seed,
    too_late,
)


def _first(stored: Stored) -> int:
    return stored.first


def _last(stored: Stored) -> int:
    return stored.last


class _Stream:
    """One match in memory."""

    __slots__ = ("commits", "keys", "origin", "seed", "seed_key")

    def __init__(self, origin: Origin | None) -> None:
        self.commits: list[Stored] = []
        self.keys: dict[str, Stored] = {}
        self.origin = origin
        self.seed = ""
        self.seed_key = ""

    def head(self) -> Head:
        if self.commits:
            return Head(self.commits[-1].last, self.commits[-1].hash)
        if self.origin is not None:
            return Head(self.origin.seq, self.origin.hash)
        return Head(0, GENESIS)


class MemoryLog:
    """The log port in memory: for tests, simulation and rollouts.

    Durable is what was appended as long as the process lives. A batch may have any number of commits, and nothing is read late.
    """

    def __init__(self) -> None:
        self._streams: dict[MatchId, _Stream] = {}
        self._attachments: dict[Digest, bytes] = {}
        self._appointed: dict[str, str] = {}
        self._snapshots: dict[tuple[MatchId, Seat], dict[int, bytes]] = {}
        self._summaries: dict[MatchId, NewSummary] = {}
        self._written: list[Stored] = []
        self._told = 0
        self._entries: list[StoredEntry] = []
        self._checkpoints: list[str] = []
        self._logs: dict[str, bytes] = {}
        self._studies: dict[MatchId, dict[StudyId, list[bytes]]] = {}

    def beside(self) -> Self:
        """Return another log of the same matches, as a second process would have it; each is told what the other appends."""
        other = copy(self)
        while other.news():
            pass
        return other

    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append several commits; see `Log.append`."""
        is_told = self._told == len(self._written)
        receipts: list[Receipt] = []
        lost: set[MatchId] = set()
        try:
            for new in batch:
                receipts.append(self._append(new, lost))
                if is_lost(new, receipts[-1]):
                    lost.add(new.match)
        except (LogMisuse, UnknownMatch):
            self._undo(receipts)
            raise
        if is_told:
            self._told = len(self._written)
        return receipts

    def _append(self, new: NewCommit, lost: set[MatchId]) -> Receipt:
        check_new(new)
        stream = self._streams.get(new.match)
        if stream is None:
            stream = _Stream(new.origin)
            if new.origin is not None:
                self._check_origin(new, new.origin)
        known = stream.keys.get(new.key)
        if known is not None:
            return AlreadyThere(known)
        actual = stream.head().seq
        if actual != new.first - 1 or new.match in lost:
            return LostRace(new.match, new.first - 1, actual)
        if new.origin is not None and stream.origin != new.origin:
            raise too_late(new)
        if new.seed and stream.seed not in ("", new.seed):
            raise other_seed(new)
        receipt = appended(new)
        stream.commits.append(receipt.stored)
        stream.keys[new.key] = receipt.stored
        self._written.append(receipt.stored)
        if new.seed and not stream.seed:
            stream.seed, stream.seed_key = new.seed, new.key
        self._streams[new.match] = stream
        return receipt

    def _check_origin(self, new: NewCommit, origin: Origin) -> None:
        commits = self._stream(origin.parent).commits
        if not any(stored.last == origin.seq and stored.hash == origin.hash for stored in commits):
            raise no_origin(new, origin)

    def _undo(self, receipts: list[Receipt]) -> None:
        """Roll back the first commits of a batch, because a later one failed."""
        for receipt in reversed(receipts):
            if isinstance(receipt, Appended):
                stored = receipt.stored
                stream = self._streams[stored.match]
                stream.commits.pop()
                self._written.pop()
                del stream.keys[stored.key]
                if stream.seed_key == stored.key:
                    stream.seed, stream.seed_key = "", ""
                if not stream.commits:
                    del self._streams[stored.match]

    def _stream(self, match: MatchId) -> _Stream:
        stream = self._streams.get(match)
        if stream is None:
            raise UnknownMatch(match)
        return stream

    def news(self, wanted: Wanted | None = None) -> Sequence[Stored]:
        """Return what others have appended; see `Log.news`."""
        found = self._written[self._told : self._told + NEWS_MAX]
        self._told += len(found)
        return found

    def head(self, match: MatchId) -> Head:
        """Return the head of a match; see `Log.head`."""
        return self._stream(match).head()

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Read commits in order; see `Log.read`."""
        stretches: list[list[Stored]] = []
        stream: _Stream | None = self._stream(match)
        while stream is not None:
            start = bisect_right(stream.commits, after, key=_last)
            end = len(stream.commits) if upto is None else bisect_right(stream.commits, upto, key=_first)
            stretches.append(stream.commits[start:end])
            origin = stream.origin
            if origin is None or after >= origin.seq:
                break
            upto = origin.seq if upto is None else min(upto, origin.seq)
            stream = self._stream(origin.parent)
        return chain.from_iterable(reversed(stretches))

    def find(self, match: MatchId, key: str) -> Stored | None:
        """Return the commit with this key; see `Log.find`."""
        stream = self._streams.get(match)
        return None if stream is None else stream.keys.get(key)

    def origin(self, match: MatchId) -> Origin | None:
        """Return where a fork left its parent; see `Log.origin`."""
        return self._stream(match).origin

    def matches(self, after: MatchId | None = None, limit: int | None = None) -> Sequence[MatchId]:
        """Return ids of matches; see `Log.matches`."""
        matches = tuple(self._streams)
        if after is None:
            return matches[:limit]
        self._stream(after)
        start = matches.index(after) + 1
        return matches[start : None if limit is None else start + limit]

    def matches_like(self, prefix: str, limit: int) -> Sequence[MatchId]:
        """Return matches whose ids begin with a prefix; see `Log.matches_like`."""
        return tuple(sorted(match for match in self._streams if match.startswith(prefix))[:limit])

    def forks(self, match: MatchId) -> Sequence[MatchId]:
        """Return the forks of a match; see `Log.forks`."""
        self._stream(match)
        origins = [(fork, stream.origin) for fork, stream in self._streams.items()]
        return tuple([fork for fork, origin in origins if origin is not None and origin.parent == match])

    def seed(self, match: MatchId) -> str:
        """Return the stored sealed seed; see `Log.seed`."""
        stream = self._streams.get(match)
        return "" if stream is None else stream.seed

    def attach(self, digest: Digest, content: bytes) -> None:
        """Store a file; see `Log.attach`."""
        check_attachment(digest, content)
        self._attachments.setdefault(digest, content)

    def attachment(self, digest: Digest) -> bytes | None:
        """Return a stored file; see `Log.attachment`."""
        return self._attachments.get(digest)

    def appoint(self, name: str, credential: str) -> None:
        """Give or end a capability for all matches; see `Log.appoint`."""
        self._appointed[name] = credential

    def appointed(self) -> dict[str, str]:
        """Return the capabilities for all matches; see `Log.appointed`."""
        return {name: credential for name, credential in self._appointed.items() if credential}

    def save_snapshot(self, match: MatchId, seq: int, content: bytes, seat: Seat = ARBITER) -> None:
        """Store a snapshot; see `Log.save_snapshot`."""
        if self._has(match, seq):
            self._snapshots.setdefault((match, seat), {})[seq] = content

    def _has(self, match: MatchId, seq: int) -> bool:
        stream = self._streams.get(match)
        return stream is not None and seq <= stream.head().seq

    def snapshot(self, match: MatchId, upto: int, seat: Seat = ARBITER) -> tuple[int, bytes] | None:
        """Return the latest snapshot; see `Log.snapshot`."""
        stream = self._streams.get(match)
        while stream is not None:
            known = self._snapshots.get((match, seat), {})
            kept = [seq for seq in known if seq <= upto]
            if kept:
                return max(kept), known[max(kept)]
            if stream.origin is None or seat != ARBITER:
                break
            match, upto = stream.origin.parent, min(upto, stream.origin.seq)
            stream = self._streams.get(match)
        return None

    def save_summaries(self, batch: Sequence[NewSummary]) -> None:
        """Store summaries; see `Log.save_summaries`."""
        self._summaries.update({new.match: new for new in batch if self._has(new.match, new.head.seq)})

    def summary(self, match: MatchId) -> StoredSummary:
        """Return a match's head and its summary; see `Log.summary`."""
        head = self._stream(match).head()
        kept = self._summaries.get(match)
        return StoredSummary(match, head) if kept is None else StoredSummary(match, head, kept.head, kept.content)

    def summaries(self, after: MatchId | None = None, limit: int | None = None) -> Sequence[StoredSummary]:
        """Return the heads and summaries of matches; see `Log.summaries`."""
        return [self.summary(match) for match in self.matches(after, limit)]

    def append_study(self, match: MatchId, study: StudyId, number: int, body: bytes) -> bool:
        """Append an entry of a study; see `StudyStore.append_study`."""
        self._stream(match)
        entries = self._studies.setdefault(match, {}).get(study, [])
        is_next = number == len(entries) + 1
        if is_next:
            self._studies[match].setdefault(study, []).append(body)
        return is_next

    def study(self, match: MatchId, study: StudyId) -> Sequence[bytes]:
        """Return the entries of a study; see `StudyStore.study`."""
        self._stream(match)
        return tuple(self._studies.get(match, {}).get(study, ()))

    def studies(self, match: MatchId) -> Sequence[StudyId]:
        """Return the studies of a match; see `StudyStore.studies`."""
        self._stream(match)
        return tuple(self._studies.get(match, {}))

    def written(self, after: int, limit: int) -> Sequence[Written]:
        """Return commits in the order of writing; see `EntryStore.written`."""
        found = enumerate(self._written[after : after + limit], start=after + 1)
        return [Written(number, stored.match, stored.hash, stored.body) for number, stored in found]

    def number_of(self, match: MatchId, first: int) -> int:
        """Return the number of a commit; see `EntryStore.number_of`."""
        found = [
            number for number, one in enumerate(self._written, start=1) if (one.match, one.first) == (match, first)
        ]
        return found[0] if found else 0

    def append_entries(self, after: int, entries: Sequence[NewEntry]) -> None:
        """Append entries; see `EntryStore.append_entries`."""
        check_entries(after, len(self._entries), entries, max([one.commit for one in self._entries], default=0))
        for new in entries:
            of = self._written[new.commit - 1] if new.commit else None
            self._entries.append(
                StoredEntry(key=new.key) if of is None else StoredEntry(new.commit, match=of.match, hash=of.hash)
            )

    def entries(self, after: int, limit: int) -> Sequence[StoredEntry]:
        """Return entries; see `EntryStore.entries`."""
        return self._entries[after : after + limit]

    def save_checkpoint(self, size: int, note: str) -> None:
        """Store a checkpoint; see `EntryStore.save_checkpoint`."""
        self._checkpoints.append(note)

    def last_checkpoint(self) -> str:
        """Return the last checkpoint; see `EntryStore.last_checkpoint`."""
        return self._checkpoints[-1] if self._checkpoints else ""

    def begin_log(self, origin: str, secret: bytes) -> None:
        """Keep the name of a log; see `EntryStore.begin_log`."""
        if origin in self._logs:
            raise name_used(origin)
        self._logs[origin] = secret

    def logs(self) -> Mapping[str, bytes]:
        """Return the logs; see `EntryStore.logs`."""
        return dict(self._logs)
