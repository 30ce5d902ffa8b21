"""Control over time: how many places each side held at the end of each round, and every change of control."""

from collections.abc import Iterable

from events.codec import Struct
from events.ids import PlaceId, Side
from events.vocabulary import ControlChanged, Event
from projections.rounds import round_ends
from projections.state.fold import evolve
from projections.state.table import Table
from projections.state.undo_history import undone_events


class ControlStand(Struct, frozen=True):
    """The number of places each side controlled after event `number`, the last of a round or of the stream."""

    round: int
    number: int
    held: dict[Side, int]


class ControlChange(Struct, frozen=True):
    """The control of a place changed with event `number`."""

    round: int
    number: int
    place: PlaceId
    was: Side
    to: Side


class ControlHistory(Struct, frozen=True):
    """Control at the end of each round and now, and the changes since play began."""

    stands: tuple[ControlStand, ...]
    changes: tuple[ControlChange, ...]


def control_history(events: Iterable[Event]) -> ControlHistory:
    """Follow control through a stream from its first event; the set-up before the first round does not count as a change.

    Events that were taken back do not count.
    """
    table = Table()
    changes: list[ControlChange] = []
    known = list(events)
    undone = undone_events(known)
    for number, event in enumerate(known, start=1):
        evolve(table, event)
        if isinstance(event, ControlChanged) and table.round and number not in undone:
            changes.append(ControlChange(table.round, table.seq, event.place, event.was, event.to))
    return ControlHistory(tuple([_stand(end) for end in round_ends(known)]), tuple(changes))


def _stand(table: Table) -> ControlStand:
    held: dict[Side, int] = {}
    for side in table.control.values():
        if side:
            held[side] = held.get(side, 0) + 1
    return ControlStand(table.round, table.seq, dict(sorted(held.items())))
