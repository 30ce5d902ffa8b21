"""The log port: append-only streams of commits, one per match.

A log stores bytes. It never decodes a commit, knows no game and never changes or removes anything. A fork holds only its
own commits; reading it reads its parent's shared prefix first.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Protocol

from events.codec import Struct
from events.commit import Head
from events.errors import LogError, LogMisuse, LostRace, NoForkPoint
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
    """Where a fork left its parent: after the commit that ends with event `seq`, whose hash is `hash`.

    That commit lies in the parent's own stream: a fork that leaves another fork within the prefix which that one shares
    has the writer of the prefix as its parent here (`fork_point`), whatever its `MatchForked` says.
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


class AlreadyThere(Struct, frozen=True):
    """A commit with this idempotency key was appended before; nothing was written."""

    stored: Stored


Receipt = Appended | AlreadyThere | LostRace
"""What became of one commit; a lost race comes back as a value so that the others of its batch stand."""


class NewSummary(Struct, frozen=True):
    """What a list tells of a match as it stood at a head; for the log only bytes."""

    match: MatchId
    head: Head
    content: bytes


class KeptSummary(Struct, frozen=True):
    """A match of a list: where it stands, and its kept summary if there is one.

    Args:
        match: Its id.
        head: Where it stands now, as the store's rows have it.
        of: The head that the summary was made at.
        content: The summary.
        damage: What is seen to be wrong with the match at a glance; `head` means nothing then.
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


class Log(Protocol):
    """Where matches are kept. Every adapter passes the contract tests in `tests/events/test_log_contract.py`."""

    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append several commits, of one or more matches, in order, in one durable step.

        A known key comes before a lost race: a command that was sent again is answered as the first time.

        Returns:
            One receipt per commit. When the call returns, what was appended survives the death of the process and the
            loss of power.

        Raises:
            OutcomeUnknown: The last step failed. Either all of the batch is in the log or nothing of it, which is not known
                before the log is opened anew; a batch that is appended later is never in the way of this one.
            StoreUnavailable: Nothing of the batch was written.
            UnknownMatch: An origin names a parent that does not exist; nothing of the batch was written.
            LogMisuse: A commit is without events, its origin is no commit of the parent or comes too late, or it brings
                another seed than is kept; nothing of the batch was written.
        """

    def head(self, match: MatchId) -> Head:
        """Return where a match stands.

        Raises:
            UnknownMatch: There is no such match.
        """

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Read the commits whose last event comes after `after` and whose first is not beyond `upto`, in order.

        A fork's shared prefix comes first, cut at the commit where it left its parent. What is appended after the call
        does not come along.

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
            limit: At most so many, 1 or more.

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
        """Return the sealed seed (hex) that is kept for a match's own stream, or an empty string."""

    def attach(self, digest: Digest, content: bytes) -> None:
        """Keep a file that a match refers to by its SHA-256 (a board, a position); doing it twice changes nothing.

        Raises:
            LogMisuse: The content has another SHA-256.
            StoreUnavailable: It was not kept.
        """

    def attachment(self, digest: Digest) -> bytes | None:
        """Return a kept file, or nothing."""

    def save_snapshot(self, match: MatchId, seq: int, content: bytes) -> None:
        """Keep a snapshot of the table after event `seq`; a cache that may be lost or refused at any time.

        One of an event that the match does not have is refused: a match that ended before its snapshot would be damaged.
        """

    def snapshot(self, match: MatchId, upto: int) -> tuple[int, bytes] | None:
        """Return the latest kept snapshot not beyond event `upto`, with its sequence number.

        A fork has its own, and its ancestors' of the prefix that it shares with them.
        """

    def save_summaries(self, batch: Sequence[NewSummary]) -> None:
        """Keep what lists tell of matches, in one step; a cache like snapshots, one summary a match.

        Summaries of matches that are not in the log, and of events that a match does not have, are passed over.
        """

    def summary(self, match: MatchId) -> KeptSummary:
        """Return where a match stands and its kept summary.

        Raises:
            UnknownMatch: There is no such match.
        """

    def summaries(self, after: MatchId | None = None, limit: int | None = None) -> Sequence[KeptSummary]:
        """Return where matches stand and their kept summaries, in the order in which they were opened.

        No evidence is checked. What is seen of damage nevertheless stands in `KeptSummary.damage`, one match's does not keep
        the others from being listed.

        Args:
            after: Only matches opened after this one.
            limit: At most so many, 1 or more.

        Raises:
            UnknownMatch: There is no match `after`.
        """


def fork_point(log: Log, match: MatchId, seq: int) -> Origin:
    """Return the origin of a fork that leaves a match after event `seq`.

    Raises:
        UnknownMatch: There is no such match.
        NoForkPoint: The match has not that many events, or a command's events would be torn apart.
    """
    for stored in log.read(match, seq - 1, seq):
        if stored.last != seq:
            near = f"{stored.last}" if stored.first == 1 else f"{stored.first - 1} or {stored.last}"
            raise NoForkPoint(f"event {seq} of match {match} is not the last of its command; fork after event {near}")
        return Origin(stored.match, seq, stored.hash)
    raise NoForkPoint(f"match {match} has {log.head(match).seq} events; there is no event {seq} to fork after")


def check_new(new: NewCommit) -> None:
    """Make sure that a commit holds events.

    Raises:
        LogMisuse: It does not.
    """
    if not 1 <= new.first <= new.last:
        raise LogMisuse(f"match {new.match}: a commit of events {new.first} to {new.last} cannot be")


def check_attachment(digest: Digest, content: bytes) -> None:
    """Make sure that a file is the one that it is said to be.

    Raises:
        LogMisuse: It is not.
    """
    if hashlib.sha256(content).hexdigest() != digest:
        raise LogMisuse(f"the file to attach does not have the SHA-256 {digest}")


def no_origin(new: NewCommit, origin: Origin) -> LogMisuse:
    """Word the refusal of a fork whose origin is not a commit of the parent's own stream."""
    return LogMisuse(
        f"match {new.match}: {origin.parent} has no commit of its own that ends so with event {origin.seq}"
    )


def too_late(new: NewCommit) -> LogMisuse:
    """Word the refusal of an origin for a match that has another one or none."""
    return LogMisuse(f"match {new.match} exists and did not begin as that fork")


def other_seed(new: NewCommit) -> LogMisuse:
    """Word the refusal of a second seed."""
    return LogMisuse(f"match {new.match} has another sealed seed already")
