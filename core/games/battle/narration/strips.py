"""Strips beside the Locations: hands, decks and discards, and the Force decks."""

from core.games.battle import ids
from core.games.battle.components.card_model import Cards
from core.games.battle.components.words.card_words import MOMENTS
from core.games.battle.narration.counter_sentences import Name
from core.games.battle.rules import queries
from core.games.battle.rules.set_up import spent
from core.games.battle.rules.turn import cards_to_draw
from core.narration.strips import GONE, Cell, Strip, hand_of, owned, row_of
from core.wording import capital
from events.ids import CardId, Side
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
        found = [self._to_choose(table, side) for side in choosing]
        deck = [self._face(card) for card in sorted(looked_through(table))]
        found.append(Strip("The deck, to take one card from", row_of(deck), is_private=True, is_hand=True))
        found += [
            owned(
                side,
                self.name(side),
                "hand",
                self._hand(table, side),
                self._draws(table, side),
                is_private=True,
                is_hand=True,
            )
            for side in sides
        ]
        found += [self._played(table, side) for side in sides]
        uranus = [self._face(card) for card in queries.uranus_in_play(self.cards, table)]
        found.append(Strip("Operation Uranus in play", row_of(uranus), is_hand=True))
        found += [self._destroyed(table, side) for side in sides]
        return tuple(strip for strip in found if strip.rows)

    def _draws(self, table: Table, side: Side) -> str:
        return f"draws {cards_to_draw(self.cards, table, side)} as things are"

    def _sides(self, table: Table) -> tuple[Side, Side]:
        """Return both sides, that first which chooses its Forces now or whose turn it is. Source: setup.order."""
        choosing = [side for side in (ids.RUSSIAN, ids.GERMAN) if is_choosing(self.cards, table, side)]
        first = choosing[0] if choosing else table.turn
        return (ids.RUSSIAN, ids.GERMAN) if first == ids.RUSSIAN else (ids.GERMAN, ids.RUSSIAN)

    def _hand(self, table: Table, side: Side) -> tuple[tuple[Cell, ...], ...]:
        """Return the cards of a hand that the viewer knows; backs lie with the deck."""
        return row_of([self._face(card) for card in sorted(table.pile(ids.hand(side)).cards)])

    def _face(self, card: CardId) -> Cell:
        """Return an Action card: its Firefight value, its name, its moment and its effect."""
        one = self.cards.cards[card]
        return Cell(
            one.title.name,
            (MOMENTS[one.title.timing], one.title.text),
            corner=signed(one.value),
            side=one.side,
            id=card,
        )

    def _played(self, table: Table, side: Side) -> Strip:
        """Return the cards of a side that lie on the table: those being played, in the Firefight, on Forces or set aside."""
        cells: list[Cell] = []
        for pile in (ids.played(side), ids.firefight(side), ids.snipers(side), ids.escrow(side)):
            label = capital(ids.PILE_NAMES[pile][0])
            face = {card: Cell(self.name(card), (label,), side=side) for card in table.pile(pile).cards}
            cells += hand_of(table.pile(pile), face, label, side)
        return owned(side, self.name(side), "cards on the table", row_of(cells))

    def _to_choose(self, table: Table, side: Side) -> Strip:
        """Return all Forces from which a side chooses, each with its Cost."""
        left = [force for force in self.cards.piles[side] if not queries.is_on_map(table, force)]
        cells = [Cell(label=f"Cost {self.cards.forces[force].cost}", pieces=(force,)) for force in left]
        return owned(side, self.name(side), "Forces to choose from", row_of(cells))

    def _destroyed(self, table: Table, side: Side) -> Strip:
        """Return the Destroyed Forces of a side, which lie beneath its Force deck in this order."""
        gone = [self.cards.forces[force].name for force in table.pieces_at(ids.bottom(side))]
        cells = [Cell(name, look=GONE, side=side) for name in gone]
        return owned(side, self.name(side), "Forces Destroyed", row_of(cells))


def signed(value: int) -> str:
    """Write a Firefight value with its sign."""
    return f"{value:+d}".replace("-", "−")
