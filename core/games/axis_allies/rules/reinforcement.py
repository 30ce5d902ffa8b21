"""Cards 2 and 9: the Reinforcement phases of both sides, and what is bought in them. The factories are `automatic_cards`."""

from collections.abc import Callable, Collection, Iterator
from functools import partial

from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.engine.repeated_questions import Series, ask_among
from core.engine.steps import Step, StepSequence
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import LIMITED
from core.games.axis_allies.components.supply_lines import has_crossing
from core.games.axis_allies.ids import ALLIES, AXIS, FERRY, FERRY_ITEM, POOL, RPC, SIDES, SUPPLY
from core.games.axis_allies.memory import ARRIVED
from core.games.axis_allies.rules.commands import Buy, Deploy
from core.games.axis_allies.rules.deployment import (
    UNAVAILABLE,
    Components,
    can_add,
    deploy_all,
    deploy_token,
    refuse_deploy,
)
from core.games.axis_allies.rules.lost_units import Priorities
from core.games.axis_allies.rules.queries import has_storm_begun, is_friendly, is_occupied, is_storm_round, land, tokens
from core.games.axis_allies.rules.refusals import REFUSALS, asks, misplaced, refused
from core.games.axis_allies.rules.supply import FERRY_SUPPLIES, show_supply
from core.refusal import Refusal
from core.wording import joined
from events.codec import Struct
from events.ids import PlaceId, RuleId, Side
from projections.state.table import Open, Table

SPEND = {AXIS: RuleId("order.2.winter-storm-spend"), ALLIES: RuleId("order.9.spend")}
ZONES = {AXIS: RuleId("winter-storm.zones"), ALLIES: RuleId("order.9.zones")}
TOKEN_ZONES = RuleId("order.9.supply-tokens")
NOT_SOLD = {SUPPLY: RuleId("unit.supply-token.cost"), FERRY_ITEM: RuleId("unit.ferry.cost")}
"""What the Axis cannot buy, and why."""

BUY = "buy"


def price(board: Board, side: Side, item: str) -> int:
    """Return how many RPCs an item costs a side, 0 if it is not for sale to it.

    Source: unit.air.not-purchasable, unit.supply-token.cost, unit.ferry.cost,
    ruling.minor-artillery-purchase.
    """
    if item in NOT_SOLD:
        cost = board.file.tokens.supply_cost if item == SUPPLY else board.file.tokens.ferry_cost
        return cost if side == ALLIES else 0
    unit = board.units.get(item)
    return 0 if unit is None or unit.side != side else unit.cost


def refuse_item(table: Table, board: Board, side: Side, item: str) -> Refusal | None:
    """Return why a side cannot buy an item wherever it goes, or None if it can."""
    cost = price(board, side, item)
    if not cost:
        is_air = item in board.units and board.units[item].is_air
        is_known = item in board.units or item in NOT_SOLD
        sentence = "" if is_known else f"There is no {item!r} to buy."
        return refused("item_must_be_for_sale", sentence, rule=None if is_air else NOT_SOLD.get(item, SPEND[side]))
    if cost > table.track(RPC[side]):
        return refused("rpcs_must_suffice", rule=SPEND[side])
    if item == SUPPLY and not tokens(table, POOL[side], side):
        return refused("piece_must_be_available")
    return None


def refuse_crossing(table: Table, board: Board, to: PlaceId) -> Refusal | None:
    """Return why a ferry cannot be placed. Source: components.crossing-tokens, ferry.colour-match."""
    missing = [crossing for crossing in board.crossings if not has_crossing(table, crossing)]
    if not missing or has_crossing(table, to):
        return refused("piece_must_be_available", rule=RuleId("components.crossing-tokens"))
    return None if to in missing else refused("crossing_must_match_colour")


def pay(draft: Draft, board: Board, side: Side, item: str, rule: RuleId) -> None:
    """Pay for an item. Source: components.rpc."""
    draft.track(RPC[side], draft.table.track(RPC[side]) - price(board, side, item), rule)


class Purchases(Series):
    """The question what to buy, which stays open until the side is done or can buy nothing more."""

    def __init__(self, board: Board) -> None:
        buy = Answer(Buy, self._payable, self._refuse, self._buy, judge_list=self._judge_list)
        super().__init__(BUY, SPEND.__getitem__, (buy,), misplaced)
        self.board = board
        self._all = {side: dict(self._for_sale(side)) for side in SIDES}

    def _payable(self, table: Table, asked: Open) -> Iterator[Buy]:
        """Yield what a side can pay; what it cannot is not judged for each zone."""
        side = table.side_of(asked.seat)
        for item, offers in self._all[side].items():
            if refuse_item(table, self.board, side, item) is None:
                yield from offers

    def _judge_list(self, table: Table, asked: Open) -> Callable[[Buy], bool]:
        side, left = table.side_of(asked.seat), Components(table, self.board)
        return lambda offer: self._refuse_place(left, side, offer) is None

    def _for_sale(self, side: Side) -> Iterator[tuple[str, list[Buy]]]:
        """Yield everything that a side may ever buy, by item."""
        board = self.board
        zones = board.zones.values()
        arrivals = [zone.id for zone in zones if (zone.entry if side == ALLIES else zone.takes_storm)]
        airfields = [place for place in board.airfields if place not in arrivals]
        special = {SUPPLY: [*arrivals, *airfields], FERRY_ITEM: list(board.crossings)}
        for item in (*board.units, *special):
            if price(board, side, item):
                yield item, [Buy(item, place) for place in special.get(item, arrivals)]

    # Refusals

    def _refuse(self, table: Table, asked: Open, command: Buy) -> Refusal | None:
        side, left = table.side_of(asked.seat), Components(table, self.board)
        return refuse_item(table, self.board, side, command.item) or self._refuse_place(left, side, command)

    def _refuse_place(self, left: Components, side: Side, command: Buy) -> Refusal | None:
        """Return why what is for sale cannot arrive in a place, or None if it can."""
        table, item, to = left.table, command.item, command.to
        if item == FERRY_ITEM:
            return refuse_crossing(table, self.board, to)
        if item == SUPPLY:
            return self._refuse_token_zone(table, to)
        return REFUSALS.first(refuse_deploy(left, item, to), self._refuse_zone(table, side, to))

    def _refuse_token_zone(self, table: Table, to: PlaceId) -> Refusal | None:
        """Return why a supply token cannot be placed. Source: order.9.supply-tokens, ruling.deploy-limit-tokens."""
        zone = self.board.zones.get(to)
        if zone is None or not (zone.entry or zone.has_airfield):
            entries = joined([one.name for one in self.board.zones.values() if one.entry])
            sentence = f"Supply tokens arrive in {entries}, and in friendly zones with an airfield."
            return refused("zone_must_be_eligible", sentence, TOKEN_ZONES)
        is_open = zone.entry or is_friendly(table, to, ALLIES)
        return None if is_open else refused("zone_must_be_friendly", rule=TOKEN_ZONES)

    def _refuse_zone(self, table: Table, side: Side, to: PlaceId) -> Refusal | None:
        """Return why no more units can arrive in a zone.

        Source: order.9.zones, order.9.one-unit-limit, order.9.krasnaya-sloboda, winter-storm.zones.
        """
        zone = self.board.zones.get(to)
        if zone is None or not (zone.entry if side == ALLIES else zone.takes_storm):
            zones = [one for one in self.board.zones.values() if (one.entry if side == ALLIES else one.takes_storm)]
            sentence = f"What is bought arrives in {joined([one.name for one in zones], 'or')}."
            return refused("zone_must_be_eligible", sentence, ZONES[side])
        if side == AXIS or zone.entry != LIMITED or ARRIVED.of(table, to) < self.board.file.limits.limited_units:
            return None
        return None if is_occupied(table, self.board, to, AXIS) else refused("entry_limit_must_hold")

    # What follows

    def _buy(self, draft: Draft, asked: Open, command: Buy) -> None:
        """Pay and deploy at once. Source: order.9.spend, winter-storm.persistent, ruling.token-alone-in-hostile."""
        side = draft.table.side_of(asked.seat)
        item, to = command.item, command.to
        if item == FERRY_ITEM:
            pay(draft, self.board, side, item, RuleId("ferry.destroyed-replaceable"))
            draft.mark(to, FERRY, RuleId("ferry.landing-zone-any-control"))
            show_supply(draft, self.board, FERRY_SUPPLIES)
        elif item == SUPPLY:
            pay(draft, self.board, side, item, SPEND[side])
            deploy_token(draft, side, to, TOKEN_ZONES)
        else:
            is_later = side == AXIS and not is_storm_round(draft.table)
            pay(draft, self.board, side, item, RuleId("winter-storm.persistent") if is_later else SPEND[side])
            deploy_all(draft, self.board, (item,), to, ZONES[side])
            if self.board.zones[to].entry == LIMITED and side == ALLIES:
                ARRIVED.add(draft, to, RuleId("order.9.one-unit-limit"))
            show_supply(draft, self.board)


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

        Source: order.2.even-infantry, order.2.even-infantry.not-allied, winter-storm.zones.
        """
        unit, to = command.unit, command.to
        if unit in self.board.units and not can_add(table, self.board, unit, to):
            return refused("piece_must_be_available")
        if unit not in self.units:
            return refused("unit_must_be_eligible", rule=self.rule)
        if to not in self.zones:
            names = [self.board.zones[one].name for one in self.zones]
            return refused("zone_must_be_eligible", f"It arrives in {joined(names, 'or')}.", self.zones_rule)
        if not self.board.units[unit].is_air and not is_friendly(table, to, AXIS):
            return refused("zone_must_be_friendly")
        return None

    def ask(self, draft: Draft, at: Open) -> None:
        """Ask for the unit, unless there is one choice only; without any it is lost.

        Source: order.2.even-infantry.not-allied, ruling.free-infantry-optional, ruling.pool-exhausted.
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
    """The Reinforcement phases. Source: sequence.instruction-order."""

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
        """Return whether the Axis may buy, and can. Source: order.2.rpc-locked."""
        return has_storm_begun(table) and self.purchases.is_possible(table, AXIS)


def earning(table: Table, board: Board, side: Side) -> dict[PlaceId, int]:
    """Return the RPCs that a side collects, by the zones that give them.

    Source: order.2.collect-needs-land-unit, order.9.collect, ruling.axis-rp-occupation.
    """
    held = [zone for place, zone in board.zones.items() if zone.rp and is_friendly(table, place, side)]
    return {zone.id: zone.rp for zone in held if side == ALLIES or land(table, board, zone.id, side)}
