"""Sentences with their events, and which events in a row share one."""

from collections.abc import Hashable, Sequence

from events.codec import Struct
from events.vocabulary import (
    AttributeSet,
    BaseEvent,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    ControlChanged,
    Event,
    ItemPicked,
    ItemUnpicked,
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
    StandingAnswerGiven,
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


SHARED: dict[type[BaseEvent], tuple[str, ...]] = {
    PiecePlaced: (),
    PieceMoved: ("was", "to"),
    PieceTurned: ("was", "face", "steps", "steps_was"),
    PieceRevealed: (),
    PieceConcealed: (),
    PieceRemoved: ("was",),
    PieceReturned: ("was", "to"),
    ControlChanged: ("was", "to"),
    SideChanged: ("was", "to"),
    MarkerPlaced: ("marker", "count", "was"),
    MarkerRemoved: ("marker", "was"),
    ItemPicked: ("item", "to"),
    ItemUnpicked: ("item", "was"),
    AttributeSet: ("key", "value", "was", "parts"),
    CardDrawn: ("deck", "to"),
    CardDiscarded: ("was", "to"),
    CardMoved: ("was", "to"),
    StandingAnswerGiven: ("seat", "answer", "until"),
}
"""What two events of one type in a row must have in common to share a sentence; every event of another type stands alone."""


def shares(entry: Entry) -> Hashable:
    """Return what two entries in a row must have in common to share a sentence."""
    event = entry.event
    fields = SHARED.get(type(event))
    common = (id(event),) if fields is None else tuple(getattr(event, field) for field in fields)
    return (*_context(entry), common)


def may_join(run: Sequence[Entry], entry: Entry) -> bool:
    """Return whether an entry shares the sentence of those before it.

    A piece of theirs that goes on losing steps under the same rule does so too, although it was not the same before.
    """
    if shares(run[-1]) == shares(entry):
        return True
    return _context(run[-1]) == _context(entry) and any(_goes_on(before.event, entry.event) for before in run)


def _context(entry: Entry) -> tuple[Hashable, ...]:
    return (entry.heading, entry.is_undone, entry.event.rule, type(entry.event))


def _goes_on(before: Event, event: Event) -> bool:
    """Return whether a piece that lost steps loses more."""
    if not isinstance(before, PieceTurned) or not isinstance(event, PieceTurned) or before.piece != event.piece:
        return False
    return all((one.steps_was or 0) > (one.steps or 0) for one in (before, event))
