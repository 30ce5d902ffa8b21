"""The ends of rounds."""

from collections.abc import Iterable, Iterator

from events.vocabulary import Event, RoundBegan
from projections.state.fold import evolve
from projections.state.table import Table
from projections.state.undo_history import undone_events


def round_ends(events: Iterable[Event]) -> Iterator[Table]:
    """Yield the table at the end of each round, and after the last event; a round whose end was taken back goes on.

    Args:
        events: A stream from its first event. What comes before the first round belongs to no round.

    Yields:
        The table, which changes afterwards.
    """
    table = Table()
    known = list(events)
    undone = undone_events(known)
    for number, event in enumerate(known, start=1):
        if isinstance(event, RoundBegan) and table.round and number not in undone:
            yield table
        evolve(table, event)
    yield table
