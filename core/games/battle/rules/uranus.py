"""Operation Uranus cards: what they cost, how they stay in play, how the German is rid of them."""

from core.command import Command
from core.decision import Decision, Procedure
from core.draft import Draft
from core.games.battle.components.card_model import ActionCard, Cards, Price
from core.games.battle.ids import GERMAN, RUSSIAN, URANUS_IN_PLAY, discards, escrow, hand, played
from core.games.battle.memory import PLEDGED, PLEDGED_RATIONS, count
from core.games.battle.rules.commands import PayForce, PayRation, PlayCard, RemoveUranus
from core.games.battle.rules.distribution import give_rations, take_rations
from core.games.battle.rules.losses import destroy_force, open_loss_window
from core.games.battle.rules.queries import forces_of, hand_size, rations, uranus_in_play
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.windows import CardRule, Play
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import CardId, RuleId, Side
from projections.table import Open, Table

COST = RuleId("uranus.play-cost")
LASTING = RuleId("uranus.lasting-effect")
REMOVAL = RuleId("uranus.removal")
ESCROW = RuleId("secrecy.cancelled-payment")

LASTING_OPS = (
    "enemy_force_cost",
    "enemy_location_rations",
    "enemy_draw",
    "enemy_no_perimeter_ration",
    "own_draw",
    "own_initiated_battle_bonus",
)


class Uranus:
    """Costs and effects of these cards, bound to the cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def can_pay(self, table: Table, side: Side, price: Price, *, with_card: bool) -> bool:
        """Whether a side has what a cost takes; with `with_card` the played card itself still counts in the hand.

        By public numbers alone. Source: RuleId("uranus.play-cost"), RuleId("uranus.removal").
        """
        if price.op == "discard_cards":
            return hand_size(table, side) - (1 if with_card else 0) >= price.count
        forces = forces_of(self.cards, table, side)
        if price.op == "discard_rations":
            return sum(rations(table, force) for force in forces) >= price.count
        return len(forces) >= price.count

    def set_cost_aside(self, draft: Draft, side: Side, price: Price) -> None:
        """Ask what is given as the cost of a card that can still be cancelled. Source: ruling.cost-escrow."""
        if price.op == "discard_cards":
            draft.ask("pay_cards", draft.table.seat_of(side), COST, {"left": price.count, "face_down": True})
        else:
            draft.ask(QUESTIONS[price.op], draft.table.seat_of(side), COST, {"left": price.count})

    def carry_out_cost(self, draft: Draft, side: Side) -> None:
        """Give what was set aside: cards and Rations are gone, Forces Destroyed; then losses can be answered.

        The cards are turned up together, so that nobody learns in which order they were named.
        """
        for card in sorted(draft.table.pile(escrow(side)).cards):
            draft.discard(card, escrow(side), discards(side), COST)
        for force in list(forces_of(self.cards, draft.table, side)):
            PLEDGED_RATIONS.forget(draft, force, COST)
            if PLEDGED.of(draft.table, force):
                destroy_force(draft, self.cards, force, COST)

    def give_cost_back(self, draft: Draft, side: Side) -> None:
        """Return what was set aside. Source: RuleId("action.cancelled-costs-nothing"), RuleId("secrecy.cancelled-payment")."""
        for card in draft.table.pile(escrow(side)).cards:
            draft.move_card(card, escrow(side), hand(side), ESCROW, seen_by=(draft.table.seat_of(side),))
        for force in forces_of(self.cards, draft.table, side):
            pledged = PLEDGED_RATIONS.of(draft.table, force)
            if pledged:
                PLEDGED_RATIONS.forget(draft, force, ESCROW)
                give_rations(draft, force, pledged, ESCROW)
            PLEDGED.forget(draft, force, ESCROW)

    def come_into_play(self, draft: Draft, play: Play) -> None:
        """Lay the card open on the table, where it works until it is removed.

        Source: RuleId("uranus.lasting-effect"), RuleId("uranus.several"), RuleId("uranus.deck").
        """
        draft.play_card(play.card.id, played(play.side), URANUS_IN_PLAY, LASTING)
        open_loss_window(draft, self.cards, play.side)

    def rules(self) -> dict[str, CardRule]:
        """Return how these cards are played."""
        rule = CardRule(self._targets, self._judge, self.come_into_play)
        return dict.fromkeys(LASTING_OPS, rule)

    def _targets(self, table: Table, side: Side, card: ActionCard) -> list[PlayCard]:
        return [PlayCard(card.id)]

    def _judge(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        if command.force or command.other or command.to:
            return refused("target_must_exist", "The card names nothing; its cost is asked for afterwards.")
        return None


class Pledge:
    """Which Force gives a Ration, or is given up, as a cost that is set aside or paid.

    With `final` in the question nothing can cancel it any more, and what is named is given at once.
    """

    def __init__(self, cards: Cards, op: str) -> None:
        self.cards = cards
        self.op = op

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every own Force that can give it."""
        forces = forces_of(self.cards, table, table.side_of(asked.seat))
        if self.op == "discard_rations":
            return [PayRation(force) for force in forces if rations(table, force)]
        return [PayForce(force) for force in forces if not PLEDGED.of(table, force)]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept an own Force that can give it."""
        side = table.side_of(asked.seat)
        wanted = PayRation if self.op == "discard_rations" else PayForce
        if not isinstance(command, PayRation | PayForce) or not isinstance(command, wanted):
            return misplaced(table, asked, command, "A cost is being paid: name a Force.")
        card = self.cards.forces.get(command.force)
        if card is not None and card.side != side:
            return refused("force_must_be_own")
        if card is None or command.force not in forces_of(self.cards, table, side):
            return refused("target_must_exist", f"There is no Force {command.force!r} on the table.")
        if isinstance(command, PayRation) and not rations(table, command.force):
            return refused("rations_must_suffice", rule=COST)
        if isinstance(command, PayForce) and PLEDGED.of(table, command.force):
            return refused("payment_must_be_exact", "That Force is given already.", COST)
        return None

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Set aside what is named, or give it."""
        is_final = asked.arguments.get("final") is True
        rule = REMOVAL if is_final else COST
        draft.answered(rule)
        if isinstance(command, PayRation):
            take_rations(draft, command.force, 1, rule)
            if not is_final:
                count(PLEDGED_RATIONS, draft, command.force, rule)
        elif isinstance(command, PayForce):
            if is_final:
                destroy_force(draft, self.cards, command.force, rule)
            else:
                PLEDGED.set(draft, command.force, value=True, rule=rule)
        left = asked.number("left") - 1
        if left:
            draft.ask(asked.kind, asked.seat, rule, {**asked.arguments, "left": left})


QUESTIONS = {"discard_rations": "pay_rations", "destroy_own_forces": "pay_forces"}
"""The question that asks for a cost of Rations or Forces."""


class RemoveAction:
    """The German's Action that removes a card.

    Source: RuleId("uranus.removal"), RuleId("uranus.removed-is-discarded"), ruling.uranus-timing.
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.uranus = Uranus(cards)

    def options(self, table: Table, side: Side) -> list[Command]:
        """Offer every card in play whose removal can be paid."""
        if side != GERMAN:
            return []
        return [
            RemoveUranus(card)
            for card in uranus_in_play(self.cards, table)
            if self.uranus.can_pay(table, side, self.removal(card), with_card=False)
        ]

    def removal(self, card: CardId) -> Price:
        """Return what the removal of a card costs."""
        price = self.cards.cards[card].title.removal
        assert price is not None
        return price

    def refuse(self, table: Table, side: Side, command: Command) -> Refusal | None:
        """Accept a card in play whose removal the German can pay."""
        assert isinstance(command, RemoveUranus)
        if side != GERMAN:
            return refused("step_must_allow_command", "Only the German removes these cards.", REMOVAL)
        in_play = command.card in uranus_in_play(self.cards, table)
        if in_play and not self.uranus.can_pay(table, side, self.removal(command.card), with_card=False):
            return refused("cost_must_be_payable", rule=REMOVAL)
        return None if in_play else refused("uranus_card_must_be_in_play")

    def declare(self, draft: Draft, side: Side, command: Command) -> None:
        """Ask for the cost; it cannot be cancelled, so what is named is given at once."""
        assert isinstance(command, RemoveUranus)
        price = self.removal(command.card)
        draft.set_aside("uranus_removed", REMOVAL, {"card": command.card})
        if price.op == "discard_cards":
            draft.ask("pay_cards", draft.table.seat_of(side), REMOVAL, {"left": price.count, "face_down": False})
        else:
            draft.ask(QUESTIONS[price.op], draft.table.seat_of(side), REMOVAL, {"left": price.count, "final": True})

    def is_note_free_move(self, table: Table, command: Command) -> bool:
        """Removing a card is no Move."""
        return False

    def removed(self, draft: Draft, waiting: Open) -> None:
        """Discard the card: its effect ends at once."""
        draft.take_up(REMOVAL)
        rule = RuleId("uranus.removed-is-discarded")
        draft.discard(CardId(waiting.text("card")), URANUS_IN_PLAY, discards(RUSSIAN), rule)
        open_loss_window(draft, self.cards, GERMAN)


def decisions(cards: Cards) -> dict[str, Decision]:
    """Return the questions of this chapter."""
    return {question: Pledge(cards, op) for op, question in QUESTIONS.items()}


def procedures(cards: Cards) -> dict[str, Procedure]:
    """Return what waits while a removal is paid."""
    return {"uranus_removed": RemoveAction(cards).removed}
