"""The log port: append-only streams of commits, one per match.

A log stores bytes. It never decodes a commit, knows no game and never changes or removes anything. A fork holds only its
own commits; reading it reads its parent's shared prefix first.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias

from events.codec import Struct
from events.commit import Head
from events.entry_store import EntryStore
from events.errors import LogError, LogMisuse, LostRace, NoForkPoint
from events.ids import ARBITER, Digest, MatchId, Seat
from events.study_store import StudyStore


class Stored(Struct, frozen=True, gc=False):
    """A commit as stored in the log.

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
    """The point at which a fork left its parent: after the commit that ends with event `seq`, whose hash is `hash`.

    That commit lies in the parent's own stream. A fork of another fork within the prefix which that one shares has the match
    that wrote the prefix as its parent here (`fork_point`), whatever its `MatchForked` says.
    """

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


def appended(new: NewCommit) -> Appended:
    """Return the receipt of a commit that was appended."""
    return Appended(Stored(new.match, new.first, new.last, new.key, new.hash, new.body))


class AlreadyThere(Struct, frozen=True):
    """A commit with this idempotency key was appended before; nothing was written."""

    stored: Stored


Receipt = Appended | AlreadyThere | LostRace
"""The result of appending one commit; a lost race is a value so that the rest of the batch is appended."""


def is_lost(new: NewCommit, receipt: Receipt) -> bool:
    """Return whether the match does not hold this commit, so that commits which were made to follow it cannot be appended."""
    return isinstance(receipt, LostRace) or receipt.stored.hash != new.hash


class NewSummary(Struct, frozen=True):
    """A cached summary of a match at a head, for lists; for the log only bytes."""

    match: MatchId
    head: Head
    content: bytes


class StoredSummary(Struct, frozen=True):
    """A match of a list: its head, and its cached summary if there is one.

    Args:
        match: Its id.
        head: Its current head, according to the store's rows.
        of: The head that the summary was made at.
        content: The summary.
        damage: The damage seen without a check of the chain; `head` means nothing then.
    """

    match: MatchId
    head: Head
    of: Head | None = None
    content: bytes | None = None
    damage: LogError | None = None

    @property
    def current(self) -> bytes | None:
        """The summary if it was made at the match's head, or None if it is stale or missing."""
        return self.content if self.damage is None and self.of == self.head else None


BATCH_MAX = 1_000
"""How many commits every adapter appends in one step; one that says so appends more."""

NEWS_MAX = 512
"""How many commits `Log.news` returns at most."""


Wanted: TypeAlias = Callable[[MatchId], bool]
"""Whether the bytes of a match's news are needed."""


class Log(EntryStore, StudyStore, Protocol):
    """The store of matches. Every adapter passes the contract tests in `tests/events/test_log_contract.py`.

    Several writers may append to one store, each with a log of its own. Each adapter says what *durable* means, how many commits a batch
    may have, and whether what it reads may be *late*: whether it may lack what another writer has appended already. A log is never late
    about its own commits.
    """

    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append several commits, of one or more matches, in order, in one durable step.

        A known key takes precedence over a lost race: a retried command is answered as the first time. Behind a commit that is not
        appended, those of the same match lose the race too, since they were made to follow it. A lost race is what the store says, never
        what this log remembers: after it, `head` returns the head that won.

        Args:
            batch: The commits, `BATCH_MAX` at most unless the adapter says otherwise.

        Returns:
            One receipt per commit. When the call returns, what was appended is durable.

        Raises:
            OutcomeUnknown: The last step failed. Either the whole batch is in the log or none of it; which one is not known
                before the log is reopened. Batches appended later do not conflict with this one.
            StoreUnavailable: Nothing of the batch was written.
            UnknownMatch: An origin names a parent that does not exist; nothing of the batch was written.
            LogMisuse: A commit has no events, its origin is not a commit of the parent or comes too late, or its seed differs
                from the stored one; nothing of the batch was written.
        """

    def news(self, wanted: Wanted | None = None) -> Sequence[Stored]:
        """Return what other writers have appended since the log was opened or since the last call, complete and in the order of the store.

        Commits of matches that are not `wanted` may come without their bytes, if reading those costs anything; by default all are wanted.

        At most `NEWS_MAX` commits; behind so many there may be more. Commits of this log may be among them, but not those whose receipt is
        still awaited. A row that is damaged is left out.

        Raises:
            StoreUnavailable: The store cannot be read; nothing is missed.
        """

    def head(self, match: MatchId) -> Head:
        """Return the head of a match.

        Raises:
            UnknownMatch: There is no such match.
        """

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Read the commits whose last event is after `after` and whose first is not after `upto`, in order.

        A fork's shared prefix comes first, cut at the commit where it left its parent. Commits appended after the call are not
        included.

        Raises:
            UnknownMatch: There is no such match.
        """

    def find(self, match: MatchId, key: str) -> Stored | None:
        """Return the commit with this idempotency key, if the match's own stream holds one."""

    def origin(self, match: MatchId) -> Origin | None:
        """Return where a fork left its parent, or None if the match is not a fork.

        Raises:
            UnknownMatch: There is no such match.
        """

    def matches(self, after: MatchId | None = None, limit: int | None = None) -> Sequence[MatchId]:
        """Return ids of matches in the order in which they were opened.

        Args:
            after: Only those opened after this one.
            limit: The most matches to return, 1 or more.

        Raises:
            UnknownMatch: There is no match `after`.
        """

    def matches_like(self, prefix: str, limit: int) -> Sequence[MatchId]:
        """Return at most `limit` matches whose ids begin with a prefix, in the order of their ids."""

    def forks(self, match: MatchId) -> Sequence[MatchId]:
        """Return the matches whose origin is a commit of this match's own stream, in the order in which they were opened.

        Raises:
            UnknownMatch: There is no such match.
        """

    def seed(self, match: MatchId) -> str:
        """Return the sealed seed (hex) stored for a match's own stream, or an empty string."""

    def attach(self, digest: Digest, content: bytes) -> None:
        """Store a file that a match refers to by its SHA-256 (a board, a position); storing it again changes nothing.

        Raises:
            LogMisuse: The content has another SHA-256.
            StoreUnavailable: The file was not stored.
        """

    def attachment(self, digest: Digest) -> bytes | None:
        """Return a stored file, or None."""

    def appoint(self, name: str, credential: str) -> None:
        """Give a person a capability for all matches, in place of an earlier one of the same name.

        Args:
            name: The person's name.
            credential: The SHA-256 of the capability's secret; empty to end the capability.

        Raises:
            StoreUnavailable: Nothing was stored.
        """

    def appointed(self) -> dict[str, str]:
        """Return the credentials of the capabilities for all matches, by name, in the order in which the names came first."""

    def save_snapshot(self, match: MatchId, seq: int, content: bytes, seat: Seat = ARBITER) -> None:
        """Store a snapshot of the table after event `seq`, as a seat sees it. Snapshots are a cache and may be dropped at any time.

        A snapshot after an event that the match does not have is refused: a match that ends before its snapshot counts as
        damaged.
        """

    def snapshot(self, match: MatchId, upto: int, seat: Seat = ARBITER) -> tuple[int, bytes] | None:
        """Return the latest snapshot of what a seat sees up to event `upto`, with its sequence number.

        A fork has its own snapshots. For the arbiter, who sees the true table, it also uses its ancestors' snapshots of the
        shared prefix; other seats may see less of that prefix in a fork.
        """

    def save_summaries(self, batch: Sequence[NewSummary]) -> None:
        """Store summaries of matches for lists, in one step; a cache like snapshots, one summary a match.

        Summaries of matches that are not in the log, and of events that a match does not have, are ignored.
        """

    def summary(self, match: MatchId) -> StoredSummary:
        """Return a match's head and its cached summary.

        Raises:
            UnknownMatch: There is no such match.
        """

    def summaries(self, after: MatchId | None = None, limit: int | None = None) -> Sequence[StoredSummary]:
        """Return the heads and cached summaries of matches, in the order in which they were opened.

        The chain is not checked. Damage that is noticed nevertheless is in `StoredSummary.damage`; a damaged match does not prevent
        the others from being listed.

        Args:
            after: Only matches opened after this one.
            limit: The most matches to return, 1 or more.

        Raises:
            UnknownMatch: There is no match `after`.
        """


def fork_point(log: Log, match: MatchId, seq: int) -> Origin:
    """Return the origin of a fork that leaves a match after event `seq`.

    Raises:
        UnknownMatch: There is no such match.
        NoForkPoint: The match has fewer events, or the event is not the last of its command.
    """
    for stored in log.read(match, seq - 1, seq):
        if stored.last != seq:
            near = f"{stored.last}" if stored.first == 1 else f"{stored.first - 1} or {stored.last}"
            raise NoForkPoint(f"event {seq} of match {match} is not the last of its command; fork after event {near}")
        return Origin(stored.match, seq, stored.hash)
    raise NoForkPoint(f"match {match} has {log.head(match).seq} events; there is no event {seq} to fork after")


def check_new(new: NewCommit) -> None:
    """Check that a commit holds events.

    Raises:
        LogMisuse: The commit holds none.
    """
    if not 1 <= new.first <= new.last:
        raise LogMisuse(f"match {new.match}: a commit of events {new.first} to {new.last} is not possible")


def check_attachment(digest: Digest, content: bytes) -> None:
    """Check that a file has its digest.

    Raises:
        LogMisuse: The file has another digest.
    """
    if hashlib.sha256(content).hexdigest() != digest:
        raise LogMisuse(f"the file to attach does not have the SHA-256 {digest}")


def no_origin(new: NewCommit, origin: Origin) -> LogMisuse:
    """Return the error of a fork whose origin is not a commit of the parent's own stream."""
    return LogMisuse(
        f"match {new.match}: {origin.parent} has no such commit of its own that ends with event {origin.seq}"
    )


def too_late(new: NewCommit) -> LogMisuse:
    """Return the error of an origin for a match that has another origin or none."""
    return LogMisuse(f"match {new.match} exists and did not begin as that fork")


def other_seed(new: NewCommit) -> LogMisuse:
    """Return the error of a second seed."""
    return LogMisuse(f"match {new.match} has another sealed seed already")
