"""The last commits of a match, as its head needs them: the commands that can be taken back, and the one that waits for a link."""

from collections.abc import Iterator

from core.match.undo import NO_COMMANDS, RecentCommands, followed, undone_by
from events.chain import commits_between
from events.codec import replace
from events.commit import Commit
from events.ids import MatchId
from events.log import Log
from events.vocabulary import ChanceCalled
from projections.state.table import Table


def called_after(called: bytes, commit: Commit, table: Table) -> bytes:
    """Return the command that waits for a link after a commit; empty if none does.

    Args:
        called: The one before it.
        commit: The commit.
        table: The table after it.
    """
    if isinstance(commit.events[0], ChanceCalled):
        return bytes(commit.command)
    return called if table.links is not None and table.links.call is not None else b""


def called_command(log: Log, match: MatchId, table: Table) -> bytes:
    """Return the command that waits for a link in a match at its head; empty if none does."""
    call = None if table.links is None else table.links.call
    if call is None:
        return b""
    _, commit = next(commits_between(log, match, call.seq - 1, call.seq))
    return bytes(commit.command)


LATEST = 32
"""How many events are read first to find the last commits of a match, and each time twice as many: a read costs a store on other machines several questions."""


RECENT_EVENTS_MAX = 1_024
"""How many of the last events are read for the last commands when a match is loaded: notes and rulings are no fence, so that
there may be any number of them since the last one. What lies further back can no longer be taken back after loading."""


def recent_commands(log: Log, match: MatchId, table: Table) -> RecentCommands:
    """Return the last commands of a match, those after the start of its table's undo history."""
    if table.past is None:
        return NO_COMMANDS
    recent = followed(recent_commits(log, match, table))
    # A seat may have taken commands back before that.
    return replace(recent, undone_by=undone_by(_latest(log, match, table.seq)))


def recent_commits(log: Log, match: MatchId, table: Table) -> list[Commit]:
    """Return the commits of a match since the start of its table's undo history."""
    if table.past is None:
        return []
    # The commit that contains the fence is read too.
    first = table.past.earlier[0] if table.past.earlier else table.past
    since = max(first.seq - 1, table.seq - RECENT_EVENTS_MAX)
    return [commit for _, commit in commits_between(log, match, since, table.seq)]


def _latest(log: Log, match: MatchId, upto: int) -> Iterator[Commit]:
    """Return the last commits of a match up to an event that ends one, the last one first."""
    least, count = max(0, upto - RECENT_EVENTS_MAX), LATEST
    while upto > least:
        commits = [commit for _, commit in commits_between(log, match, max(least, upto - count), upto)]
        yield from reversed(commits)
        upto, count = commits[0].first - 1, 2 * count
