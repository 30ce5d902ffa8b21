"""Buying Forces, Resupply, and paying with cards of the hand."""

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import GERMAN, POINTS, discards, enemy, escrow, hand, top
from core.games.battle.memory import POINTS_LAPSED
from core.games.battle.rules.commands import BuyForce, Resupply
from core.games.battle.rules.distribution import give_rations, hand_out
from core.games.battle.rules.queries import (
    cards_in_hand,
    forces_of,
    hand_size,
    has_room,
    may_enter_control,
    note_amount,
    own_areas,
    uranus_amount,
)
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.set_up import turn_up_top
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from core.selection import Pick, Picks, Selection
from core.sequence import Step, StepSequence
from events.ids import CardId, PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

TOP_ONLY = RuleId("buy.top-card-only")
PAY = RuleId("buy.pay")
EXACTLY = RuleId("buy.pay-exactly")
POINTS_RULE = RuleId("buy.reinforcement-points")
PLACE = RuleId("buy.place")
RATIONS = RuleId("buy.starting-rations")
REVEAL = RuleId("buy.place-before-reveal")
DEARER = RuleId("uranus.effect.force-cost")
RESUPPLY = RuleId("resupply.action")


def price(cards: Cards, table: Table, side: Side, force: PieceId) -> int:
    """Return what a Force costs a side now. Source: RuleId("force.cost")."""
    return cards.forces[force].cost + surcharge(cards, table, side)


def surcharge(cards: Cards, table: Table, side: Side) -> int:
    """Return what Forces cost a side more than is printed. Source: RuleId("uranus.effect.force-cost")."""
    return uranus_amount(cards, table, "enemy_force_cost") if side == GERMAN else 0


def to_pay(cards: Cards, table: Table, side: Side, force: PieceId) -> int:
    """Return how many cards a purchase takes after points. Source: RuleId("buy.reinforcement-points"), ruling.reinforcement-points."""
    return max(0, price(cards, table, side, force) - table.track(POINTS))


class Buy:
    """The Buy Forces Action.

    Source: RuleId("buy.top-card-only"), RuleId("buy.pay"), RuleId("buy.place"), RuleId("buy.again"), RuleId("force.repurchase").
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.sequence = StepSequence(
            "purchase",
            PAY,
            (Step("pay", PAY, self.ask_payment, when=lambda _, at: at.number("count") > 0),),
            then=self.place,
        )

    def is_open(self, table: Table, side: Side, to: PlaceId) -> bool:
        """Whether a bought Force may be placed in one of the side's Areas, room aside."""
        return not self.cards.is_control(to) or may_enter_control(self.cards, table, side, self.cards.location_of(to))

    def options(self, table: Table, side: Side) -> list[Command]:
        """Offer the top Force in every Area that is open and has room, if it can be paid."""
        return [
            BuyForce(force, place)
            for force in table.pieces_at(top(side))
            if to_pay(self.cards, table, side, force) <= hand_size(table, side)
            for place in own_areas(self.cards, table, side)
            if self.is_open(table, side, place) and has_room(self.cards, table, place)
        ]

    def refuse(self, table: Table, side: Side, command: Command) -> Refusal | None:
        """Judge a purchase by the documented precedence."""
        assert isinstance(command, BuyForce)
        card = self.cards.forces.get(command.force)
        if card is not None and card.side != side:
            return refused("force_must_be_own")
        if command.to in own_areas(self.cards, table, enemy(side)):
            return refused("area_must_be_own")
        if card is None or command.to not in own_areas(self.cards, table, side):
            return refused("target_must_exist", f"There is no {command.force!r} or no Area {command.to!r} in play.")
        if not self.is_open(table, side, command.to):
            return refused("destination_must_not_be_enemy_controlled", rule=PLACE)
        if not has_room(self.cards, table, command.to):
            return refused("area_must_have_room")
        if not table.pieces_at(top(side)):
            return refused("force_deck_must_not_be_empty")
        if command.force not in table.pieces_at(top(side)):
            return refused("force_must_be_on_top")
        missing = to_pay(self.cards, table, side, command.force) - hand_size(table, side)
        if missing > 0:
            is_lapsed = missing <= (POINTS_LAPSED.of(table) or 0)
            return refused("points_must_not_have_lapsed") if is_lapsed else refused("cost_must_be_payable", rule=PAY)
        return None

    def declare(self, draft: Draft, side: Side, command: Command) -> None:
        """Spend points first, then ask for the cards. Source: RuleId("buy.pay-exactly")."""
        assert isinstance(command, BuyForce)
        cards = to_pay(self.cards, draft.table, side, command.force)
        more = surcharge(self.cards, draft.table, side)
        if more:
            draft.apply(DEARER, f"costs more: {more}", command.force)
        spent = min(draft.table.track(POINTS), price(self.cards, draft.table, side, command.force))
        draft.track(POINTS, draft.table.track(POINTS) - spent, POINTS_RULE)
        self.sequence.begin(draft, {"force": command.force, "to": command.to, "count": cards, "side": side})

    def ask_payment(self, draft: Draft, at: Open) -> None:
        """Ask for the cards."""
        seat = draft.table.seat_of(Side(at.text("side")))
        draft.ask("pay_cards", seat, PAY, {"count": at.number("count"), "face_down": False})

    def is_note_free_move(self, table: Table, command: Command) -> bool:
        """Buying is no Move."""
        return False

    def place(self, draft: Draft, at: Open) -> None:
        """Place a paid Force with its Rations, and turn the next one up.

        Source: RuleId("buy.starting-rations"), RuleId("location.note.buy-ration-bonus"), RuleId("buy.place-before-reveal"),
        RuleId("buy.acts-at-once").
        """
        force = PieceId(at.text("force"))
        card = self.cards.forces[force]
        draft.move(force, PlaceId(at.text("to")), PLACE)
        more = note_amount(self.cards, draft.table, card.side, "buy_ration_bonus")
        give_rations(draft, force, card.rations, RATIONS)
        give_rations(draft, force, more, RuleId("location.note.buy-ration-bonus"))
        turn_up_top(draft, self.cards, card.side, REVEAL)


class PayCards:
    """Which cards of the hand pay: openly to the discards, or set aside face down for what can be cancelled.

    Source: RuleId("card.one-use"), RuleId("buy.pay-exactly"), RuleId("secrecy.cancelled-payment").
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def question(self) -> Selection:
        """Return the question. Which cards are thought of is nobody else's business."""
        return Selection(
            lambda _: EXACTLY,
            lambda table, asked: [card.id for card in cards_in_hand(self.cards, table, table.side_of(asked.seat))],
            lambda _, asked: (asked.number("count"), asked.number("count")),
            self.pay,
            refuse_pick=refuse_payment,
            refuse_count=lambda *_: refused("payment_must_be_exact"),
            refuse_other=lambda table, asked, command: misplaced(
                table, asked, command, "A cost is being paid: name cards of the hand."
            ),
            is_secret=True,
        )

    def pay(self, draft: Draft, asked: Open, picks: Picks) -> None:
        """Pay with the cards."""
        side = draft.table.side_of(asked.seat)
        for card, _ in picks:
            if asked.arguments["face_down"]:
                set_aside = RuleId("secrecy.cancelled-payment")
                draft.move_card(CardId(card), hand(side), escrow(side), set_aside, seen_by=(asked.seat,))
            else:
                draft.discard(CardId(card), hand(side), discards(side), PAY)


def refuse_payment(table: Table, asked: Open, pick: Pick) -> Refusal | None:
    """Accept a card of the hand."""
    is_held = pick.item in table.pile(hand(table.side_of(asked.seat))).cards and not pick.to
    return None if is_held else refused("card_must_be_in_hand")


class ResupplyAction:
    """The Resupply Action.

    Source: RuleId("resupply.action"), RuleId("resupply.not-a-card-play"), RuleId("location.note.resupply-bonus").
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def options(self, table: Table, side: Side) -> list[Command]:
        """Offer every card of the hand, if there is a Force to get the Rations."""
        if not forces_of(self.cards, table, side):
            return []
        return [Resupply(card.id) for card in cards_in_hand(self.cards, table, side)]

    def refuse(self, table: Table, side: Side, command: Command) -> Refusal | None:
        """Accept a card of the hand while there is a Force."""
        assert isinstance(command, Resupply)
        is_empty_handed = not command.card and not hand_size(table, side)
        if command.card not in table.pile(hand(side)).cards and not is_empty_handed:
            return refused("card_must_be_in_hand")
        if not forces_of(self.cards, table, side):
            return refused("force_must_be_on_table")
        return refused("cost_must_be_payable", rule=RESUPPLY) if is_empty_handed else None

    def declare(self, draft: Draft, side: Side, command: Command) -> None:
        """Discard the card and hand the Rations out."""
        assert isinstance(command, Resupply)
        draft.discard(command.card, hand(side), discards(side), RESUPPLY)
        more = note_amount(self.cards, draft.table, side, "resupply_bonus")
        if more:
            draft.apply(RuleId("location.note.resupply-bonus"), f"Rations more: {more}", side)
        hand_out(draft, self.cards, side, self.cards.figures.resupply_rations + more, RESUPPLY)

    def is_note_free_move(self, table: Table, command: Command) -> bool:
        """Resupply is no Move."""
        return False


def decisions(cards: Cards) -> dict[str, Decision]:
    """Return the question of this chapter."""
    return {"pay_cards": PayCards(cards).question()}
