"""Compares two points."""

from collections.abc import Iterator

from cli.context import Context
from cli.exit_codes import usage
from cli.match_view import MatchView, view_match
from cli.schemas.evidence import DiffShape
from cli.text_table import in_columns
from core.telling.names import Names
from core.telling.narrator import Narrator
from core.telling.phrases import spoken
from core.wording import capital
from events.vocabulary import Event, Value
from projections.diff import DecisionDiff, Parting, TableDiff, diff_tables, parting
from projections.table import Ended, Open, Piece, Pile, Table


def diff(context: Context, a: str, b: str, seat: str) -> None:
    """Compare two points as a seat sees them.

    Raises:
        UserError: They are points of two games.
    """
    one = view_match(context, a, seat)
    other = view_match(context, b or one.match, seat)
    tables = (one.table(), other.table())
    if tables[0].game != tables[1].game:
        games = f"{one.match} is a match of {one.title}, {other.match} one of {other.title}"
        raise usage(f"{games}: only matches of one game can be compared", "other_game")
    shape = DiffShape(
        a=f"{one.match}@{one.number}",
        b=f"{other.match}@{other.number}",
        tables=diff_tables(*tables),
        parting=parting(one.events(), other.events()),
    )
    context.print_result(shape, _lines(context, one, tables, shape))


def _lines(context: Context, one: MatchView, tables: tuple[Table, Table], shape: DiffShape) -> Iterator[str]:
    names = one.names
    if shape.parting is None:
        yield f"{shape.a} and {shape.b} are the same, event by event."
        return
    yield from _parting_lines(Narrator(names, one.table(shape.parting.number_a - 1)), shape.parting)
    yield ""
    if shape.tables.is_empty:
        yield "The tables are equal."
        return
    sights = (names.on(tables[0]), names.on(tables[1]))
    rows = list(_rows(sights, shape.tables, is_full=context.is_verbose))
    yield from in_columns(["", shape.a, shape.b], rows, max(context.width, 100))


def _parting_lines(teller: Narrator, found: Parting) -> Iterator[str]:
    def said(event: Event | None) -> str:
        return "(nothing more)" if event is None else teller.sentence(event)

    yield "The first events that differ:"
    yield f"  A@{found.number_a}  {said(found.a)}"
    yield f"  B@{found.number_b}  {said(found.b)}"


def _rows(sights: tuple[Names, Names], tables: TableDiff, *, is_full: bool) -> Iterator[list[str]]:
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
        yield [names.of(piece.piece), _piece(names, piece.a), _piece(names, piece.b)]
    markers = [marker for marker in tables.markers if is_full or names.has_name(marker.marker)]
    for marker in markers:
        yield [f"{names.anything(marker.on)}: {names.of(marker.marker)}", str(marker.a), str(marker.b)]
    for attribute in tables.attributes if is_full else ():
        values = [_value(names, value) for value in (attribute.a, attribute.b)]
        yield [f"{names.anything(attribute.on)}: {names.of(attribute.key)}", *values]
    for pile in tables.piles:
        yield [names.of(pile.pile), _pile(names, pile.a, pile.b), _pile(names, pile.b, pile.a)]
    if tables.decision is not None:
        yield _decision(sights, tables.decision)


def _value(names: Names, value: Value | None) -> str:
    return "not set" if value is None else names.value(value)


def _piece(names: Names, piece: Piece | None) -> str:
    if piece is None:
        return "not there"
    named = [word for word in (piece.kind, piece.face) if word and names.has_name(word)]
    looks = [look for look in map(names.of, named) if look != names.of(piece.id)]
    looks += [f"{piece.steps} steps"] if piece.steps > 1 else []
    place = names.place(piece.place)
    return f"{place} [{', '.join(looks)}]" if looks else place


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
