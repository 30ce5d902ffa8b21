"""The log port and its memory adapter: append-only streams of commits, one per match.

A log stores bytes. It never decodes a commit, knows no game and never changes or removes anything. A fork holds only its
own commits; reading it reads its parent's shared prefix first.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from events.codec import Struct
from events.commit import GENESIS, Head
from events.errors import LostRace, UnknownMatch
from events.ids import Digest, MatchId


class Stored(Struct, frozen=True, gc=False):
    """A commit as it lies in the log.

    `match` is the stream it was written to: for the shared prefix of a fork that is the parent's. `first` and `last` are
    the sequence numbers of its events.
    """

    match: MatchId
    first: int
    last: int
    key: str
    hash: Digest
    body: bytes


class Origin(Struct, frozen=True):
    """Where a fork left its parent: after the commit that ends with event `seq`, whose hash is `hash`."""

    parent: MatchId
    seq: int
    hash: Digest


class NewCommit(Struct, frozen=True):
    """A commit to append.

    `first` - 1 is the expected sequence: the number of events that the match must have. `origin` comes with the first
    commit of a fork, `seed` with a commit that brings a sealed seed along, which the log keeps apart from the events.
    """

    match: MatchId
    first: int
    last: int
    key: str
    hash: Digest
    body: bytes
    origin: Origin | None = None
    seed: str = ""


class Appended(Struct, frozen=True):
    """The commit lies durably in the log."""

    stored: Stored


class AlreadyThere(Struct, frozen=True):
    """A commit with this idempotency key was appended before; nothing was written."""

    stored: Stored


Receipt = Appended | AlreadyThere | LostRace
"""What became of one commit; a lost race comes back as a value so that the others of its batch stand."""


class Log(Protocol):
    """Where matches are kept. Every adapter passes the contract tests in `tests/events/test_log_contract.py`."""

    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append several commits, of one or more matches, in order, in one durable step.

        Returns:
            One receipt per commit. When the call returns, what was appended survives the death of the process and the
            loss of power.

        Raises:
            StoreUnavailable: Nothing of the batch was written.
        """

    def head(self, match: MatchId) -> Head:
        """Return where a match stands.

        Raises:
            UnknownMatch: There is no such match.
        """

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Read the commits whose last event comes after `after` and whose first is not beyond `upto`, in order.

        A fork's shared prefix comes first, cut at the commit where it left its parent.

        Raises:
            UnknownMatch: There is no such match.
        """

    def find(self, match: MatchId, key: str) -> Stored | None:
        """Return the commit with this idempotency key, if the match's own stream holds one."""

    def origin(self, match: MatchId) -> Origin | None:
        """Return where a fork left its parent; nothing for a match that is no fork.

        Raises:
            UnknownMatch: There is no such match.
        """

    def matches(self) -> Sequence[MatchId]:
        """Return the ids of all matches, in the order in which they were opened."""

    def seed(self, match: MatchId) -> str:
        """Return the sealed seed (hex) that is kept for a match's own stream, or an empty string."""

    def attach(self, digest: Digest, content: bytes) -> None:
        """Keep a file that a match refers to by its SHA-256 (a board, a position); doing it twice changes nothing."""

    def attachment(self, digest: Digest) -> bytes | None:
        """Return a kept file, or nothing."""

    def save_snapshot(self, match: MatchId, seq: int, content: bytes) -> None:
        """Keep a snapshot of the table after event `seq`; a cache that may be lost or refused at any time."""

    def snapshot(self, match: MatchId, upto: int) -> tuple[int, bytes] | None:
        """Return the latest kept snapshot not beyond event `upto`, with its sequence number."""


class _Stream:
    """One match in memory."""

    __slots__ = ("commits", "keys", "origin", "seed")

    def __init__(self, origin: Origin | None) -> None:
        self.commits: list[Stored] = []
        self.keys: dict[str, Stored] = {}
        self.origin = origin
        self.seed = ""

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
        return [self._append(new) for new in batch]

    def _append(self, new: NewCommit) -> Receipt:
        stream = self._streams.get(new.match)
        if stream is None:
            if new.origin is not None:
                self._stream(new.origin.parent)
            stream = _Stream(new.origin)
        known = stream.keys.get(new.key)
        if known is not None:
            return AlreadyThere(known)
        actual = stream.head().seq
        if actual != new.first - 1:
            return LostRace(new.match, new.first - 1, actual)
        stored = Stored(new.match, new.first, new.last, new.key, new.hash, new.body)
        stream.commits.append(stored)
        stream.keys[new.key] = stored
        stream.seed = new.seed or stream.seed
        self._streams[new.match] = stream
        return Appended(stored)

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
        stream = self._stream(match)
        if stream.origin is not None and after < stream.origin.seq:
            shared = stream.origin.seq if upto is None else min(upto, stream.origin.seq)
            yield from self.read(stream.origin.parent, after, shared)
        for stored in list(stream.commits):
            if stored.last > after and (upto is None or stored.first <= upto):
                yield stored

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
        return (max(kept), self._snapshots[match][max(kept)]) if kept else None
