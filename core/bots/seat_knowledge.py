"""Knowledge of a bot's seat, followed event by event, without the seeds of dice."""

from collections.abc import Iterable

from core.secrets.knowledge import Hidden
from events.codec import replace
from events.vocabulary import Event, MatchForked, MatchOpened


class SeatKnowledge:
    """Knowledge of a seat.

    `count` is how many events were followed.

    Args:
        seen: The events that the seat saw so far.
    """

    def __init__(self, seen: Iterable[Event] = ()) -> None:
        self.count = 0
        self._hidden = Hidden(())
        self.follow(seen)

    def follow(self, seen: Iterable[Event]) -> None:
        """Follow further events that the seat sees."""
        for event in seen:
            self.count += 1
            if isinstance(event, MatchOpened | MatchForked) and event.chance.seed:
                self._hidden.follow(replace(event, chance=replace(event.chance, seed="")))
            else:
                self._hidden.follow(event)

    def now(self) -> Hidden:
        """Return what the seat knows, which later events do not change."""
        return self._hidden.copy()
