"""Compares two tables, and finds where two streams diverge."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from events.codec import Struct
from events.ids import NO_SIDE, AttributeKey, MarkerId, PieceId, PileId, PlaceId, Side, TrackId
from events.vocabulary import Event, MatchForked, Value
from projections.state.table import EMPTY_PILE, Ended, Open, Piece, Pile, Table

K = TypeVar("K", bound=str)
V = TypeVar("V")


class PieceDiff(Struct, frozen=True):
    """A piece that differs in place or state; None for a table that does not have it."""

    piece: PieceId
    a: Piece | None
    b: Piece | None


class ControlDiff(Struct, frozen=True):
    """A place with different controllers."""

    place: PlaceId
    a: Side
    b: Side


class MarkerDiff(Struct, frozen=True):
    """Different numbers of a marker on a place, a piece or another name."""

    on: str
    marker: MarkerId
    a: int
    b: int


class AttributeDiff(Struct, frozen=True):
    """Different values of an attribute of a place, a piece or another name; None for a table without a value."""

    on: str
    key: AttributeKey
    a: Value | None
    b: Value | None


class TrackDiff(Struct, frozen=True):
    """A track with different values."""

    track: TrackId
    a: int
    b: int


class PileDiff(Struct, frozen=True):
    """A pile with different cards, or a different number of them."""

    pile: PileId
    a: Pile
    b: Pile


class WordDiff(Struct, frozen=True):
    """A property that differs: `what` is `game`, `scenario`, `mode`, `plays` (`north=axis, south=allies`), `turn`, `turn_seat`, `phase` or `round`."""

    what: str
    a: str
    b: str


class DecisionDiff(Struct, frozen=True):
    """A different open question, or a different end."""

    a: Open | None
    b: Open | None
    ended_a: Ended | None
    ended_b: Ended | None


class TableDiff(Struct, frozen=True):
    """All that differs between two tables, each list in the order of its ids."""

    words: tuple[WordDiff, ...]
    pieces: tuple[PieceDiff, ...]
    control: tuple[ControlDiff, ...]
    markers: tuple[MarkerDiff, ...]
    attributes: tuple[AttributeDiff, ...]
    tracks: tuple[TrackDiff, ...]
    piles: tuple[PileDiff, ...]
    decision: DecisionDiff | None

    @property
    def is_empty(self) -> bool:
        """Whether the tables are equal."""
        lists = (self.words, self.pieces, self.control, self.markers, self.attributes, self.tracks, self.piles)
        return not any(lists) and self.decision is None


def diff_tables(a: Table, b: Table) -> TableDiff:
    """Return the differences between two tables; the players' names and the match's id do not count."""
    return TableDiff(
        words=_words(a, b),
        pieces=tuple([PieceDiff(key, a.pieces.get(key), b.pieces.get(key)) for key in _differing(a.pieces, b.pieces)]),
        control=tuple(
            [
                ControlDiff(key, a.control.get(key, NO_SIDE), b.control.get(key, NO_SIDE))
                for key in _differing(a.control, b.control, NO_SIDE)
            ]
        ),
        markers=_markers(a, b),
        attributes=_attributes(a, b),
        tracks=tuple([TrackDiff(key, a.track(key), b.track(key)) for key in _differing(a.tracks, b.tracks, 0)]),
        piles=tuple([PileDiff(key, a.pile(key), b.pile(key)) for key in _differing(a.piles, b.piles, EMPTY_PILE)]),
        decision=_decision(a, b),
    )


def _words(a: Table, b: Table) -> tuple[WordDiff, ...]:
    pairs = [
        ("game", a.game, b.game),
        ("scenario", a.scenario, b.scenario),
        ("mode", a.mode, b.mode),
        ("round", str(a.round), str(b.round)),
        ("plays", _played(a), _played(b)),
        ("turn", a.turn, b.turn),
        ("turn_seat", a.turn_seat, b.turn_seat),
        ("phase", a.phase, b.phase),
    ]
    return tuple([WordDiff(what, one, other) for what, one, other in pairs if one != other])


def _played(table: Table) -> str:
    """Return which seat plays which side, in order."""
    return ", ".join([f"{seat}={side}" for seat, side in sorted(table.plays.items()) if side])


def _differing(a: Mapping[K, V], b: Mapping[K, V], missing: V | None = None) -> list[K]:
    """Return the keys under which two tables have different values, in order; a missing key counts as `missing`."""
    return [key for key in sorted(a.keys() | b.keys()) if a.get(key, missing) != b.get(key, missing)]


def _markers(a: Table, b: Table) -> tuple[MarkerDiff, ...]:
    found: list[MarkerDiff] = []
    for on in _differing(a.markers, b.markers):
        names = _differing(a.markers.get(on, {}), b.markers.get(on, {}))
        found += [MarkerDiff(on, name, a.marker(on, name), b.marker(on, name)) for name in names]
    return tuple(found)


def _attributes(a: Table, b: Table) -> tuple[AttributeDiff, ...]:
    found: list[AttributeDiff] = []
    for on in _differing(a.attributes, b.attributes):
        keys = _differing(a.attributes.get(on, {}), b.attributes.get(on, {}))
        found += [AttributeDiff(on, key, a.attribute(on, key), b.attribute(on, key)) for key in keys]
    return tuple(found)


def _decision(a: Table, b: Table) -> DecisionDiff | None:
    if a.top == b.top and a.ended == b.ended:
        return None
    return DecisionDiff(a.top, b.top, a.ended, b.ended)


class Parting(Struct, frozen=True):
    """The point at which two streams diverge: their first different events with numbers; None for a stream that has ended."""

    number_a: int
    number_b: int
    a: Event | None
    b: Event | None


def parting(a: Iterable[Event], b: Iterable[Event]) -> Parting | None:
    """Return where two streams diverge, or None if they are equal. The event that makes one a fork does not count."""
    one, other = _but_forks(a), _but_forks(b)
    for (number_a, fact_a), (number_b, fact_b) in zip(one, other, strict=False):
        if fact_a is None and fact_b is None:
            return None
        if fact_a != fact_b:
            return Parting(number_a, number_b, fact_a, fact_b)
    return None


def _but_forks(events: Iterable[Event]) -> Iterator[tuple[int, Event | None]]:
    """Number the events of a stream from 1, skipping `MatchForked`, and yield None after its end."""
    number = 0
    for number, event in enumerate(events, start=1):
        if not isinstance(event, MatchForked):
            yield number, event
    while True:
        yield number, None
