"""The log port on a SQLite file: durable before acknowledged, append-only.

One `SqliteLog` writes, used by one thread at a time; readers may open the file at the same time with their own instance
(`read_only=True`). Except for a match's number, everything is read from the file each time, so that several processes may safely
append to one store: the second of two concurrent writers gets the error that it lost the race.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from typing_extensions import override

from events.commit import Head
from events.errors import LostRace, StoreUnavailable
from events.ids import MatchId
from events.log import (
    AlreadyThere,
    Appended,
    NewCommit,
    Receipt,
    appended,
    check_new,
    is_lost,
    no_origin,
    other_seed,
    too_late,
)
from server.store.one_server import is_served
from server.store.serving_mark import marked, new_run, version_and_run
from server.store.sql.rows import Branch, Row
from server.store.sqlite_schema import TROUBLE, unavailable
from server.store.sqlite_writer import SqliteWriter

IDLE_COMMITS = 100
"""Durable steps after which `idle` makes a checkpoint."""

ROWS_MAX = 64
"""The largest number of rows that one statement inserts. A statement of its own for each number stays prepared.

Measured: one statement for 15 rows costs a tenth less than 15 statements in a transaction.
"""

_INSERT = "INSERT INTO commits (match, first, last, key, hash, body) VALUES (?, ?, ?, ?, ?, ?)"


@cache
def _insert_rows(count: int) -> str:
    return _INSERT + ", (?, ?, ?, ?, ?, ?)" * (count - 1)


class SqliteLog(SqliteWriter):
    """A store in one file; see `events.log.Log`.

    Durable is what survives the death of the process and the loss of power. A batch may have any number of commits, and nothing is read late.

    Args:
        path: The file; created if it does not exist, unless `read_only`.
        read_only: Open for reading only.
        timeout_s: How long to wait for a lock of another process, in seconds.
        alone: Lock the file exclusively; fail if another process uses it.

    Raises:
        StoreUnavailable: It cannot be opened, is not a store, or is one of another version.
    """

    def __init__(
        self, path: Path | str, *, read_only: bool = False, timeout_s: float = 5.0, alone: bool = False
    ) -> None:
        super().__init__(path, read_only=read_only, timeout_s=timeout_s, alone=alone)
        self._since_checkpoint = 0
        self._told = self._last()
        self._is_serving = False
        if not read_only and self._is_left_marked():
            self._mark(0)

    @override
    def close(self) -> None:
        """Close the file; if no other process uses it, this moves the write-ahead log into it, so it must not stay marked."""
        if self._is_open and not self.read_only:
            # If it cannot be read or written any more, its write-ahead log is not moved, either.
            with suppress(StoreUnavailable):
                if self._is_serving or self._is_left_marked():
                    self._mark(0)
            self._is_serving = False
        super().close()

    def _is_left_marked(self) -> bool:
        """Return whether a server that was killed has left its mark; all that it stored is found when the file is opened."""
        return self._run() != 0 and not is_served(self.path)

    def _run(self) -> int:
        ((version,),) = self._rows("PRAGMA user_version", ())
        return version_and_run(int(str(version)))[1]

    def begin_serving(self) -> None:
        """Mark the store as being served until it is closed, if no reader keeps the mark from the file; see `server.store.serving_mark`."""
        if self._is_checkpointed():
            self._mark(new_run())
            self._is_serving = self._is_checkpointed()
            if not self._is_serving:
                self._mark(0)

    def _mark(self, run: int) -> None:
        try:
            self._db.execute(f"PRAGMA user_version = {marked(run)}")
        except TROUBLE as error:
            self._failed(error)

    def idle(self) -> None:
        """Checkpoint the write-ahead log; call it when no request waits, so that no commit is delayed."""
        if self._since_checkpoint < IDLE_COMMITS:
            return
        if self._is_checkpointed():
            self._since_checkpoint = 0

    # Writing

    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append several commits in one durable step; see `Log.append`."""
        self._check_writable()
        if not batch:
            return []
        for new in batch:
            check_new(new)
        if self._is_unsettled:
            self._settle()
        self._since_checkpoint += 1
        receipts = self._append_plain(batch)
        if receipts is None:
            receipts = self._append_in_transaction(batch)
        self._count(receipts)
        return receipts

    def _append_in_transaction(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append commits of any kind, all or none."""
        opened: dict[MatchId, Branch] = {}
        try:
            self._db.execute("BEGIN IMMEDIATE")
            lost: set[MatchId] = set()
            receipts = [self._append_behind(new, opened, lost) for new in batch]
        except TROUBLE as error:
            self._roll_back()
            raise unavailable(self.path, error) from None
        except BaseException:
            self._roll_back()
            raise
        self._commit()
        self._branches.update(opened)
        return receipts

    def _append_plain(self, batch: Sequence[NewCommit]) -> list[Receipt] | None:
        """Append commits of known matches only, the common case; return None, having done nothing, in any other case."""
        if len(batch) > ROWS_MAX:
            return None
        values: list[object] = []
        for new in batch:
            branch = self._branches.get(new.match)
            if branch is None or new.origin is not None or new.seed:
                return None
            values += _row(branch, new)
        try:
            self._db.execute(_insert_rows(len(batch)), values)
        except sqlite3.IntegrityError:
            return None
        except TROUBLE as error:
            # A single statement is a transaction of its own, so its error may come from the commit.
            raise self._failed(error) from None
        finally:
            self._roll_back()
        return [appended(new) for new in batch]

    def _append_behind(self, new: NewCommit, opened: dict[MatchId, Branch], lost: set[MatchId]) -> Receipt:
        """Append a commit, unless one of its match before it in the batch has lost a race, on which it was decided."""
        if new.match in lost:
            branch = opened.get(new.match) or self._find(new.match)
            if branch is None:
                return LostRace(new.match, new.first - 1, 0 if new.origin is None else new.origin.seq)
            known = self._by_key(branch, new.key)
            return LostRace(new.match, new.first - 1, self._head(branch).seq) if known is None else AlreadyThere(known)
        receipt = self._append(new, opened)
        if is_lost(new, receipt):
            lost.add(new.match)
        return receipt

    def _append(self, new: NewCommit, opened: dict[MatchId, Branch]) -> Receipt:
        """Append a commit within a transaction; `opened` holds the matches created in it."""
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
        return appended(new)

    def _obstacle(self, branch: Branch, new: NewCommit) -> AlreadyThere | LostRace | None:
        """Return the reason why a commit cannot be appended, or None."""
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


def _row(branch: Branch, new: NewCommit) -> Row:
    # For `bytes` the library first looks for an adapter, which takes longer than the copy.
    return branch.number, new.first, new.last, new.key, bytearray.fromhex(new.hash), bytearray(new.body)
