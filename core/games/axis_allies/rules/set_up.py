"""The set-up charts of both scenarios: cards, control, markers, tokens and units, as they lie before the first decision."""

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.chart_records import ScenarioRow
from core.games.axis_allies.ids import (
    ALLIES,
    ARTILLERY_FACTORY,
    AXIS,
    BATTLE,
    DON,
    FACTORY,
    FERRY,
    FROZEN,
    GROUND,
    ORDER_BOX,
    ORDER_DECK,
    ORDER_DISCARDS,
    POOL,
    RACE,
    RPC,
    SIDES,
    SUPPLY,
    TANK_FACTORY,
    URANUS,
    URANUS_DECK,
    URANUS_DEPLOYED,
    URANUS_DRAWN,
    URANUS_FRONT,
    WINTER_STORM,
    order_card,
    round_space,
    token,
)
from core.games.axis_allies.options import FACTORY_PLACEMENT
from core.games.axis_allies.rules.queries import free_unit, tokens
from core.games.axis_allies.rules.supply import Supply
from events.codec import Struct
from events.ids import PlaceId, RuleId, Side

URANUS_CARDS = RuleId("setup.common.uranus-deck")
CONTROL = RuleId("setup.common.control")


class Chart(Struct, frozen=True):
    """The rules that a scenario's set-up carries out; `units` are those of a side's Region Board and City Board."""

    deck: RuleId
    storm: RuleId
    weather: RuleId
    control: RuleId
    rpcs: RuleId
    tokens: RuleId
    ferries: RuleId
    factories: RuleId
    contested: RuleId
    ambushers: RuleId
    units: dict[Side, tuple[RuleId, RuleId]]


CHARTS = {
    RACE: Chart(
        deck=RuleId("setup.common.order-deck"),
        storm=RuleId("setup.race.marker-round-1"),
        weather=RuleId("setup.race.marker-round-1"),
        control=RuleId("setup.race.axis-control"),
        rpcs=RuleId("setup.race.no-income"),
        tokens=RuleId("setup.race.no-income"),
        ferries=RuleId("setup.race.ferries"),
        factories=RuleId("setup.race.factories"),
        contested=RuleId("setup.race.contested"),
        ambushers=RuleId("setup.race.allies-city"),
        units={
            AXIS: (RuleId("setup.race.axis-units"), RuleId("setup.race.axis-units")),
            ALLIES: (RuleId("setup.race.allies-region"), RuleId("setup.race.allies-city")),
        },
    ),
    URANUS: Chart(
        deck=RuleId("setup.uranus.deck"),
        storm=RuleId("setup.uranus.marker-round-7"),
        weather=RuleId("setup.uranus.don-frozen"),
        control=RuleId("setup.uranus.axis-control"),
        rpcs=RuleId("setup.uranus.axis-rpc"),
        tokens=RuleId("setup.uranus.supply-tokens"),
        ferries=RuleId("setup.uranus.ferries"),
        factories=RuleId("setup.uranus.no-factories"),
        contested=RuleId("setup.uranus.contested"),
        ambushers=RuleId("setup.uranus.ambushers"),
        units={
            AXIS: (RuleId("setup.uranus.axis-region"), RuleId("setup.uranus.axis-city")),
            ALLIES: (RuleId("setup.uranus.allies-region"), RuleId("setup.uranus.allies-city")),
        },
    ),
}


def lay_out(draft: Draft, board: Board, supply: Supply) -> None:
    """Lay the components of the match's scenario out. Source: RuleId("setup.scenario-choice")."""
    row, chart = board.scenarios[draft.table.scenario], CHARTS[draft.table.scenario]
    _form_piles(draft, board, row, chart)
    _set_control(draft, board, row, chart)
    _place_markers(draft, row, chart)
    _place_tokens(draft, board, row, chart)
    for side in SIDES:
        _place_units(draft, board, side, row, chart)
    for zone in row.battles:
        draft.mark(zone, BATTLE, chart.contested)
    supply.show(draft)


def _form_piles(draft: Draft, board: Board, row: ScenarioRow, chart: Chart) -> None:
    """Lay the Order Cards ready from the scenario's first card on, and the hidden Operation Uranus cards.

    Source: RuleId("setup.common.order-deck"), RuleId("setup.uranus.deck"), RuleId("setup.common.uranus-deck").
    """
    in_game = [number for number in sorted(board.order_cards) if number not in row.removed_cards]
    draft.form(ORDER_DECK, tuple(order_card(number) for number in in_game if number >= row.first_card), chart.deck)
    draft.form(ORDER_DISCARDS, tuple(order_card(number) for number in in_game if number < row.first_card), chart.deck)
    draft.form(ORDER_BOX, tuple(map(order_card, row.removed_cards)), chart.deck)
    draft.form(URANUS_DECK, tuple(board.uranus_cards), URANUS_CARDS, seen_by=())
    for pile in (URANUS_DRAWN, *URANUS_FRONT.values(), URANUS_DEPLOYED):
        draft.form(pile, (), URANUS_CARDS)


def _set_control(draft: Draft, board: Board, row: ScenarioRow, chart: Chart) -> None:
    """Give every zone to a side. Source: RuleId("setup.common.control"), ruling.base-zone-control."""
    for place, zone in board.zones.items():
        if zone.base is not None:
            draft.control(place, zone.base, RuleId("zone.base.definition"))
        elif place in row.axis_control:
            draft.control(place, AXIS, chart.control)
        else:
            draft.control(place, ALLIES, CONTROL)


def _place_markers(draft: Draft, row: ScenarioRow, chart: Chart) -> None:
    """Place ferries, factories and what lies on the Round Track, and give the Axis its RPCs.

    An award of the auction is there already, and factories that the players place come later.

    Source: RuleId("setup.race.no-income"), RuleId("setup.uranus.allies-rpc"), RuleId("setup.uranus.no-factories"),
    RuleId("optional.bidding.award"), RuleId("optional.factory-placement").
    """
    for number in row.bad_rounds:
        draft.mark(round_space(number), FROZEN, chart.weather)
        draft.mark(DON, FROZEN, chart.weather)
    if row.storm_round:
        draft.mark(round_space(row.storm_round), WINTER_STORM, chart.storm)
    for crossing in row.ferries:
        draft.mark(crossing, FERRY, chart.ferries)
    for name, zone in ((TANK_FACTORY, row.tank_factory), (ARTILLERY_FACTORY, row.artillery_factory)):
        if zone is not None and not FACTORY_PLACEMENT.is_on(draft.table):
            draft.mark(zone, FACTORY[name], chart.factories)
    draft.track(RPC[AXIS], draft.table.track(RPC[AXIS]) + row.axis_rpcs, chart.rpcs)


def _place_tokens(draft: Draft, board: Board, row: ScenarioRow, chart: Chart) -> None:
    """Put the supply tokens into the pools, and those of the Axis that begin on the boards out of its pool.

    Source: RuleId("components.supply-tokens"), RuleId("setup.common.pools"), ruling.uranus-tokens-source.
    """
    box = board.components
    for number in range(1, box.supply_tokens + 1):
        side = AXIS if number <= box.axis_tokens else ALLIES
        draft.place(token(number), POOL[side], RuleId("setup.common.pools"), kind=SUPPLY, side=side)
    for placed in row.axis_tokens:
        for piece in tokens(draft.table, POOL[AXIS], AXIS)[: placed.number]:
            draft.move(piece, placed.place, chart.tokens)


def _place_units(draft: Draft, board: Board, side: Side, row: ScenarioRow, chart: Chart) -> None:
    """Place a side's units, aircraft on the ground."""
    region, city = chart.units[side]
    for placed in row.axis if side == AXIS else row.allies:
        place = PlaceId(placed.place)
        zone = board.zones.get(place)
        if zone is not None:
            rule = city if zone.is_city else region
        else:
            rule = chart.ferries if place in board.crossings else chart.ambushers
        for kind, number in placed.units.items():
            face = GROUND if board.units[kind].is_air else ""
            for _ in range(number):
                draft.place(free_unit(draft.table, kind), place, rule, kind=kind, side=side, face=face)
