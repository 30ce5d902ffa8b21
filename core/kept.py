"""Matches as a log keeps them: found by their ids, checked, folded into tables. No rules are needed here, and none are loaded.

Here, and nowhere else, it is decided that broken evidence is no match: `read_match` checks the whole chain before anybody
looks at anything, and `core.match.load_match` goes through the same check before anything is added.
"""

from collections.abc import Sequence

from core.errors import UnknownName
from core.offers import unknown
from events.chain import checked
from events.codec import Struct
from events.commit import Commit, Head, decode_commit
from events.errors import BrokenEvidence, LogError, StoreDamaged, UnknownMatch
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.log import Log, Stored
from events.vocabulary import Event
from projections.fold import fold
from projections.snapshot import restore
from projections.table import Table

DAMAGE = (BrokenEvidence, StoreDamaged)
"""What may be wrong with one match of a store while the others are sound."""


class Kept(Struct, frozen=True):
    """A match that holds together: all its commits, those of its ancestors that it shares first, and the table after them.

    `head` is where it stood when it was read.
    """

    commits: Sequence[Commit]
    table: Table
    head: Head


def read_match(log: Log, match: MatchId) -> Kept:
    """Read a whole match to look at it, and make sure that it is what was written.

    No snapshot is asked for: a table that comes from one would only be as good as the snapshot.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: Its commits are not what was written, or cannot have happened; the first bad event is named.
    """
    stored = list(log.read(match))
    table = Table()
    commits = []
    for commit in checked(stored, match):
        try:
            fold(commit.events, table)
        except KeyError as error:
            # Whoever computes every hash again can chain what never happened, such as the move of a piece that is not there.
            raise BrokenEvidence(commit.match, table.seq, f"there is no {error} that this could happen to") from None
        commits.append(commit)
    return Kept(commits, table, Head(stored[-1].last, stored[-1].hash))


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
    found = log.snapshot(match, seq)
    restored = None if found is None else restore(found[1], found[0])
    table = Table() if restored is None else restored[0]
    for stored in log.read(match, table.seq, seq):
        apply_commit(table, stored, seq)
    if table.seq != seq:
        raise UnknownName(f"match {match} has {table.seq} events; there is no event {seq}")
    return table


def apply_commit(table: Table, stored: Stored, upto: int) -> None:
    """Fold a stored commit into a table, no further than event `upto`.

    Raises:
        BrokenEvidence: It does not follow the table.
    """
    commit = decode_commit(stored.body)
    if commit.first != table.seq + 1:
        raise BrokenEvidence(stored.match, commit.first, f"event {table.seq + 1} was expected here")
    fold(commit.events[: upto - table.seq], table)


def find_match(log: Log, prefix: str) -> MatchId:
    """Return the one match whose id starts with a prefix.

    Raises:
        UnknownMatch: None does.
        UnknownName: Several do.
    """
    known = log.matches()
    if MatchId(prefix) in known:
        return MatchId(prefix)
    found = [match for match in known if match.startswith(prefix)]
    if not found or not prefix:
        raise UnknownMatch(MatchId(prefix))
    if len(found) > 1:
        raise UnknownName(f"{len(found)} matches begin with {prefix!r}: {', '.join(found[:5])}")
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
