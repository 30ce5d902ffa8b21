"""Tells what differs between two tables of one game."""

from collections.abc import Iterator

from core.telling.names import Names
from core.telling.phrases import spoken
from core.wording import capital
from events.ids import CardId, PieceId
from events.vocabulary import Value
from projections.diff import DecisionDiff, TableDiff
from projections.state.table import Ended, Open, Piece, Pile


def difference_rows(sights: tuple[Names, Names], tables: TableDiff, *, is_full: bool) -> Iterator[list[str]]:
    """Yield what differs between two tables in words: what it is, how it is at the first, and how at the second.

    Args:
        sights: The names as each table has them.
        tables: What differs.
        is_full: Whether markers without a printed name and attributes are told too.
    """
    names = sights[0]
    titles = {"round": names.round, "turn": "Side on turn", "turn_seat": "Seat on turn"}
    for word in tables.words:
        # A number is not looked up as a name, though a place may have a number as its id.
        said = str if word.what == "round" else names.of
        yield [titles.get(word.what, capital(spoken(word.what))), said(word.a), said(word.b)]
    for track in tables.tracks:
        yield [names.of(track.track), str(track.a), str(track.b)]
    for held in tables.control:
        yield [f"{names.place(held.place)}: control", names.side(held.a), names.side(held.b)]
    for piece in tables.pieces:
        yield [names.of(piece.piece), _piece(names, piece.piece, piece.a), _piece(sights[1], piece.piece, piece.b)]
    markers = [marker for marker in tables.markers if is_full or names.has_name(marker.marker)]
    for marker in markers:
        yield [f"{names.anything(marker.on)}: {names.of(marker.marker)}", str(marker.a), str(marker.b)]
    for attribute in tables.attributes if is_full else ():
        values = [_value(names, value) for value in (attribute.a, attribute.b)]
        yield [f"{names.anything(attribute.on)}: {names.of(attribute.key)}", *values]
    for pile in tables.piles:
        a, b = _pile(names, pile.a, pile.b), _pile(names, pile.b, pile.a)
        # Of an order that differs nothing is told.
        if a != b:
            yield [names.of(pile.pile), a, b]
    if tables.decision is not None:
        yield _decision(sights, tables.decision)


def _value(names: Names, value: Value | None) -> str:
    return "not set" if value is None else names.value(value)


def _piece(names: Names, id_: PieceId, piece: Piece | None) -> str:
    if piece is None:
        return _away(names, id_)
    named = [word for word in (piece.kind, piece.face) if word and names.has_name(word)]
    looks = [look for look in map(names.of, named) if look != names.of(piece.id)]
    looks += [f"{piece.steps} steps"] if piece.steps > 1 else []
    place = names.place(piece.place)
    return f"{place} [{', '.join(looks)}]" if looks else place


def _away(names: Names, piece: PieceId) -> str:
    """Return where a piece is that does not lie on the table: in a pile from which such pieces are drawn, or in none that the viewer knows."""
    for id_, pile in names.table.piles.items():
        if CardId(piece) in pile.cards:
            # A pile of which pieces are drawn has no order until one is.
            return f"{'somewhere ' if pile.count > 1 else ''}in the {names.of(id_)}"
    return "not on the table"


def _pile(names: Names, pile: Pile, other: Pile) -> str:
    """Return how many cards a pile has, and those missing from the other."""
    own = [card for card in pile.cards if card not in other.cards]
    more = f", only here: {', '.join(names.of(card) for card in own[:6])}" if own else ""
    return f"{pile.count}{more}{' …' if len(own) > 6 else ''}"


def _decision(sights: tuple[Names, Names], found: DecisionDiff) -> list[str]:
    def said(names: Names, top: Open | None, ended: Ended | None) -> str:
        if ended is not None:
            return f"over: {ended.result}"
        if top is None:
            return "nothing"
        asked = names.narration.question(names.table, top)
        return f"{names.seat(top.seat)}: {asked}" if top.seat else f"under way: {asked}"

    one, other = sights
    return [spoken("to decide"), said(one, found.a, found.ended_a), said(other, found.b, found.ended_b)]
