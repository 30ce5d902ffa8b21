"""Reads matches from a log: finds them by id, checks them, folds them into tables. It loads no rules.

All readers check the whole chain in this module: `read_match` before anything is shown, and `core.match.live_match.load_match`
through the same check before anything is appended.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from core.errors import UnknownName
from core.history.bounded_fold import BoundedFold
from core.history.waiting_time import span_of, waiting
from core.suggestions import unknown
from events.chain import checked, commits_between, stored_commit
from events.codec import Struct
from events.commit import Commit, Head
from events.errors import BrokenEvidence, LogError, StoreDamaged, UnknownMatch
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.log import Log, NewSummary, Stored, StoredSummary
from events.vocabulary import Event, MatchForked
from projections.catalogue import Summary, decode_summary, encode_summary, summarize
from projections.snapshot import restore
from projections.state.public_record import recorded
from projections.state.table import Table
from projections.state.view import SeatView

DAMAGE = (BrokenEvidence, StoreDamaged)
"""The errors of one match of a store that leave the others readable."""


SAVED_AT_ONCE = 256
"""Summaries stored in one step."""

NAMED_MAX = 5
"""The most matches listed for an ambiguous abbreviation."""


class LoadedMatch(Struct, frozen=True):
    """A match that passed the chain check: its commits, the shared ones of its ancestors first, and the table after them.

    `head` is its head when it was read.
    """

    commits: Sequence[Commit]
    table: Table
    head: Head


def read_match(log: Log, match: MatchId) -> LoadedMatch:
    """Read and check a whole match.

    No snapshot is used, because snapshots are not covered by the chain.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: Its commits are damaged, forged or impossible; the message names the first bad event.
    """
    stored = list(log.read(match))
    table = Table()
    folding = BoundedFold(table)
    commits = []
    for one, commit in zip(stored, checked(stored, match), strict=True):
        folding.add(commit.events, commit.match, len(one.body))
        commits.append(commit)
    folding.measure(match)
    return LoadedMatch(commits, table, Head(stored[-1].last, stored[-1].hash))


def damage_to(match: MatchId, error: LogError) -> str:
    """Return the problem of a match for a list of matches; its own id is left out."""
    if not isinstance(error, BrokenEvidence):
        return str(error)
    whose = "" if error.match == match else f", of match {error.match}"
    return f"event {error.seq}{whose}: {error.problem}"


def table_at(log: Log, match: MatchId, seq: int) -> Table:
    """Return the table after an event, folding only from the last snapshot before it.

    The chain is not checked here; loading the match checks it.

    Args:
        log: The log that holds the match.
        match: Its id.
        seq: Number of the event, 0 (the empty table) or more; one in the middle of a commit is fine.

    Raises:
        UnknownMatch: There is no such match.
        UnknownName: The match has fewer events.
        BrokenEvidence: The commit with the event is missing.
    """
    return _at(log, match, seq)[0]


def shared_at(log: Log, match: MatchId, seq: int) -> tuple[Table, str]:
    """Return the table after the last event of a commit, and the digest of what everybody was shown up to it; see `table_at`."""
    return _at(log, match, seq, is_recorded=True)


def _at(log: Log, match: MatchId, seq: int, *, is_recorded: bool = False) -> tuple[Table, str]:
    table, record = _latest(log, match, seq, is_recorded=is_recorded)
    if table.seq != seq:
        if table.seq < seq <= log.head(match).seq:
            raise BrokenEvidence(match, table.seq + 1, "the commit with this event is missing")
        raise UnknownName(f"match {match} has {table.seq} events; there is no event {seq}")
    return table, record


def _latest(log: Log, match: MatchId, seq: int, *, is_recorded: bool = False) -> tuple[Table, str]:
    """Fold from the last snapshot up to an event, or to the end of the match; return the table, and the record if it is wanted."""
    found = log.snapshot(match, seq)
    restored = None if found is None else restore(found[1], found[0])
    table, _, record = (Table(), "", "") if restored is None else restored
    for stored in log.read(match, table.seq, seq):
        commit = apply_commit(table, stored, seq)
        if is_recorded:
            record = recorded(record, commit.at, commit.events)
    return table, record


def apply_commit(table: Table, stored: Stored, upto: int) -> Commit:
    """Fold a stored commit into a table, no further than event `upto`, and return it.

    Raises:
        BrokenEvidence: It is not a valid commit, does not follow the table, or is impossible.
    """
    commit = stored_commit(stored)
    if commit.first != table.seq + 1:
        raise BrokenEvidence(stored.match, table.seq + 1, f"this commit begins with event {commit.first}")
    BoundedFold(table).take(commit.events[: upto - table.seq], stored.match, len(stored.body))
    return commit


def summary_at_head(log: Log, match: MatchId) -> Summary:
    """Return the summary of a match: the log's, or a new one if that is stale.

    The chain is not checked, and only events after the last snapshot are folded.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: Data read of it is damaged; also StoreDamaged.
    """
    kept = log.summary(match)
    return _current(kept) or _made_anew(log, kept)


def summaries(
    log: Log,
    after: MatchId | None = None,
    limit: int | None = None,
    *,
    save: Callable[[Sequence[NewSummary]], None] | None = None,
    known: Callable[[MatchId], Summary | str | None] | None = None,
) -> Iterator[tuple[MatchId, Summary | str]]:
    """Return matches in the order in which they were opened: the summary of each, or its problem in one line.

    No chain is checked: a list reports only damage that it encounters. New summaries are stored for the next time.

    Args:
        log: The log that holds the matches.
        after: Only those opened after this one.
        limit: The most matches to return, 1 or more.
        save: Stores new summaries; by default in the log itself, if it can be written.
        known: Returns the summary of a match, or its problem, if the caller has it; it is not stored.

    Raises:
        UnknownMatch: There is no match `after`.
    """
    keep = log.save_summaries if save is None else save
    anew: list[NewSummary] = []
    for kept in log.summaries(after, limit):
        at_hand = None if known is None else known(kept.match)
        if at_hand is not None:
            yield kept.match, at_hand
            continue
        try:
            summary = _current(kept)
            if summary is None:
                summary = _made_anew(log, kept)
                anew.append(NewSummary(kept.match, kept.head, encode_summary(summary)))
        except DAMAGE as error:
            yield kept.match, damage_to(kept.match, error)
            continue
        if len(anew) == SAVED_AT_ONCE:
            keep(anew)
            anew = []
        yield kept.match, summary
    if anew:
        keep(anew)


def _current(kept: StoredSummary) -> Summary | None:
    """Return a stored summary, or None if it has to be rebuilt.

    Raises:
        LogError: Damage of the match was noticed.
    """
    if kept.damage is not None:
        raise kept.damage
    return None if kept.current is None else decode_summary(kept.current)


def _made_anew(log: Log, kept: StoredSummary) -> Summary:
    table, _ = _latest(log, kept.match, kept.head.seq)
    if table.seq != kept.head.seq:
        raise BrokenEvidence(kept.match, table.seq + 1, "this event is missing")
    return summary_of(log, kept.match, table)


def summary_of(log: Log, match: MatchId, table: Table) -> Summary:
    """Return the summary of a match.

    Args:
        log: The log that holds the match.
        match: Its id.
        table: The table at its head.

    Raises:
        BrokenEvidence: The first commit of the fork, or one of the last, cannot be read.
    """
    forked_at = _forked_at(log, match, table) if table.parent else 0
    return summarize(match, table, forked_at, waiting(log, match, table), span_of(log, match, table))


def _forked_at(log: Log, match: MatchId, table: Table) -> int:
    """Return the public's number of a fork's last shared event, from the first of its own commits."""
    origin = log.origin(match)
    if origin is None:
        raise BrokenEvidence(match, 1, "the store does not list this match as a fork")
    for _, commit in commits_between(log, match, origin.seq, origin.seq + 1):
        seen = SeatView.after(table, PUBLIC, commit.first - 1).take(commit.events, commit.at, commit.last)
        event = None if seen is None else seen.events[0]
        if isinstance(event, MatchForked):
            return event.at
    raise BrokenEvidence(match, origin.seq + 1, "this commit does not begin with the fork")


def relatives(log: Log, match: MatchId) -> list[MatchId]:
    """Return a match, its ancestors, and the forks of them all, as far as the store lists them without damage.

    Raises:
        UnknownMatch: There is no such match.
    """
    root, passed = match, {match}
    # The listing of a match may be damaged; then the family begins there.
    with suppress(*DAMAGE):
        while (origin := log.origin(root)) is not None and origin.parent not in passed:
            root = origin.parent
            passed.add(root)
    found = dict.fromkeys([root, match])
    waiting = list(found)
    while waiting:
        with suppress(*DAMAGE):
            new = [fork for fork in log.forks(waiting.pop()) if fork not in found]
            found.update(dict.fromkeys(new))
            waiting += new
    return list(found)


def find_match(log: Log, prefix: str) -> MatchId:
    """Return the one match whose id starts with a prefix.

    Raises:
        UnknownMatch: No match has it.
        UnknownName: Several matches have it.
    """
    found = log.matches_like(prefix, NAMED_MAX + 1) if prefix else ()
    if not found:
        raise UnknownMatch(MatchId(prefix))
    return only_match(prefix, found)


def only_match(prefix: str, found: Sequence[MatchId]) -> MatchId:
    """Return the match that a prefix means, of those that have it, at least one and `NAMED_MAX` + 1 at most, in the order of their ids.

    Raises:
        UnknownName: Several matches have it.
    """
    # The shortest id comes first, so a whole id is found even if others begin with it.
    if len(found) > 1 and found[0] != prefix:
        more = " …" if len(found) > NAMED_MAX else ""
        raise UnknownName(f"several matches begin with {prefix!r}: {', '.join(found[:NAMED_MAX])}{more}")
    return found[0]


def check_seat(table: Table, seat: Seat) -> Seat:
    """Return a seat if it may view a match.

    Raises:
        UnknownName: The match has no such seat.
    """
    seats = [*table.seats, PUBLIC, ARBITER]
    if seat not in seats:
        raise UnknownName(unknown("seat of this match", seat, [str(known) for known in seats]))
    return seat


def events_of(log: Log, match: MatchId, upto: int | None = None) -> list[Event]:
    """Return all events of a match in order, up to a number."""
    events: list[Event] = []
    for _, commit in commits_between(log, match, 0, log.head(match).seq if upto is None else upto):
        events.extend(commit.events)
    return events if upto is None else events[:upto]


def seen_of(log: Log, match: MatchId, view: SeatView, after: int, upto: int) -> list[Event]:
    """Return a seat's stream of a match after the log's event `after` up to `upto`.

    Args:
        log: The log that holds the match.
        match: Its id.
        view: The seat's view after event `after`, which ends a commit.
        after: 0 for the whole stream.
        upto: The last event; it need not end a commit.
    """
    events: list[Event] = []
    for _, commit in commits_between(log, match, after, upto):
        known = commit.events[: upto - commit.first + 1]
        seen = view.take(known, commit.at, commit.first + len(known) - 1)
        events += () if seen is None else seen.events
    return events
