"""Queries of the table: forces, control, contested zones, weather, rivers, and differences between units.

Functions that ask for units count those in the place itself; what a bomber carries is in no place.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Generic, TypeVar
from weakref import ref

from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import TANK
from core.games.axis_allies.memory import HOME, MISSION, MOVE, MOVED, TAKEN
from events.ids import PieceId, PlaceId, Side
from projections.state.table import Table

Found = TypeVar("Found")


class Latest(Generic[Found]):
    """Value found on a table, which holds until its next event: a list of options asks for it many times.

    Args:
        find: Finds it.
    """

    __slots__ = ("_find", "_latest")

    def __init__(self, find: Callable[[Table], Found]) -> None:
        self._find = find
        # Not the table itself: rules that a policy is given must not lead to that of the match, which knows the seed.
        self._latest: tuple[ref[Table], int, Found] | None = None

    def of(self, table: Table) -> Found:
        """Return what there is on a table; not to be changed."""
        latest = self._latest
        if latest is None or latest[0]() is not table or latest[1] != table.seq:
            latest = self._latest = (ref(table), table.seq, self._find(table))
        return latest[2]

    def forget(self) -> None:
        """Find it anew the next time."""
        self._latest = None


# Units


class Force:
    """The units in a place, which are the same for as long as its list of pieces is: a unit never changes its type or its side.

    Attributes:
        board: The board.
        there: The list of pieces.
        units: The units of each side, in the order of their arrival.
        land: The land units of each side. Source: unit.class.land.
        air: The air units of each side, on the ground or in the air. Source: unit.class.air.
        land_kinds: The first land unit of each type of each side.
        tanks: The sides with tanks.
    """

    __slots__ = ("air", "board", "land", "land_kinds", "tanks", "there", "units")

    def __init__(self, table: Table, board: Board, there: tuple[PieceId, ...]) -> None:
        self.board = board
        self.there = there
        self.units: dict[Side, list[PieceId]] = {side: [] for side in ids.SIDES}
        self.land: dict[Side, list[PieceId]] = {side: [] for side in ids.SIDES}
        self.air: dict[Side, list[PieceId]] = {side: [] for side in ids.SIDES}
        self.land_kinds: dict[Side, dict[str, PieceId]] = {side: {} for side in ids.SIDES}
        self.tanks: set[Side] = set()
        for name in there:
            piece = table.pieces[name]
            unit = board.units.get(piece.kind)
            if unit is None:
                continue
            side = piece.side
            self.units[side].append(name)
            if unit.is_air:
                self.air[side].append(name)
                continue
            self.land[side].append(name)
            self.land_kinds[side].setdefault(piece.kind, name)
            if unit.type == TANK:
                self.tanks.add(side)


FORCES: dict[int, Force] = {}
"""The forces of the latest lists of pieces of places (`Table.at`), by the identity of the list, which is kept with them."""
FORCES_MAX = 1024


def force(table: Table, board: Board, place: PlaceId) -> Force:
    """Return the units in a place; not to be changed."""
    # Rules and bots ask for them hundreds of times on each table, and a command changes those of one or two places.
    there = table.at.get(place, ())
    kept = FORCES.get(id(there))
    if kept is None or kept.there is not there or kept.board is not board:
        if len(FORCES) >= FORCES_MAX:
            FORCES.clear()
        kept = FORCES[id(there)] = Force(table, board, there)
    return kept


def units(table: Table, board: Board, place: PlaceId, side: Side) -> list[PieceId]:
    """Return a side's units in a place, in the order of their arrival."""
    return list(force(table, board, place).units.get(side, ()))


def land(table: Table, board: Board, place: PlaceId, side: Side) -> list[PieceId]:
    """Return a side's land units in a place. Source: unit.class.land."""
    return list(force(table, board, place).land.get(side, ()))


def air(table: Table, board: Board, place: PlaceId, side: Side) -> list[PieceId]:
    """Return a side's air units in a place, on the ground or in the air. Source: unit.class.air."""
    return list(force(table, board, place).air.get(side, ()))


def forces(table: Table, board: Board) -> dict[PlaceId, Force]:
    """Return the forces in all zones that hold pieces, in the order of the board."""
    at = table.at
    return {zone: force(table, board, zone) for zone in board.zones if at.get(zone)}


def zones_with_air(table: Table, board: Board, side: Side) -> list[PlaceId]:
    """Return the zones in which a side has air units, in the order of the board."""
    return [zone for zone, there in forces(table, board).items() if there.air[side]]


def is_occupied(table: Table, board: Board, place: PlaceId, side: Side) -> bool:
    """Return whether a side has a unit in a place. Source: zone.occupied."""
    return bool(force(table, board, place).units.get(side))


def tokens(table: Table, place: PlaceId, side: Side) -> list[PieceId]:
    """Return a side's supply tokens in a place. Source: supply.token.ownership."""
    pieces, found = table.pieces, list[PieceId]()
    for one in table.at.get(place, ()):
        piece = pieces[one]
        if piece.kind == ids.SUPPLY and piece.side == side:
            found.append(one)
    return found


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


def movable(table: Table, side: Side, there: Iterable[PieceId]) -> dict[str, PieceId]:
    """Return the first of each class of a side's pieces in a place that have not moved, in the order of their arrival."""
    pieces, attributes, found = table.pieces, table.attributes, dict[str, PieceId]()
    for name in there:
        piece = pieces[name]
        if piece.side != side:
            continue
        if name not in attributes and not piece.face:
            # Nothing else tells most units apart, and a side has many.
            found.setdefault(piece.kind, name)
        elif MOVE.of(table, name) != MOVED:
            found.setdefault(like(table, name), name)
    return found


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
