"""Cards 2 and 9: the Reinforcement phases of both sides. What is bought is `purchase`, the factories are `automatic_cards`."""

from collections.abc import Collection
from functools import partial

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, RPC
from core.games.axis_allies.rules.commands import Deploy
from core.games.axis_allies.rules.deployment import UNAVAILABLE, can_add, deploy_all, deploy_token
from core.games.axis_allies.rules.lost_units import Priorities
from core.games.axis_allies.rules.purchase import BUY, SPEND, ZONES, Purchases
from core.games.axis_allies.rules.queries import has_storm_begun, is_friendly, is_storm_round, land
from core.games.axis_allies.rules.refusals import asks, refused
from core.games.axis_allies.rules.supply import show_supply
from core.question import Answer, Question
from core.refusal import Refusal
from core.sequence import Step, StepSequence
from core.series import ask_among
from events.codec import Struct
from events.ids import PlaceId, RuleId, Side
from projections.table import Open, Table

COLLECT = {AXIS: RuleId("order.2.collect"), ALLIES: RuleId("order.9.collect")}
FREE_TOKEN = RuleId("order.2.odd-supply-token")
FREE_INFANTRY = RuleId("order.2.even-infantry")
FREE_AIRCRAFT = RuleId("order.2.winter-storm-air")


class FreeUnit(Struct, frozen=True):
    """The question which unit of the Axis that costs nothing is deployed where.

    `rule` gives the unit, one of some types, in one of some zones, which `zones_rule` names.
    """

    board: Board
    kind: str
    rule: RuleId
    units: Collection[str]
    zones: Collection[PlaceId]
    zones_rule: RuleId

    def question(self) -> Question:
        """Return the question."""
        return asks(Answer(Deploy, self._candidates, self._refuse, self._take, ends=self.rule))

    def _candidates(self, table: Table, asked: Open) -> list[Deploy]:
        return [Deploy(unit, zone) for unit in self.units for zone in self.zones]

    def _refuse(self, table: Table, asked: Open, command: Deploy) -> Refusal | None:
        """Judge a deployment.

        Source: RuleId("order.2.even-infantry"), RuleId("order.2.even-infantry.not-allied"), RuleId("winter-storm.zones").
        """
        unit, to = command.unit, command.to
        if unit in self.board.units and not can_add(table, self.board, unit, to):
            return refused("piece_must_be_available")
        if unit not in self.units:
            return refused("unit_must_be_eligible", rule=self.rule)
        if to not in self.zones:
            return refused("zone_must_be_eligible", rule=self.zones_rule)
        if not self.board.units[unit].is_air and not is_friendly(table, to, AXIS):
            return refused("zone_must_be_friendly")
        return None

    def ask(self, draft: Draft, at: Open) -> None:
        """Ask for the unit, unless there is one choice only; without any it is lost.

        Source: RuleId("order.2.even-infantry.not-allied"), ruling.free-infantry-optional, ruling.pool-exhausted.
        """
        judged = {one: self._refuse(draft.table, at, one) for one in self._candidates(draft.table, at)}
        choices = [one for one, refusal in judged.items() if refusal is None]
        if choices:
            ask_among(draft, Open(self.kind, draft.table.seat_of(AXIS)), self.rule, choices, self._take)
        elif {refusal.code for refusal in judged.values() if refusal} == {"zone_must_be_friendly"}:
            draft.apply(RuleId("order.2.even-infantry.not-allied"), "no zone for free infantry")
        else:
            draft.apply(UNAVAILABLE, "no free unit is left")

    def _take(self, draft: Draft, asked: Open, command: Deploy) -> None:
        deploy_all(draft, self.board, (command.unit,), command.to, self.rule)
        show_supply(draft, self.board)


class Reinforcement:
    """The Reinforcement phases. Source: RuleId("sequence.instruction-order")."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.purchases = Purchases(board)
        axis = [unit for unit in board.units.values() if unit.side == AXIS]
        infantry, aircraft = [unit.id for unit in axis if unit.is_infantry], [unit.id for unit in axis if unit.is_air]
        zones = [place for place, zone in board.zones.items() if zone.takes_free_infantry]
        bases = [place for place, zone in board.zones.items() if zone.takes_storm]
        self.infantry = FreeUnit(board, "free_infantry", FREE_INFANTRY, infantry, zones, FREE_INFANTRY)
        self.aircraft = FreeUnit(board, "storm_air", FREE_AIRCRAFT, aircraft, bases, ZONES[AXIS])
        priorities = Priorities(board)
        steps = {
            AXIS: (
                priorities.step,
                Step("collect", COLLECT[AXIS], partial(self._collect, AXIS)),
                Step("token", FREE_TOKEN, self._place_token, when=lambda table, _: table.round % 2 == 1),
                Step("infantry", FREE_INFANTRY, self.infantry.ask, when=lambda table, _: table.round % 2 == 0),
                Step("aircraft", FREE_AIRCRAFT, self.aircraft.ask, when=lambda table, _: is_storm_round(table)),
                Step(
                    "buy",
                    RuleId("order.2.same-card-income"),
                    lambda draft, _: self.purchases.ask(draft, AXIS),
                    self._may_spend,
                ),
            ),
            ALLIES: (
                Step("collect", COLLECT[ALLIES], partial(self._collect, ALLIES)),
                self.purchases.step("buy", SPEND[ALLIES], lambda _: ALLIES),
            ),
        }
        names = {side: f"{side}_reinforcement" for side in steps}
        self.by_side = {side: StepSequence(name, COLLECT[side], steps[side]) for side, name in names.items()}
        self.sequences = tuple(self.by_side.values())
        free: dict[str, Decision] = {one.kind: one.question() for one in (self.infantry, self.aircraft)}
        self.decisions = {**priorities.decisions, **free, BUY: self.purchases}

    # Steps

    def _collect(self, side: Side, draft: Draft, at: Open) -> None:
        more = sum(earning(draft.table, self.board, side).values())
        draft.track(RPC[side], draft.table.track(RPC[side]) + more, COLLECT[side])

    def _place_token(self, draft: Draft, at: Open) -> None:
        deploy_token(draft, AXIS, self.board.bases[AXIS], FREE_TOKEN)

    def _may_spend(self, table: Table, at: Open) -> bool:
        """Return whether the Axis may buy, and can. Source: RuleId("order.2.rpc-locked")."""
        return has_storm_begun(table) and self.purchases.is_possible(table, AXIS)


def earning(table: Table, board: Board, side: Side) -> dict[PlaceId, int]:
    """Return the RPCs that a side collects, by the zones that give them.

    Source: RuleId("order.2.collect-needs-land-unit"), RuleId("order.9.collect"), ruling.axis-rp-occupation.
    """
    held = [zone for place, zone in board.zones.items() if zone.rp and is_friendly(table, place, side)]
    return {zone.id: zone.rp for zone in held if side == ALLIES or land(table, board, zone.id, side)}
