"""Strips beside the Locations: hands, decks and discards, and the Force decks."""

from collections.abc import Iterator

from core.games.battle import ids
from core.games.battle.components.card_model import Cards
from core.games.battle.components.words.card_words import MOMENTS, force_notes
from core.games.battle.narration.counter_sentences import Name
from core.games.battle.rules import queries
from core.games.battle.rules.buy import price
from core.games.battle.rules.set_up import spent
from core.games.battle.rules.turn import cards_to_draw
from core.narration.strips import Cell, Strip, face_down, hand_of, row_of
from core.wording import capital, counted
from events.ids import CardId, PieceId, Side
from projections.state.table import Table


def is_choosing(cards: Cards, table: Table, side: Side) -> bool:
    """Return whether a side has not yet chosen all Forces with which it begins, so that it has no Force deck."""
    return table.phase == ids.SETUP and cards.figures.points.of(side) > spent(cards, table, side)


def looked_through(table: Table) -> tuple[CardId, ...]:
    """Return the cards of a deck from which Scouts takes one, as far as the viewer knows them. Source: card.scouts, secrecy.scouts."""
    asked = table.top
    return table.pile(ids.deck(table.side_of(asked.seat))).cards if asked is not None and asked.kind == "scouts" else ()


class Strips:
    """Lays out what is beside the map.

    Args:
        cards: Have everything printed.
        name: Returns what an id is called.
    """

    def __init__(self, cards: Cards, name: Name) -> None:
        self.cards = cards
        self.name = name

    def all(self, table: Table) -> tuple[Strip, ...]:
        """Return the cards as their viewer sees them: what is chosen from first, be it Forces or a deck, then hands; those of the side that acts first."""
        sides = self._sides(table)
        choosing = [side for side in sides if is_choosing(self.cards, table, side)]
        found = [self._forces(table, side) for side in choosing]
        deck = [self._face(card) for card in sorted(looked_through(table))]
        found.append(Strip("The deck, to take one card from", row_of(deck), is_private=True))
        found += [Strip(f"{self.name(side)} hand", self._hand(table, side), is_private=True) for side in sides]
        found += [self._beside(table, side) for side in sides]
        uranus = [self._face(card) for card in queries.uranus_in_play(self.cards, table)]
        found.append(Strip("Operation Uranus in play", row_of(uranus)))
        found += [self._forces(table, side) for side in sides if side not in choosing]
        return tuple(strip for strip in found if strip.rows)

    def _sides(self, table: Table) -> tuple[Side, Side]:
        """Return both sides, that first which chooses its Forces now or whose turn it is. Source: setup.order."""
        choosing = [side for side in (ids.RUSSIAN, ids.GERMAN) if is_choosing(self.cards, table, side)]
        first = choosing[0] if choosing else table.turn
        return (ids.RUSSIAN, ids.GERMAN) if first == ids.RUSSIAN else (ids.GERMAN, ids.RUSSIAN)

    def _hand(self, table: Table, side: Side) -> tuple[tuple[Cell, ...], ...]:
        """Return the cards of a hand that the viewer knows; backs lie with the deck."""
        return row_of([self._face(card) for card in sorted(table.pile(ids.hand(side)).cards)])

    def _face(self, card: CardId) -> Cell:
        """Return an Action card: its name with the Firefight value, its moment and its effect."""
        title = self.cards.cards[card].title
        label = self.name(self.cards.cards[card].side)
        notes = (f"{MOMENTS[title.timing]}:", title.text)
        return Cell(self.name(card), notes, label, side=self.cards.cards[card].side, id=card)

    def _beside(self, table: Table, side: Side) -> Strip:
        """Return a side's deck, discards and other piles."""
        deck, gone = table.pile(ids.deck(side)), table.pile(ids.discards(side))
        if not deck.count and not gone.count:
            return Strip("", ())
        hidden = table.pile(ids.hand(side)).hidden
        cells: list[Cell | None] = [
            face_down("Hand", hidden, side) if hidden else None,
            face_down("Deck", deck.count, side),
        ]
        if gone.cards:
            cells.append(Cell(self.name(gone.cards[-1]), (), "Discards", str(gone.count), side))
        for pile in (ids.played(side), ids.firefight(side), ids.snipers(side), ids.escrow(side)):
            label = capital(ids.PILE_NAMES[pile][0])
            face = {card: Cell(self.name(card), (label,), side=side) for card in table.pile(pile).cards}
            cells += hand_of(table.pile(pile), face, label, side)
        draws = f"draws {cards_to_draw(self.cards, table, side)} as things are"
        return Strip(f"{self.name(side)} Action cards", row_of(cells), draws)

    def _forces(self, table: Table, side: Side) -> Strip:
        """Return a side's Force deck, with its open top and the Destroyed beneath; while it chooses, all Forces to choose from."""
        if is_choosing(self.cards, table, side):
            left = [force for force in self.cards.piles[side] if not queries.is_on_map(table, force)]
            title = f"{self.name(side)} Forces to choose from"
            return Strip(title, row_of([self._force(force, self.cards.forces[force].cost) for force in left]))
        cells = list(self._deck(table, side))
        return Strip(f"{self.name(side)} Forces", row_of(cells))

    def _deck(self, table: Table, side: Side) -> Iterator[Cell]:
        for force in table.pieces_at(ids.top(side)):
            yield self._force(force, price(self.cards, table, side, force))
        yield face_down("Force deck", table.pile(ids.force_pool(side)).count, side)
        gone = [self.cards.forces[force].name for force in table.pieces_at(ids.bottom(side))]
        if gone:
            yield Cell("", (", ".join(gone),), "Destroyed", str(len(gone)), side)

    def _force(self, force: PieceId, cost: int) -> Cell:
        card = self.cards.forces[force]
        printed = [f"printed Cost {card.cost}"] if cost != card.cost else []
        figures = f"Combat {card.combat}, {counted(card.rations, 'Ration')}"
        notes = (*printed, figures, *filter(None, [force_notes(card)]))
        return Cell(card.name, notes, f"Cost {cost}", side=card.side, id=force)
