"""Matches in memory: a bounded number, each at its head, with the views of its seats."""

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from core.history.match_reader import DAMAGE, damage_to, seen_of, table_at
from core.match.bounded_cache import BoundedCache
from core.match.live_match import Match, load_match
from core.match.signatures import PublicRecord
from core.match.undo import RecentCommands
from core.odds.option_odds import OptionOdds
from events.chain import commits_between
from events.codec import encode
from events.commit import Commit, Head
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.log import Log
from events.vocabulary import Event
from projections.catalogue import Summary
from projections.snapshot import EVERY, restore, take_snapshot
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import (
    EventSlice,
    SeatView,
    hides_nothing,
    is_known_to_all,
    is_open,
    log_number,
    seat_number,
)
from server.protocol.errors import checked_number

PAGE_BYTES_MAX = 1 << 18
"""Bytes of events or commits after which a reply to `log` or `commits` ends."""

T = TypeVar("T")

State: TypeAlias = tuple[Table, Head, RecentCommands, bytes, PublicRecord]
"""What of a match changes with its commits: see `Match`."""

PROBLEMS_MAX = 1_000
"""How many damaged matches are remembered."""

ODDS_MAX, ODDS_CHARACTERS_MAX = 16, 50_000
"""For how many requests the chances of options are kept, and how long these are together."""

PAST_MAX = 8
"""How many tables of past events are kept for the requests that need them."""


class CommittedCommand:
    """A commit that is in the log, as each seat sees it.

    Args:
        match: The match; for the shared prefix of a fork it differs from the commit's.
        commit: The commit.
        table: The table after it, or a later one of the same match.
        request_id: The id of the request that caused it.
    """

    __slots__ = ("_is_alike", "_seen", "commit", "match", "request_id", "table")

    def __init__(self, match: MatchId, commit: Commit, table: Table, request_id: str = "") -> None:
        self.request_id = request_id
        self.match = match
        self.commit = commit
        self.table = table
        # The common case: nothing was ever hidden, so every seat sees what the public sees.
        self._is_alike = not table.private_events and not table.limits and is_open(commit.events)
        self._seen: dict[Seat, EventSlice | None] = {}

    def slice_for(self, seat: Seat) -> EventSlice | None:
        """Return the commit as a seat sees it, or None if it sees none of its events."""
        onlooker = PUBLIC if self._is_alike else seat
        if onlooker not in self._seen:
            self._seen[onlooker] = self._seen_by(onlooker)
        return self._seen[onlooker]

    def _seen_by(self, seat: Seat) -> EventSlice | None:
        commit = self.commit
        if self._is_alike:
            return EventSlice(commit.first, commit.at, commit.events)
        return SeatView.after(self.table, seat, commit.first - 1).take(commit.events, commit.at, commit.last)

    def number(self, seat: Seat) -> int:
        """Return how many events a seat has seen up to the end of this commit."""
        return seat_number(self.table, seat, self.commit.last)


class CachedMatch:
    """One match in memory.

    The match may be ahead of the log while commits wait to be appended; the views of its seats never are.

    Args:
        match: The match at its head.

    Attributes:
        ahead: The match before each command that waits to be appended; None before one that makes it, and where it is not known.
        summary: The summary of the match at a head, kept by whoever makes it.
    """

    __slots__ = ("_before", "_open", "ahead", "match", "odds", "past", "saved", "summary", "views")

    def __init__(self, match: Match) -> None:
        self.match = match
        self._before: State | None = None
        self.ahead: deque[State | None] = deque()
        self._open = 0, True
        self.summary: tuple[Head, Summary] | None = None
        self.views: dict[Seat, Table] = {}
        self.past: OrderedDict[tuple[Seat, int], Table] = OrderedDict()
        self.odds: BoundedCache[tuple[OptionOdds, ...]] = BoundedCache(ODDS_MAX, ODDS_CHARACTERS_MAX)
        # Only the log knows at which event the last snapshot of a loaded match was taken.
        self.saved = match.head.seq // EVERY * EVERY

    @property
    def id(self) -> MatchId:
        """The match's id."""
        return self.match.id

    @property
    def table(self) -> Table:
        """The unredacted table; only the arbiter may get it."""
        return self.match.table

    def number(self, seat: Seat) -> int:
        """Return how many events a seat has seen."""
        return seat_number(self.match.table, seat, self.match.head.seq)

    def log_number(self, seat: Seat, number: int, *, first: int = 0) -> int:
        """Convert a seat's number of an event to the log's; nothing else in the desk does, so that no number goes unchecked.

        Args:
            seat: The seat.
            number: The number, as a client sent it; 0 stands for before the first event.
            first: The smallest number that is allowed.

        Raises:
            RequestFailed: With `unknown_sequence`, in the seat's numbers.
        """
        return log_number(self.match.table, seat, checked_number(number, self.number(seat), first=first))

    @property
    def waiting(self) -> int:
        """By how many commands the match is ahead of the log."""
        return len(self.ahead)

    def attempt(self, change: Callable[[], T]) -> T:
        """Carry out a change that moves the match ahead of the log; if it raises, restore the match."""
        live = self.match
        self._before = before = live.table, live.head, live.recent, live.called, live.record
        try:
            return change()
        except BaseException:
            self.restore(before)
            raise

    def restore(self, before: State) -> None:
        """Let the match be as it was."""
        live = self.match
        live.table, live.head, live.recent, live.called, live.record = before

    def wait(self) -> None:
        """Note that the last change waits to be appended."""
        self.ahead.append(self._before)
        self._before = None

    def stored(self, command: CommittedCommand) -> None:
        """Make a commit visible to the seats, now that it is in the log."""
        for seat, table in self.views.items():
            seen = command.slice_for(seat)
            if seen is not None:
                fold(seen.events, table)

    def view(self, log: Log, seat: Seat) -> Table:
        """Return a copy of the table as a seat sees it; no commit may be waiting to be appended."""
        if seat == ARBITER:
            return self.match.table.clone()
        if seat not in self.views:
            self.views[seat] = self._fold_view(log, seat, self.match.head.seq)
        return self.views[seat].clone()

    def view_at(self, log: Log, seat: Seat, number: int) -> Table:
        """Return the table as a seat saw it after its event `number`; see `log_number` for the error."""
        seq = self.log_number(seat, number)
        if seat == ARBITER:
            return table_at(log, self.id, seq)
        kept = self.past.pop((seat, seq), None)
        return self._fold_view(log, seat, seq) if kept is None else kept

    def view_cost(self, log: Log, seat: Seat, seq: int) -> int:
        """Return how many events must be read for a seat's table after the log's event `seq`."""
        is_kept = seat == ARBITER or (seat, seq) in self.past or (seat in self.views and seq == self.match.head.seq)
        return 0 if is_kept else seq - self._view_before(log, seat, seq)[0]

    def keep_view(self, log: Log, seat: Seat, seq: int, table: Table) -> None:
        """Cache a seat's table after the log's event `seq`, folded up to the head if that is near and the event ends a commit."""
        head = self.match.head
        if seat in self.views or head.seq - seq > EVERY or not self._ends_commit(log, seq):
            self.past[seat, seq] = table
            if len(self.past) > PAST_MAX:
                self.past.popitem(last=False)
            return
        self.views[seat] = fold(self._seen(log, seat, head.seq, seq), table)
        log.save_snapshot(self.id, head.seq, take_snapshot(self.views[seat], head.hash), seat)

    def _ends_commit(self, log: Log, seq: int) -> bool:
        if seq == self.match.head.seq:
            return True
        _, following = next(commits_between(log, self.id, seq, seq + 1))
        return following.first == seq + 1

    def save_snapshots(self, log: Log) -> None:
        """Save snapshots of the table and of the views in use."""
        head = self.match.head
        log.save_snapshot(self.id, head.seq, take_snapshot(self.table, head.hash, self.match.record.digest))
        for seat, table in self.views.items():
            log.save_snapshot(self.id, head.seq, take_snapshot(table, head.hash), seat)

    def _fold_view(self, log: Log, seat: Seat, upto: int) -> Table:
        seq, table = self._view_before(log, seat, upto)
        return fold(self._seen(log, seat, upto, seq), table)

    def _view_before(self, log: Log, seat: Seat, upto: int) -> tuple[int, Table]:
        """Return the log's number and the table of a seat's last snapshot that is not after event `upto`."""
        found = log.snapshot(self.id, upto, seat)
        if found is None:
            return 0, Table()
        seq, content = found
        restored = restore(content, seat_number(self.match.table, seat, seq))
        return (0, Table()) if restored is None else (seq, restored[0])

    def is_open_to(self, log: Log, seat: Seat, upto: int) -> bool:
        """Return whether nothing up to the log's event `upto` is hidden from a seat; see `hides_nothing`."""
        return hides_nothing(self._seen(log, ARBITER, upto), self._seen(log, seat, upto))

    def knows_more(self, log: Log, seat: Seat, upto: int) -> bool:
        """Return whether a seat has seen anything up to the log's event `upto` that the public has not; it follows from what the seat knows."""
        return self._seen(log, seat, upto) != self._seen(log, PUBLIC, upto)

    def is_disclosed(self, log: Log) -> bool:
        """Return whether the match is over, and its commits hold nothing that any seat or spectator has not seen.

        A fork is not: it holds commits of a match that may still run. No commit may be waiting to be appended.
        """
        table = self.match.table
        return table.ended is not None and not table.parent and not self.hides(log)

    def hides(self, log: Log) -> bool:
        """Return whether the commits hold anything that some seat or spectator has not seen. No commit may be waiting to be appended."""
        table = self.match.table
        if table.private_events or table.limits:
            return True
        seq, is_open_so_far = self._open
        if is_open_so_far and seq < table.seq:
            commits = commits_between(log, self.id, seq, table.seq)
            self._open = table.seq, all(is_known_to_all(commit.events) for _, commit in commits)
        return not self._open[1]

    def _seen(self, log: Log, seat: Seat, upto: int, after: int = 0) -> list[Event]:
        """Return a seat's stream after the log's event `after`, which ends a commit, up to event `upto`."""
        return seen_of(log, self.id, SeatView.after(self.match.table, seat, after), after, upto)

    def slices(self, log: Log, seat: Seat, since: int, limit: int) -> list[EventSlice]:
        """Return a seat's events after its event `since`: whole commits, until `limit` events or the limit of bytes is reached.

        The bytes are those that the seat gets: where a reply ends tells nothing of what is hidden from it.
        """
        found: list[EventSlice] = []
        count = size = 0
        after = self.log_number(seat, since)
        for _, commit in commits_between(log, self.id, after, self.match.head.seq):
            seen = CommittedCommand(self.id, commit, self.match.table).slice_for(seat)
            late = () if seen is None else seen.events[max(0, since + 1 - seen.first) :]
            if seen is not None and late:
                found.append(EventSlice(max(seen.first, since + 1), seen.at, late))
                count += len(late)
                size += len(encode(late))
            if count >= limit or size >= PAGE_BYTES_MAX:
                break
        return found


class MatchCache:
    """The matches in memory: a cache that drops the least recently used ones.

    A dropped match is only in the log; the next request about it loads it.

    Args:
        log: The log of all matches.
        most: The largest number in memory, 1 or more.
        shared: Other processes may write to the log as well.
    """

    def __init__(self, log: Log, most: int, *, shared: bool = False) -> None:
        self._log = log
        self._most = most
        self._shared = shared
        self._cached: OrderedDict[MatchId, CachedMatch] = OrderedDict()
        self._due: set[MatchId] = set()
        self._problems: OrderedDict[MatchId, str] = OrderedDict()
        self._dropped: list[CachedMatch] = []

    def __len__(self) -> int:
        """Return how many are in memory."""
        return len(self._cached)

    def get(self, match: MatchId) -> CachedMatch:
        """Return a match, loading it if necessary.

        Raises:
            UnknownMatch: There is no such match.
            BrokenEvidence: What is stored of it is damaged.
        """
        cached = self.loaded(match)
        if cached is None:
            try:
                cached = self.put(CachedMatch(load_match(self._log, match)))
            except DAMAGE as error:
                self.note_problem(match, damage_to(match, error))
                raise
        else:
            self._cached.move_to_end(match)
        return cached

    def note_problem(self, match: MatchId, problem: str) -> None:
        """Record a problem of a match, in one line, for lists of matches."""
        self._problems[match] = problem
        if len(self._problems) > PROBLEMS_MAX:
            self._problems.popitem(last=False)

    def problem(self, match: MatchId) -> str:
        """Return the recorded problem of a match; empty if there is none."""
        return self._problems.get(match, "")

    def loaded(self, match: MatchId) -> CachedMatch | None:
        """Return a match if it is in memory and no other process has written to it since, or None."""
        cached = self.kept(match)
        is_stale = cached is not None and self._shared and self._log.head(match).seq > cached.match.head.seq
        return None if is_stale else cached

    def kept(self, match: MatchId) -> CachedMatch | None:
        """Return a match if it is in memory, even if another process has written to it since, or None."""
        return self._cached.get(match)

    def put(self, cached: CachedMatch) -> CachedMatch:
        """Keep a match in memory and return it."""
        self._problems.pop(cached.id, None)
        self._cached[cached.id] = cached
        self._cached.move_to_end(cached.id)
        return cached

    def withdraw(self, match: MatchId) -> None:
        """Let a match be as it is in the log, where nothing of what it was ahead by was appended; one that is not there is dropped."""
        cached = self.kept(match)
        if cached is None or not cached.ahead or (before := cached.ahead[0]) is None:
            self.drop(match)
            return
        cached.restore(before)
        cached.ahead.clear()

    def drop(self, match: MatchId) -> None:
        """Drop a match from memory."""
        self._cached.pop(match, None)

    def shrink(self) -> None:
        """Drop the least recently used matches beyond the limit, except those that are ahead of the log."""
        beyond = len(self._cached) - self._most
        if beyond <= 0:
            return
        for cached in [one for one in self._cached.values() if not one.waiting][:beyond]:
            del self._cached[cached.id]
            self._due.discard(cached.id)
            self._dropped.append(cached)

    def dropped(self) -> list[CachedMatch]:
        """Return the matches that were dropped since the last call, so that their summaries can be saved."""
        found, self._dropped = self._dropped, []
        return found

    def all(self) -> list[CachedMatch]:
        """Return all matches in memory."""
        return list(self._cached.values())

    def note_snapshot(self, cached: CachedMatch) -> None:
        """Mark a match as due for a snapshot if its last one is far enough behind."""
        if cached.match.head.seq - cached.saved >= EVERY:
            self._due.add(cached.id)

    def due(self) -> list[CachedMatch]:
        """Return the matches that are due for a snapshot and not ahead of the log, and clear their marks."""
        known = [self._cached[match] for match in self._due if match in self._cached]
        self._due = {cached.id for cached in known if cached.waiting}
        found = [cached for cached in known if not cached.waiting]
        for cached in found:
            cached.saved = cached.match.head.seq
        return found
