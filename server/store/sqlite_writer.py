"""The writing half of the log port on a SQLite file but for the commits, which `server.store.sqlite_log` appends."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from events.entry_store import NewEntry, check_entries, name_used
from events.errors import OutcomeUnknown, StoreUnavailable
from events.ids import ARBITER, Digest, MatchId, Seat, StudyId
from events.log import NewSummary, check_attachment
from server.store.sql.rows import Row
from server.store.sql.sql_reader import LAST_ENTRY
from server.store.sqlite_reader import SqliteReader
from server.store.sqlite_schema import TROUBLE, failed_commit, unavailable


class SqliteWriter(SqliteReader):
    """Writes attachments, capabilities, studies, caches, and the entries and checkpoints of the server's log; see `SqliteReader` for the arguments."""

    def __init__(
        self, path: Path | str, *, read_only: bool = False, timeout_s: float = 5.0, alone: bool = False
    ) -> None:
        super().__init__(path, read_only=read_only, timeout_s=timeout_s, alone=alone)
        self._is_unsettled = False

    def _is_checkpointed(self) -> bool:
        """Move the write-ahead log into the file, and return whether nothing is left."""
        try:
            busy, written, moved = self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except TROUBLE as error:
            self._failed(error)
            return False
        return not busy and written == moved

    def _commit(self) -> None:
        """Make a transaction durable.

        Raises:
            OutcomeUnknown: It may or may not be durable.
            StoreUnavailable: It is not durable.
        """
        try:
            self._db.execute("COMMIT")
        except TROUBLE as error:
            raise self._failed(error) from None
        finally:
            self._roll_back()

    def _failed(self, error: Exception) -> StoreUnavailable:
        """Return the error of a failed write, and record if earlier writes may be only partly on disk."""
        failure = failed_commit(self.path, error)
        self._is_unsettled = self._is_unsettled or isinstance(failure, OutcomeUnknown)
        return failure

    def _settle(self) -> None:
        """After a failed write, move the write-ahead log into the file and restart it.

        The next sync does not write again what once failed to reach the disk, and does not report it. A commit can only be recovered
        if everything before it in the write-ahead log is intact, so nothing may be appended behind a gap.

        Raises:
            StoreUnavailable: It failed; nothing may be acknowledged.
        """
        try:
            busy, _, _ = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except TROUBLE as error:
            raise unavailable(self.path, error) from None
        if busy:
            raise StoreUnavailable(
                f"{self.path} failed to write and cannot recover while another process reads it: nothing was done, try again"
            )
        self._is_unsettled = False

    def _check_writable(self) -> None:
        if self.read_only:
            raise StoreUnavailable(f"{self.path} was opened for reading only")

    def _roll_back(self) -> None:
        """Roll back an unfinished transaction, so that the next one can begin."""
        with suppress(*TROUBLE):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def attach(self, digest: Digest, content: bytes) -> None:
        """Keep a file; see `Log.attach`."""
        self._check_writable()
        check_attachment(digest, content)
        if self.attachment(digest) is None:
            try:
                # Another process may have stored the same file meanwhile.
                with suppress(sqlite3.IntegrityError):
                    self._db.execute("INSERT INTO attachments VALUES (?, ?)", (bytes.fromhex(digest), content))
            except TROUBLE as error:
                self._failed(error)
                # It may be stored or not: nothing refers to it yet, and it can be stored again.
                raise unavailable(self.path, error) from None

    def appoint(self, name: str, credential: str) -> None:
        """Give or end a capability for all matches; see `Log.appoint`."""
        self._check_writable()
        try:
            self._db.execute("INSERT INTO appointments (name, credential) VALUES (?, ?)", (name, credential))
        except TROUBLE as error:
            self._failed(error)
            # It can be asked for again: the last row of a name holds.
            raise unavailable(self.path, error) from None

    def append_study(self, match: MatchId, study: StudyId, number: int, body: bytes) -> bool:
        """Append an entry of a study; see `StudyStore.append_study`."""
        self._check_writable()
        branch = self._branch(match)
        if self._is_unsettled:
            self._settle()
        try:
            self._db.execute(
                "INSERT INTO studies (match, study, entry, body) VALUES (?, ?, ?, ?)",
                (branch.number, study, number, body),
            )
        except sqlite3.IntegrityError:
            return False
        except TROUBLE as error:
            raise self._failed(error) from None
        finally:
            self._roll_back()
        return True

    def save_snapshot(self, match: MatchId, seq: int, content: bytes, seat: Seat = ARBITER) -> None:
        """Save a snapshot if possible; see `Log.save_snapshot`."""
        branch = None if self.read_only else self._find(match)
        if branch is not None and seq <= self._head(branch).seq:
            self._cache("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)", [(branch.number, seat, seq, content)])

    def save_summaries(self, batch: Sequence[NewSummary]) -> None:
        """Save summaries if possible; see `Log.save_summaries`."""
        rows: list[Row] = []
        for new in () if self.read_only else batch:
            branch = self._find(new.match)
            if branch is not None and new.head.seq <= self._head(branch).seq:
                rows.append((branch.number, new.head.seq, bytes.fromhex(new.head.hash), new.content))
        if rows:
            self._cache("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?)", rows)

    def _cache(self, statement: str, rows: Sequence[Row]) -> None:
        """Insert rows of a cache, all or none; ignore a failure."""
        with self._unsynced(), suppress(StoreUnavailable):
            self._add(statement, rows)

    def append_entries(self, after: int, entries: Sequence[NewEntry]) -> None:
        """Append entries; see `EntryStore.append_entries`."""
        self._check_writable()
        ((count, last),) = self._rows(LAST_ENTRY, ())
        check_entries(after, int(str(count)), entries, int(str(last)))
        rows: list[Row] = [(at, new.commit or None, new.key or None) for at, new in enumerate(entries, start=after)]
        with self._unsynced():
            self._add("INSERT INTO entries VALUES (?, ?, ?)", rows)

    def save_checkpoint(self, size: int, note: str) -> None:
        """Store a checkpoint durably; see `EntryStore.save_checkpoint`."""
        self._check_writable()
        self._add("INSERT INTO checkpoints (size, note) VALUES (?, ?)", [(size, note)])

    def begin_log(self, origin: str, secret: bytes) -> None:
        """Keep the name of a log; see `EntryStore.begin_log`."""
        self._check_writable()
        if origin in self.logs():
            raise name_used(origin)
        self._add("INSERT INTO logs (origin, secret) VALUES (?, ?)", [(origin, secret)])

    def _add(self, statement: str, rows: Sequence[Row]) -> None:
        """Insert rows, all or none.

        Raises:
            StoreUnavailable: None was inserted; or `OutcomeUnknown`, if they were to be durable.
        """
        if self._is_unsettled:
            self._settle()
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(statement, rows)
            self._db.execute("COMMIT")
        except TROUBLE as error:
            raise self._failed(error) from None
        finally:
            self._roll_back()

    @contextmanager
    def _unsynced(self) -> Iterator[None]:
        """Sync nothing meanwhile: it need not survive a power failure, so no commit has to wait for it.

        Durable commits stay durable: the next commit syncs the whole write-ahead log, these rows included.
        """
        self._sync("NORMAL")
        try:
            yield
        finally:
            self._sync("FULL")

    def _sync(self, level: str) -> None:
        """Set how commits are synced; if this fails, the connection stops writing."""
        try:
            self._db.execute(f"PRAGMA synchronous = {level}")
        except sqlite3.Error as error:
            self._db.close()
            raise unavailable(self.path, error) from None
