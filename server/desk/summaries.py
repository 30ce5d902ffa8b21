"""Summaries of matches without loading them: from the table of a match in memory, otherwise from the log's cache."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from core.history.match_reader import DAMAGE, damage_to, summaries, summary_at_head, summary_of
from core.registry.games import package_of
from core.registry.installed_rules import shown_today
from events.errors import LogError
from events.ids import ARBITER, MatchId, Seat
from events.log import Log, NewSummary
from projections.catalogue import MatchSummary, Summary, damaged_match, encode_summary
from projections.state.offices import Arbiter
from server.desk.match_cache import CachedMatch, MatchCache
from server.protocol.clock import Clock
from server.protocol.errors import DAMAGED

DAMAGED_MAX = 1_000
"""How many damaged matches are remembered."""


class Summaries:
    """Returns summaries of matches.

    Args:
        log: The log of the matches.
        matches: Those in memory.
        clock: Tells which invitations have expired.
        tells_damage: Whether lists name the event at which a match is damaged; it is a number of the log, for the store's owner.
    """

    def __init__(self, log: Log, matches: MatchCache, clock: Clock, *, tells_damage: bool) -> None:
        self._clock = clock
        self._tells_damage = tells_damage
        self._log = log
        self._matches = matches
        self._damage: OrderedDict[MatchId, LogError] = OrderedDict()

    def _note(self, match: MatchId, error: LogError) -> None:
        """Remember the problem of a match until it is loaded."""
        self._matches.note_problem(match, damage_to(match, error))
        self._damage[match] = error
        if len(self._damage) > DAMAGED_MAX:
            self._damage.popitem(last=False)

    def of(self, match: MatchId) -> Summary:
        """Return the summary of a match.

        Raises:
            UnknownMatch: There is no such match.
            BrokenEvidence: It is known to be damaged.
        """
        loaded = self._of_loaded(match)
        if loaded is not None:
            self._damage.pop(match, None)
            return loaded
        if match in self._damage:
            # Detecting the damage again may take time proportional to the match.
            raise self._damage[match]
        try:
            return summary_at_head(self._log, match)
        except DAMAGE as error:
            self._note(match, error)
            raise

    def number(self, match: MatchId, seat: Seat) -> int:
        """Return how many events a seat has seen; see `of` for the errors."""
        cached = self._matches.loaded(match)
        if cached is not None:
            return cached.number(seat)
        return self._log.head(match).seq if seat == ARBITER else self.of(match).numbers[seat]

    def page(self, after: MatchId | None, limit: int) -> tuple[list[MatchSummary], bool]:
        """Return matches in the order of their opening, and whether more follow.

        Raises:
            UnknownMatch: There is no match `after`.
        """
        found = list(summaries(self._log, after, limit + 1, known=self._known))
        for match, summary in found:
            if isinstance(summary, str):
                self._matches.note_problem(match, summary)
        return [self._listed(match, summary) for match, summary in found[:limit]], len(found) > limit

    def like(self, prefix: str, limit: int) -> tuple[list[MatchSummary], bool]:
        """Return matches whose ids begin with a prefix, in the order of their ids, and whether there are more."""
        found = self._log.matches_like(prefix, limit + 1)
        return [self._listed(match, self._told(match)) for match in found[:limit]], len(found) > limit

    def _told(self, match: MatchId) -> Summary | str:
        """Return the summary of a match, or its problem."""
        try:
            return self.of(match)
        except DAMAGE:
            return self._matches.problem(match)

    def all(self) -> Iterator[Summary]:
        """Return the summaries of all matches; those that cannot be read are left out."""
        return (summary for _, summary in summaries(self._log, known=self._known) if isinstance(summary, Summary))

    def offices(self) -> Iterator[tuple[MatchId, Arbiter]]:
        """Return all matches that have an arbiter; those that cannot be read are left out."""
        for summary in self.all():
            if summary.arbiter is not None:
                yield summary.shown.match, summary.arbiter

    def _known(self, match: MatchId) -> Summary | str | None:
        """Return the summary of a match in memory, or the problem of a match, if one is known; its last commits may be damaged since it was loaded."""
        try:
            return self._of_loaded(match) or self._matches.problem(match) or None
        except DAMAGE as error:
            self._note(match, error)
            return self._matches.problem(match)

    def _of_loaded(self, match: MatchId) -> Summary | None:
        cached = self._matches.loaded(match)
        return None if cached is None else self._made(cached)

    def _made(self, cached: CachedMatch) -> Summary:
        """Return the summary of a match in memory, made again only after it has moved on: that reads its last commits."""
        head = cached.match.head
        if cached.summary is None or cached.summary[0] != head:
            cached.summary = head, summary_of(self._log, cached.id, cached.table)
        return cached.summary[1]

    def _listed(self, match: MatchId, summary: Summary | str) -> MatchSummary:
        problem = summary if isinstance(summary, str) else self._matches.problem(match)
        if problem and not self._tells_damage:
            problem = DAMAGED
        if isinstance(summary, Summary) and not problem:
            if package_of(summary.shown.game):
                return shown_today(summary, self._clock.now_ms())
            problem = f"the game {summary.shown.game!r} is not installed here"
        return damaged_match(match, problem)

    def save(self, dropped: Sequence[CachedMatch]) -> None:
        """Save the summaries of dropped matches; they are a cache, so nothing is lost if this fails."""
        new: list[NewSummary] = []
        for cached in dropped:
            with suppress(LogError, *DAMAGE):
                new.append(NewSummary(cached.id, cached.match.head, encode_summary(self._made(cached))))
        with suppress(LogError):
            self._log.save_summaries(new)

    def refresh(self, progress: Callable[[int], None] | None = None) -> None:
        """Rebuild stale summaries, such as those of matches that were in memory when a server was killed."""
        for count, (match, summary) in enumerate(summaries(self._log), start=1):
            if isinstance(summary, str):
                self._matches.note_problem(match, summary)
            if progress is not None:
                progress(count)
