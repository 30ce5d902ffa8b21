"""Operation Uranus cards: what they cost, how they stay in play, how the German removes them."""

from collections import Counter

from core.engine.draft import Draft
from core.engine.question import Answer
from core.engine.selection import Pick, Picks, Selection
from core.engine.steps import Step, StepSequence
from core.games.battle.components.card_model import ActionCard, Cards, Price
from core.games.battle.ids import GERMAN, RUSSIAN, URANUS_IN_PLAY, discards, escrow, hand, played
from core.games.battle.memory import PLEDGED, PLEDGED_RATIONS
from core.games.battle.rules.changes import Chapter, destroy_force, give_rations, take_rations
from core.games.battle.rules.commands import RemoveUranus
from core.games.battle.rules.queries import forces_of, hand_size, rations, uranus_in_play
from core.games.battle.rules.refusals import misplaced, refused
from core.games.battle.rules.windows import CardRule, Play, losses_step, plain
from core.refusal import Refusal
from events.ids import CardId, PieceId, RuleId, Side
from projections.state.table import Open, Table

COST = RuleId("uranus.play-cost")
LASTING = RuleId("uranus.lasting-effect")
REMOVAL = RuleId("uranus.removal")
DISCARDED = RuleId("uranus.removed-is-discarded")
ESCROW = RuleId("secrecy.cancelled-payment")

EFFECTS: dict[str, RuleId] = {
    "enemy_force_cost": RuleId("uranus.effect.force-cost"),
    "enemy_location_rations": RuleId("uranus.effect.location-rations"),
    "enemy_draw": RuleId("uranus.effect.draw-fewer"),
    "enemy_no_perimeter_ration": RuleId("uranus.effect.no-perimeter-ration"),
    "own_draw": RuleId("uranus.effect.draw-more"),
    "own_initiated_battle_bonus": RuleId("uranus.effect.battle-bonus"),
}
"""The rule of each effect."""


class Uranus(Chapter):
    """Costs and effects of these cards."""

    def card_rules(self) -> dict[str, CardRule]:
        """Return how these cards are played."""
        return {op: plain(rule, self._come_into_play, self._refuse_price) for op, rule in EFFECTS.items()}

    def _refuse_price(self, table: Table, side: Side, card: ActionCard) -> Refusal | None:
        price = card.title.price
        is_payable = price is None or self.can_pay(table, side, price, with_card=True)
        return None if is_payable else refused("cost_must_be_payable", rule=COST)

    def can_pay(self, table: Table, side: Side, price: Price, *, with_card: bool) -> bool:
        """Return, by public numbers alone, whether a side has what a cost takes.

        With `with_card` the played card itself still counts in the hand. Source: uranus.play-cost, uranus.removal.
        """
        if price.op == "discard_cards":
            return hand_size(table, side) - (1 if with_card else 0) >= price.count
        forces = forces_of(self.cards, table, side)
        if price.op == "discard_rations":
            return sum(rations(table, force) for force in forces) >= price.count
        return len(forces) >= price.count

    def ask_cost(self, draft: Draft, side: Side, price: Price, rule: RuleId, *, can_come_back: bool) -> None:
        """Ask what is given as a cost: set aside if the card can still be cancelled, else at once. Source: ruling.cost-escrow."""
        is_in_cards = price.op == "discard_cards"
        extra = {"face_down": can_come_back} if is_in_cards else {} if can_come_back else {"final": True}
        draft.ask(QUESTIONS[price.op], draft.table.seat_of(side), rule, {"count": price.count, **extra})

    def carry_out_cost(self, draft: Draft, side: Side) -> None:
        """Give what was set aside: cards and Rations are gone, Forces Destroyed.

        The cards are turned up together, so that the order in which they were named is not disclosed.
        """
        for card in sorted(draft.table.pile(escrow(side)).cards):
            draft.discard(card, escrow(side), discards(side), COST)
        for force in list(forces_of(self.cards, draft.table, side)):
            if PLEDGED.of(draft.table, force):
                destroy_force(draft, self.cards, force, COST)

    def give_cost_back(self, draft: Draft, side: Side) -> None:
        """Return what was set aside. Source: action.cancelled-costs-nothing, secrecy.cancelled-payment."""
        for card in draft.table.pile(escrow(side)).cards:
            draft.move_card(card, escrow(side), hand(side), ESCROW, seen_by=(draft.table.seat_of(side),))
        for force in forces_of(self.cards, draft.table, side):
            give_rations(draft, force, PLEDGED_RATIONS.of(draft.table, force), ESCROW)

    def _come_into_play(self, draft: Draft, play: Play) -> None:
        """Lay the card open on the table, where it works until it is removed.

        Source: uranus.lasting-effect, uranus.several, uranus.deck.
        """
        draft.play_card(play.card.id, played(play.side), URANUS_IN_PLAY, LASTING)


QUESTIONS = {"discard_cards": "pay_cards", "discard_rations": "pay_rations", "destroy_own_forces": "pay_forces"}
"""The question that asks for a cost."""


class Pledge(Chapter):
    """Forces that give Rations, or are given up, as a cost that is set aside or paid.

    With `final` in the question nothing can cancel it any more, and what is named is given at once.

    Args:
        cards: The cards of the match.
        is_in_rations: Rations are asked for, else Forces.
    """

    def __init__(self, cards: Cards, *, is_in_rations: bool) -> None:
        super().__init__(cards)
        self.is_in_rations = is_in_rations

    def question(self) -> Selection:
        """Return the question."""
        return Selection(
            self._rule,
            lambda table, asked: forces_of(self.cards, table, table.side_of(asked.seat)),
            lambda _, asked: (asked.number("count"), asked.number("count")),
            self._give,
            refuse_pick=self._refuse_pick,
            is_completable=self._is_completable,
            refuse_count=lambda *_: refused("payment_must_be_exact"),
            refuse_other=misplaced,
            may_repeat=self.is_in_rations,
        )

    def _rule(self, asked: Open) -> RuleId:
        return REMOVAL if asked.arguments.get("final") else COST

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Refuse all but own Forces that can give it."""
        force, side = PieceId(pick.item), table.side_of(asked.seat)
        if self.cards.is_enemy_force(force, side):
            return refused("force_must_be_own")
        if force not in forces_of(self.cards, table, side) or pick.to:
            return refused("target_must_exist", f"There is no Force {pick.item!r} on the table.", self._rule(asked))
        if self.is_in_rations and rations(table, force) <= asked.picked.count(pick.item):
            return refused("rations_must_suffice", rule=COST)
        return None

    def _is_completable(self, table: Table, asked: Open) -> bool:
        """Return whether enough is left to pay the rest."""
        forces = forces_of(self.cards, table, table.side_of(asked.seat))
        most = sum(rations(table, force) for force in forces) if self.is_in_rations else len(forces)
        return most >= asked.number("count")

    def _give(self, draft: Draft, asked: Open, picks: Picks) -> None:
        """Set aside what is named, or give it."""
        is_final, rule = asked.arguments.get("final") is True, self._rule(asked)
        for item, count in Counter([item for item, _ in picks]).items():
            force = PieceId(item)
            if self.is_in_rations:
                take_rations(draft, force, count, rule)
                if not is_final:
                    PLEDGED_RATIONS.set(draft, force, count, rule)
            elif is_final:
                destroy_force(draft, self.cards, force, rule)
            else:
                PLEDGED.set(draft, force, value=True, rule=rule)


class Removal(Chapter):
    """The German's Action that removes a card. Source: uranus.removal, uranus.removed-is-discarded, ruling.uranus-timing."""

    def __init__(self, cards: Cards) -> None:
        super().__init__(cards)
        self.uranus = Uranus(cards)
        self.sequence = StepSequence(
            "removal",
            REMOVAL,
            (
                Step("pay", REMOVAL, self._ask_payment),
                Step("remove", DISCARDED, self._remove),
                losses_step(cards),
            ),
        )

    def action(self) -> Answer:
        """Return the Action."""
        return Answer(RemoveUranus, self._candidates, self._refuse, self._declare)

    def _candidates(self, table: Table, asked: Open) -> list[RemoveUranus]:
        return [RemoveUranus(card) for card in uranus_in_play(self.cards, table)]

    def _refuse(self, table: Table, asked: Open, command: RemoveUranus) -> Refusal | None:
        if table.turn != GERMAN:
            return refused("step_must_allow_command", "Only the German removes these cards.", REMOVAL)
        if command.card not in uranus_in_play(self.cards, table):
            return refused("uranus_card_must_be_in_play")
        is_payable = self.uranus.can_pay(table, GERMAN, self._price(command.card), with_card=False)
        return None if is_payable else refused("cost_must_be_payable", rule=REMOVAL)

    def _price(self, card: CardId) -> Price:
        price = self.cards.cards[card].title.removal
        assert price is not None
        return price

    def _declare(self, draft: Draft, asked: Open, command: RemoveUranus) -> None:
        self.sequence.begin(draft, {"card": command.card, "side": draft.table.turn})

    def _ask_payment(self, draft: Draft, at: Open) -> None:
        """Ask for the cost; it cannot be cancelled."""
        self.uranus.ask_cost(draft, GERMAN, self._price(CardId(at.text("card"))), REMOVAL, can_come_back=False)

    def _remove(self, draft: Draft, at: Open) -> None:
        """Discard the card: its effect ends at once."""
        draft.discard(CardId(at.text("card")), URANUS_IN_PLAY, discards(RUSSIAN), DISCARDED)
