"""Reads a store in tables, with statements that every engine takes; places of values are question marks.

Nothing is cached between calls except a match's own row, which never changes.
"""

import hashlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import ClassVar, Self

from events.commit import Head
from events.entry_store import StoredEntry, Written
from events.errors import BrokenEvidence, UnknownMatch
from events.ids import ARBITER, Digest, MatchId, Seat, StudyId
from events.log import NEWS_MAX, Appended, Origin, Receipt, Stored, StoredSummary, Wanted
from server.store.sql.rows import (
    Branch,
    Row,
    entry_in,
    id_in,
    listed_branch,
    news_in,
    stored_in,
    summary_in,
    written_in,
)

CHUNK = 512
"""Commits fetched at once; no statement stays open between two chunks, so that a slow reader blocks nothing."""

SEQ_MAX = 2**62
"""A number larger than every event's, and than that of every row."""

_COLUMNS = "SELECT first, last, key, hash, body FROM commits WHERE match = ?"
_BY_KEY = f"{_COLUMNS} AND key = ?"
_CHUNK = f"{_COLUMNS} AND first > ? AND first <= ? ORDER BY first LIMIT ?"
_LAST = f"{_COLUMNS} AND first <= ? ORDER BY first DESC LIMIT 1"
_SNAPSHOT = "SELECT seq, content FROM snapshots WHERE match = ? AND seat = ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
_STUDY = "SELECT body FROM studies WHERE match = ? AND study = ? ORDER BY entry"
_STUDIES = "SELECT study FROM studies WHERE match = ? AND entry = 1 ORDER BY number"
_MATCH = """SELECT matches.number, matches.parent, parents.id, matches.seq, matches.hash
    FROM matches LEFT JOIN matches AS parents ON parents.number = matches.parent WHERE matches.id = ?"""
_WRITTEN = """SELECT commits.number, matches.id, commits.hash, commits.body FROM commits JOIN matches ON matches.number = commits.match
    WHERE commits.number > ? ORDER BY commits.number LIMIT ?"""
_NUMBER = "SELECT number FROM commits WHERE match = ? AND first = ?"
_ENTRIES = """SELECT entries.commit_number, entries.key, matches.id, commits.hash FROM entries
    LEFT JOIN commits ON commits.number = entries.commit_number LEFT JOIN matches ON matches.number = commits.match
    WHERE entries.number >= ? ORDER BY entries.number LIMIT ?"""

NEWS = """SELECT commits.number, matches.id, first, last, key, commits.hash, body FROM commits JOIN matches ON matches.number = commits.match
    WHERE commits.number > ? ORDER BY commits.number LIMIT ?"""
"""The commits behind one, in the order of writing."""

# Two largest numbers that one SELECT asks for would not be looked up in their indexes.
LAST_ENTRY = """SELECT (SELECT coalesce(max(number) + 1, 0) FROM entries),
    (SELECT coalesce(max(commit_number), 0) FROM entries)"""
"""The number of entries of the server's log, and of the last commit that has one."""


Ask = Callable[[str, tuple[object, ...]], list[Row]]
"""Fetches the rows of a statement; raises `StoreUnavailable`."""


class SqlReader(ABC):
    """The reading half of a store in tables, whose rows of commits are numbered in the order of writing, without gaps.

    Attributes:
        IDS: Selects the ids of matches as bytes, and the type in which each is stored, for a clause to follow.
        SUMMARIES: Selects the rows of a list of matches (`server.store.sql.rows.summary_in`), for a clause to follow.
        read_only: It was opened for reading only.
    """

    IDS: ClassVar[str]
    SUMMARIES: ClassVar[str]

    def __init__(self, *, read_only: bool) -> None:
        self.read_only = read_only
        self._branches: dict[MatchId, Branch] = {}
        self._told = self._own = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Release what it holds."""

    @abstractmethod
    def _rows(self, statement: str, values: tuple[object, ...]) -> list[Row]:
        """Fetch the rows of a statement.

        Raises:
            StoreUnavailable: They cannot be read.
        """

    def head(self, match: MatchId) -> Head:
        """Return the head of a match; see `Log.head`."""
        return self._head(self._branch(match))

    def _head(self, branch: Branch, upto: int = SEQ_MAX) -> Head:
        """Return the head after the last of a match's own commits that begins at or before event `upto`."""
        for row in self._rows(_LAST, (branch.number, upto)):
            stored = stored_in(branch, row)
            return Head(stored.last, stored.hash)
        return branch.start

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Read commits in order; see `Log.read`."""
        branch = self._branch(match)
        head = self._head_to_read(branch, after, upto)
        end = head.seq if upto is None else min(upto, SEQ_MAX)
        stretches = [(branch, end)]
        while branch.origin is not None and after < branch.origin.seq:
            end = min(end, branch.origin.seq)
            branch = self._branch(branch.origin.parent)
            stretches.append((branch, end))
        return self._read(stretches[::-1], min(max(after, 0), SEQ_MAX))

    def _head_to_read(self, branch: Branch, after: int, upto: int | None) -> Head:
        """Return the head up to which a match is read; a damaged store may be noticed by what is asked for."""
        return self._head(branch)

    def _read(self, stretches: list[tuple[Branch, int]], after: int) -> Iterator[Stored]:
        for branch, end in stretches:
            # The commit that holds event `after` + 1 may begin before it.
            holder = self._rows(_LAST, (branch.number, min(after + 1, end)))
            before = max(0, stored_in(branch, holder[0]).first - 1) if holder else after
            while rows := self._rows(_CHUNK, (branch.number, before, end, CHUNK)):
                for row in rows:
                    stored = stored_in(branch, row)
                    if stored.first <= before:
                        # A damaged index must not cause an endless loop.
                        raise BrokenEvidence(branch.match, stored.first, "the commits are not found in order")
                    before = stored.first
                    if stored.last > after:
                        yield stored

    def find(self, match: MatchId, key: str) -> Stored | None:
        """Return the commit with this key; see `Log.find`."""
        branch = self._find(match)
        return None if branch is None else self._by_key(branch, key)

    def _by_key(self, branch: Branch, key: str) -> Stored | None:
        rows = self._rows(_BY_KEY, (branch.number, key))
        return stored_in(branch, rows[0]) if rows else None

    def origin(self, match: MatchId) -> Origin | None:
        """Return where a fork left its parent; see `Log.origin`."""
        return self._branch(match).origin

    def matches(self, after: MatchId | None = None, limit: int | None = None) -> Sequence[MatchId]:
        """Return ids of matches; see `Log.matches`."""
        return ids_in(self._rows(f"{self.IDS} WHERE number > ? ORDER BY number LIMIT ?", self._page(after, limit)))

    def _page(self, after: MatchId | None, limit: int | None) -> tuple[int, int]:
        """Return the number after which a page begins, and its number of rows."""
        return 0 if after is None else self._branch(after).number, SEQ_MAX if limit is None else limit

    def matches_like(self, prefix: str, limit: int) -> Sequence[MatchId]:
        """Return matches whose ids begin with a prefix; see `Log.matches_like`."""
        return ids_in(
            self._rows(
                f"{self.IDS} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?",
                (prefix, f"{prefix}{chr(sys.maxunicode)}", limit),
            )
        )

    def forks(self, match: MatchId) -> Sequence[MatchId]:
        """Return the forks of a match; see `Log.forks`."""
        return ids_in(self._rows(f"{self.IDS} WHERE parent = ? ORDER BY number", (self._branch(match).number,)))

    def summary(self, match: MatchId) -> StoredSummary:
        """Return the head of a match and its summary; see `Log.summary`."""
        return self._summary(match, self._branch(match).number)

    def _summary(self, match: MatchId, number: int) -> StoredSummary:
        (row,) = self._rows(f"{self.SUMMARIES} WHERE matches.number = ?", (number,))
        return summary_in(row)

    def summaries(self, after: MatchId | None = None, limit: int | None = None) -> Sequence[StoredSummary]:
        """Return the heads of matches and their summaries; see `Log.summaries`."""
        statement = f"{self.SUMMARIES} WHERE matches.number > ? ORDER BY matches.number LIMIT ?"
        return [summary_in(row) for row in self._rows(statement, self._page(after, limit))]

    def news(self, wanted: Wanted | None = None) -> Sequence[Stored]:
        """Return what others have appended; see `Log.news`. Without news only the last number is read."""
        last = self._last()
        rows = () if last == self._told + self._own else self._rows(NEWS, (self._told, NEWS_MAX))
        self._told, self._own = int(str(rows[-1][0])) if rows else last, 0
        return [stored for row in rows if (stored := news_in(row)) is not None]

    def _last(self) -> int:
        """Return the number of the last commit."""
        ((last,),) = self._rows("SELECT coalesce(max(number), 0) FROM commits", ())
        return int(str(last))

    def _count(self, receipts: Sequence[Receipt]) -> None:
        """Count the rows that were appended for this log, to tell them from those of others."""
        self._own += sum([isinstance(receipt, Appended) for receipt in receipts])

    def seed(self, match: MatchId) -> str:
        """Return the kept sealed seed; see `Log.seed`."""
        branch = self._find(match)
        return "" if branch is None else self._seed(branch)

    def _seed(self, branch: Branch) -> str:
        rows = self._rows("SELECT seed FROM seeds WHERE match = ?", (branch.number,))
        return str(rows[0][0]) if rows else ""

    def attachment(self, digest: Digest) -> bytes | None:
        """Return a kept file; see `Log.attachment`."""
        try:
            key = bytes.fromhex(digest)
        except ValueError:
            # A forged match may name anything as its board.
            return None
        rows = self._rows("SELECT content FROM attachments WHERE digest = ?", (key,))
        content = rows[0][0] if rows else None
        return content if isinstance(content, bytes) else None

    def appointed(self) -> dict[str, str]:
        """Return the capabilities for all matches; see `Log.appointed`."""
        found: dict[str, str] = {}
        for name, credential in self._rows("SELECT name, credential FROM appointments ORDER BY number", ()):
            found[str(name)] = str(credential)
        return {name: credential for name, credential in found.items() if credential}

    def study(self, match: MatchId, study: StudyId) -> Sequence[bytes]:
        """Return the entries of a study; see `StudyStore.study`."""
        rows = self._rows(_STUDY, (self._branch(match).number, study))
        return [body if isinstance(body, bytes) else b"" for (body,) in rows]

    def studies(self, match: MatchId) -> Sequence[StudyId]:
        """Return the studies of a match; see `StudyStore.studies`."""
        return [StudyId(str(study)) for (study,) in self._rows(_STUDIES, (self._branch(match).number,))]

    def snapshot(self, match: MatchId, upto: int, seat: Seat = ARBITER) -> tuple[int, bytes] | None:
        """Return the latest snapshot; see `Log.snapshot`."""
        branch = self._find(match)
        while branch is not None:
            for seq, content in self._rows(_SNAPSHOT, (branch.number, seat, min(upto, SEQ_MAX))):
                if isinstance(seq, int) and isinstance(content, bytes):
                    return seq, content
            if branch.origin is None or seat != ARBITER:
                return None
            upto = min(upto, branch.origin.seq)
            branch = self._branch(branch.origin.parent)
        return None

    def written(self, after: int, limit: int) -> Sequence[Written]:
        """Return commits in the order of writing; see `EntryStore.written`."""
        return [written_in(row) for row in self._rows(_WRITTEN, (after, limit))]

    def number_of(self, match: MatchId, first: int) -> int:
        """Return the number of a commit; see `EntryStore.number_of`."""
        branch = self._find(match)
        rows = [] if branch is None else self._rows(_NUMBER, (branch.number, first))
        return int(str(rows[0][0])) if rows else 0

    def entries(self, after: int, limit: int) -> Sequence[StoredEntry]:
        """Return entries; see `EntryStore.entries`."""
        return [entry_in(row) for row in self._rows(_ENTRIES, (after, limit))]

    def last_checkpoint(self) -> str:
        """Return the last checkpoint; see `EntryStore.last_checkpoint`."""
        rows = self._rows("SELECT note FROM checkpoints ORDER BY number DESC LIMIT 1", ())
        return str(rows[0][0]) if rows else ""

    def logs(self) -> Mapping[str, bytes]:
        """Return the logs; see `EntryStore.logs`."""
        rows = self._rows("SELECT origin, secret FROM logs ORDER BY number", ())
        return {str(origin): secret for origin, secret in rows if isinstance(secret, bytes)}

    def _branch(self, match: MatchId) -> Branch:
        branch = self._find(match)
        if branch is None:
            raise UnknownMatch(match)
        return branch

    def _find(self, match: MatchId) -> Branch | None:
        """Return a match's own row, or None; it never changes, so it is read once."""
        branch = self._branches.get(match)
        if branch is None:
            for row in self._rows(_MATCH, (match,)):
                branch = self._branches[match] = listed_branch(match, row)
        return branch


def ids_in(rows: list[Row]) -> tuple[MatchId, ...]:
    """Decode the ids of matches, each with the type in which it is stored."""
    return tuple([id_in(id_, kind)[0] for id_, kind in rows])


def changed_attachments(ask: Ask) -> Iterator[str]:
    """Yield a line for each attachment that is not what was stored."""
    for (digest,) in ask("SELECT digest FROM attachments", ()):
        ((content,),) = ask("SELECT content FROM attachments WHERE digest = ?", (digest,)) or [(None,)]
        if not isinstance(content, bytes) or hashlib.sha256(content).digest() != digest:
            name = digest.hex() if isinstance(digest, bytes) else str(digest)
            yield f"board or position {name[:12]}…: its bytes are not those that were stored"
