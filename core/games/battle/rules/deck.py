"""Action decks: drawing, flipping, forming anew. No order exists: a card is chosen when it is drawn.

Chance enters only by cards: RuleId("game.chance-is-cards"). Which rule makes decks secret: RuleId("secrecy.decks"). Followed here:
ruling.reshuffle-moment, ruling.empty-action-deck, ruling.open-information.
"""

from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import deck, discards, firefight, hand
from core.games.battle.memory import RESHUFFLED
from core.games.battle.options import ONE_RESHUFFLE_PER_TURN, is_on
from events.ids import CardId, RuleId, Side

RESHUFFLE = RuleId("draw.reshuffle")
ONCE = RuleId("draw.reshuffle-once-a-turn")
EXHAUSTED = RuleId("draw.deck-exhausted")


def form_decks(draft: Draft, cards: Cards, rule: RuleId) -> None:
    """Part the Action cards into two decks that nobody may look into. Source: RuleId("setup.action-decks"), RuleId("secrecy.decks")."""
    for side, listed in cards.decks.items():
        draft.form(deck(side), listed, rule, seen_by=())


def draw(draft: Draft, side: Side, count: int, purpose: str, rule: RuleId) -> int:
    """Draw cards into a hand, unseen by the other side, and return how many there were.

    Source: RuleId("draw.reshuffle"), RuleId("draw.deck-exhausted"), RuleId("secrecy.hands").
    """
    for drawn in range(count):
        if not make_ready(draft, side):
            return drawn
        draft.draw_card(deck(side), hand(side), purpose, rule, seen_by=(draft.table.seat_of(side),))
    return count


def flip(draft: Draft, side: Side, rule: RuleId) -> CardId | None:
    """Turn up the top card for the Firefight; None where there is none at all. Source: RuleId("attack.flip"), RuleId("draw.deck-exhausted")."""
    if not make_ready(draft, side):
        return None
    return draft.draw_card(deck(side), firefight(side), "flip", rule)


def make_ready(draft: Draft, side: Side) -> bool:
    """Form an empty deck anew from the discards, and tell whether there is a card now.

    What is in a deck is public in number, so whether this happens tells nobody anything.

    Source: RuleId("draw.reshuffle"), RuleId("draw.reshuffle-once-a-turn") (ruling.reshuffle-loop), RuleId("card.own-deck-own-discards").
    """
    table = draft.table
    if table.pile(deck(side)).count:
        return True
    if not table.pile(discards(side)).count:
        return False
    if is_on(table, ONE_RESHUFFLE_PER_TURN) and RESHUFFLED.of(table, side):
        return False
    draft.shuffle(deck(side), RESHUFFLE, source=discards(side))
    RESHUFFLED.set(draft, side, value=True, rule=ONCE)
    return True
