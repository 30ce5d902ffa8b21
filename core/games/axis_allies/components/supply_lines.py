"""Connections of a side's zones: the lines along which supply comes, and the crossings of the Volga.

They follow from control and crossings alone, so that a board file is checked by the same lines that the rules use.
"""

from collections.abc import Mapping
from functools import lru_cache

from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, FERRY, ICE_BRIDGE, SIDES
from core.geometry.paths import distances
from events.codec import Struct
from events.ids import PlaceId, Side
from projections.state.table import Table


class Lines(Struct, frozen=True):
    """Connections of a side's friendly zones.

    Zones that friendly zones join have the same number in `part`. `supplied` are the zones, hostile ones included, out of which a path leads to
    an exit zone of the side.

    Source: supply.region.trace, supply.region.via-city, supply.city.via-region, supply.region.hostile-exit-zone,
    supply.city.axis-exits.
    """

    part: dict[PlaceId, int]
    supplied: frozenset[PlaceId]


@lru_cache(maxsize=64)
def joined(board: Board, friendly: frozenset[PlaceId], side: Side) -> Lines:
    """Return the lines of a side that controls these zones."""
    part: dict[PlaceId, int] = {}
    for zone in board.zones:
        if zone in friendly and zone not in part:
            number = len(part)
            near = distances((zone,), lambda at: [to for to in board.zones[at].near if to in friendly])
            part.update(dict.fromkeys(near, number))
    exits = {part[zone] for zone in board.exits[side] if zone in part}
    supplied = [zone for zone in board.zones if not exits.isdisjoint(parts_near(board, part, zone))]
    return Lines(part, board.exits[side].union(supplied))


LATEST: dict[int, tuple[Mapping[PlaceId, Side], dict[Side, frozenset[PlaceId]]]] = {}
"""The zones of both sides in the latest states of control, by the identity of `Table.control`, which is kept with them."""
LATEST_MAX = 64


def held_by(table: Table, side: Side) -> frozenset[PlaceId]:
    """Return the zones that a side controls. Source: zone.friendly-hostile."""
    # Bots and rules ask for them many times on each table, whose control is replaced and never changed in place.
    control = table.control
    kept = LATEST.get(id(control))
    if kept is None:
        if len(LATEST) >= LATEST_MAX:
            LATEST.clear()
        zones = {one: frozenset([zone for zone, owner in control.items() if owner == one]) for one in SIDES}
        kept = LATEST[id(control)] = (control, zones)
    return kept[1][side]


def lines(table: Table, board: Board, side: Side) -> Lines:
    """Return a side's lines. Source: supply.continuous, supply.region.length."""
    return joined(board, held_by(table, side), side)


def parts_near(board: Board, part: Mapping[PlaceId, int], zone: PlaceId) -> set[int]:
    """Return the parts into which a path out of a zone leads. Source: supply.region.out-of-hostile."""
    return {part[at] for at in (zone, *board.zones[zone].near) if at in part}


def has_line(table: Table, board: Board, zone: PlaceId, side: Side) -> bool:
    """Return whether a path leads from a zone to an exit zone of a side, the Volga left aside.

    Source: supply.region.trace, supply.region.hostile-exit-zone, supply.city.axis-exits,
    ruling.victory-supply-line.
    """
    return zone in lines(table, board, side).supplied


def is_supplied(table: Table, board: Board, zone: PlaceId, side: Side) -> bool:
    """Return whether a side's land force in a zone is supplied, tokens aside.

    Source: supply.definition, supply.city.krasnaya-sloboda.
    """
    if has_line(table, board, zone, side):
        return True
    return side == ALLIES and (zone == board.east_bank or _has_crossing(table, board, zone))


def _has_crossing(table: Table, board: Board, zone: PlaceId) -> bool:
    """Return whether a path leads from a zone over the crossing of its own sector.

    Source: supply.city.volga-crossing, supply.city.hostile-landing-zone,
    supply.city.crossing-path-may-wander, supply.city.entering-sector, ruling.city-sector-trace.
    """
    crossing = board.crossing_of(zone)
    if crossing is None or not has_crossing(table, crossing.id):
        return False
    part = lines(table, board, ALLIES).part
    return zone == crossing.landing or part.get(crossing.landing) in parts_near(board, part, zone)


def has_crossing(table: Table, crossing: PlaceId) -> bool:
    """Return whether a ferry or an ice bridge is in place. Source: ferry.supply-role."""
    return table.marker(crossing, FERRY) > 0 or table.marker(crossing, ICE_BRIDGE) > 0
