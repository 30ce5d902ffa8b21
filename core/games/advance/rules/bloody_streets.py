"""The beginning of the Combat Phase: Bloody Streets. Source: 6.4, 6.4.1."""

from core.engine.draft import Draft
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import GUARDS, BloodyStreetsRow
from core.games.advance.ids import SPENT
from core.games.advance.rules.changes import change_morale
from core.games.advance.rules.queries import contested_areas, counter_at, germans_at
from events.ids import PlaceId, RuleId
from events.vocabulary import Modifier
from projections.state.table import Table

COMBAT_ORDER = RuleId("6.4.order")
STREETS_ROLL = RuleId("6.4.1.roll")
SIX = RuleId("6.4.1.six")

TEM_OF_GUARDS_MODIFIER = 4


def roll_all(draft: Draft, board: Board) -> None:
    """Roll for the Contested Areas of Light or Heavy Urban terrain by number.

    Some are so from the start of the Factory District Scenario.

    Source: 6.4, RuleId("6.4.1.roll"), RuleId("14.3.1.contested-at-start"), ruling.bloody-streets-order.
    """
    for area in areas(draft.table, board):
        _roll(draft, board, area)


def areas(table: Table, board: Board) -> list[PlaceId]:
    """Return the Contested Areas of urban terrain, for each of which a die is rolled. Source: 6.4.1."""
    return [area for area in contested_areas(table, board) if board.areas[area].is_urban]


def _modifiers(table: Table, board: Board, area: PlaceId) -> tuple[Modifier, ...]:
    """Return what is added to the die: 1 for Guards where the TEM is +4, whether or not their strategy is in force.

    Source: 6.4.1, ruling.bloody-streets-guards.
    """
    counter = counter_at(table, board, area)
    are_guards = counter is not None and counter.strategy == GUARDS
    if are_guards and board.areas[area].tem == TEM_OF_GUARDS_MODIFIER:
        return (Modifier(RuleId("6.4.1.guards-modifier"), "Guards where the TEM is +4", 1),)
    return ()


def rule_of(row: BloodyStreetsRow) -> RuleId:
    """Return the rule that says what a result does. Source: 6.4.1."""
    return SIX if row.flip_spent else RuleId("6.4.1.five") if row.morale else RuleId("6.4.1.one-to-four")


def _roll(draft: Draft, board: Board, area: PlaceId) -> None:
    """Roll for one Area and execute the result: nothing, Morale, or Morale and every German unit there Spent.

    Source: 6.4.1, ruling.bloody-streets-units.
    """
    modifiers = _modifiers(draft.table, board, area)
    highest = max(row.high for row in board.bloody_streets)
    (face,) = draft.dice(1, "Bloody Streets", STREETS_ROLL, about=area, modifiers=modifiers, within=(1, highest))
    row = board.streets(face + sum(modifier.amount for modifier in modifiers))
    rule = rule_of(row)
    if row.flip_spent:
        for unit in germans_at(draft.table, area):
            draft.turn(unit, SPENT, rule)
    if row.morale:
        change_morale(draft, board, row.morale, rule)
