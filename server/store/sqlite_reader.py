"""The reading half of the log port on a SQLite file; `server.store.sqlite_log` adds writing.

Nothing is cached between calls except a match's own row, which never changes.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from events.codec import DecodeError
from events.commit import Head, decode_commit
from events.entry_store import StoredEntry, Written
from events.errors import BrokenEvidence, StoreDamaged, UnknownMatch
from events.ids import ARBITER, Digest, MatchId, Seat
from events.log import Origin, Stored, StoredSummary
from server.store.serving_mark import has_foreign_log, is_cut_off
from server.store.sqlite_check import LINES_MAX, check_reached, check_store, check_whole, known_upto
from server.store.sqlite_rows import Branch, Row, entry_in, id_in, listed_branch, stored_in, summary_in, written_in
from server.store.sqlite_schema import TROUBLE, open_store, unavailable

CHUNK = 512
"""Commits fetched at once; no statement stays open between two chunks, so that a slow reader blocks nothing."""

SEQ_MAX = 2**62
"""A number larger than every event's."""

_COLUMNS = "SELECT first, last, key, hash, body FROM commits WHERE match = ?"
_BY_KEY = f"{_COLUMNS} AND key = ?"
_CHUNK = f"{_COLUMNS} AND first > ? AND first <= ? ORDER BY first LIMIT ?"
_LAST = f"{_COLUMNS} AND first <= ? ORDER BY first DESC LIMIT 1"
_SNAPSHOT = "SELECT seq, content FROM snapshots WHERE match = ? AND seat = ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
_MATCH = """SELECT matches.number, matches.parent, parents.id, matches.seq, matches.hash
    FROM matches LEFT JOIN matches AS parents ON parents.number = matches.parent WHERE matches.id = ?"""
# As bytes, because a damaged id may be invalid UTF-8, which would make the sound ids of the same result unreadable.
_IDS = "SELECT CAST(id AS BLOB), typeof(id) FROM matches"
_NUMBERED = "SELECT CAST(id AS BLOB), typeof(id), number FROM matches"
_FORKS = f"{_IDS} WHERE parent = ? ORDER BY number"
# The columns before a commit's body come first in its row, so that they are read without the body.
_SUMMARIES = """SELECT matches.number, CAST(matches.id AS BLOB), typeof(matches.id),
        (SELECT number FROM matches AS found INDEXED BY sqlite_autoindex_matches_1 WHERE found.id = matches.id),
        commits.last, commits.hash, summaries.seq, summaries.hash, summaries.content,
        (SELECT max(seq) FROM snapshots WHERE match = matches.number)
    FROM matches
    LEFT JOIN commits ON commits.number =
        (SELECT number FROM commits INDEXED BY commits_in_order WHERE match = matches.number ORDER BY first DESC LIMIT 1)
    LEFT JOIN summaries ON summaries.match = matches.number"""
# One search of the index for each match that has commits.
_LOST = """WITH RECURSIVE known (match) AS (
        SELECT min(match) FROM commits
        UNION ALL SELECT (SELECT min(match) FROM commits WHERE match > known.match) FROM known WHERE known.match IS NOT NULL)
    SELECT match, (SELECT body FROM commits WHERE commits.match = known.match ORDER BY first LIMIT 1) FROM known
    WHERE match IS NOT NULL AND match NOT IN (SELECT number FROM matches) LIMIT ?"""
_WRITTEN = """SELECT commits.number, matches.id, commits.hash, commits.body FROM commits JOIN matches ON matches.number = commits.match
    WHERE commits.number > ? ORDER BY commits.number LIMIT ?"""
_NUMBER = "SELECT number FROM commits WHERE match = ? AND first = ?"
_ENTRIES = """SELECT entries.commit_number, entries.key, matches.id, commits.hash FROM entries
    LEFT JOIN commits ON commits.number = entries.commit_number LEFT JOIN matches ON matches.number = commits.match
    WHERE entries.number >= ? ORDER BY entries.number LIMIT ?"""
_PAGE = f"{_SUMMARIES} WHERE matches.number > ? ORDER BY matches.number LIMIT ?"
_ONE = f"{_SUMMARIES} WHERE matches.number = ?"


CUT_OFF = (
    "it was copied while a server used it, without its write-ahead log (the file -wal): what was stored last is missing; "
    "`wardiary backup` copies a store that is in use"
)
FOREIGN_LOG, BESIDE = "the write-ahead log", "beside it belongs to another store"
MOVE_AWAY = "move that file to the store that it belongs to, or away"
READ_ON = "use the store itself, or a whole copy; without what is missing, use the copy that `wardiary backup FILE --as-it-is` makes of it"

_OPEN_HERE: dict[str, list[str]] = {}
"""The stores that this process has open, as often as it has, each with its problem. Only others are looked at without SQLite, because closing
such a file ends the locks that SQLite has on it."""


class SqliteReader:
    """The reading half of a store in one file.

    Args:
        path: The file; created if it does not exist, unless `read_only`.
        read_only: Open for reading only.
        timeout_s: How long to wait for a lock of another process, in seconds.
        alone: Lock the file exclusively; fail if another process uses it.

    Attributes:
        locator: The path, as `server.store.opening` takes it.
        problem: Why it may lack what was stored last; empty if nothing shows that.

    Raises:
        StoreUnavailable: It cannot be opened, is not a store, or is one of another version.
        StoreDamaged: It was parted from its write-ahead log.
    """

    def __init__(
        self, path: Path | str, *, read_only: bool = False, timeout_s: float = 5.0, alone: bool = False
    ) -> None:
        self.path = Path(path)
        self.locator = str(self.path)
        self.read_only = read_only
        self._open_here = _OPEN_HERE.setdefault(os.path.realpath(self.path), [])
        self.problem = self._open_here[0] if self._open_here else self._parted()
        if self.problem and not read_only:
            raise StoreDamaged(self.path, self.problem, READ_ON)
        self._db = open_store(self.path, read_only=read_only, timeout_s=timeout_s, alone=alone)
        self._is_open = True
        self._open_here.append(self.problem)
        self._branches: dict[MatchId, Branch] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        if self._is_open:
            self._open_here.remove(self.problem)
        self._is_open = False

    def _parted(self) -> str:
        """Return why the store may lack what was stored last; empty if nothing shows that.

        Raises:
            StoreDamaged: The write-ahead log beside it is not its own.
        """
        if has_foreign_log(self.path):
            raise StoreDamaged(self.path, f"{FOREIGN_LOG} {self.path}-wal {BESIDE}", MOVE_AWAY)
        return CUT_OFF if is_cut_off(self.path) else ""

    def check(self) -> list[str]:
        """Return the problems of the file, its rows and its indexes, one line each; chains are not checked."""
        return [*([self.problem] if self.problem else []), *check_store(self._rows)]

    def head(self, match: MatchId) -> Head:
        """Return the head of a match; see `Log.head`.

        Raises:
            BrokenEvidence: The match ends before an event that it is known to have.
        """
        branch = self._branch(match)
        known = known_upto(self._rows, branch)
        head = self._head(branch)
        check_reached(branch, head, known)
        return head

    def _head(self, branch: Branch, upto: int = SEQ_MAX) -> Head:
        """Return the head after the last of a match's own commits that begins at or before event `upto`."""
        for row in self._rows(_LAST, (branch.number, upto)):
            stored = stored_in(branch, row)
            return Head(stored.last, stored.hash)
        return branch.start

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Read commits in order; see `Log.read`."""
        branch = self._branch(match)
        known = known_upto(self._rows, branch) if after <= 0 else 0
        head = self._head(branch)
        if after <= 0 and (upto is None or upto >= head.seq):
            # A reader of a whole match expects everything that was ever stored.
            check_whole(self._rows, branch, head)
            check_reached(branch, head, known)
        end = head.seq if upto is None else min(upto, SEQ_MAX)
        stretches = [(branch, end)]
        while branch.origin is not None and after < branch.origin.seq:
            end = min(end, branch.origin.seq)
            branch = self._branch(branch.origin.parent)
            stretches.append((branch, end))
        return self._read(stretches[::-1], min(max(after, 0), SEQ_MAX))

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
        return _ids(self._rows(f"{_IDS} WHERE number > ? ORDER BY number LIMIT ?", self._page(after, limit)))

    def _page(self, after: MatchId | None, limit: int | None) -> tuple[int, int]:
        """Return the number after which a page begins, and its number of rows; -1 for all."""
        return 0 if after is None else self._branch(after).number, -1 if limit is None else limit

    def matches_like(self, prefix: str, limit: int) -> Sequence[MatchId]:
        """Return matches whose ids begin with a prefix; see `Log.matches_like`."""
        return _ids(
            self._rows(
                f"{_IDS} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?",
                (prefix, f"{prefix}{chr(sys.maxunicode)}", limit),
            )
        )

    def forks(self, match: MatchId) -> Sequence[MatchId]:
        """Return the forks of a match; see `Log.forks`."""
        return _ids(self._rows(_FORKS, (self._branch(match).number,)))

    def summary(self, match: MatchId) -> StoredSummary:
        """Return the head of a match and its summary; see `Log.summary`."""
        return self._summary(match, self._branch(match).number)

    def _summary(self, match: MatchId, number: int) -> StoredSummary:
        try:
            (row,) = self._rows(_ONE, (number,))
        except StoreDamaged as error:
            return StoredSummary(match, Head(), damage=error)
        return summary_in(row)

    def summaries(self, after: MatchId | None = None, limit: int | None = None) -> Sequence[StoredSummary]:
        """Return the heads of matches and their summaries; see `Log.summaries`."""
        page = self._page(after, limit)
        try:
            return [summary_in(row) for row in self._rows(_PAGE, page)]
        except StoreDamaged:
            # One by one, so that the sound ones are still listed.
            listed = self._rows(f"{_NUMBERED} WHERE number > ? ORDER BY number LIMIT ?", page)
            return [self._summary(id_in(id_, kind)[0], int(str(number))) for id_, kind, number in listed]

    def lost_matches(self) -> Sequence[MatchId]:
        """Return the matches whose own rows are missing although their commits are there, under their numbers if those cannot be read."""
        return [_id_in(number, body) for number, body in self._rows(_LOST, (LINES_MAX,))]

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

    def _rows(self, statement: str, values: tuple[object, ...]) -> list[Row]:
        try:
            rows: list[Row] = self._db.execute(statement, values).fetchall()
        except TROUBLE as error:
            raise unavailable(self.path, error) from None
        return rows


def _id_in(number: object, body: object) -> MatchId:
    """Return the id of a match as its first commit names it."""
    try:
        return decode_commit(body if isinstance(body, bytes) else b"").match
    except DecodeError:
        return MatchId(f"number {number}")


def _ids(rows: list[Row]) -> tuple[MatchId, ...]:
    return tuple([id_in(id_, kind)[0] for id_, kind in rows])
