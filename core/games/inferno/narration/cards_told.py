"""Cards as players tell them: why they are drawn, what they do here, why a Leader is lost."""

from collections.abc import Sequence

from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import GERMAN, GERMAN_SEATS, SIDE_NAMES, SOVIET, combat_card, discards, hand, leaders
from core.games.inferno.narration.card_effects import effect_words
from core.games.inferno.narration.names import Names
from core.games.inferno.narration.sentences import CARD_CAUSES, LEADER_LOST, WITHOUT_UNIT
from core.games.inferno.rules.spawn import left
from core.wording import capital, counted, joined
from events.ids import CardId, RuleId
from events.vocabulary import CardDiscarded, CardDrawn, CardMoved, CardPlayed
from projections.state.table import Table

GERMAN_PILES = {combat_card(GERMAN), leaders(GERMAN), discards(GERMAN), *map(hand, GERMAN_SEATS)}
"""Where German cards go."""


class CardTeller:
    """Tells what happens to cards.

    Args:
        names: The board, and what everything is called.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.board: Board = names.board

    def tell(
        self,
        table: Table,
        event: CardDrawn | CardMoved | CardPlayed | CardDiscarded,
        run: Sequence[CardDrawn | CardDiscarded | CardMoved],
    ) -> str:
        """Return the sentence for a card, or for several in a row; empty for the default sentence."""
        known = [self.names.name(one.card) for one in run or (event,) if one.card is not None]
        hidden = len(run or (event,)) - len(known)
        cards = joined([*known, *([counted(hidden, "card") if hidden > 1 else "a card"] if hidden else [])])
        side = GERMAN if event.to in GERMAN_PILES else SOVIET
        who, is_one = SIDE_NAMES[side], len(run or (event,)) == 1
        match event:
            case CardDrawn() if event.to == combat_card(SOVIET):
                return "A Soviet card is laid face down for the combat at random."
            case CardDrawn():
                cause = self.cause(table, event.rule)
                why = f" ({cause})" if cause else ""
                return f"{capital(cards)} {'is' if is_one else 'are'} drawn to the {self.names.name(event.to)}{why}."
            case CardMoved() if event.to == combat_card(side):
                return f"{who} lays {cards} face down for the combat."
            case CardPlayed() if event.to == leaders(side):
                return f"{cards} comes into play as {who} Leader."
            case CardPlayed() if event.was == event.to:
                return f"{who} card of the combat: {cards}{self._effect(table, event.card)}."
            case CardDiscarded() if event.was == leaders(side):
                return f"{cards} is lost as {who} Leader{LEADER_LOST.get(event.rule, '')}."
            case CardDiscarded():
                return f"Discarded: {cards}."
            case _:
                return ""

    def cause(self, table: Table, rule: RuleId) -> str:
        """Return why cards are drawn under a rule; empty for any other rule."""
        arm = WITHOUT_UNIT.get(rule)
        if arm is not None:
            return f"the {arm.capitalize()} pool is empty" if not left(table, arm) else "the hex is full"
        return CARD_CAUSES.get(rule, "")

    def _effect(self, table: Table, card: CardId | None) -> str:
        words = "" if card is None else effect_words(table, self.board, card)
        return f" ({words})" if words else ""
