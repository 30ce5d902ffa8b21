"""The log port on a SQLite file: durable before acknowledged, append-only.

One `SqliteLog` writes, and is used by one thread at a time; others may read beside it through their own
(`read_only=True`). What it knows of a match beyond its number is asked of the file each time, so that several processes may
append to one store without harm: whoever comes second is told that the race is lost.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from events.commit import Head
from events.errors import BrokenEvidence, LostRace, StoreUnavailable, UnknownMatch
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
from server.sqlite_rows import Branch, Row, listed, stored_in
from server.sqlite_schema import TROUBLE, open_store, unavailable

CHUNK = 512
"""Commits fetched at once; no statement stays open between two chunks, so that a slow reader holds nothing up."""

SEQ_MAX = 2**62
"""Beyond every event's number."""

IDLE_COMMITS = 100
"""Durable steps after which an idle moment is worth a checkpoint."""

_INSERT = "INSERT INTO commits (match, first, last, key, hash, body) VALUES (?, ?, ?, ?, ?, ?)"
_COLUMNS = "SELECT first, last, key, hash, body FROM commits WHERE match = ?"
_BY_KEY = f"{_COLUMNS} AND key = ?"
_CHUNK = f"{_COLUMNS} AND first > ? AND first <= ? ORDER BY first LIMIT ?"
_LAST = f"{_COLUMNS} AND first <= ? ORDER BY first DESC LIMIT 1"
_SNAPSHOT = "SELECT seq, content FROM snapshots WHERE match = ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
_MATCH = """SELECT matches.number, matches.parent, parents.id, matches.seq, matches.hash
    FROM matches LEFT JOIN matches AS parents ON parents.number = matches.parent WHERE matches.id = ?"""


class SqliteLog:
    """A store in one file; see `events.log.Log`.

    Args:
        path: The file; made where there is none, unless it is only read.
        read_only: Only read.
        timeout_s: How long to wait for another process to let go of the file, in seconds.

    Raises:
        StoreUnavailable: It cannot be opened, is no store, or one of another version.
    """

    def __init__(self, path: Path | str, *, read_only: bool = False, timeout_s: float = 5.0) -> None:
        """Open the file."""
        self.path = Path(path)
        self.read_only = read_only
        self._db = open_store(self.path, read_only=read_only, timeout_s=timeout_s)
        self._branches: dict[MatchId, Branch] = {}
        self._since_checkpoint = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def idle(self) -> None:
        """Move the write-ahead log into the file; call it when nothing has come for a moment, so that no commit waits for it."""
        if self._since_checkpoint < IDLE_COMMITS:
            return
        with suppress(*TROUBLE):
            busy, written, moved = self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if not busy and written == moved:
                self._since_checkpoint = 0

    # Writing

    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append several commits in one durable step; see `Log.append`."""
        self._check_writable()
        if not batch:
            return []
        for new in batch:
            check_new(new)
        self._since_checkpoint += 1
        if (receipts := self._append_plain(batch)) is not None:
            return receipts
        opened: dict[MatchId, Branch] = {}
        try:
            self._db.execute("BEGIN IMMEDIATE")
            receipts = [self._append(new, opened) for new in batch]
            self._db.execute("COMMIT")
        except TROUBLE as error:
            raise unavailable(self.path, error) from None
        finally:
            self._roll_back()
        self._branches.update(opened)
        return receipts

    def _check_writable(self) -> None:
        if self.read_only:
            raise StoreUnavailable(f"{self.path} was opened for reading only")

    def _roll_back(self) -> None:
        """Leave a transaction that did not come to its end, so that the next one can begin."""
        with suppress(*TROUBLE):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def _append_plain(self, batch: Sequence[NewCommit]) -> list[Receipt] | None:
        """Append commits that only go on with known matches, as nearly all do; nothing is done where there is more to it."""
        rows = []
        for new in batch:
            branch = self._branches.get(new.match)
            if branch is None or new.origin is not None or new.seed:
                return None
            rows.append(_row(branch, new))
        try:
            if len(rows) == 1:
                # A single statement is a transaction of its own.
                self._db.execute(_INSERT, rows[0])
            else:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany(_INSERT, rows)
                self._db.execute("COMMIT")
        except sqlite3.IntegrityError:
            return None
        except TROUBLE as error:
            raise unavailable(self.path, error) from None
        finally:
            self._roll_back()
        return [_appended(new) for new in batch]

    def _append(self, new: NewCommit, opened: dict[MatchId, Branch]) -> Receipt:
        """Append a commit within a transaction; `opened` holds the matches that came into being in it."""
        branch = opened.get(new.match) or self._find(new.match)
        if branch is None:
            return self._open(new, opened)
        if new.origin is None and not new.seed:
            try:
                return self._insert(branch, new)
            except sqlite3.IntegrityError:
                obstacle = self._obstacle(branch, new)
                if obstacle is None:
                    raise
                return obstacle
        obstacle = self._obstacle(branch, new)
        if obstacle is not None:
            return obstacle
        if new.origin is not None and new.origin != branch.origin:
            raise too_late(new)
        self._keep_seed(branch, new)
        return self._insert(branch, new)

    def _insert(self, branch: Branch, new: NewCommit) -> Appended:
        self._db.execute(_INSERT, _row(branch, new))
        return _appended(new)

    def _obstacle(self, branch: Branch, new: NewCommit) -> AlreadyThere | LostRace | None:
        """Say what keeps a commit from being appended, if anything."""
        known = self._by_key(branch, new.key)
        if known is not None:
            return AlreadyThere(known)
        actual = self._head(branch).seq
        return None if actual == new.first - 1 else LostRace(new.match, new.first - 1, actual)

    def _open(self, new: NewCommit, opened: dict[MatchId, Branch]) -> Receipt:
        """Append the first commit of a match."""
        origin = new.origin
        parent = None
        if origin is not None:
            parent = opened.get(origin.parent) or self._branch(origin.parent)
            if self._head(parent, origin.seq) != Head(origin.seq, origin.hash) or origin.seq <= parent.start.seq:
                raise no_origin(new, origin)
        start = Head() if origin is None else Head(origin.seq, origin.hash)
        if new.first - 1 != start.seq:
            return LostRace(new.match, new.first - 1, start.seq)
        number = self._db.execute(
            "INSERT INTO matches (id, parent, seq, hash) VALUES (?, ?, ?, ?)",
            (new.match, None if parent is None else parent.number, start.seq, bytes.fromhex(start.hash)),
        ).lastrowid
        assert number is not None
        opened[new.match] = branch = Branch(number, new.match, start, origin)
        self._keep_seed(branch, new)
        return self._insert(branch, new)

    def _keep_seed(self, branch: Branch, new: NewCommit) -> None:
        kept = self._seed(branch) if new.seed else ""
        if kept not in ("", new.seed):
            raise other_seed(new)
        if new.seed and not kept:
            self._db.execute("INSERT INTO seeds (match, seed) VALUES (?, ?)", (branch.number, new.seed))

    def attach(self, digest: Digest, content: bytes) -> None:
        """Keep a file; see `Log.attach`."""
        self._check_writable()
        check_attachment(digest, content)
        if self.attachment(digest) is None:
            try:
                # Another process may have kept the same file meanwhile.
                with suppress(sqlite3.IntegrityError):
                    self._db.execute("INSERT INTO attachments VALUES (?, ?)", (bytes.fromhex(digest), content))
            except TROUBLE as error:
                raise unavailable(self.path, error) from None

    def save_snapshot(self, match: MatchId, seq: int, content: bytes) -> None:
        """Keep a snapshot if that can be done; see `Log.save_snapshot`."""
        branch = None if self.read_only else self._find(match)
        if branch is None:
            return
        # A cache need not outlive a loss of power, so nobody's commit has to wait for the disk because of it. What is
        # durable stays so: the next commit syncs the whole write-ahead log, this row included.
        self._sync("NORMAL")
        try:
            with suppress(*TROUBLE):
                self._db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)", (branch.number, seq, content))
        finally:
            self._sync("FULL")

    def _sync(self, level: str) -> None:
        """Set how commits are synced; a connection of which that is not known writes no more."""
        try:
            self._db.execute(f"PRAGMA synchronous = {level}")
        except sqlite3.Error as error:
            self._db.close()
            raise unavailable(self.path, error) from None

    # Reading

    def head(self, match: MatchId) -> Head:
        """Return where a match stands; see `Log.head`."""
        return self._head(self._branch(match))

    def _head(self, branch: Branch, upto: int = SEQ_MAX) -> Head:
        """Return where a match stood after the last of its own commits that begins not beyond an event."""
        for row in self._rows(_LAST, (branch.number, upto)):
            stored = stored_in(branch, row)
            return Head(stored.last, stored.hash)
        return branch.start

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Read commits in order; see `Log.read`."""
        branch = self._branch(match)
        end = self._head(branch).seq if upto is None else min(upto, SEQ_MAX)
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
                        # A damaged index must not make this go round for ever.
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

    def matches(self) -> Sequence[MatchId]:
        """Return all match ids; see `Log.matches`."""
        return tuple([MatchId(str(match)) for (match,) in self._rows("SELECT id FROM matches ORDER BY number", ())])

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
            # A forger may let a match name anything as its board.
            return None
        rows = self._rows("SELECT content FROM attachments WHERE digest = ?", (key,))
        content = rows[0][0] if rows else None
        return content if isinstance(content, bytes) else None

    def snapshot(self, match: MatchId, upto: int) -> tuple[int, bytes] | None:
        """Return the latest snapshot; see `Log.snapshot`."""
        branch = self._find(match)
        while branch is not None:
            for seq, content in self._rows(_SNAPSHOT, (branch.number, min(upto, SEQ_MAX))):
                if isinstance(seq, int) and isinstance(content, bytes):
                    return seq, content
            if branch.origin is None:
                return None
            upto = min(upto, branch.origin.seq)
            branch = self._branch(branch.origin.parent)
        return None

    def _branch(self, match: MatchId) -> Branch:
        branch = self._find(match)
        if branch is None:
            raise UnknownMatch(match)
        return branch

    def _find(self, match: MatchId) -> Branch | None:
        """Return what the store lists of a match; it never changes, so it is asked for once."""
        branch = self._branches.get(match)
        if branch is None:
            for row in self._rows(_MATCH, (match,)):
                branch = self._branches[match] = listed(match, row)
        return branch

    def _rows(self, statement: str, values: tuple[object, ...]) -> list[Row]:
        try:
            rows: list[Row] = self._db.execute(statement, values).fetchall()
        except TROUBLE as error:
            raise unavailable(self.path, error) from None
        return rows


def _row(branch: Branch, new: NewCommit) -> Row:
    # For `bytes` the library first looks for somebody who adapts them, which takes longer than the copy.
    return branch.number, new.first, new.last, new.key, bytearray.fromhex(new.hash), bytearray(new.body)


def _appended(new: NewCommit) -> Appended:
    return Appended(Stored(new.match, new.first, new.last, new.key, new.hash, new.body))
