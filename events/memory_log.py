"""The log port in memory: for tests, simulation and rollouts."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from events.commit import GENESIS, Head
from events.errors import LogMisuse, LostRace, UnknownMatch
from events.ids import Digest, MatchId
from events.log import (
    AlreadyThere,
    Appended,
    NewCommit,
    Origin,
    Receipt,
    Stored,
    check_attachment,
    check_new,
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
    """The log port in memory: for tests, simulation and rollouts."""

    def __init__(self) -> None:
        """Start empty."""
        self._streams: dict[MatchId, _Stream] = {}
        self._attachments: dict[Digest, bytes] = {}
        self._snapshots: dict[MatchId, dict[int, bytes]] = {}

    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append several commits; see `Log.append`."""
        receipts: list[Receipt] = []
        try:
            for new in batch:
                receipts.append(self._append(new))  # noqa: PERF401 - What was done before an error is taken back.
        except (LogMisuse, UnknownMatch):
            self._undo(receipts)
            raise
        return receipts

    def _append(self, new: NewCommit) -> Receipt:
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
        if actual != new.first - 1:
            return LostRace(new.match, new.first - 1, actual)
        if new.origin is not None and stream.origin != new.origin:
            raise too_late(new)
        if new.seed and stream.seed not in ("", new.seed):
            raise other_seed(new)
        stored = Stored(new.match, new.first, new.last, new.key, new.hash, new.body)
        stream.commits.append(stored)
        stream.keys[new.key] = stored
        if new.seed and not stream.seed:
            stream.seed, stream.seed_key = new.seed, new.key
        self._streams[new.match] = stream
        return Appended(stored)

    def _check_origin(self, new: NewCommit, origin: Origin) -> None:
        commits = self._stream(origin.parent).commits
        if not any(stored.last == origin.seq and stored.hash == origin.hash for stored in commits):
            raise no_origin(new, origin)

    def _undo(self, receipts: list[Receipt]) -> None:
        """Take back what the first commits of a batch did, because a later one cannot be."""
        for receipt in reversed(receipts):
            if isinstance(receipt, Appended):
                stored = receipt.stored
                stream = self._streams[stored.match]
                stream.commits.pop()
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

    def head(self, match: MatchId) -> Head:
        """Return where a match stands; see `Log.head`."""
        return self._stream(match).head()

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Read commits in order; see `Log.read`."""
        found: list[Stored] = []
        stream = self._stream(match)
        if stream.origin is not None and after < stream.origin.seq:
            shared = stream.origin.seq if upto is None else min(upto, stream.origin.seq)
            found.extend(self.read(stream.origin.parent, after, shared))
        start = bisect_right(stream.commits, after, key=_last)
        end = len(stream.commits) if upto is None else bisect_right(stream.commits, upto, key=_first)
        found.extend(stream.commits[start:end])
        return iter(found)

    def find(self, match: MatchId, key: str) -> Stored | None:
        """Return the commit with this key; see `Log.find`."""
        stream = self._streams.get(match)
        return None if stream is None else stream.keys.get(key)

    def origin(self, match: MatchId) -> Origin | None:
        """Return where a fork left its parent; see `Log.origin`."""
        return self._stream(match).origin

    def matches(self) -> Sequence[MatchId]:
        """Return all match ids; see `Log.matches`."""
        return tuple(self._streams)

    def seed(self, match: MatchId) -> str:
        """Return the kept sealed seed; see `Log.seed`."""
        stream = self._streams.get(match)
        return "" if stream is None else stream.seed

    def attach(self, digest: Digest, content: bytes) -> None:
        """Keep a file; see `Log.attach`."""
        check_attachment(digest, content)
        self._attachments.setdefault(digest, content)

    def attachment(self, digest: Digest) -> bytes | None:
        """Return a kept file; see `Log.attachment`."""
        return self._attachments.get(digest)

    def save_snapshot(self, match: MatchId, seq: int, content: bytes) -> None:
        """Keep a snapshot; see `Log.save_snapshot`."""
        self._snapshots.setdefault(match, {})[seq] = content

    def snapshot(self, match: MatchId, upto: int) -> tuple[int, bytes] | None:
        """Return the latest snapshot; see `Log.snapshot`."""
        kept = [seq for seq in self._snapshots.get(match, {}) if seq <= upto]
        if kept:
            return max(kept), self._snapshots[match][max(kept)]
        stream = self._streams.get(match)
        if stream is None or stream.origin is None:
            return None
        return self.snapshot(stream.origin.parent, min(upto, stream.origin.seq))
