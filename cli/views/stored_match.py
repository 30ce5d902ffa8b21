"""A match of the store, as one seat sees it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from typing_extensions import override

from cli.views.match_view import WholeMatch
from core.history.match_reader import read_match
from events.commit import Commit
from events.ids import MatchId, Seat
from events.log import Log

if TYPE_CHECKING:
    from core.game.bound_game import BoundGame


class StoredMatch(WholeMatch[Commit]):
    """A match of a log.

    Args:
        log: The log that holds it.
        match: Its id.
        seat: The seat whose view it is.
        number: The last event of the view, by the seat's own count; None for the latest.
        advise: As for every view.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: The match fails its chain check.
        UnknownName: It has no such seat.
        UserError: The seat has not seen so many events.
    """

    def __init__(
        self, log: Log, match: MatchId, seat: Seat, number: int | None, advise: Callable[[str], None] | None = None
    ) -> None:
        self.log = log
        kept = read_match(log, match)
        self.head = kept.head
        super().__init__(match, seat, kept.table, kept.commits, advise)
        if number is not None:
            self.number = self.checked(number)

    @override
    def _bind(self) -> "BoundGame":
        from core.match.live_match import game_of

        return game_of(self.log, self._now)

    @override
    def commit_at(self, number: int) -> Commit:
        return self.whole_commit_at(number)
