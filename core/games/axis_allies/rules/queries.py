"""Queries of the table: forces, control, contested zones, weather, rivers, and differences between units.

Functions that ask for units count those in the place itself; what a bomber carries is in no place.
"""

from collections import Counter
from collections.abc import Collection, Iterable

from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.memory import HOME, MISSION, MOVE, TAKEN
from events.ids import PieceId, PlaceId, Side
from projections.state.table import Table

# Units


def _of(table: Table, kinds: Collection[str], place: PlaceId, side: Side) -> list[PieceId]:
    pieces = table.pieces
    return [one for one in table.at.get(place, ()) if pieces[one].side == side and pieces[one].kind in kinds]


def units(table: Table, board: Board, place: PlaceId, side: Side) -> list[PieceId]:
    """Return a side's units in a place, in the order of their arrival."""
    return _of(table, board.units, place, side)


def land(table: Table, board: Board, place: PlaceId, side: Side) -> list[PieceId]:
    """Return a side's land units in a place. Source: unit.class.land."""
    return _of(table, board.land_units, place, side)


def air(table: Table, board: Board, place: PlaceId, side: Side) -> list[PieceId]:
    """Return a side's air units in a place, on the ground or in the air. Source: unit.class.air."""
    return _of(table, board.air_units, place, side)


def zones_with(table: Table, board: Board, kinds: Collection[str], side: Side) -> list[PlaceId]:
    """Return the zones in which a side has units of some types, in the order of the board."""
    pieces, at, found = table.pieces, table.at, list[PlaceId]()
    for zone in board.zones:
        for one in at.get(zone, ()):
            there = pieces[one]
            if there.side == side and there.kind in kinds:
                found.append(zone)
                break
    return found


def is_occupied(table: Table, board: Board, place: PlaceId, side: Side) -> bool:
    """Return whether a side has a unit in a place. Source: zone.occupied."""
    pieces = table.pieces
    for one in table.at.get(place, ()):
        there = pieces[one]
        if there.side == side and there.kind in board.units:
            return True
    return False


def tokens(table: Table, place: PlaceId, side: Side) -> list[PieceId]:
    """Return a side's supply tokens in a place. Source: supply.token.ownership."""
    return _of(table, (ids.SUPPLY,), place, side)


def like(table: Table, piece: PieceId) -> str:
    """Return the class of a piece: those in one place that share it are interchangeable.

    It tells the kind and, of units that can still differ, the face, the mission, where an interceptor returns, the state of movement
    and the cargo. A Volga Crossing that might be hit is its own class.
    """
    there = table.pieces.get(piece)
    if there is None:
        return piece
    if not there.face and piece not in table.attributes:
        return there.kind
    cargo = sorted([table.pieces[one].kind for one in table.cargo(piece)])
    states = [there.face, MISSION.of(table, piece), HOME.of(table, piece), MOVE.of(table, piece), *cargo]
    return " ".join([there.kind, *[state for state in states if state]])


def classes(table: Table, board: Board, place: PlaceId, side: Side) -> Counter[str]:
    """Return how many units of each class a side has in a place, in the order of their arrival."""
    return Counter([like(table, piece) for piece in units(table, board, place, side)])


def all_like(
    table: Table, side: Side, wanted: Iterable[tuple[PlaceId, str]], *, but: Collection[PieceId] = ()
) -> list[PieceId]:
    """Return a side's first pieces of classes in places, each once, some left aside, as far as there are any."""
    found: list[PieceId] = []
    for place, one in wanted:
        there = [piece for piece in table.pieces_at(place) if table.pieces[piece].side == side]
        found += [piece for piece in there if piece not in but and piece not in found and like(table, piece) == one][:1]
    return found


def first_like(
    table: Table, side: Side, place: PlaceId, wanted: str, *, but: Collection[PieceId] = ()
) -> PieceId | None:
    """Return a side's first piece of a class in a place, some left aside, or None."""
    return next(iter(all_like(table, side, ((place, wanted),), but=but)), None)


def free_unit(table: Table, kind: str) -> PieceId:
    """Return the id under which a unit of a type comes onto the table. Source: components.return-to-pool."""
    number = 1
    while (name := ids.unit(kind, number)) in table.pieces:
        number += 1
    return name


# Zones


def is_friendly(table: Table, zone: PlaceId, side: Side) -> bool:
    """Return whether a side controls a zone. Source: zone.friendly-hostile."""
    return table.control.get(zone) == side


def was_friendly(table: Table, zone: PlaceId, side: Side) -> bool:
    """Return whether a side has controlled a zone since the current phase began."""
    return is_friendly(table, zone, side) and TAKEN.of(table, zone) != table.phase


def is_assaulted(table: Table, place: PlaceId) -> bool:
    """Return whether a Combat Marker shows Assault. Source: movement.assault-marker."""
    return table.marker(place, ids.ASSAULT) > 0


def is_in_battle(table: Table, zone: PlaceId) -> bool:
    """Return whether a Combat Marker shows Battle. Source: combat.step6.battle."""
    return table.marker(zone, ids.BATTLE) > 0


def is_contested(table: Table, zone: PlaceId) -> bool:
    """Return whether a Combat Marker lies in a zone. Source: zone.contested."""
    return is_assaulted(table, zone) or is_in_battle(table, zone)


def fought_over(table: Table) -> set[PlaceId]:
    """Return the places with Combat Markers: the contested zones, and those above crossings."""
    markers = table.markers
    return {PlaceId(place) for place, there in markers.items() if ids.ASSAULT in there or ids.BATTLE in there}


def contested(table: Table, board: Board) -> list[PlaceId]:
    """Return the contested zones in the order of the board."""
    found = fought_over(table)
    return [zone for zone in board.zones if zone in found]


def has_target(table: Table, crossing: PlaceId) -> bool:
    """Return whether there is something to attack: a ferry, or what is on an ice bridge. Source: volga-attack.declare."""
    return table.marker(crossing, ids.FERRY) > 0 or bool(table.pieces_at(crossing))


def reacting(table: Table) -> Side:
    """Return the side that reacts or defends: the one whose turn it is not."""
    return ids.enemy(table.turn)


# Weather and the Round Track


def bad_rounds(table: Table, board: Board) -> int:
    """Return how often bad weather has occurred. Source: order.1.marker."""
    return sum(table.marker(ids.round_space(number), ids.FROZEN) for number in range(1, board.file.limits.rounds + 1))


def is_bad_weather(table: Table) -> bool:
    """Return whether this is a round of bad weather. Source: order.1.weather-effect."""
    return table.marker(ids.round_space(table.round), ids.FROZEN) > 0


def is_don_frozen(table: Table) -> bool:
    """Return whether the Don is frozen. Source: freeze.don-first, freeze.permanent."""
    return table.marker(ids.DON, ids.FROZEN) > 0


def is_volga_frozen(table: Table, board: Board) -> bool:
    """Return whether the Volga is frozen. Source: freeze.volga-second, freeze.permanent."""
    return bad_rounds(table, board) > 1


def storm_round(table: Table, board: Board) -> int:
    """Return the round of the Operation Winter Storm Marker, 0 while it lies beside the track.

    It is on the track exactly since Operation Uranus was launched. Source: winter-storm.marker-place.
    """
    rounds = range(1, board.file.limits.rounds + 1)
    return next((number for number in rounds if table.marker(ids.round_space(number), ids.WINTER_STORM)), 0)


def is_storm_round(table: Table) -> bool:
    """Return whether Operation Winter Storm begins in this round. Source: order.2.winter-storm-air."""
    return table.marker(ids.round_space(table.round), ids.WINTER_STORM) > 0


def has_storm_begun(table: Table) -> bool:
    """Return whether Operation Winter Storm has begun. Source: order.2.rpc-locked, winter-storm.persistent."""
    return any(table.marker(ids.round_space(number), ids.WINTER_STORM) for number in range(1, table.round + 1))
