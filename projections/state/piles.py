"""The part of the fold that applies events of cards: their piles, and the seats that know them."""

from events.ids import CardId, PileId, Seat
from events.vocabulary import (
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    DeckFormed,
    DeckShuffled,
    PieceDrawn,
    PieceReturned,
    SecretsRedealt,
)
from projections.state.pieces import remove_piece
from projections.state.table import EMPTY_PILE, Pile, Table


def deal_again(table: Table, event: SecretsRedealt) -> None:
    """Set the contents of a pile that a fork dealt again."""
    pile = table.piles.get(event.pile, EMPTY_PILE)
    cards, hidden = (pile.cards, pile.hidden) if event.cards is None else (event.cards, 0)
    table.piles[event.pile] = Pile(cards, hidden, event.seen_by)


def draw_card(table: Table, event: CardDrawn) -> None:
    """Move a drawn card."""
    _move_card(table, event.card, event.deck, event.to, event.seen_by)


def draw_piece(table: Table, event: PieceDrawn) -> None:
    """Remove a drawn counter from its pool."""
    table.piles[event.pool] = _without(table.piles.get(event.pool, EMPTY_PILE), event.drawn)


def form_deck(table: Table, event: DeckFormed) -> None:
    """Form a pile."""
    cards, hidden = ((), event.count) if event.cards is None else (event.cards, 0)
    table.piles[event.deck] = Pile(cards, hidden, event.seen_by)


def shuffle_deck(table: Table, event: DeckShuffled) -> None:
    """Shuffle a deck, after adding another pile."""
    if event.source is not None:
        deck = table.piles.get(event.deck, EMPTY_PILE)
        source = table.piles.get(event.source, EMPTY_PILE)
        cards, hidden = tuple(sorted(deck.cards + source.cards)), deck.hidden + source.hidden
        table.piles[event.deck] = Pile(cards, hidden, _seen_by_both(deck, source))
        table.piles[event.source] = EMPTY_PILE


def show_card(table: Table, event: CardPlayed | CardDiscarded) -> None:
    """Move a card openly."""
    _move_card(table, event.card, event.was, event.to, None)


def move_card(table: Table, event: CardMoved) -> None:
    """Move a card, as far as the event shows which."""
    _move_card(table, event.card, event.was, event.to, event.seen_by)


def _move_card(table: Table, card: CardId | None, source: PileId, to: PileId, seen_by: tuple[Seat, ...] | None) -> None:
    table.piles[source] = _without(table.piles.get(source, EMPTY_PILE), card)
    _add_card(table, card, to, seen_by)


def _add_card(table: Table, card: CardId | None, to: PileId, seen_by: tuple[Seat, ...] | None) -> None:
    pile = table.piles.get(to, EMPTY_PILE)
    if pile.seen_by is not None or seen_by is not None:
        seen_by = _seen_by_both(pile, Pile((), 1, seen_by))
    if card is None:
        table.piles[to] = Pile(pile.cards, pile.hidden + 1, seen_by)
    else:
        table.piles[to] = Pile((*pile.cards, card), pile.hidden, seen_by)


def _seen_by_both(pile: Pile, other: Pile) -> tuple[Seat, ...] | None:
    """Return the seats that know all cards of two piles; an empty pile is known to all."""
    if not pile.count or pile.seen_by is None:
        return other.seen_by if other.count else None
    if not other.count or other.seen_by is None:
        return pile.seen_by
    return tuple([seat for seat in pile.seen_by if seat in other.seen_by])


def return_piece(table: Table, event: PieceReturned) -> None:
    """Remove a piece from the table and add its identity to a pile."""
    remove_piece(table, event)
    _add_card(table, event.card, event.to, event.seen_by)


def _without(pile: Pile, card: CardId | None) -> Pile:
    """Remove one card from a pile as far as the viewer can tell which.

    A viewer who knew the cards of the pile but not which one left does not know any of them for certain afterwards.
    """
    if card is None:
        return Pile((), max(0, pile.count - 1), pile.seen_by)
    if card in pile.cards:
        place = pile.cards.index(card)
        return Pile(pile.cards[:place] + pile.cards[place + 1 :], pile.hidden, pile.seen_by)
    return Pile(pile.cards, max(0, pile.hidden - 1), pile.seen_by)
