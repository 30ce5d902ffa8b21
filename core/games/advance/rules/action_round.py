"""One look at the Action Round that is being played, and the ways into it.

Owns the reading alone; who changes what is remembered is the business of `activation`, `movement` and `attack`.
"""

from core.games.advance import memory
from core.games.advance.ids import FRESH
from events.ids import PieceId, PlaceId
from projections.table import Table

NO_UNIT = PieceId("")


class ActionRound:
    """One look at the round that is being played.

    `area` is the Active Area, empty between rounds. `units` are the German units that stood in it when it was
    activated and are still on the map, sorted by name. `moving` is the unit whose move can go on, empty if there is
    none, with `left` MF. `mandatory` lists the Areas where a Mandatory Attack is still to be declared. `has_acted` says
    whether a unit has moved or attacked.
    """

    __slots__ = ("area", "has_acted", "left", "mandatory", "moving", "units")

    def __init__(self, table: Table) -> None:
        self.area = memory.active_area(table)
        self.units = memory.active_units(table, self.area)
        self.mandatory = memory.mandatory_areas(table)
        self.moving = NO_UNIT
        self.left = 0
        moved = [unit for unit in self.units if unit in table.attributes and memory.has_moved(table, unit)]
        for unit in moved:
            self.left = memory.movement_left(table, unit)
            if self.left:
                self.moving = unit
                break
        self.has_acted = bool(moved) or bool(memory.ATTACKERS.on(table))


def entrants(table: Table, now: ActionRound, area: PlaceId) -> tuple[PieceId, ...]:
    """Return the units that entered a Soviet-occupied Area in this round and can still attack there, sorted by name.

    Source: 9.1, 9.2.
    """
    return tuple([unit for unit in now.units if _is_at(table, unit, area) and memory.entry_area(table, unit)])


def starters(table: Table, now: ActionRound) -> tuple[PieceId, ...]:
    """Return the Fresh units that stood in the Active Area from the start and have not moved, sorted by name.

    Source: 8.2, 9.3.
    """
    return tuple([unit for unit in now.units if _is_at(table, unit, now.area) and not memory.has_moved(table, unit)])


def _is_at(table: Table, unit: PieceId, area: PlaceId) -> bool:
    piece = table.pieces[unit]
    return piece.place == area and piece.face == FRESH
