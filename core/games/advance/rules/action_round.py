"""What an Action Round remembers, read from the markers of the table in one pass, and the ways into it.

Owns the reading of the markers alone; who puts them down and takes them off is the business of `activation`, `movement`
and `attack`.
"""

from core.games.advance.ids import (
    ACTIVE,
    ATTACKED,
    CONTESTED_AT_ACTIVATION,
    ENTERED_FROM,
    FRESH,
    MANDATORY,
    MOVED,
    MOVING,
)
from events.ids import MarkerId, PieceId, PlaceId
from projections.table import Table


class ActionRound:
    """One look at the round that is being played.

    `area` is the Active Area, empty between rounds. `units` are the German units that stood in it when it was
    activated and are still on the map, sorted by name. `moving` is the unit whose move can go on, empty if there is
    none, with `left` MF. `mandatory` lists the Areas where a Mandatory Attack is due or being fought. `has_acted` says
    whether a unit has moved or attacked.
    """

    __slots__ = ("area", "has_acted", "left", "mandatory", "moving", "units")

    def __init__(self, table: Table) -> None:
        """Read the markers."""
        self.area = PlaceId("")
        self.moving = PieceId("")
        self.left = 0
        self.has_acted = False
        units: list[PieceId] = []
        mandatory: list[PlaceId] = []
        pieces = table.pieces
        for on, there in table.markers.items():
            if on in pieces:
                if ACTIVE in there:
                    units.append(PieceId(on))
                    if MOVED in there:
                        self.has_acted = True
                    if MOVING in there:
                        self.moving = PieceId(on)
                        self.left = there[MOVING] - 1
            else:
                if ACTIVE in there:
                    self.area = PlaceId(on)
                if ATTACKED in there:
                    self.has_acted = True
                if MANDATORY in there:
                    mandatory.append(PlaceId(on))
        units.sort()
        mandatory.sort()
        self.units = units
        self.mandatory = mandatory


def was_contested(table: Table, area: PlaceId) -> bool:
    """Say whether an Area was Contested when the Active Area was chosen. Source: 8.1, 9.1."""
    return bool(table.marker(area, CONTESTED_AT_ACTIVATION))


def was_attacked(table: Table, area: PlaceId) -> bool:
    """Say whether an Area was attacked in this Action Round. Source: 8.2.1."""
    return bool(table.marker(area, ATTACKED))


def has_moved(table: Table, unit: PieceId) -> bool:
    """Say whether a unit has moved in this Action Round. Source: 8.2."""
    return bool(table.marker(unit, MOVED))


def entry_area(table: Table, unit: PieceId) -> PlaceId:
    """Return the Area from which a unit stepped into the Soviet-occupied Area where it is; empty if it did not.

    Source: 9.5.8.
    """
    for marker in table.markers.get(unit, {}):
        if marker.startswith(ENTERED_FROM):
            return PlaceId(marker[len(ENTERED_FROM) :])
    return PlaceId("")


def entry_marker(area: PlaceId) -> MarkerId:
    """Return the marker of a unit that entered a Soviet-occupied Area from this one."""
    return MarkerId(f"{ENTERED_FROM}{area}")


def entrants(table: Table, now: ActionRound, area: PlaceId) -> tuple[PieceId, ...]:
    """Return the units that entered a Soviet-occupied Area in this round and can still attack there, sorted by name.

    Source: 9.1, 9.2.
    """
    return tuple([unit for unit in now.units if _is_at(table, unit, area) and entry_area(table, unit)])


def starters(table: Table, now: ActionRound) -> tuple[PieceId, ...]:
    """Return the Fresh units that stood in the Active Area from the start and have not moved, sorted by name.

    Source: 8.2, 9.3.
    """
    return tuple([unit for unit in now.units if _is_at(table, unit, now.area) and not has_moved(table, unit)])


def _is_at(table: Table, unit: PieceId, area: PlaceId) -> bool:
    piece = table.pieces[unit]
    return piece.place == area and piece.face == FRESH
