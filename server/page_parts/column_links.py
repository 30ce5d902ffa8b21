"""Ways to the columns of a table of cards that is wider than its window: each by the name of its Location, with who holds it, what the other side has there and whether something can be chosen."""

from collections.abc import Iterator, Mapping, Sequence

from core.narration.card_table import CardTable, PlaceCard
from core.narration.sheet import Counter, Sheet, Spread
from core.svg.highlights import Lit
from core.svg.palette import RANKS
from events.ids import NO_SIDE, Side
from server.page_parts.html import Html, link, tag


def column_links(sheet: Sheet, spread: Spread, lit: Mapping[str, Lit]) -> Html | None:
    """Return links to the columns of a table, from left to right; None for a map."""
    table = spread.cards
    if table is None:
        return None
    ranks = dict(zip(sheet.sides, RANKS, strict=False))
    near = spread.near or next(iter(sheet.sides), NO_SIDE)
    ways = [
        _way(
            card,
            ranks.get(spread.held.get(card.place, NO_SIDE), ""),
            [_against(one, ranks.get(one.side, "")) for one in _others(table, spread, column, near)],
            can_be_chosen=not lit.keys().isdisjoint(things),
        )
        for column, (card, things) in enumerate(_columns(table, spread))
    ]
    return tag("nav", {"class": "column-links", "aria-label": "Columns of the table"}, ways)


def _columns(table: CardTable, spread: Spread) -> Iterator[tuple[PlaceCard, set[str]]]:
    """Yield each Location card with its places and all that lies on them."""
    for number, card in enumerate(table.cards):
        places = [card.place, *[row.places[number] for row in table.rows]]
        pieces = {piece for place in places for stack in spread.pieces.get(place, ()) for piece in stack}
        yield card, {*places, *pieces}


def _others(table: CardTable, spread: Spread, column: int, near: Side) -> list[Counter]:
    """Return the pieces of a column in the rows of the other side, which lie above the cut of a small window."""
    places = [row.places[column] for row in table.rows if row.side != near]
    return [one for place in places for one in spread.stacks.get(place, ())]


def _against(piece: Counter, rank: str) -> Html:
    return tag("small", {"class": rank}, [tag("span", None, piece.top), " ", tag("b", None, piece.figures)])


def _way(card: PlaceCard, rank: str, others: Sequence[Html], *, can_be_chosen: bool) -> Html:
    kinds = [*([f"held-{rank}"] if rank else []), *(["open"] if can_be_chosen else [])]
    said = f"{card.name}: something can be chosen there" if can_be_chosen else None
    inside = [tag("span", None, card.name), *others]
    return link(f"#place-{card.place}", inside, class_=" ".join(kinds) or None, title=said)
