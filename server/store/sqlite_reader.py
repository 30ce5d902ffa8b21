"""The reading half of the log port on a SQLite file; `server.store.sqlite_log` adds writing."""

import os
from collections.abc import Sequence
from pathlib import Path

from typing_extensions import override

from events.codec import DecodeError
from events.commit import Head, decode_commit
from events.errors import StoreDamaged
from events.ids import MatchId
from events.log import StoredSummary
from server.store.serving_mark import has_foreign_log, is_cut_off
from server.store.sql.rows import Branch, Row, id_in
from server.store.sql.sql_reader import SqlReader
from server.store.sqlite_check import LINES_MAX, check_reached, check_store, check_whole, known_upto
from server.store.sqlite_schema import TROUBLE, open_store, unavailable

# One search of the index for each match that has commits.
_LOST = """WITH RECURSIVE known (match) AS (
        SELECT min(match) FROM commits
        UNION ALL SELECT (SELECT min(match) FROM commits WHERE match > known.match) FROM known WHERE known.match IS NOT NULL)
    SELECT match, (SELECT body FROM commits WHERE commits.match = known.match ORDER BY first LIMIT 1) FROM known
    WHERE match IS NOT NULL AND match NOT IN (SELECT number FROM matches) LIMIT ?"""
_NUMBERED = "SELECT CAST(id AS BLOB), typeof(id), number FROM matches WHERE number > ? ORDER BY number LIMIT ?"

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


class SqliteReader(SqlReader):
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

    # As bytes, because a damaged id may be invalid UTF-8, which would make the sound ids of the same result unreadable.
    IDS = "SELECT CAST(id AS BLOB), typeof(id) FROM matches"
    # The columns before a commit's body come first in its row, so that they are read without the body.
    SUMMARIES = """SELECT matches.number, CAST(matches.id AS BLOB), typeof(matches.id),
        (SELECT number FROM matches AS found INDEXED BY sqlite_autoindex_matches_1 WHERE found.id = matches.id),
        commits.last, commits.hash, summaries.seq, summaries.hash, summaries.content,
        (SELECT max(seq) FROM snapshots WHERE match = matches.number)
    FROM matches
    LEFT JOIN commits ON commits.number =
        (SELECT number FROM commits INDEXED BY commits_in_order WHERE match = matches.number ORDER BY first DESC LIMIT 1)
    LEFT JOIN summaries ON summaries.match = matches.number"""

    def __init__(
        self, path: Path | str, *, read_only: bool = False, timeout_s: float = 5.0, alone: bool = False
    ) -> None:
        super().__init__(read_only=read_only)
        self.path = Path(path)
        self.locator = str(self.path)
        self._open_here = _OPEN_HERE.setdefault(os.path.realpath(self.path), [])
        self.problem = self._open_here[0] if self._open_here else self._parted()
        if self.problem and not read_only:
            raise StoreDamaged(self.path, self.problem, READ_ON)
        self._db = open_store(self.path, read_only=read_only, timeout_s=timeout_s, alone=alone)
        self._is_open = True
        self._open_here.append(self.problem)

    @override
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

    @override
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

    @override
    def _head_to_read(self, branch: Branch, after: int, upto: int | None) -> Head:
        known = known_upto(self._rows, branch) if after <= 0 else 0
        head = self._head(branch)
        if after <= 0 and (upto is None or upto >= head.seq):
            # A reader of a whole match expects everything that was ever stored.
            check_whole(self._rows, branch, head)
            check_reached(branch, head, known)
        return head

    @override
    def _summary(self, match: MatchId, number: int) -> StoredSummary:
        try:
            return super()._summary(match, number)
        except StoreDamaged as error:
            return StoredSummary(match, Head(), damage=error)

    @override
    def summaries(self, after: MatchId | None = None, limit: int | None = None) -> Sequence[StoredSummary]:
        """Return the heads of matches and their summaries; see `Log.summaries`."""
        try:
            return super().summaries(after, limit)
        except StoreDamaged:
            # One by one, so that the sound ones are still listed.
            listed = self._rows(_NUMBERED, self._page(after, limit))
            return [self._summary(id_in(id_, kind)[0], int(str(number))) for id_, kind, number in listed]

    def lost_matches(self) -> Sequence[MatchId]:
        """Return the matches whose own rows are missing although their commits are there, under their numbers if those cannot be read."""
        return [_id_in(number, body) for number, body in self._rows(_LOST, (LINES_MAX,))]

    @override
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
