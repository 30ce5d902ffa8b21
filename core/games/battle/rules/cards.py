"""Playing an Action card as an Action: declared with its targets, its cost set aside, answered, carried out."""

from functools import partial

from core.command import Command
from core.draft import Draft
from core.games.battle.components.card_model import ANY_TIME, OWN_ACTION, REACT_CARD, ActionCard, Cards
from core.games.battle.ids import enemy, hand, played
from core.games.battle.rules.commands import PlayCard
from core.games.battle.rules.losses import W_LOST, has_losses, open_loss_window
from core.games.battle.rules.queries import cards_in_hand
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.uranus import COST, Uranus
from core.games.battle.rules.windows import ONE_USE, CardRule, Play, Window, is_asked, mistimed, plain, put_away
from core.refusal import Refusal
from core.sequence import Step, StepSequence
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
        self.sequence = StepSequence(
            "card",
            PLAY,
            (
                Step("cost", COST, self.set_cost_aside, when=self.has_price),
                Step("answer", W_CARD.rule, self.open_window, when=self.may_be_answered),
                Step("pay", COST, self.carry_out_cost, when=self.has_price),
                Step("effect", PLAY, self.effect),
                Step("losses", W_LOST.rule, partial(open_loss_window, cards), when=has_losses),
            ),
        )

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
        told = {"card": command.card, "force": command.force, "other": command.other, "to": command.to, "side": side}
        self.sequence.begin(draft, {**told})

    def is_note_free_move(self, table: Table, command: Command) -> bool:
        """Playing a card is no Move."""
        return False

    def has_price(self, table: Table, at: Open) -> bool:
        """Return whether the card has a cost besides itself."""
        return self.played(at).title.price is not None

    def played(self, at: Open) -> ActionCard:
        """Return the card that is being played."""
        return self.cards.cards[CardId(at.text("card"))]

    def set_cost_aside(self, draft: Draft, at: Open) -> None:
        """Set the cost aside, so that it can come back."""
        price = self.played(at).title.price
        assert price is not None
        self.uranus.set_cost_aside(draft, Side(at.text("side")), price)

    def may_be_answered(self, table: Table, at: Open) -> bool:
        """Return whether the enemy's window opens."""
        return is_asked(self.cards, table, W_CARD, enemy(Side(at.text("side"))))

    def open_window(self, draft: Draft, at: Open) -> None:
        """Open the enemy's window. Source: RuleId("window.card"), RuleId("action.cancelled-costs-nothing")."""
        W_CARD.open(draft, self.cards, enemy(Side(at.text("side"))), at.text("card"))

    def carry_out_cost(self, draft: Draft, at: Open) -> None:
        """Give the cost of a card that was not cancelled. Source: ruling.cost-escrow."""
        self.uranus.carry_out_cost(draft, Side(at.text("side")))

    def effect(self, draft: Draft, at: Open) -> None:
        """Do what the card says."""
        card = self.played(at)
        command = PlayCard(card.id, PieceId(at.text("force")), PieceId(at.text("other")), PlaceId(at.text("to")))
        self.rules[card.title.op].effect(draft, Play(card.side, card, command))


class Cancellation:
    """The card that cancels a card. Source: RuleId("card.fog-of-war"), ruling.fog-scope."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.uranus = Uranus(cards)

    def rule(self) -> CardRule:
        """Return how it is played."""
        return plain(self.cancel)

    def cancel(self, draft: Draft, play: Play) -> None:
        """Cancel the card being played: its cost comes back, the card alone is lost.

        Source: RuleId("action.cancelled-costs-nothing"), RuleId("secrecy.cancelled-payment").
        """
        put_away(draft, play)
        at = draft.table.topmost("card")
        assert at is not None
        card = self.cards.cards[CardId(at.text("card"))]
        self.uranus.give_cost_back(draft, card.side)
        draft.end_sequence("card", CANCEL)
        put_away(draft, Play(card.side, card, PlayCard(card.id)))
