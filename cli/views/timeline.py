"""A timeline of a match: gives the table after any event, forwards and backwards, without folding from the start."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from cli.shell.exit_codes import usage
from cli.views.match_view import MatchView
from events.vocabulary import BaseEvent, Event, PhaseBegan, RoundBegan, TurnBegan
from projections.state.table import Table
from projections.table_at import Tables

STEPS = ("event", "command", "phase", "round")
_CUTS: dict[str, frozenset[type[BaseEvent]]] = {
    "phase": frozenset((RoundBegan, TurnBegan, PhaseBegan)),
    "round": frozenset((RoundBegan,)),
}


class Timeline:
    """Events that a seat has seen of a match, up to a point.

    Args:
        seen: The match and the seat.
    """

    def __init__(self, seen: MatchView) -> None:
        self._tables = Tables()
        self.ends: list[int] = []
        for slice_ in seen.stream():
            self._tables.take(slice_.events)
            self.ends.append(self.last)

    @property
    def events(self) -> Sequence[Event]:
        """All events, the first with number 1."""
        return self._tables.events

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self.events)

    def table(self, number: int) -> Table:
        """Return the table after an event, 0 (before the first) or more."""
        return self._tables.table(number)

    def stops(self, step: str, low: int, high: int) -> list[int]:
        """Return the events after which a step of this kind ends, from `low` to `high`, both included.

        Args:
            step: One of `STEPS`, or a number of events.
            low: 1 or more.
            high: Not less than `low`.

        Raises:
            UserError: The step is neither.
        """
        between = [number for number in self._stops(step, low) if low < number < high]
        return sorted({low, *between, high})

    def _stops(self, step: str, low: int) -> Iterator[int]:
        if step in _CUTS:
            cuts = _CUTS[step]
            # The heading belongs to what follows it, so the step before it ends where a row of headings begins.
            for number, event in enumerate(self.events):
                if type(event) in cuts and not (number and type(self.events[number - 1]) in cuts):
                    yield number
        elif step == "command":
            yield from self.ends
        elif step == "event":
            yield from range(low, self.last + 1)
        elif step.isascii() and step.isdecimal() and int(step[:15]) > 0:
            yield from range(low, self.last + 1, int(step[:15]))
        else:
            raise usage(f"a step is one of {', '.join(STEPS)}, or a number of events, not {step!r}")

    def before(self, step: str, number: int) -> int:
        """Return the end of the step before an event; at least the first event."""
        stops = self.stops(step, 1, self.last)
        return stops[max(0, bisect_right(stops, number - 1) - 1)]

    def after(self, step: str, number: int) -> int:
        """Return the end of the step after an event; at most the last event."""
        stops = self.stops(step, 1, self.last)
        return stops[min(len(stops) - 1, bisect_right(stops, number))]
