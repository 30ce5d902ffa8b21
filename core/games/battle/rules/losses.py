"""Destroyed Forces, and the moment at which their owner may answer the loss."""

from core.draft import Draft
from core.games.battle.components.card_model import FORCE_DESTROYED, Cards
from core.games.battle.ids import HEROIC_SERVICE, RATION, bottom, force_pool, top
from core.games.battle.memory import LOST, OF_FORCES, count
from core.games.battle.rules.queries import force_card
from core.games.battle.rules.set_up import turn_up_top
from core.games.battle.rules.windows import Window
from events.ids import PieceId, RuleId, Side
from projections.table import Open, Table

TO_BOTTOM = RuleId("force.destroyed-to-bottom")
LOSES = RuleId("force.destroyed-loses-counters")
DECK_WAS_EMPTY = RuleId("force.deck-was-empty")
W_LOST = Window("answer_loss", frozenset({FORCE_DESTROYED}), RuleId("window.aftermath"))


def destroy_force(draft: Draft, cards: Cards, force: PieceId, rule: RuleId) -> None:
    """Put a Force under its side's Force deck, without its counters; where the deck was empty it is its open top.

    Source: RuleId("force.destroyed-to-bottom"), RuleId("force.destroyed-loses-counters"), RuleId("force.deck-was-empty"),
    RuleId("force.conserved"), RuleId("secrecy.force-deck-bottom"), ruling.destroyed-at-once,
    ruling.empty-force-deck, ruling.force-deck-bottom-known.
    """
    side = force_card(cards, force).side
    draft.move(force, bottom(side), rule)
    for marker in (HEROIC_SERVICE, RATION):
        draft.unmark(force, marker, LOSES)
    for attribute in OF_FORCES:
        attribute.forget(draft, force, TO_BOTTOM)
    count(LOST, draft, side, TO_BOTTOM)
    if not draft.table.pieces_at(top(side)) and not draft.table.pile(force_pool(side)).count:
        turn_up_top(draft, cards, side, DECK_WAS_EMPTY)


def losses(table: Table, side: Side) -> int:
    """Return how many Forces a side lost in what was just resolved, less those already answered."""
    return LOST.of(table, side) or 0


def has_losses(table: Table, at: Open) -> bool:
    """Return whether the side of a sequence has lost Forces."""
    return losses(table, Side(at.text("side"))) > 0


def open_loss_window(cards: Cards, draft: Draft, at: Open) -> None:
    """Let the owner of Destroyed Forces answer, after a card attack or a paid cost. Source: RuleId("window.aftermath")."""
    W_LOST.open(draft, cards, Side(at.text("side")))
