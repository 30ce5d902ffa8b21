"""The set-up charts of both scenarios: cards, control, markers, tokens and units, as they lie before the first decision."""

from core.draft import Draft
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.board_records import ScenarioRow
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
    ids.RACE: Chart(
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
            ids.AXIS: (RuleId("setup.race.axis-units"), RuleId("setup.race.axis-units")),
            ids.ALLIES: (RuleId("setup.race.allies-region"), RuleId("setup.race.allies-city")),
        },
    ),
    ids.URANUS: Chart(
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
            ids.AXIS: (RuleId("setup.uranus.axis-region"), RuleId("setup.uranus.axis-city")),
            ids.ALLIES: (RuleId("setup.uranus.allies-region"), RuleId("setup.uranus.allies-city")),
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
    for side in ids.SIDES:
        _place_units(draft, board, side, row, chart)
    for zone in row.battles:
        draft.mark(zone, ids.BATTLE, chart.contested)
    supply.show(draft)


def _form_piles(draft: Draft, board: Board, row: ScenarioRow, chart: Chart) -> None:
    """Lay the Order Cards ready from the scenario's first card on, and the hidden Operation Uranus cards.

    Source: RuleId("setup.common.order-deck"), RuleId("setup.uranus.deck"), RuleId("setup.common.uranus-deck").
    """
    in_game = [number for number in sorted(board.order_cards) if number not in row.removed_cards]
    draft.form(
        ids.ORDER_DECK, tuple(ids.order_card(number) for number in in_game if number >= row.first_card), chart.deck
    )
    draft.form(
        ids.ORDER_DISCARDS, tuple(ids.order_card(number) for number in in_game if number < row.first_card), chart.deck
    )
    draft.form(ids.ORDER_BOX, tuple(map(ids.order_card, row.removed_cards)), chart.deck)
    draft.form(ids.URANUS_DECK, tuple(board.uranus_cards), URANUS_CARDS, seen_by=())
    for pile in (ids.URANUS_DRAWN, *ids.URANUS_FRONT.values(), ids.URANUS_DEPLOYED):
        draft.form(pile, (), URANUS_CARDS)


def _set_control(draft: Draft, board: Board, row: ScenarioRow, chart: Chart) -> None:
    """Give every zone to a side. Source: RuleId("setup.common.control"), ruling.base-zone-control."""
    for place, zone in board.zones.items():
        if zone.base is not None:
            draft.control(place, zone.base, RuleId("zone.base.definition"))
        elif place in row.axis_control:
            draft.control(place, ids.AXIS, chart.control)
        else:
            draft.control(place, ids.ALLIES, CONTROL)


def _place_markers(draft: Draft, row: ScenarioRow, chart: Chart) -> None:
    """Place ferries, factories and what lies on the Round Track, and give the Axis its RPCs.

    An award of the auction is there already, and factories that the players place come later.

    Source: RuleId("setup.race.no-income"), RuleId("setup.uranus.allies-rpc"), RuleId("setup.uranus.no-factories"),
    RuleId("optional.bidding.award"), RuleId("optional.factory-placement").
    """
    for number in row.bad_rounds:
        draft.mark(ids.round_space(number), ids.FROZEN, chart.weather)
        draft.mark(ids.DON, ids.FROZEN, chart.weather)
    if row.storm_round:
        draft.mark(ids.round_space(row.storm_round), ids.WINTER_STORM, chart.storm)
    for crossing in row.ferries:
        draft.mark(crossing, ids.FERRY, chart.ferries)
    for name, zone in ((ids.TANK_FACTORY, row.tank_factory), (ids.ARTILLERY_FACTORY, row.artillery_factory)):
        if zone is not None and not FACTORY_PLACEMENT.is_on(draft.table):
            draft.mark(zone, ids.FACTORY[name], chart.factories)
    draft.track(ids.RPC[ids.AXIS], draft.table.track(ids.RPC[ids.AXIS]) + row.axis_rpcs, chart.rpcs)


def _place_tokens(draft: Draft, board: Board, row: ScenarioRow, chart: Chart) -> None:
    """Put the supply tokens into the pools, and those of the Axis that begin on the boards out of its pool.

    Source: RuleId("components.supply-tokens"), RuleId("setup.common.pools"), ruling.uranus-tokens-source.
    """
    box = board.components
    for number in range(1, box.supply_tokens + 1):
        side = ids.AXIS if number <= box.axis_tokens else ids.ALLIES
        draft.place(ids.token(number), ids.POOL[side], RuleId("setup.common.pools"), kind=ids.SUPPLY, side=side)
    for placed in row.axis_tokens:
        for piece in tokens(draft.table, ids.POOL[ids.AXIS], ids.AXIS)[: placed.number]:
            draft.move(piece, placed.place, chart.tokens)


def _place_units(draft: Draft, board: Board, side: Side, row: ScenarioRow, chart: Chart) -> None:
    """Place a side's units, aircraft on the ground."""
    region, city = chart.units[side]
    for placed in row.axis if side == ids.AXIS else row.allies:
        place = PlaceId(placed.place)
        zone = board.zones.get(place)
        if zone is not None:
            rule = city if zone.is_city else region
        else:
            rule = chart.ferries if place in board.crossings else chart.ambushers
        for kind, number in placed.units.items():
            face = ids.GROUND if board.units[kind].is_air else ""
            for _ in range(number):
                draft.place(free_unit(draft.table, kind), place, rule, kind=kind, side=side, face=face)
