"""Buying Forces, Resupply, and paying with cards of the hand."""

from core.engine.draft import Draft
from core.engine.question import Answer
from core.engine.selection import Pick, Picks, Selection
from core.engine.steps import Step, StepSequence
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import GERMAN, POINTS, discards, enemy, escrow, hand, top
from core.games.battle.memory import POINTS_LAPSED
from core.games.battle.rules import queries
from core.games.battle.rules.changes import Chapter, give_rations, move_force, turn_up_top
from core.games.battle.rules.commands import BuyForce, Resupply
from core.games.battle.rules.refusals import misplaced, refuse_unheld, refused
from core.games.battle.rules.supply import hand_out
from core.refusal import Refusal
from core.wording import counted
from events.ids import CardId, PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

PAY = RuleId("buy.pay")
EXACTLY = RuleId("buy.pay-exactly")
POINTS_RULE = RuleId("buy.reinforcement-points")
PLACE = RuleId("buy.place")
RATIONS = RuleId("buy.starting-rations")
MORE_RATIONS = RuleId("location.note.buy-ration-bonus")
REVEAL = RuleId("buy.place-before-reveal")
DEARER = RuleId("uranus.effect.force-cost")
RESUPPLY = RuleId("resupply.action")
MORE_RESUPPLY = RuleId("location.note.resupply-bonus")
SET_ASIDE = RuleId("secrecy.cancelled-payment")


def price(cards: Cards, table: Table, side: Side, force: PieceId) -> int:
    """Return what a Force costs a side now. Source: force.cost."""
    return cards.forces[force].cost + surcharge(cards, table, side)


def surcharge(cards: Cards, table: Table, side: Side) -> int:
    """Return what Forces cost a side more than is printed. Source: uranus.effect.force-cost."""
    return queries.uranus_amount(cards, table, "enemy_force_cost") if side == GERMAN else 0


def to_pay(cards: Cards, table: Table, side: Side, force: PieceId) -> int:
    """Return how many cards a purchase takes after points. Source: buy.reinforcement-points, ruling.reinforcement-points."""
    return max(0, price(cards, table, side, force) - table.track(POINTS))


def starting_bonus(cards: Cards, table: Table, side: Side) -> int:
    """Return how many Rations a Force gets more that a side buys now.

    The Location must be the buyer's before the Force arrives: a Force whose own arrival wins the Control was not bought by its
    controller.

    Source: location.note.buy-ration-bonus, location.note-needs-control, ruling.docks-moment.
    """
    return queries.note_amount(cards, table, side, "buy_ration_bonus")


class Purchases(Chapter):
    """The Buy Forces Action. Source: buy.top-card-only, buy.pay, buy.place, buy.again, force.repurchase."""

    def __init__(self, cards: Cards) -> None:
        super().__init__(cards)
        payment = Step("pay", PAY, self._ask_payment, when=lambda _, at: at.number("count") > 0)
        self.sequence = StepSequence("purchase", PAY, (payment,), then=self._place)

    def action(self) -> Answer:
        """Return the Action."""
        return Answer(BuyForce, self._candidates, self._refuse, self._declare)

    def _candidates(self, table: Table, asked: Open) -> list[BuyForce]:
        """Return the open top Force, if it can be paid, in every Area."""
        forces = [force for force in table.pieces_at(top(table.turn)) if self._missing(table, table.turn, force) <= 0]
        return [
            BuyForce(force, place) for force in forces for place in queries.own_areas(self.cards, table, table.turn)
        ]

    def _missing(self, table: Table, side: Side, force: PieceId) -> int:
        """Return how many cards the side holds too few to buy a Force; 0 or less if it can."""
        return to_pay(self.cards, table, side, force) - queries.hand_size(table, side)

    def _refuse(self, table: Table, asked: Open, command: BuyForce) -> Refusal | None:
        """Judge a purchase by the documented precedence."""
        side, force, to = table.turn, command.force, command.to
        if self.cards.is_enemy_force(force, side):
            return refused("force_must_be_own")
        owner = queries.owner_of(self.cards, table, to)
        if owner == enemy(side):
            return refused("area_must_be_own")
        if force not in self.cards.forces:
            return refused("target_must_exist", f"There is no Force {force!r}.", PLACE)
        if owner is None:
            return refused("target_must_exist", f"There is no Area {to!r} in play.", PLACE)
        if not queries.is_open_to(self.cards, table, side, to):
            return refused("destination_must_not_be_enemy_controlled", rule=PLACE)
        if not queries.has_room(self.cards, table, to):
            return refused("area_must_have_room")
        if not table.pieces_at(top(side)):
            return refused("force_deck_must_not_be_empty")
        if force not in table.pieces_at(top(side)):
            return refused("force_must_be_on_top")
        missing = self._missing(table, side, force)
        if missing > 0:
            is_lapsed = missing <= POINTS_LAPSED.of(table)
            return refused("points_must_not_have_lapsed") if is_lapsed else refused("cost_must_be_payable", rule=PAY)
        return None

    def _declare(self, draft: Draft, asked: Open, command: BuyForce) -> None:
        """Spend points first, then ask for the cards. Source: buy.pay-exactly."""
        side = draft.table.turn
        cards = to_pay(self.cards, draft.table, side, command.force)
        more = surcharge(self.cards, draft.table, side)
        if more:
            draft.apply(DEARER, f"costs {more} more by Operation: Uranus", command.force)
        spent = min(draft.table.track(POINTS), price(self.cards, draft.table, side, command.force))
        draft.track(POINTS, draft.table.track(POINTS) - spent, POINTS_RULE)
        self.sequence.begin(draft, {"force": command.force, "to": command.to, "count": cards, "side": side})

    def _ask_payment(self, draft: Draft, at: Open) -> None:
        seat = draft.table.seat_of(Side(at.text("side")))
        draft.ask("pay_cards", seat, PAY, {"count": at.number("count"), "face_down": False})

    def _place(self, draft: Draft, at: Open) -> None:
        """Place a paid Force with its Rations, and turn the next one up.

        Source: buy.starting-rations, location.note.buy-ration-bonus, buy.place-before-reveal, buy.acts-at-once.
        """
        force = PieceId(at.text("force"))
        card = self.cards.forces[force]
        more = starting_bonus(self.cards, draft.table, card.side)
        move_force(draft, self.cards, force, PlaceId(at.text("to")), PLACE)
        give_rations(draft, force, card.rations, RATIONS)
        give_rations(draft, force, more, MORE_RATIONS)
        turn_up_top(draft, card.side, REVEAL)


class HandPayments(Chapter):
    """Payments with cards of the hand: a cost of any kind, and Resupply."""

    def question(self) -> Selection:
        """Return which cards pay: openly to the discards, or set aside face down for what can be cancelled.

        The picks are secret until they are paid. Source: card.one-use, buy.pay-exactly, secrecy.cancelled-payment.
        """
        return Selection(
            lambda _: EXACTLY,
            lambda table, asked: [
                card.id for card in queries.cards_in_hand(self.cards, table, table.side_of(asked.seat))
            ],
            lambda _, asked: (asked.number("count"), asked.number("count")),
            self._pay,
            refuse_pick=self._refuse_card,
            refuse_count=lambda *_: refused("payment_must_be_exact"),
            refuse_other=misplaced,
            is_secret=True,
        )

    def _refuse_card(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        return refused("card_must_be_in_hand") if pick.to else refuse_unheld(table, asked, pick.item)

    def _pay(self, draft: Draft, asked: Open, picks: Picks) -> None:
        side = draft.table.side_of(asked.seat)
        for card, _ in picks:
            if asked.arguments["face_down"]:
                draft.move_card(CardId(card), hand(side), escrow(side), SET_ASIDE, seen_by=(asked.seat,))
            else:
                draft.discard(CardId(card), hand(side), discards(side), PAY)

    def resupply_action(self) -> Answer:
        """Return the Resupply Action. Source: resupply.action, resupply.not-a-card-play, location.note.resupply-bonus."""
        return Answer(Resupply, self._candidates, self._refuse_resupply, self._resupply)

    def _candidates(self, table: Table, asked: Open) -> list[Resupply]:
        return [Resupply(card.id) for card in queries.cards_in_hand(self.cards, table, table.turn)]

    def _refuse_resupply(self, table: Table, asked: Open, command: Resupply) -> Refusal | None:
        side = table.turn
        is_empty_handed = not command.card and not queries.hand_size(table, side)
        if command.card not in table.pile(hand(side)).cards and not is_empty_handed:
            return refused("card_must_be_in_hand")
        if not queries.forces_of(self.cards, table, side):
            return refused("force_must_be_on_table")
        return refused("cost_must_be_payable", rule=RESUPPLY) if is_empty_handed else None

    def _resupply(self, draft: Draft, asked: Open, command: Resupply) -> None:
        side = draft.table.turn
        draft.discard(command.card, hand(side), discards(side), RESUPPLY)
        more = queries.note_amount(self.cards, draft.table, side, "resupply_bonus")
        if more:
            draft.apply(
                MORE_RESUPPLY,
                f"{counted(more, 'Ration')} more for this Resupply, by the note of a Location",
                side,
            )
        hand_out(draft, self.cards, side, self.cards.figures.resupply_rations + more, RESUPPLY)
