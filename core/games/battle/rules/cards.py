"""Playing an Action card as an Action: declared with what it names, its cost set aside, answered, carried out."""

from core.engine.draft import Draft
from core.engine.question import Answer
from core.engine.steps import Step, StepSequence
from core.games.battle.components.card_model import ActionCard, Cards
from core.games.battle.rules.changes import Chapter
from core.games.battle.rules.commands import PlayCard
from core.games.battle.rules.uranus import COST, Uranus
from core.games.battle.rules.windows import CardRule, HandCards, Play, Window, losses_step, plain, put_away
from events.ids import CardId, PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

PLAY = RuleId("card.play-action")
W_CARD = Window("answer_card", frozenset({"react_card"}), RuleId("window.card"), answered_once=True)


class PlayCardAction(Chapter):
    """The Play an Action Card Action, and the card that cancels one.

    Args:
        cards: The cards of the match.
        rules: How cards are played, by effect.

    Source: card.play-action, card.default-timing, card.any-time, uranus.play-cost, window.card.
    """

    def __init__(self, cards: Cards, rules: dict[str, CardRule]) -> None:
        super().__init__(cards)
        self.hand_cards = HandCards(cards, rules, frozenset({"own_action"}))
        self.uranus = Uranus(cards)
        self.sequence = StepSequence(
            "card",
            PLAY,
            (
                Step("cost", COST, self._set_cost_aside, when=self._has_price),
                W_CARD.step(cards, ("card", "force", "other", "to")),
                Step("pay", COST, self._carry_out_cost, when=self._has_price),
                Step("effect", PLAY, self._effect),
                losses_step(cards),
            ),
        )

    def action(self) -> Answer:
        """Return the Action."""
        return self.hand_cards.answer(self._declare)

    def _declare(self, draft: Draft, asked: Open, command: PlayCard) -> None:
        """Play the card openly, set its cost aside, and let the enemy answer before anything of it happens."""
        self.hand_cards.lay_open(draft, command)
        names = {"card": command.card, "force": command.force, "other": command.other, "to": command.to}
        self.sequence.begin(draft, {**names, "side": draft.table.turn})

    def _played(self, at: Open) -> ActionCard:
        return self.cards.cards[CardId(at.text("card"))]

    def _has_price(self, table: Table, at: Open) -> bool:
        return self._played(at).title.price is not None

    def _set_cost_aside(self, draft: Draft, at: Open) -> None:
        """Set the cost aside, so that it can come back."""
        card = self._played(at)
        assert card.title.price is not None
        self.uranus.ask_cost(draft, card.side, card.title.price, COST, can_come_back=True)

    def _carry_out_cost(self, draft: Draft, at: Open) -> None:
        """Give the cost of a card that was not cancelled. Source: ruling.cost-escrow."""
        self.uranus.carry_out_cost(draft, Side(at.text("side")))

    def _effect(self, draft: Draft, at: Open) -> None:
        card, force, other = CardId(at.text("card")), PieceId(at.text("force")), PieceId(at.text("other"))
        self.hand_cards.carry_out(draft, PlayCard(card, force, other, PlaceId(at.text("to"))))


def cancellation(cards: Cards) -> CardRule:
    """Return how the card is played that cancels a card. Source: card.fog-of-war, ruling.fog-scope."""

    def cancel(draft: Draft, play: Play) -> None:
        """Cancel the card being played: its cost comes back, the card alone is lost.

        Source: action.cancelled-costs-nothing, secrecy.cancelled-payment.
        """
        put_away(draft, play.card)
        at = draft.table.topmost("card")
        assert at is not None
        card = cards.cards[CardId(at.text("card"))]
        Uranus(cards).give_cost_back(draft, card.side)
        draft.end_sequence("card", play.rule)
        put_away(draft, card)

    return plain(RuleId("card.fog-of-war"), cancel)
