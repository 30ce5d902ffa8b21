"""Tracks over time: where each track stood at the end of each round."""

from collections.abc import Iterable

from events.codec import Struct
from events.ids import TrackId
from events.vocabulary import Event
from projections.rounds import round_ends


class TrackStand(Struct, frozen=True):
    """Positions of the tracks after event `number`, the last of a round or of the stream."""

    round: int
    number: int
    values: dict[TrackId, int]


def track_history(events: Iterable[Event]) -> tuple[TrackStand, ...]:
    """Follow the tracks through a stream from its first event; events that were taken back do not count."""
    return tuple([TrackStand(table.round, table.seq, dict(table.tracks)) for table in round_ends(events)])
