"""Operation Uranus cards: what they cost, how they stay in play, how the German is rid of them."""

from collections import Counter
from functools import partial

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import ActionCard, Cards, Price
from core.games.battle.ids import GERMAN, RUSSIAN, URANUS_IN_PLAY, discards, escrow, hand, played
from core.games.battle.memory import PLEDGED, PLEDGED_RATIONS
from core.games.battle.rules.commands import PlayCard, RemoveUranus
from core.games.battle.rules.distribution import give_rations, take_rations
from core.games.battle.rules.losses import W_LOST, destroy_force, has_losses, open_loss_window
from core.games.battle.rules.queries import forces_of, hand_size, rations, uranus_in_play
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.windows import CardRule, Play
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from core.selection import Pick, Picks, Selection
from core.sequence import Step, StepSequence
from events.ids import CardId, PieceId, RuleId, Side
from projections.table import Open, Table

COST = RuleId("uranus.play-cost")
LASTING = RuleId("uranus.lasting-effect")
REMOVAL = RuleId("uranus.removal")
DISCARDED = RuleId("uranus.removed-is-discarded")
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
            draft.ask("pay_cards", draft.table.seat_of(side), COST, {"count": price.count, "face_down": True})
        else:
            draft.ask(QUESTIONS[price.op], draft.table.seat_of(side), COST, {"count": price.count})

    def carry_out_cost(self, draft: Draft, side: Side) -> None:
        """Give what was set aside: cards and Rations are gone, Forces Destroyed.

        The cards are turned up together, so that nobody learns in which order they were named.
        """
        for card in sorted(draft.table.pile(escrow(side)).cards):
            draft.discard(card, escrow(side), discards(side), COST)
        for force in list(forces_of(self.cards, draft.table, side)):
            if PLEDGED.of(draft.table, force):
                destroy_force(draft, self.cards, force, COST)

    def give_cost_back(self, draft: Draft, side: Side) -> None:
        """Return what was set aside. Source: RuleId("action.cancelled-costs-nothing"), RuleId("secrecy.cancelled-payment")."""
        for card in draft.table.pile(escrow(side)).cards:
            draft.move_card(card, escrow(side), hand(side), ESCROW, seen_by=(draft.table.seat_of(side),))
        for force in forces_of(self.cards, draft.table, side):
            pledged = PLEDGED_RATIONS.of(draft.table, force)
            if pledged:
                give_rations(draft, force, pledged, ESCROW)

    def come_into_play(self, draft: Draft, play: Play) -> None:
        """Lay the card open on the table, where it works until it is removed.

        Source: RuleId("uranus.lasting-effect"), RuleId("uranus.several"), RuleId("uranus.deck").
        """
        draft.play_card(play.card.id, played(play.side), URANUS_IN_PLAY, LASTING)

    def rules(self) -> dict[str, CardRule]:
        """Return how these cards are played."""
        rule = CardRule(self._judge, self.come_into_play, is_exact=True)
        return dict.fromkeys(LASTING_OPS, rule)

    def _judge(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        if command.force or command.other or command.to:
            return refused("target_must_exist", "The card names nothing; its cost is asked for afterwards.")
        return None


class Pledge:
    """Which Forces give Rations, or are given up, as a cost that is set aside or paid.

    With `final` in the question nothing can cancel it any more, and what is named is given at once.

    Args:
        cards: The cards of the match.
        op: What is asked for: `discard_rations` or `destroy_own_forces`.
    """

    def __init__(self, cards: Cards, op: str) -> None:
        self.cards = cards
        self.is_in_rations = op == "discard_rations"

    def question(self) -> Selection:
        """Return the question."""
        return Selection(
            self.rule,
            lambda table, asked: forces_of(self.cards, table, table.side_of(asked.seat)),
            lambda _, asked: (asked.number("count"), asked.number("count")),
            self.give,
            refuse_pick=self.refuse_pick,
            is_completable=self.is_completable,
            refuse_count=lambda *_: refused("payment_must_be_exact"),
            refuse_other=lambda table, asked, command: misplaced(
                table, asked, command, "A cost is being paid: name Forces."
            ),
            may_repeat=self.is_in_rations,
        )

    def rule(self, asked: Open) -> RuleId:
        """Return what the cost is for."""
        return REMOVAL if asked.arguments.get("final") is True else COST

    def refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Accept an own Force that can give it."""
        force = PieceId(pick.item)
        card = self.cards.forces.get(force)
        if card is not None and card.side != table.side_of(asked.seat):
            return refused("force_must_be_own")
        if card is None or force not in forces_of(self.cards, table, table.side_of(asked.seat)) or pick.to:
            return refused("target_must_exist", f"There is no Force {pick.item!r} on the table.")
        if self.is_in_rations and rations(table, force) <= asked.picked.count(pick.item):
            return refused("rations_must_suffice", rule=COST)
        return None

    def is_completable(self, table: Table, asked: Open) -> bool:
        """Return whether enough is left to pay the rest."""
        forces = forces_of(self.cards, table, table.side_of(asked.seat))
        most = sum(rations(table, force) for force in forces) if self.is_in_rations else len(forces)
        return most >= asked.number("count")

    def give(self, draft: Draft, asked: Open, picks: Picks) -> None:
        """Set aside what is named, or give it."""
        is_final, rule = asked.arguments.get("final") is True, self.rule(asked)
        for item, count in Counter(item for item, _ in picks).items():
            force = PieceId(item)
            if self.is_in_rations:
                take_rations(draft, force, count, rule)
                if not is_final:
                    PLEDGED_RATIONS.set(draft, force, count, rule)
            elif is_final:
                destroy_force(draft, self.cards, force, rule)
            else:
                PLEDGED.set(draft, force, value=True, rule=rule)


QUESTIONS = {"discard_rations": "pay_rations", "destroy_own_forces": "pay_forces"}
"""The question that asks for a cost of Rations or Forces."""


class RemoveAction:
    """The German's Action that removes a card.

    Source: RuleId("uranus.removal"), RuleId("uranus.removed-is-discarded"), ruling.uranus-timing.
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.uranus = Uranus(cards)
        self.sequence = StepSequence(
            "removal",
            REMOVAL,
            (
                Step("pay", REMOVAL, self.ask_payment),
                Step("remove", DISCARDED, self.remove),
                Step("losses", W_LOST.rule, partial(open_loss_window, cards), when=has_losses),
            ),
        )

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
        self.sequence.begin(draft, {"card": command.card, "side": side})

    def ask_payment(self, draft: Draft, at: Open) -> None:
        """Ask for the cost."""
        price, seat = self.removal(CardId(at.text("card"))), draft.table.seat_of(GERMAN)
        if price.op == "discard_cards":
            draft.ask("pay_cards", seat, REMOVAL, {"count": price.count, "face_down": False})
        else:
            draft.ask(QUESTIONS[price.op], seat, REMOVAL, {"count": price.count, "final": True})

    def is_note_free_move(self, table: Table, command: Command) -> bool:
        """Removing a card is no Move."""
        return False

    def remove(self, draft: Draft, at: Open) -> None:
        """Discard the card: its effect ends at once."""
        draft.discard(CardId(at.text("card")), URANUS_IN_PLAY, discards(RUSSIAN), DISCARDED)


def decisions(cards: Cards) -> dict[str, Decision]:
    """Return the questions of this chapter."""
    return {question: Pledge(cards, op).question() for op, question in QUESTIONS.items()}
