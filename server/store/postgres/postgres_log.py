"""The log port on PostgreSQL: durable is what its server has committed, with its standby where it is told to wait for that.

Who appends locks one row first (`store`), so that all servers append one after the other, each a whole batch. That row holds the number of the last
commit: what is read behind a number is complete.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from secrets import token_hex

from typing_extensions import override

from events.commit import Head
from events.entry_store import NewEntry, check_entries, name_used
from events.errors import LostRace, StoreUnavailable
from events.ids import ARBITER, Digest, MatchId, Seat, StudyId
from events.log import (
    AlreadyThere,
    NewCommit,
    NewSummary,
    Origin,
    Receipt,
    Stored,
    appended,
    check_attachment,
    check_new,
    is_lost,
    no_origin,
    other_seed,
    too_late,
)
from server.store.postgres.link import Again, Asked, Database, Link
from server.store.postgres.tables import (
    COLUMNS,
    GAPS,
    HEADS,
    IDS,
    KEYS,
    LOCK,
    NAME,
    SUMMARIES,
    TABLES,
    VERSION,
    inserted,
    numbered,
)
from server.store.remote.outage import Outage
from server.store.sql.rows import Branch, Row, stored_in
from server.store.sql.sql_reader import LAST_ENTRY, SqlReader, changed_attachments

ATTEMPTS = 8
"""How often a step is tried again because another one came first."""

STUDIED = "SELECT count(*) FROM studies WHERE match = ? AND study = ?"
"""How many entries a study has."""

LINES_MAX = 100
"""The largest number of lines about one kind of damage."""


class Step:
    """A batch that is appended: what is there of its matches, and what comes to it.

    Args:
        last: The number of the last commit.

    Attributes:
        receipts: Of the commits so far.
        heads: The last event of each match, by its number.
        keys: The commits that keys have already, by match.
        opened: The matches that begin.
        seeds: The seeds that come, by the number of the match.
        ends: The ends of the commits that come, by the number of the match.
        lost: The matches of which a commit was not appended.
        rows: What is to be inserted, by table, in order.
        last_match: The number of the last match, those that begin included, if it was asked for.
    """

    def __init__(self, last: int) -> None:
        self.last = last
        self.receipts: list[Receipt] = []
        self.heads: dict[int, int] = {}
        self.keys: dict[tuple[MatchId, str], Stored] = {}
        self.opened: dict[MatchId, Branch] = {}
        self.seeds: dict[int, str] = {}
        self.ends: set[tuple[int, Head]] = set()
        self.lost: set[MatchId] = set()
        self.rows: dict[str, list[Row]] = {}
        self.last_match = 0

    def add(self, table: str, row: Row) -> None:
        """Add a row."""
        self.rows.setdefault(table, []).append(row)

    def append(self, branch: Branch, new: NewCommit) -> None:
        """Add a commit that follows the last one of its match."""
        self.last += 1
        self.heads[branch.number] = new.last
        self.keys[new.match, new.key] = appended(new).stored
        self.ends.add((branch.number, Head(new.last, new.hash)))
        digest = bytes.fromhex(new.hash)
        self.add("commits", (self.last, branch.number, new.first, new.last, new.key, digest, new.body))


class PostgresLog(SqlReader):
    """A store in a database; see `events.log.Log`. A batch may have any number of commits, and nothing is read late.

    Args:
        database: The database.
        read_only: Open for reading only, from any of its machines.
        store: The name of the store that is expected there; empty for whatever there is.

    Attributes:
        locator: The address by which it is opened; it may hold the password.
        problem: Empty.

    Raises:
        StoreUnavailable: It cannot be reached, or what lies there is not a store of this version.
    """

    IDS, SUMMARIES = IDS, SUMMARIES

    def __init__(self, database: Database, *, read_only: bool = False, store: str = "") -> None:
        super().__init__(read_only=read_only)
        self._database = database
        self.locator, self.problem = database.locator, ""
        self._link = Link(database, read_only=read_only, store=store)
        try:
            self._check_tables()
            ((name,),) = self._link.rows(NAME)
            self._link.store = str(name)
            self._told = self._last()
        except BaseException:
            self._link.close()
            raise

    @override
    def close(self) -> None:
        """Close the connection."""
        self._link.close()

    @property
    def connections(self) -> int:
        """How often the database was connected."""
        return self._link.connections

    @property
    def outage(self) -> Outage:
        """When the database does not answer."""
        return self._link.outage

    def news_fileno(self) -> int:
        """Return the descriptor that becomes readable when there may be news."""
        return self._link.fileno()

    @override
    def _rows(self, statement: str, values: tuple[object, ...]) -> list[Row]:
        return self._link.rows(statement, values)

    def check(self) -> list[str]:
        """Return the problems of the rows, one line each; chains are not checked."""
        found = [
            f"match {match}, event {expected}: the next row begins with event {first}"
            for match, expected, first in self._rows(GAPS, (LINES_MAX,))
        ]
        return [*found, *changed_attachments(self._rows)]

    def lost_matches(self) -> Sequence[MatchId]:
        """Return no matches: the database keeps no commit without its match."""
        return ()

    # The tables

    def _check_tables(self) -> None:
        """Check that the store is there and of this version; make it if nothing is there.

        Raises:
            StoreUnavailable: It is not.
        """
        shown = self._database.shown
        names = self._tables()
        if not names and self.read_only:
            raise StoreUnavailable(f"{shown} is empty: there is no store to read")
        if not names:
            names = self._made()
        if "store" not in names:
            raise StoreUnavailable(f"{shown} is not a store: it has tables of another program; name another schema")
        versions = [version for version, _ in self._link.rows("SELECT version, last FROM store")]
        if versions != [VERSION]:
            version = versions[0] if versions else "0"
            raise StoreUnavailable(f"{shown} is a store of version {version}, this program needs {VERSION}")
        ((durable,),) = self._link.rows("SHOW synchronous_commit")
        if durable == "off":
            raise StoreUnavailable(f"{shown} acknowledges before it is durable: set synchronous_commit to on")

    def _tables(self) -> set[str]:
        """Return the names of the tables that are there."""
        found = self._rows("SELECT tablename FROM pg_tables WHERE schemaname = ?", (self._database.schema,))
        return {str(name) for (name,) in found}

    def _made(self) -> set[str]:
        """Make the tables, unless another server has just made them; return their names."""
        statements = (f'CREATE SCHEMA IF NOT EXISTS "{self._database.schema}"', *TABLES)
        try:
            with self._link.transaction():
                self._link.run(
                    *[(one, ()) for one in statements], ("INSERT INTO store VALUES (?, 0, ?)", (VERSION, token_hex(16)))
                )
        except StoreUnavailable:
            if names := self._tables():
                return names
            raise
        return self._tables()

    # Writing

    @contextmanager
    def _writing(self, *asked: Asked) -> Iterator[list[list[Row]]]:
        """Carry out one durable step, behind those of all others; yield the number of the last commit, and what is asked for."""
        if self.read_only:
            raise StoreUnavailable(f"{self._database.shown} was opened for reading only")
        with self._link.transaction(LOCK, *asked) as found:
            yield found

    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append several commits in one durable step; see `Log.append`."""
        for new in batch:
            check_new(new)
        for _ in range(ATTEMPTS if batch else 0):
            with suppress(Again):
                return self._append(batch)
        if batch:
            raise StoreUnavailable("others append all the time; nothing was done")
        return []

    def _append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        known = {branch.number: branch for new in batch if (branch := self._find(new.match)) is not None}
        numbers, keys = [], []
        for new in batch:
            if new.match in self._branches:
                numbers.append(self._branches[new.match].number)
                keys.append(new.key)
        with self._writing((HEADS, (list(known),)), (KEYS, (numbers, keys))) as (lasts, heads, there):
            step = Step(int(str(lasts[0][0])))
            step.heads = {branch.number: branch.start.seq for branch in known.values()}
            step.heads |= {int(str(number)): int(str(end)) for number, end in heads}
            for number, *row in there:
                kept = stored_in(known[int(str(number))], tuple(row))
                step.keys[kept.match, kept.key] = kept
            for new in batch:
                step.receipts.append(self._behind(step, new))
                if is_lost(new, step.receipts[-1]):
                    step.lost.add(new.match)
            # Matches come before their commits and seeds, which refer to them.
            made = [inserted(table, rows) for table in COLUMNS if (rows := step.rows.get(table))]
            if made:
                told = ("SELECT pg_notify(?, '')", (self._database.schema,))
                self._link.run(*made, ("UPDATE store SET last = ?", (step.last,)), told)
        self._branches.update(step.opened)
        self._count(step.receipts)
        return step.receipts

    def _behind(self, step: "Step", new: NewCommit) -> Receipt:
        """Add a commit to a step, or return what is in its way."""
        if (known := step.keys.get((new.match, new.key))) is not None:
            return AlreadyThere(known)
        branch = step.opened.get(new.match) or self._find(new.match)
        if branch is not None and branch.number not in step.heads:
            # Another server has opened it since the batch was looked up.
            raise Again
        origin = new.origin
        if new.match in step.lost:
            end = 0 if origin is None else origin.seq
            return LostRace(new.match, new.first - 1, end if branch is None else step.heads[branch.number])
        if branch is None:
            parent = None if origin is None else self._parent(step, new, origin)
            end = 0 if origin is None else origin.seq
        else:
            parent, end = None, step.heads[branch.number]
        if end != new.first - 1:
            return LostRace(new.match, new.first - 1, end)
        if branch is None:
            branch = self._opened(step, new, parent)
        elif origin is not None and origin != branch.origin:
            raise too_late(new)
        self._keep_seed(step, branch, new)
        step.append(branch, new)
        return appended(new)

    def _parent(self, step: "Step", new: NewCommit, origin: Origin) -> Branch:
        """Return the match that a fork leaves.

        Raises:
            UnknownMatch: There is none.
            LogMisuse: It has no such commit of its own.
        """
        parent = step.opened.get(origin.parent) or self._branch(origin.parent)
        end = Head(origin.seq, origin.hash)
        is_there = (parent.number, end) in step.ends or self._head(parent, origin.seq) == end
        if not is_there or origin.seq <= parent.start.seq:
            raise no_origin(new, origin)
        return parent

    def _opened(self, step: "Step", new: NewCommit, parent: Branch | None) -> Branch:
        """Add a match that begins to a step."""
        if not step.last_match:
            ((last,),) = self._rows("SELECT coalesce(max(number), 0) FROM matches", ())
            step.last_match = int(str(last))
        step.last_match += 1
        origin = new.origin
        start = Head() if origin is None else Head(origin.seq, origin.hash)
        step.opened[new.match] = branch = Branch(step.last_match, new.match, start, origin)
        number = None if parent is None else parent.number
        step.add("matches", (branch.number, new.match, number, start.seq, bytes.fromhex(start.hash)))
        return branch

    def _keep_seed(self, step: "Step", branch: Branch, new: NewCommit) -> None:
        kept = (step.seeds.get(branch.number) or self._seed(branch)) if new.seed else ""
        if kept not in ("", new.seed):
            raise other_seed(new)
        if new.seed and not kept:
            step.seeds[branch.number] = new.seed
            step.add("seeds", (branch.number, new.seed))

    def attach(self, digest: Digest, content: bytes) -> None:
        """Keep a file; see `Log.attach`."""
        check_attachment(digest, content)
        if self.attachment(digest) is None:
            self._add(inserted("attachments", [(bytes.fromhex(digest), content)]))

    def appoint(self, name: str, credential: str) -> None:
        """Give or end a capability for all matches; see `Log.appoint`."""
        self._add(numbered("appointments", name, credential))

    def append_study(self, match: MatchId, study: StudyId, number: int, body: bytes) -> bool:
        """Append an entry of a study; see `StudyStore.append_study`."""
        branch = self._branch(match)
        with self._writing((STUDIED, (branch.number, study))) as (_, ((count,),)):
            is_next = int(str(count)) == number - 1
            if is_next:
                self._link.run(numbered("studies", branch.number, study, number, body))
        return is_next

    def save_checkpoint(self, size: int, note: str) -> None:
        """Store a checkpoint durably; see `EntryStore.save_checkpoint`."""
        self._add(numbered("checkpoints", size, note))

    def append_entries(self, after: int, entries: Sequence[NewEntry]) -> None:
        """Append entries; see `EntryStore.append_entries`."""
        with self._writing((LAST_ENTRY, ())) as (_, ((count, last),)):
            check_entries(after, int(str(count)), entries, int(str(last)))
            rows = [(at, new.commit or None, new.key or None) for at, new in enumerate(entries, start=after)]
            if rows:
                self._link.run(inserted("entries", rows))

    def begin_log(self, origin: str, secret: bytes) -> None:
        """Keep the name of a log; see `EntryStore.begin_log`."""
        with self._writing():
            if origin in self.logs():
                raise name_used(origin)
            self._link.run(numbered("logs", origin, secret))

    def _add(self, asked: Asked) -> None:
        with self._writing():
            self._link.run(asked)

    # Caches

    def save_snapshot(self, match: MatchId, seq: int, content: bytes, seat: Seat = ARBITER) -> None:
        """Save a snapshot if possible; see `Log.save_snapshot`."""
        with suppress(StoreUnavailable, Again):
            branch = None if self.read_only else self._find(match)
            if branch is not None and seq <= self._head(branch).seq:
                self._link.run(inserted("snapshots", [(branch.number, seat, seq, content)]))

    def save_summaries(self, batch: Sequence[NewSummary]) -> None:
        """Save summaries if possible; see `Log.save_summaries`."""
        with suppress(StoreUnavailable, Again):
            rows: list[Row] = []
            for new in () if self.read_only else batch:
                branch = self._find(new.match)
                if branch is not None and new.head.seq <= self._head(branch).seq:
                    rows.append((branch.number, new.head.seq, bytes.fromhex(new.head.hash), new.content))
            if rows:
                self._link.run(inserted("summaries", rows))
