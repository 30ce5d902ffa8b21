"""The Draw step: how many cards, and the enemy's say before it."""

from core.draft import Draft
from core.games.battle.components.card_model import REACT_DRAW, Cards
from core.games.battle.ids import DRAW, RUSSIAN, enemy
from core.games.battle.memory import NO_LOCATION_CARDS
from core.games.battle.rules.deck import draw
from core.games.battle.rules.queries import controlled, note_amount, uranus_amount
from core.games.battle.rules.windows import Window
from events.ids import RuleId, Side
from projections.table import Open, Table

STEPS = RuleId("turn.steps")
BASE = RuleId("draw.base")
PER_LOCATION = RuleId("draw.location-bonus")
NOTE = RuleId("location.note.extra-draw")
MORE = RuleId("uranus.effect.draw-more")
FEWER = RuleId("uranus.effect.draw-fewer")
W_DRAW = Window("answer_draw", frozenset({REACT_DRAW}), RuleId("window.draw"))


def cards_to_draw(cards: Cards, table: Table, side: Side) -> int:
    """Return how many cards a side draws in its Draw step now, 0 or more."""
    return max(0, sum([count for _, count in draw_parts(cards, table, side)]))


def draw_parts(cards: Cards, table: Table, side: Side) -> list[tuple[RuleId, int]]:
    """Return how many cards each rule gives a side in its Draw step, or takes off.

    Source: RuleId("card.propaganda-war"), RuleId("draw.no-hand-limit").
    """
    parts = [(BASE, cards.figures.draw_base)]
    if not NO_LOCATION_CARDS.of(table):
        parts.append((PER_LOCATION, cards.figures.draw_per_location * len(controlled(cards, table, side))))
        parts.append((NOTE, note_amount(cards, table, side, "extra_draw")))
    if side == RUSSIAN:
        parts.append((MORE, uranus_amount(cards, table, "own_draw")))
    else:
        parts.append((FEWER, uranus_amount(cards, table, "enemy_draw")))
    return parts


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
        left = cards_to_draw(self.cards, draft.table, side)
        for rule, count in draw_parts(self.cards, draft.table, side):
            if count < 0:
                draft.apply(rule, f"cards fewer: {-count}", side)
            else:
                draw(draft, side, min(count, left), "draw step", rule)
                left -= min(count, left)
