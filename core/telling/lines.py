"""Sentences with their events, and which events in a row share one."""

from collections.abc import Hashable

from events.codec import Struct
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    ControlChanged,
    Event,
    MarkerPlaced,
    MarkerRemoved,
    PieceConcealed,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceReturned,
    PieceRevealed,
    PieceTurned,
    SideChanged,
)
from projections.chronicle import Entry


class Line(Struct, frozen=True):
    """A sentence about the events `first` to `last`, caused by `rule`."""

    first: int
    last: int
    sentence: str
    rule: str

    @property
    def numbers(self) -> str:
        """The numbers of its events, as in `7` or `7-9`."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def shares(entry: Entry) -> Hashable:
    """Return what two entries in a row must have in common to share a sentence."""
    return (entry.heading, entry.is_undone, entry.event.rule, _kind(entry.event))


def _kind(event: Event) -> Hashable:
    """Return what two events in a row must have in common to share a sentence; every other event stands alone."""
    if isinstance(event, PiecePlaced):
        return PiecePlaced
    if isinstance(event, PieceMoved | ControlChanged | SideChanged):
        return (type(event), event.was, event.to)
    if isinstance(event, PieceTurned):
        return (PieceTurned, event.was, event.face, event.steps, event.steps_was)
    if isinstance(event, PieceRevealed | PieceConcealed):
        return type(event)
    if isinstance(event, PieceRemoved):
        return (PieceRemoved, event.was)
    if isinstance(event, PieceReturned):
        return (PieceReturned, event.was, event.to)
    if isinstance(event, MarkerPlaced):
        return (MarkerPlaced, event.marker, event.count, event.was, event.rule)
    if isinstance(event, MarkerRemoved):
        return (MarkerRemoved, event.marker, event.was, event.rule)
    if isinstance(event, AttributeSet):
        return (AttributeSet, event.key, event.value, event.was, event.parts)
    if isinstance(event, CardDrawn):
        return (CardDrawn, event.deck, event.to)
    if isinstance(event, CardDiscarded):
        return (CardDiscarded, event.was, event.to)
    return id(event)
