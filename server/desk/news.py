"""News of a log: what other writers have appended to it, folded into the matches in memory."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Protocol, runtime_checkable

from core.match.live_match import Prepared
from events.chain import stored_commit
from events.codec import Struct
from events.commit import Commit, Head
from events.errors import BrokenEvidence, LogError, StoreUnavailable
from events.ids import MatchId
from events.log import Log, NewCommit, Stored
from projections.state.fold import fold
from server.desk.match_cache import CachedMatch, CommittedCommand, MatchCache


class Heard(Struct, frozen=True):
    """Commits that others have appended: those that matches in memory have followed, in the order of the log, and the matches that went on unread."""

    committed: tuple[CommittedCommand, ...] = ()
    unread: frozenset[MatchId] = frozenset()


@runtime_checkable
class WakingLog(Protocol):
    """A log that is told when there may be news."""

    def news_fileno(self) -> int:
        """Return the descriptor that becomes readable then, or -1; it may change."""


class News:
    """Lets the matches in memory follow what others append to their log.

    A commit is only folded if it follows the last one of its match by its number and by the hash that it names. So news that are lost, late or
    repeated cost time, and change nothing.

    Args:
        log: The log.
        matches: The matches in memory.
    """

    def __init__(self, log: Log, matches: MatchCache) -> None:
        self._log = log
        self._matches = matches
        self._waiting: Sequence[Stored] = ()
        self._waking = log if isinstance(log, WakingLog) else None

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when there may be news, or -1 if the log has to be asked."""
        return -1 if self._waking is None else self._waking.news_fileno()

    def look(self) -> AbstractSet[MatchId]:
        """Ask the log for news, unless some wait to be taken; return the matches that they are about, which are none while it cannot be read."""
        if not self._waiting:
            with suppress(StoreUnavailable):
                self._waiting = self._log.news(self._is_kept)
        return {one.match for one in self._waiting}

    def _is_kept(self, match: MatchId) -> bool:
        return self._matches.kept(match) is not None

    def take(self) -> Heard:
        """Fold the news that wait; none of their matches may be ahead of the log.

        A match whose news cannot be folded is dropped from memory: the next request about it loads it.
        """
        waiting, self._waiting = self._waiting, ()
        committed: list[CommittedCommand] = []
        unread: set[MatchId] = set()
        for stored in waiting:
            cached = self._matches.kept(stored.match)
            followed = None if cached is None else _follow(cached, stored)
            if followed is not None:
                committed.append(followed)
                continue
            # Who follows it may not have been told, also if it was loaded since.
            unread.add(stored.match)
            if cached is not None and stored.last > cached.match.head.seq:
                self._matches.drop(stored.match)
        return Heard(tuple(committed), frozenset(unread))

    def catch_up(self, match: MatchId) -> None:
        """Let a match that is ahead of the log be as it is there, whatever was appended meanwhile; one that cannot is dropped."""
        self._matches.withdraw(match)
        cached = self._matches.kept(match)
        with suppress(LogError):
            if cached is not None:
                new = list(self._log.read(match, cached.match.head.seq))
                if all(_follow(cached, one) is not None for one in new):
                    return
        self._matches.drop(match)

    def renew(self, match: MatchId) -> bool:
        """Drop a match of which news have not come yet, so that the next request loads it; return whether there was one. It must not be ahead of the log."""
        cached = self._matches.kept(match)
        with suppress(LogError):
            if cached is not None and self._log.head(match).seq > cached.match.head.seq:
                self._matches.drop(match)
                return True
        return False


def _follow(cached: CachedMatch, stored: Stored) -> CommittedCommand | None:
    """Let a match follow a commit; return None, having done nothing, if that does not follow its last one."""
    if stored.last <= cached.match.head.seq:
        return None
    try:
        commit = stored_commit(stored)
    except BrokenEvidence:
        return None
    if not _follows(commit, cached.match.head):
        return None
    table = fold(commit.events, cached.table.clone())
    new = NewCommit(stored.match, stored.first, stored.last, stored.key, stored.hash, stored.body)
    cached.match.adopt(Prepared(new, commit, table))
    followed = CommittedCommand(stored.match, commit, table)
    cached.stored(followed)
    return followed


def _follows(commit: Commit, head: Head) -> bool:
    """Return whether a commit is the next one after a head."""
    return (commit.first, commit.prev) == (head.seq + 1, head.hash)
