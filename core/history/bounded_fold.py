"""Folds events from outside, stored or imported, which may exceed the limits of a table."""

from collections.abc import Sequence

from events.errors import BrokenEvidence
from events.ids import MatchId
from events.vocabulary import Event
from projections.bounds import excess
from projections.state.fold import fold
from projections.state.table import Table

UNCHECKED_BYTES = 1 << 16
"""The amount folded before the table is measured again: far more than a commit of any game, and folded quickly."""

UNCHECKED_ENTRIES = 512
"""The same within a larger commit: its events, and the cards and seats that they list."""


class BoundedFold:
    """Folds commits into a table, and measures it from time to time.

    Args:
        table: Changed in place.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._unchecked = 0
        self._waiting: list[Event] = []
        self._waiting_of = MatchId("")
        self._waiting_size = 0

    def take(self, events: Sequence[Event], match: MatchId, size: int) -> None:
        """Fold the events of one commit.

        Args:
            events: The events in order.
            match: The match in which they were written.
            size: An upper bound of their bytes.

        Raises:
            BrokenEvidence: They cannot have happened.
        """
        if size <= UNCHECKED_BYTES:
            self._fold(events, match)
        else:
            entries = 0
            for event in events:
                self._fold((event,), match)
                entries += 1 + _listed(event)
                if entries >= UNCHECKED_ENTRIES:
                    self.measure(match)
                    entries = 0
        self._unchecked += size
        if self._unchecked > UNCHECKED_BYTES:
            self.measure(match)

    def add(self, events: Sequence[Event], match: MatchId, size: int) -> None:
        """Fold the events of one commit together with those of later ones, at the latest when the table is measured.

        That is faster: what restores the table before a command is kept for the last ones only. The arguments are those of `take`.

        Raises:
            BrokenEvidence: They, or events before them, cannot have happened.
        """
        if match != self._waiting_of or self._waiting_size + size > UNCHECKED_BYTES:
            self._fold_waiting()
            self._waiting_of = match
        if size > UNCHECKED_BYTES:
            self.take(events, match, size)
            return
        self._waiting += events
        self._waiting_size += size

    def _fold_waiting(self) -> None:
        events, size = self._waiting, self._waiting_size
        self._waiting, self._waiting_size = [], 0
        if events:
            self.take(events, self._waiting_of, size)

    def measure(self, match: MatchId) -> None:
        """Check that the table, after all events that wait to be folded, is within its limits.

        Raises:
            BrokenEvidence: It exceeds one.
        """
        self._fold_waiting()
        self._unchecked = 0
        problem = excess(self._table)
        if problem:
            raise BrokenEvidence(match, self._table.seq, problem)

    def _fold(self, events: Sequence[Event], match: MatchId) -> None:
        try:
            fold(events, self._table)
        except KeyError as error:
            # A forgery with recomputed hashes may contain impossible events, such as the move of a piece that does not exist.
            raise BrokenEvidence(match, self._table.seq, f"the event names {error}, which does not exist") from None
        except (IndexError, ValueError):
            # So may a pick without a question, or one that is taken back and was not made.
            raise BrokenEvidence(match, self._table.seq, "the event cannot follow those before it") from None


def _listed(event: Event) -> int:
    """Return how many cards and seats an event lists."""
    return len(getattr(event, "cards", None) or ()) + len(getattr(event, "seen_by", None) or ())
