"""The part of a log's port that a server's log is made of: commits in the order of writing, entries, checkpoints and names."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from events.codec import Struct
from events.errors import LogMisuse
from events.ids import Digest, MatchId


class Written(Struct, frozen=True, gc=False):
    """A commit in the order in which a store's commits were written: its number (from 1), its own match, its hash and its bytes."""

    number: int
    match: MatchId
    hash: Digest
    body: bytes


class NewEntry(Struct, frozen=True, gc=False):
    """An entry to append: the number of a commit, or the canonical bytes of a change of the key."""

    commit: int = 0
    key: bytes = b""


class StoredEntry(NewEntry, frozen=True, gc=False):
    """An entry, with the match and the hash of its commit; both are empty for a change of the key."""

    match: MatchId = MatchId("")
    hash: Digest = Digest("")


class EntryStore(Protocol):
    """Keeps the entries, checkpoints and names of the server's log in a store; nothing of it is ever changed or removed."""

    def written(self, after: int, limit: int) -> Sequence[Written]:
        """Return at most `limit` commits in the order of writing, those with numbers after `after`."""

    def number_of(self, match: MatchId, first: int) -> int:
        """Return the number of the commit of a match's own stream that begins with event `first`; 0 if there is none."""

    def append_entries(self, after: int, entries: Sequence[NewEntry]) -> None:
        """Append entries to the `after` that there are. They need not survive the loss of power before a checkpoint is saved.

        Raises:
            LogMisuse: There are more or fewer entries, or the commits are not behind those of earlier entries; nothing was written.
            StoreUnavailable: Nothing was written.
        """

    def entries(self, after: int, limit: int) -> Sequence[StoredEntry]:
        """Return at most `limit` entries, those behind the first `after`."""

    def save_checkpoint(self, size: int, note: str) -> None:
        """Store a checkpoint of the first `size` entries durably, and these with it.

        Raises:
            StoreUnavailable: It may or may not have been written.
        """

    def last_checkpoint(self) -> str:
        """Return the note of the checkpoint that was saved last; empty if there is none."""

    def begin_log(self, origin: str, secret: bytes) -> None:
        """Keep the name of a log that begins, and the secret that blinds its entries.

        Raises:
            LogMisuse: A log of this name began already.
            StoreUnavailable: It was not written.
        """

    def logs(self) -> Mapping[str, bytes]:
        """Return the secrets of the logs by name, in the order in which they began; only the last one goes on."""


def check_entries(after: int, count: int, entries: Sequence[NewEntry], last: int) -> None:
    """Check that entries follow those that there are.

    Args:
        after: How many the caller knows of.
        count: How many there are.
        entries: The new ones.
        last: The largest number of a commit that has an entry.

    Raises:
        LogMisuse: They do not follow.
    """
    commits = [last, *[entry.commit for entry in entries if entry.commit]]
    if after != count or commits != sorted(set(commits)):
        raise LogMisuse(f"the log of the server has {count} entries, the last of commit {last}: these do not follow")


def name_used(origin: str) -> LogMisuse:
    """Return the error of a log with the name of an earlier one."""
    return LogMisuse(f"a log named {origin} began in this store before")
