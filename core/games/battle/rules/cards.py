"""Playing an Action card as an Action: declared with its targets, its cost set aside, answered, carried out."""

from core.command import Command
from core.decision import Procedure
from core.draft import Draft
from core.games.battle.components.card_model import ANY_TIME, OWN_ACTION, REACT_CARD, Cards
from core.games.battle.ids import enemy, hand, played
from core.games.battle.rules.commands import PlayCard
from core.games.battle.rules.queries import cards_in_hand
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.uranus import Uranus
from core.games.battle.rules.windows import ONE_USE, CardRule, Play, Window, mistimed, open_single, put_away
from core.refusal import Refusal
from events.ids import CardId, PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

PLAY = RuleId("card.play-action")
CANCEL = RuleId("card.fog-of-war")
W_CARD = Window("answer_card", frozenset({REACT_CARD}), RuleId("window.card"), answered_once=True)


class PlayCardAction:
    """The Play an Action Card Action.

    Args:
        cards: The cards of the match.
        rules: How cards are played, by effect.

    Source: RuleId("card.play-action"), RuleId("card.default-timing"), RuleId("card.any-time"), RuleId("uranus.play-cost").
    """

    def __init__(self, cards: Cards, rules: dict[str, CardRule]) -> None:
        self.cards = cards
        self.rules = rules
        self.uranus = Uranus(cards)

    def options(self, table: Table, side: Side) -> list[Command]:
        """Offer every card that may be played now, with everything it may be told."""
        found: list[Command] = []
        for card in cards_in_hand(self.cards, table, side):
            if card.title.timing not in (OWN_ACTION, ANY_TIME):
                continue
            if card.title.price is None or self.uranus.can_pay(table, side, card.title.price, with_card=True):
                found.extend(self.rules[card.title.op].options(table, side, card))
        return found

    def refuse(self, table: Table, side: Side, command: Command) -> Refusal | None:
        """Judge a card; whether it is held comes before all that would tell more."""
        assert isinstance(command, PlayCard)
        if command.card not in table.pile(hand(side)).cards:
            return refused("card_must_be_in_hand")
        card = self.cards.cards[command.card]
        if card.title.timing not in (OWN_ACTION, ANY_TIME):
            return mistimed(self.cards, table, card)
        refusal = self.rules[card.title.op].refuse(table, side, card, command)
        if refusal is not None:
            return refusal
        if card.title.price is not None and not self.uranus.can_pay(table, side, card.title.price, with_card=True):
            return refused("cost_must_be_payable", rule=RuleId("uranus.play-cost"))
        return None

    def declare(self, draft: Draft, side: Side, command: Command) -> None:
        """Play the card openly, set its cost aside, and let the enemy answer before anything of it happens."""
        assert isinstance(command, PlayCard)
        draft.play_card(command.card, hand(side), played(side), ONE_USE)
        told = {"card": command.card, "force": command.force, "other": command.other, "to": command.to}
        draft.set_aside("resolve_card", PLAY, {**told})
        draft.set_aside("answer_card", W_CARD.rule, {"card": command.card})
        price = self.cards.cards[command.card].title.price
        if price is not None:
            self.uranus.set_cost_aside(draft, side, price)

    def is_note_free_move(self, table: Table, command: Command) -> bool:
        """Playing a card is no Move."""
        return False

    def answer(self, draft: Draft, waiting: Open) -> None:
        """Open the enemy's window. Source: RuleId("window.card"), RuleId("action.cancelled-costs-nothing")."""
        draft.take_up(W_CARD.rule)
        side = self.cards.cards[CardId(waiting.text("card"))].side
        open_single(draft, self.cards, W_CARD, enemy(side), waiting.text("card"))

    def resolve(self, draft: Draft, waiting: Open) -> None:
        """Carry out the cost and then the effect of a card that was not cancelled. Source: ruling.cost-escrow."""
        draft.take_up(PLAY)
        card = self.cards.cards[CardId(waiting.text("card"))]
        command = PlayCard(
            card.id, PieceId(waiting.text("force")), PieceId(waiting.text("other")), PlaceId(waiting.text("to"))
        )
        draft.set_aside(
            "card_effect", PLAY, {"card": card.id, "force": command.force, "other": command.other, "to": command.to}
        )
        if card.title.price is not None:
            self.uranus.carry_out_cost(draft, card.side)

    def effect(self, draft: Draft, waiting: Open) -> None:
        """Do what the card says."""
        draft.take_up(PLAY)
        card = self.cards.cards[CardId(waiting.text("card"))]
        command = PlayCard(
            card.id, PieceId(waiting.text("force")), PieceId(waiting.text("other")), PlaceId(waiting.text("to"))
        )
        self.rules[card.title.op].effect(draft, Play(card.side, card, command))

    def cancel(self, draft: Draft, waiting: Open) -> None:
        """Cancel the card being played: its cost comes back, the card alone is lost.

        Source: RuleId("card.fog-of-war"), RuleId("action.cancelled-costs-nothing"), RuleId("secrecy.cancelled-payment").
        """
        draft.take_up(CANCEL)
        declared = draft.take_up(CANCEL)
        assert declared.kind == "resolve_card"
        card = self.cards.cards[CardId(declared.text("card"))]
        self.uranus.give_cost_back(draft, card.side)
        put_away(draft, Play(card.side, card, PlayCard(card.id)))


def procedures(action: PlayCardAction) -> dict[str, Procedure]:
    """Return what waits while a card is answered."""
    return {
        "answer_card": action.answer,
        "resolve_card": action.resolve,
        "card_effect": action.effect,
        "cancel_card": action.cancel,
    }
