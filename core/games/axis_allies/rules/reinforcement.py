"""Cards 2 and 9: the Reinforcement phases of both sides. What is bought is `purchase`, the factories are `workers`."""

from functools import partial

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, RPC
from core.games.axis_allies.options import LUFTWAFFE_PRIORITIES
from core.games.axis_allies.rules.deployment import deploy_token
from core.games.axis_allies.rules.free_unit import FreeUnit, Gift
from core.games.axis_allies.rules.luftwaffe import LUFTWAFFE_LOSS, ROLL, Priorities
from core.games.axis_allies.rules.purchase import BUY, SPEND, ZONES, Purchases
from core.games.axis_allies.rules.queries import has_storm_begun, is_friendly, is_storm_round, land
from core.games.axis_allies.rules.supply import Supply
from core.sequence import Step, StepSequence
from events.ids import PlaceId, RuleId, Side
from projections.table import Open, Table

COLLECT = {AXIS: RuleId("order.2.collect"), ALLIES: RuleId("order.9.collect")}
FREE_TOKEN = RuleId("order.2.odd-supply-token")
FREE_INFANTRY = RuleId("order.2.even-infantry")
FREE_AIRCRAFT = RuleId("order.2.winter-storm-air")


def _infantry(board: Board) -> Gift:
    return Gift(
        kind="free_infantry",
        rule=FREE_INFANTRY,
        units=tuple([unit.id for unit in board.units.values() if unit.side == AXIS and unit.is_infantry]),
        zones=tuple([place for place, zone in board.zones.items() if zone.takes_free_infantry]),
        zones_rule=FREE_INFANTRY,
    )


def _aircraft(board: Board) -> Gift:
    return Gift(
        kind="storm_air",
        rule=FREE_AIRCRAFT,
        units=tuple([unit.id for unit in board.units.values() if unit.side == AXIS and unit.is_air]),
        zones=tuple([place for place, zone in board.zones.items() if zone.takes_storm]),
        zones_rule=ZONES[AXIS],
    )


class Reinforcement:
    """The Reinforcement phases. Source: RuleId("sequence.instruction-order")."""

    def __init__(self, board: Board, supply: Supply) -> None:
        self.board = board
        self.priorities = Priorities(board)
        self.purchases = Purchases(board, supply)
        self.infantry = FreeUnit(board, supply, _infantry(board))
        self.aircraft = FreeUnit(board, supply, _aircraft(board))
        self.by_side = {AXIS: self._axis_sequence(), ALLIES: self._allies_sequence()}

    @property
    def sequences(self) -> tuple[StepSequence, ...]:
        """The sequences of the chapter."""
        return tuple(self.by_side.values())

    @property
    def decisions(self) -> dict[str, Decision]:
        """The questions of the chapter."""
        free = (self.infantry, self.aircraft)
        return {
            LUFTWAFFE_LOSS: self.priorities.question,
            **{unit.gift.kind: unit.question for unit in free},
            BUY: self.purchases,
        }

    def begin(self, draft: Draft, side: Side) -> None:
        """Begin the phase of a side."""
        self.by_side[side].begin(draft)

    def _axis_sequence(self) -> StepSequence:
        steps = [
            Step("luftwaffe", ROLL, self.priorities.roll, when=lambda table, _: LUFTWAFFE_PRIORITIES.is_on(table)),
            Step("collect", COLLECT[AXIS], partial(self._collect, AXIS)),
            Step("token", FREE_TOKEN, self._place_token, when=lambda table, _: table.round % 2 == 1),
            Step("infantry", FREE_INFANTRY, self.infantry.ask, when=lambda table, _: table.round % 2 == 0),
            Step("aircraft", FREE_AIRCRAFT, self.aircraft.ask, when=lambda table, _: is_storm_round(table)),
            Step("buy", RuleId("order.2.same-card-income"), partial(self._ask_to_buy, AXIS), when=self._may_spend),
        ]
        return StepSequence("axis_reinforcement", COLLECT[AXIS], steps)

    def _allies_sequence(self) -> StepSequence:
        steps = [
            Step("collect", COLLECT[ALLIES], partial(self._collect, ALLIES)),
            Step(
                "buy",
                SPEND[ALLIES],
                partial(self._ask_to_buy, ALLIES),
                when=lambda table, _: self.purchases.is_possible(table, ALLIES),
            ),
        ]
        return StepSequence("allies_reinforcement", COLLECT[ALLIES], steps)

    # Steps

    def income(self, table: Table, side: Side) -> int:
        """Return how many RPCs a side collects.

        Source: RuleId("order.2.collect-needs-land-unit"), RuleId("order.9.collect"), ruling.axis-rp-occupation.
        """
        return sum(self.earning(table, side).values())

    def earning(self, table: Table, side: Side) -> dict[PlaceId, int]:
        """Return the RPs that zones give a side."""
        return {
            place: zone.rp
            for place, zone in self.board.zones.items()
            if zone.rp and is_friendly(table, place, side) and (side == ALLIES or land(table, self.board, place, side))
        }

    def _collect(self, side: Side, draft: Draft, at: Open) -> None:
        draft.track(RPC[side], draft.table.track(RPC[side]) + self.income(draft.table, side), COLLECT[side])

    def _place_token(self, draft: Draft, at: Open) -> None:
        deploy_token(draft, AXIS, self.board.bases[AXIS], FREE_TOKEN)

    def _may_spend(self, table: Table, at: Open) -> bool:
        """Return whether the Axis may buy, and can. Source: RuleId("order.2.rpc-locked")."""
        return has_storm_begun(table) and self.purchases.is_possible(table, AXIS)

    def _ask_to_buy(self, side: Side, draft: Draft, at: Open) -> None:
        draft.ask(BUY, draft.table.seat_of(side), SPEND[side])
