"""The Random Event Phase: one roll, one row of the scenario's chart, its effects for the rest of the turn.

Source: 6.2, 6.2.1, 10.1, 14.6.1.
"""

from core.engine.attributes import Declared
from core.engine.draft import Draft
from core.games.advance import memory
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import FACTORY, MAIN, EventRow, WithdrawDivision
from core.games.advance.ids import OUT_OF_ACTION, division_id, withdrawn_box
from core.games.advance.options import FACTORY_SECOND_THREE
from core.games.advance.rules.changes import change_morale
from core.games.advance.rules.queries import units_of
from events.ids import RuleId
from events.vocabulary import Value
from projections.state.table import Table

EVENT_ROLL = RuleId("6.2.roll")
MORALE_PER_MISSING_UNIT = RuleId("6.2.1.morale-per-missing-unit")
BREAKTHROUGH_64 = RuleId("14.6.1.breakthrough-64")
WITHDRAWALS = {MAIN: RuleId("6.2.1.withdraw-29th"), FACTORY: BREAKTHROUGH_64}
"""The rule by which an event takes a division off the map, by the scenario."""

MAIN_CHART: dict[int, RuleId] = {
    3: RuleId("6.2.chart.3"),
    4: RuleId("6.2.chart.4"),
    **dict.fromkeys((5, 6), RuleId("6.2.chart.5-6")),
    **dict.fromkeys((7, 8), RuleId("6.2.chart.7-8")),
    **dict.fromkeys((9, 10, 11, 12), RuleId("6.2.chart.9-12")),
    **dict.fromkeys((13, 14), RuleId("6.2.chart.13-14")),
    **dict.fromkeys((15, 16), RuleId("6.2.chart.15-16")),
    17: RuleId("6.2.chart.17"),
    18: RuleId("6.2.chart.18"),
}
"""The rule of each row of the main game's chart, by the roll. The chart itself is data: ruling.main-event-chart."""

FACTORY_CHART: dict[int, RuleId] = {
    3: BREAKTHROUGH_64,
    **dict.fromkeys((4, 17), RuleId("14.6.1.offensive")),
    **dict.fromkeys((5, 6, 15, 16), RuleId("14.6.1.shell-shortage")),
    **dict.fromkeys((7, 8, 13, 14), RuleId("14.6.1.rain")),
    **dict.fromkeys((9, 10, 11, 12), RuleId("14.6.1.commissars")),
    18: RuleId("14.6.1.breakthrough-66"),
}
"""The rule of each row of the Factory District Scenario's chart, by the roll. Source: 14.6.1, ruling.factory-event-4."""

SECOND_THREE = 4
"""What a second 3 counts as in the Factory District Scenario if that was agreed (ruling.factory-repeat-three)."""


def has_event(table: Table, board: Board) -> bool:
    """Return whether this turn has a Random Event Phase. Source: RuleId("14.6.1.no-event-on-10")."""
    chart = board.scenarios[table.scenario].events
    return chart.first_turn <= table.round <= chart.last_turn


def play(draft: Draft, board: Board) -> None:
    """Roll, and put the event into force for this turn. On turn 1 some events have no result at all.

    Source: 10.1, 14.6.1, RuleId("6.2.lasts-this-turn").
    """
    roll = sum(draft.dice(3, "Random Event", EVENT_ROLL))
    scenario = board.scenarios[draft.table.scenario]
    name = scenario.events.row(roll).name
    if draft.table.round == 1 and name in scenario.events.no_result_on_turn_1:
        draft.apply(RuleId("10.1.no-result"), f"{name} has no result on turn 1")
        return
    counted = _counted_roll(draft.table, board, roll)
    if counted != roll:
        draft.apply(
            RuleId("6.2.1.second-three"),
            f"the {roll} counts as {counted}, since its division has been withdrawn before",
        )
    rule = _chart(draft.table)[counted]
    memory.ROLL.set(draft, memory.EVENT, counted, rule)
    _apply(draft, board, scenario.events.row(counted), rule)


def _counted_roll(table: Table, board: Board, roll: int) -> int:
    """Return the roll that counts: another one if the row's division has been withdrawn once already.

    Source: RuleId("6.2.1.second-three").
    """
    row = board.scenarios[table.scenario].events.row(roll)
    if row.withdraws is None or not memory.WAS_WITHDRAWN.of(table, withdrawn_box(row.withdraws.division)):
        return roll
    if table.scenario == FACTORY and FACTORY_SECOND_THREE.chosen(table) == "as-four":
        return SECOND_THREE
    return row.repeat_as or roll


def _chart(table: Table) -> dict[int, RuleId]:
    return MAIN_CHART if table.scenario == MAIN else FACTORY_CHART


def event_rule(table: Table, otherwise: RuleId) -> RuleId:
    """Return the rule of the row of the chart that is in force; `otherwise` where a position states an effect without a roll."""
    return _chart(table).get(memory.ROLL.of(table, memory.EVENT), otherwise)


def event_in_force(table: Table, board: Board) -> str:
    """Return the printed name of the event of this turn; empty if there is none."""
    roll = memory.ROLL.of(table, memory.EVENT)
    return board.scenarios[table.scenario].events.row(roll).name if roll else ""


def _apply(draft: Draft, board: Board, row: EventRow, rule: RuleId) -> None:
    """Begin what an event does, which other chapters then apply.

    A ban on Air Support is one on placing it, in Rain as well.

    Source: 6.2, 14.6.1, ruling.air-ban.
    """
    if row.withdraws is not None:
        _withdraw(draft, board, row.withdraws, rule)
    effects: tuple[tuple[Declared, Value | None], ...] = (
        (memory.REDUCED_SUPPLY, row.supply_dice),
        (memory.AIR_BAN, row.no_air_placement or None),
        (memory.SHELL_SHORTAGES, row.artillery_bonus),
        (memory.PAUSED, tuple(sorted(map(division_id, row.paused_divisions))) or None),
        (memory.COMMISSARS, row.soviet_defence),
        (memory.RAIN, row.movement_cap),
    )
    for attribute, value in effects:
        if value is not None:
            attribute.put(draft, memory.EVENT, value, rule)


def _withdraw(draft: Draft, board: Board, leaves: WithdrawDivision, rule: RuleId) -> None:
    """Take a division's units off the map until a later Dawn; those Out of Action stay there and cost Morale.

    Source: 6.2.1, 14.6.1, ruling.29th-details.
    """
    table = draft.table
    box = withdrawn_box(leaves.division)
    why = WITHDRAWALS[table.scenario]
    units = units_of(board, leaves.division)
    leaving = [unit for unit in units if unit in table.pieces and table.pieces[unit].place in board.areas]
    missing = [unit for unit in units if unit in table.pieces_at(OUT_OF_ACTION)]
    memory.WAS_WITHDRAWN.set(draft, box, value=True, rule=rule)
    for unit in leaving:
        draft.move(unit, box, why)
    if leaving:
        memory.DUE.set(draft, box, table.round + leaves.return_after, why)
    cost = MORALE_PER_MISSING_UNIT if table.scenario == MAIN else why
    change_morale(draft, board, leaves.morale_per_unavailable_unit * len(missing), cost)
