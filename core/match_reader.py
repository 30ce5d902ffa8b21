"""Matches as a log keeps them: found by their ids, checked, folded into tables. No rules are needed here, and none are loaded.

Here, and nowhere else, it is decided that broken evidence is no match: `read_match` checks the whole chain before anybody
looks at anything, and `core.match.load_match` goes through the same check before anything is added.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from core.bounded_fold import BoundedFold
from core.errors import UnknownName
from core.suggestions import unknown
from events.chain import checked
from events.codec import DecodeError, Struct
from events.commit import Commit, Head, decode_commit
from events.errors import BrokenEvidence, LogError, StoreDamaged, UnknownMatch
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.log import KeptSummary, Log, NewSummary, Stored
from events.vocabulary import Event, MatchForked
from projections.catalogue import Summary, decode_summary, encode_summary, summarize
from projections.snapshot import restore
from projections.table import Table
from projections.view import SeatView

DAMAGE = (BrokenEvidence, StoreDamaged)
"""What may be wrong with one match of a store while the others are sound."""


SAVED_AT_ONCE = 256
"""Summaries kept in one step."""

NAMED_MAX = 5
"""Matches named where an abbreviation fits several."""


class LoadedMatch(Struct, frozen=True):
    """A match that holds together: all its commits, those of its ancestors that it shares first, and the table after them.

    `head` is where it stood when it was read.
    """

    commits: Sequence[Commit]
    table: Table
    head: Head


def read_match(log: Log, match: MatchId) -> LoadedMatch:
    """Read a whole match to look at it, and make sure that it is what was written.

    No snapshot is asked for: a table that comes from one would only be as good as the snapshot.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: Its commits are not what was written, or cannot have happened; the first bad event is named.
    """
    stored = list(log.read(match))
    table = Table()
    folding = BoundedFold(table)
    commits = []
    for one, commit in zip(stored, checked(stored, match), strict=True):
        folding.take(commit.events, commit.match, len(one.body))
        commits.append(commit)
    folding.measure(match)
    return LoadedMatch(commits, table, Head(stored[-1].last, stored[-1].hash))


def damage_to(match: MatchId, error: LogError) -> str:
    """Say in a list of matches what is wrong with one of them; its own id is not said again."""
    if not isinstance(error, BrokenEvidence):
        return str(error)
    whose = "" if error.match == match else f", of match {error.match}"
    return f"event {error.seq}{whose}: {error.problem}"


def table_at(log: Log, match: MatchId, seq: int) -> Table:
    """Return the table as it was after an event, without folding more than lies behind the last snapshot.

    The chain is not checked here, but when the match is loaded.

    Args:
        log: Where the match is kept.
        match: Its id.
        seq: Number of the event, 0 (the empty table) or more; one in the middle of a commit is fine.

    Raises:
        UnknownMatch: There is no such match.
        UnknownName: The match has not that many events.
    """
    table = _latest(log, match, seq)
    if table.seq != seq:
        raise UnknownName(f"match {match} has {table.seq} events; there is no event {seq}")
    return table


def _latest(log: Log, match: MatchId, seq: int) -> Table:
    """Fold what lies between the last snapshot not beyond an event and that event, as far as the match goes."""
    found = log.snapshot(match, seq)
    restored = None if found is None else restore(found[1], found[0])
    table = Table() if restored is None else restored[0]
    for stored in log.read(match, table.seq, seq):
        apply_commit(table, stored, seq)
    return table


def apply_commit(table: Table, stored: Stored, upto: int) -> None:
    """Fold a stored commit into a table, no further than event `upto`.

    Raises:
        BrokenEvidence: It is not a commit, does not follow the table, or cannot have happened.
    """
    try:
        commit = decode_commit(stored.body)
    except DecodeError as error:
        raise BrokenEvidence(stored.match, stored.first, f"this is not a valid commit: {error}") from None
    if commit.first != table.seq + 1:
        raise BrokenEvidence(stored.match, table.seq + 1, f"this commit begins with event {commit.first}")
    BoundedFold(table).take(commit.events[: upto - table.seq], stored.match, len(stored.body))


def summary_at_head(log: Log, match: MatchId) -> Summary:
    """Return how a match stands: as the log keeps it, or made anew if what is kept is stale.

    The chain is not checked, and nothing is folded but what lies behind the last snapshot.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: What was seen of it is not what was written; so does StoreDamaged.
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
    """Return matches in the order in which they were opened: how each stands, or in one line what is wrong with it.

    No chain is checked: a list tells only of the damage that it meets. Summaries that were stale are kept for the next time.

    Args:
        log: Where the matches are kept.
        after: Only those opened after this one.
        limit: At most so many, 1 or more.
        save: Keeps new summaries; by default the log itself, as far as it can be written.
        known: Returns the summary of a match, or what is wrong with it, if the caller has that at hand; it is not kept.

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


def _current(kept: KeptSummary) -> Summary | None:
    """Return a kept summary, or None if it has to be made anew.

    Raises:
        LogError: The match is seen to be damaged.
    """
    if kept.damage is not None:
        raise kept.damage
    return None if kept.current is None else decode_summary(kept.current)


def _made_anew(log: Log, kept: KeptSummary) -> Summary:
    table = _latest(log, kept.match, kept.head.seq)
    if table.seq != kept.head.seq:
        raise BrokenEvidence(kept.match, table.seq + 1, "this event is missing")
    return summary_of(log, kept.match, table)


def summary_of(log: Log, match: MatchId, table: Table) -> Summary:
    """Return the summary of a match.

    Args:
        log: Where the match is kept; it is read only where the match is a fork.
        match: Its id.
        table: At its head.

    Raises:
        BrokenEvidence: The first commit of the fork cannot be read.
    """
    return summarize(table, _forked_at(log, match, table) if table.parent else 0)


def _forked_at(log: Log, match: MatchId, table: Table) -> int:
    """Return after which of the public's events a fork left its parent, as the first of its own commits tells it."""
    origin = log.origin(match)
    if origin is None:
        raise BrokenEvidence(match, 1, "the store does not list this match as a fork")
    for stored in log.read(match, origin.seq, origin.seq + 1):
        try:
            commit = decode_commit(stored.body)
        except DecodeError as error:
            raise BrokenEvidence(stored.match, stored.first, f"this is not a valid commit: {error}") from None
        seen = SeatView.after(table, PUBLIC, commit.first - 1).take(commit.events, commit.at, commit.last)
        fact = None if seen is None else seen.events[0]
        if isinstance(fact, MatchForked):
            return fact.at
    raise BrokenEvidence(match, origin.seq + 1, "this commit does not begin with the fork")


def relatives(log: Log, match: MatchId) -> list[MatchId]:
    """Return a match, those that it shares events with, and the forks of them all, as far as the store lists them soundly.

    Raises:
        UnknownMatch: There is no such match.
    """
    root, passed = match, {match}
    # What is listed of a match may be damaged; then the family is looked at from there on.
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
        UnknownMatch: None does.
        UnknownName: Several do.
    """
    found = log.matches_like(prefix, NAMED_MAX + 1) if prefix else ()
    if not found:
        raise UnknownMatch(MatchId(prefix))
    # The shortest id comes first, so a whole id is found even where others begin with it.
    if len(found) > 1 and found[0] != prefix:
        more = " …" if len(found) > NAMED_MAX else ""
        raise UnknownName(f"several matches begin with {prefix!r}: {', '.join(found[:NAMED_MAX])}{more}")
    return found[0]


def check_seat(table: Table, seat: Seat) -> Seat:
    """Return a seat if it may look at a match.

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
    for stored in log.read(match, 0, upto):
        events.extend(decode_commit(stored.body).events)
    return events if upto is None else events[:upto]
