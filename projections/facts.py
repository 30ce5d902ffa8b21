"""Single facts of a table, such as where a piece is or who controls a place, and which events gave them their values."""

from collections.abc import Iterable, Iterator

from events.codec import Struct
from events.ids import AttributeKey, CardId, MarkerId, PieceId, PileId, PlaceId, TrackId
from events.vocabulary import CommandsUndone, Event, Value
from projections.state.fold import evolve
from projections.state.table import Table

NUMBERS = ("cards", "marker", "pieces", "round", "steps", "track")
"""What has a number as its value; anything else has an id or a text, which is empty if there is none."""


class Fact(Struct, frozen=True):
    """A fact of a table.

    `what` is `place`, `side`, `face` or `steps` of the piece `of`; `control` of a place; `pieces` there, with `key` those of a side; `marker`
    with the name `key` on a place or a piece; `track`; `cards` of a pile; `pile` of a card; the `attribute` `key` of anything; or `round`,
    `turn`, `phase` or `result` of the match.
    """

    what: str
    of: str = ""
    key: str = ""


def fact_value(table: Table, fact: Fact) -> Value | None:
    """Return the value of a fact: an empty text if nothing is there, and None for the number of what is not on the table.

    Raises:
        ValueError: There are no such facts.
    """
    of, key = fact.of, fact.key
    match fact.what:
        case "place" | "side" | "face" | "steps":
            piece = table.pieces.get(PieceId(of))
            return getattr(piece, fact.what) if piece is not None else None if fact.what == "steps" else ""
        case "control":
            return table.control.get(PlaceId(of), "")
        case "pieces":
            there = [table.pieces[piece] for piece in table.pieces_at(PlaceId(of))]
            return sum(1 for piece in there if key in ("", piece.side))
        case "marker":
            return table.markers.get(of, {}).get(MarkerId(key), 0)
        case "track":
            return table.tracks.get(TrackId(of))
        case "cards":
            return table.piles[PileId(of)].count if PileId(of) in table.piles else None
        case "pile":
            return next((pile for pile, there in table.piles.items() if CardId(of) in there.cards), "")
        case "attribute":
            return table.attributes.get(of, {}).get(AttributeKey(key), "")
        case "round":
            return table.round
        case "turn" | "phase":
            return str(getattr(table, fact.what))
        case "result":
            return "" if table.ended is None else table.ended.result
        case _:
            raise ValueError(f"there are no facts {fact.what!r}")


def facts_about(table: Table, id_: str) -> Iterator[Fact]:
    """Yield the facts of a table about a piece, a place with the pieces there, a track, a pile, a card, or a marker wherever it lies."""
    piece = table.pieces.get(PieceId(id_))
    if piece is not None:
        yield Fact("place", id_)
        if piece.face:
            yield Fact("face", id_)
        if piece.steps:
            yield Fact("steps", id_)
    if PlaceId(id_) in table.control:
        yield Fact("control", id_)
    if TrackId(id_) in table.tracks:
        yield Fact("track", id_)
    if PileId(id_) in table.piles:
        yield Fact("cards", id_)
    if fact_value(table, Fact("pile", id_)):
        yield Fact("pile", id_)
    for there, markers in table.markers.items():
        yield from (Fact("marker", there, marker) for marker in markers if id_ in (there, marker))
    for key in table.attributes.get(id_, {}):
        yield Fact("attribute", id_, key)
    for other in table.pieces_at(PlaceId(id_)):
        yield Fact("place", other)


class Change(Struct, frozen=True):
    """An event that gave a fact another value."""

    seq: int
    was: Value | None
    value: Value | None


class FactHistory:
    """Follows a match event by event, and remembers what gave some facts their values.

    What was taken back has given nothing its value, and is forgotten.

    Args:
        facts: What is followed.

    Attributes:
        table: The table after the last event.
        changes: The changes of each fact that still hold, in order.
    """

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.table = Table()
        self.changes: dict[Fact, list[Change]] = {fact: [] for fact in facts}
        self._values = {fact: fact_value(self.table, fact) for fact in self.changes}

    def take(self, event: Event) -> None:
        """Follow the next event."""
        evolve(self.table, event)
        for fact, was in self._values.items():
            value = fact_value(self.table, fact)
            if isinstance(event, CommandsUndone):
                self.changes[fact] = [change for change in self.changes[fact] if change.seq <= event.to]
            elif value != was:
                self.changes[fact].append(Change(self.table.seq, was, value))
            self._values[fact] = value
