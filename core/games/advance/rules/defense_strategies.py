"""Chapter 9.4: which Defense Strategy a Soviet unit has in force. What each of them does stands where it does it."""

from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import GUARDS, SovietCounter
from core.games.advance.memory import has_strategy_in_force
from core.games.advance.rules.queries import counter_at
from events.ids import PlaceId
from projections.table import Table


def revealed_counter(table: Table, board: Board, area: PlaceId) -> SovietCounter:
    """Return the counter of the Soviet unit of an Area under attack: it is Revealed by then, in a Contested Area before.

    Source: 4.4, 7.3; RuleId("7.3.contested-is-revealed").
    """
    counter = counter_at(table, board, area)
    assert counter is not None, f"no Revealed Soviet unit in Area {area}"
    return counter


def strategy_in_force(table: Table, board: Board, area: PlaceId) -> str:
    """Return the Defense Strategy that works in the attack on an Area; empty if it is used up.

    A strategy works in the Action Round of the reveal alone; Pavlov's House is Guards every time.

    Source: 4.4, 9.4, 12.6; RuleId("4.4.strategy-once"), RuleId("12.6.guards-every-time").
    """
    counter = revealed_counter(table, board, area)
    if has_strategy_in_force(table, area):
        return counter.strategy
    return GUARDS if counter.is_always_guards else ""
