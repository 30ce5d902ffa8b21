"""Force Multiplier: German infantry that changes boards is doubled on its way into the city, and halved on its way out (`exit_pairs`)."""

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board, UnitType
from core.games.axis_allies.components.map_records import INFANTRY
from core.games.axis_allies.memory import CREATED, MOVE
from core.games.axis_allies.rules.deployment import deploy
from core.games.axis_allies.rules.limits import can_add
from events.ids import PieceId, PlaceId, RuleId
from projections.table import Table

DOUBLED_MECH = RuleId("movement.force-multiplier.mech")
STATIC = RuleId("movement.force-multiplier.new-unit-static")


def leaves_city(board: Board, origin: PlaceId, to: PlaceId) -> bool:
    """Return whether a move leads from the City Board to the Region Board; its ends count. Source: ruling.force-multiplier-roundtrip."""
    return board.zones[origin].is_city and not board.zones[to].is_city


def is_doubled(board: Board, unit: UnitType, origin: PlaceId, to: PlaceId) -> bool:
    """Return whether a unit brings a free infantry along. Source: RuleId("movement.force-multiplier.others")."""
    return unit.has_force_multiplier and leaves_city(board, to, origin)


def arrivals(table: Table, board: Board, unit: UnitType, origin: PlaceId, to: PlaceId) -> int:
    """Return how many land units a unit's move brings into a zone. Source: ruling.stacking-eviction, ruling.force-multiplier-pool."""
    more = is_doubled(board, unit, origin, to) and can_add(table, board, _infantry(board, unit), to)
    return 2 if more else 1


def multiply(draft: Draft, board: Board, piece: PieceId, origin: PlaceId, to: PlaceId) -> None:
    """Deploy the free infantry of a unit that has moved, by land or by air.

    Source: RuleId("movement.force-multiplier.infantry"), RuleId("movement.force-multiplier.mech"), ruling.force-multiplier-pool.
    """
    unit = board.units[draft.table.pieces[piece].kind]
    if not is_doubled(board, unit, origin, to):
        return
    rule = RuleId("movement.force-multiplier.infantry") if unit.is_infantry else DOUBLED_MECH
    created = deploy(draft, board, _infantry(board, unit), to, rule)
    if created is not None:
        MOVE.set(draft, created, CREATED, STATIC)


def _infantry(board: Board, unit: UnitType) -> str:
    """Return the infantry of a unit's nation."""
    return next(kind for kind, one in board.units.items() if one.type == INFANTRY and one.nation == unit.nation)
