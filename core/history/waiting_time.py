"""Time that a match has waited for the seat that is to decide, by the times of its commits; the time of pauses does not count."""

from collections.abc import Iterator

from events.chain import commits_between
from events.commit import Commit
from events.ids import MatchId
from events.log import Log
from events.vocabulary import MatchEnded, MatchPaused, MatchResumed, SeatTaken
from projections.catalogue import NOT_WAITING, Span, Waiting
from projections.state.table import Table
from projections.thinking_time import is_awaited

READ_AT_ONCE = 32
"""How many events are read at a time, from the last one backwards."""

PUBLIC_EVENTS_MAX = 1_024
"""After how many events that all seats know of the search ends: there may be any number of notes. Events that only some seats know of are
bounded elsewhere, and do not count, so that no time discloses their number."""


def waiting(log: Log, match: MatchId, table: Table) -> Waiting:
    """Return since when a match has waited: since the last command of the game, or since the deciding seat was taken if that is later.

    What only some seats know of makes no difference: private notes, standing answers and secret picks.

    Args:
        log: The log that holds the match.
        match: Its id.
        table: The table at its head.

    Raises:
        BrokenEvidence: A commit cannot be read.
    """
    if table.top is None or not table.top.seat:
        return NOT_WAITING
    paused_ms = paused_at = passed = at = 0
    resumed_at: int | None = None
    for commit in _backwards(log, match, table.seq):
        at = commit.at
        for event in reversed(commit.events):
            if isinstance(event, MatchResumed):
                resumed_at = at
            elif isinstance(event, MatchPaused):
                if resumed_at is None:
                    paused_at = at
                else:
                    paused_ms += max(0, resumed_at - at)
                resumed_at = None
            elif is_awaited(event) or (isinstance(event, SeatTaken) and event.seat == table.top.seat):
                return Waiting(at + paused_ms, paused_at)
            passed += getattr(event, "seen_by", None) is None
        if passed > PUBLIC_EVENTS_MAX:
            break
    return Waiting(at + paused_ms, paused_at)


def span_of(log: Log, match: MatchId, table: Table) -> Span:
    """Return when a match was opened, and when it ended.

    Raises:
        BrokenEvidence: A commit cannot be read.
    """
    origin = log.origin(match)
    first = 0 if origin is None else origin.seq
    opened_at = next((commit.at for _, commit in commits_between(log, match, first, first + 1)), 0)
    ended_at = 0
    if table.ended is not None:
        ended = filter(_is_end, _backwards(log, match, table.seq))
        ended_at = next((one.at for one in ended), 0)
    return Span(opened_at, ended_at)


def _is_end(commit: Commit) -> bool:
    return any(isinstance(event, MatchEnded) for event in commit.events)


def _backwards(log: Log, match: MatchId, upto: int) -> Iterator[Commit]:
    """Return the commits of a match up to an event that ends one, the last one first."""
    while upto > 0:
        commits = [commit for _, commit in commits_between(log, match, max(0, upto - READ_AT_ONCE), upto)]
        yield from reversed(commits)
        upto = commits[0].first - 1
