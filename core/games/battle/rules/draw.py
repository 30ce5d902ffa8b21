"""The Draw step: how many cards, and the enemy's say before it."""

from core.draft import Draft
from core.games.battle.components.card_model import REACT_DRAW, Cards
from core.games.battle.ids import DRAW, GERMAN, RUSSIAN, enemy
from core.games.battle.memory import NO_LOCATION_CARDS
from core.games.battle.rules.deck import draw
from core.games.battle.rules.queries import controlled, note_amount, uranus_amount
from core.games.battle.rules.windows import Window
from events.ids import RuleId, Side
from projections.table import Open, Table

STEPS = RuleId("turn.steps")
BASE = RuleId("draw.base")
W_DRAW = Window("answer_draw", frozenset({REACT_DRAW}), RuleId("window.draw"))


def cards_to_draw(cards: Cards, table: Table, side: Side) -> int:
    """Return how many cards a side draws in its Draw step now, 0 or more.

    Source: RuleId("draw.base"), RuleId("draw.location-bonus"), RuleId("location.note.extra-draw"),
    RuleId("card.propaganda-war"), RuleId("uranus.effect.draw-fewer"), RuleId("uranus.effect.draw-more"),
    RuleId("draw.no-hand-limit").
    """
    count = cards.figures.draw_base
    if not NO_LOCATION_CARDS.of(table):
        count += cards.figures.draw_per_location * len(controlled(cards, table, side))
        count += note_amount(cards, table, side, "extra_draw")
    if side == GERMAN:
        count += uranus_amount(cards, table, "enemy_draw")
    if side == RUSSIAN:
        count += uranus_amount(cards, table, "own_draw")
    return max(0, count)


class Draws:
    """The course of the step, bound to the cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def ask_before(self, draft: Draft, at: Open) -> None:
        """Begin the step, and open the enemy's window. Source: RuleId("turn.steps"), RuleId("window.draw")."""
        draft.begin_phase(DRAW, STEPS)
        W_DRAW.open(draft, self.cards, enemy(draft.table.turn))

    def draw(self, draft: Draft, at: Open) -> None:
        """Draw the cards. Source: RuleId("draw.base")."""
        side = draft.table.turn
        draw(draft, side, cards_to_draw(self.cards, draft.table, side), "draw step", BASE)
