"""Movement of land units from zone to zone: movement points, roads, obstacles, and Not One Step Back."""

from collections.abc import Collection
from functools import lru_cache
from itertools import islice
from typing import NamedTuple
from weakref import ref

from core.games.axis_allies.components.board_model import Board, UnitType
from core.games.axis_allies.components.map_records import ROCKET_LAUNCHER
from core.games.axis_allies.components.supply_lines import held_by
from core.games.axis_allies.ids import ALLIES, AXIS, enemy
from core.games.axis_allies.memory import CREATED, MOVE, MOVED, TAKEN
from core.games.axis_allies.options import BLITZ_OPENS_CORRIDOR
from core.games.axis_allies.rules.commands import Move
from core.games.axis_allies.rules.deployment import STATIC, combat_markers_left
from core.games.axis_allies.rules.queries import (
    Force,
    forces,
    fought_over,
    is_don_frozen,
    was_friendly,
)
from core.games.axis_allies.rules.refusals import refused
from core.geometry.paths import distances, rings
from core.geometry.roads import Strand
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.state.table import Table

STOP = RuleId("movement.land.stop")
NO_FURTHER = RuleId("movement.not-one-step-back.one-step")
NOT_OUT_OF_CITY = RuleId("movement.not-one-step-back.city")

NOT_OUT = "Not One Step Back: in rounds 1 and 2 no Allied land unit leaves the city, not even to attack."
ONE_STEP = "Not One Step Back: beside the enemy a unit makes one step at most, and no Blitz."

ROAD_STEPS = 2
"""The zones that Road Movement adds. Source: movement.road."""
ROUNDS_WITHOUT_RETREAT = 2
"""The rounds of Not One Step Back. Source: order.10.move."""

Reach = dict[PlaceId, bool]
"""The zones in which a move can end, and whether its last step can be made over dry land."""

Zones = frozenset[PlaceId]


class Moved:
    """Moves found before, which hold for as long as nothing that they depend on changes: the lie of the land (`Land.moved`).

    Attributes:
        by_class: The moves to zones of units of a class (`queries.like`) in a zone.
        by_zone: The moves of a whole force out of a zone, none of which has moved, with the force and the Ambush Sites that it can enter.
    """

    __slots__ = ("by_class", "by_zone")

    def __init__(self) -> None:
        self.by_class: dict[tuple[str, PlaceId], list[Move]] = {}
        self.by_zone: dict[PlaceId, tuple[Force, Collection[PlaceId], list[Move]]] = {}


class Lie(NamedTuple):
    """Zones as they lie before a side.

    Attributes:
        before: The friendly zones which were friendly since the phase began.
        held: Those of them that are uncontested. Source: movement.rear-echelon.
        open: The zones through which land units move. Source: movement.land.stop, ruling.blitz-followers.
    """

    before: Zones
    held: Zones
    open: Zones


class Land:
    """The zones as they lie before the side that moves; it holds for one state of the table.

    Attributes:
        contested: The contested zones.
        friendly: The friendly zones.
        lie: How they lie.
        must_not_step_back: Not One Step Back is in force. Source: order.10.move.

    Args:
        table: The table.
        board: The board.
        side: The side.
        taken: A hostile zone that a Blitz takes first.
    """

    def __init__(self, table: Table, board: Board, side: Side, taken: PlaceId | None = None) -> None:
        self._table = ref(table)
        self.board = board
        self.side = side
        self.contested: Zones = frozenset(fought_over(table))
        self.friendly: Zones = held_by(table, side)
        is_corridor = BLITZ_OPENS_CORRIDOR.is_on(table)
        now = frozenset(TAKEN.all_with(table, table.phase))
        self.lie = lie_of(self.friendly, now, self.contested, taken, is_corridor=is_corridor)
        self.must_not_step_back = side == ALLIES and table.round <= ROUNDS_WITHOUT_RETREAT
        self._forces: dict[PlaceId, Force] | None = None
        self._bound: Zones | None = None
        self._moved: Moved | None = None
        self._markers_left: int | None = None

    @property
    def table(self) -> Table:
        """The table; whoever asks has it, and this does not keep it."""
        table = self._table()
        assert table is not None
        return table

    @property
    def forces(self) -> dict[PlaceId, Force]:
        """The forces in all zones that hold pieces, in the order of the board."""
        if self._forces is None:
            self._forces = forces(self.table, self.board)
        return self._forces

    def is_empty(self, zone: PlaceId) -> bool:
        """Return whether a zone is hostile and uncontested, and holds no enemy unit."""
        if zone in self.friendly or zone in self.contested:
            return False
        return zone not in self.forces or not self.forces[zone].units[enemy(self.side)]

    @property
    def moved(self) -> Moved:
        """The moves found before out of uncontested zones, as the zones lie now.

        Where an Assault can begin and Not One Step Back is not in force, fights elsewhere only matter where they close a way.
        """
        if self._moved is None:
            bound = self._near_enemies if self.must_not_step_back else None
            fought = None if self.has_marker and bound is None else self.contested
            self._moved = moved_before(self.board, self.side, (self.friendly, *self.lie, fought, bound))
        return self._moved

    @property
    def has_marker(self) -> bool:
        """Whether an Assault can begin. Source: components.combat-markers.exhausted."""
        if self._markers_left is None:
            self._markers_left = combat_markers_left(self.table, self.board)
        return self._markers_left > 0

    @property
    def _near_enemies(self) -> Zones:
        if self._bound is None:
            occupied = [zone for zone, force in self.forces.items() if force.units[AXIS]]
            self._bound = frozenset([near for zone in occupied for near in self.board.zones[zone].near])
        return self._bound

    def is_bound(self, zone: PlaceId) -> bool:
        """Return whether units in a zone are adjacent to enemies, and must not step back.

        Source: movement.not-one-step-back.adjacent, movement.not-one-step-back.cross-board-adjacency,
        ruling.not-one-step-back.
        """
        return self.must_not_step_back and zone in self._near_enemies

    # The ways

    def near(self, zone: PlaceId) -> tuple[PlaceId, ...]:
        """Return the zones that a land unit can enter from one. Source: zone.base.entry, ruling.own-base-entry."""
        return _near(self.board, zone)

    def is_wet(self, origin: PlaceId, to: PlaceId) -> bool:
        """Return whether a step crosses the unfrozen Don. Source: zone.don.crossing, freeze.don-first."""
        return self.board.are_divided_by_don(origin, to) and not is_don_frozen(self.table)

    def reach(self, unit: UnitType, origin: PlaceId) -> Reach:
        """Return where a unit can go, Not One Step Back and its own restrictions aside.

        Source: movement.land.points, movement.land.stop, movement.road, movement.between-boards.
        """
        return self._search(origin, unit.move, has_road=unit.has_road_movement)

    def ends(self, unit: UnitType, origin: PlaceId) -> Collection[PlaceId]:
        """Return where a fresh unit can go from a zone, pairs and Combat Markers aside."""
        if origin in self.contested:
            return ()
        reached = self.reach(unit, origin)
        if not self.must_not_step_back and unit.type != ROCKET_LAUNCHER:
            return reached
        walks = [to for to in reached if self.refuse_launcher(unit, origin, to) is None]
        return [to for to in walks if self.refuse_way(unit, origin, to) is None]

    def is_walk(self, unit: UnitType, origin: PlaceId, to: PlaceId) -> bool:
        """Return whether a unit needs no Road Movement to reach a zone."""
        return to in self._search(origin, unit.move, has_road=False)

    def is_dry(self, unit: UnitType, origin: PlaceId, to: PlaceId) -> bool:
        """Return whether a unit can enter a zone without crossing an unfrozen river. Source: ruling.whole-moves."""
        if self.is_bound(origin):
            return not self.is_wet(origin, to)
        return self.reach(unit, origin)[to] or is_don_frozen(self.table)

    def _search(
        self, origin: PlaceId, points: int, *, has_road: bool, only_held: bool = False, in_city: bool = False
    ) -> Reach:
        ways = self.lie.held if only_held else self.lie.open
        if in_city:
            ways &= frozenset(self.board.city)
        return _reach(self.board, ways, origin, points, has_road)

    # Refusals

    def refuse_way(self, unit: UnitType, origin: PlaceId, to: PlaceId) -> Refusal | None:
        """Return why no way leads a fresh unit from a zone to another, or None if one does."""
        refusal = self._refuse_link(unit, origin, to) or self.refuse_retreat(origin, to)
        return refusal or self._refuse_length(unit, origin, to)

    def _refuse_link(self, unit: UnitType, origin: PlaceId, to: PlaceId) -> Refusal | None:
        """Return why a unit is stopped on its way, whatever the length of it.

        Source: movement.land.stop, movement.locked-in-combat, movement.no-retreat, zone.city-access.
        """
        is_reached = to in self.reach(unit, origin)
        if not is_reached and to not in self._free(origin):
            steps = distances((origin,), self.near).get(to, 0)
            most = unit.move + (ROAD_STEPS if unit.has_road_movement else 0)
            if not 0 < steps <= most:
                return refused("zones_must_be_adjacent")
            if origin not in self.contested:
                rule = STOP if steps <= unit.move else RuleId("movement.road.normal-rules")
                return refused(
                    "unit_must_not_be_locked_in_combat", "No land unit moves through a hostile or contested zone.", rule
                )
        return refused("unit_must_not_be_locked_in_combat") if origin in self.contested else None

    def refuse_retreat(self, origin: PlaceId, to: PlaceId) -> Refusal | None:
        """Return why Not One Step Back forbids a move, or None if it does not.

        Source: movement.not-one-step-back.adjacent, movement.not-one-step-back.one-step,
        movement.not-one-step-back.city.
        """
        if not self.must_not_step_back:
            return None
        if self.board.zones[origin].is_city and not self.board.zones[to].is_city:
            return refused("not_one_step_back_must_be_obeyed", NOT_OUT, NOT_OUT_OF_CITY)
        if not self.is_bound(origin):
            return None
        if to not in self.contested and to in self.friendly:
            return refused("not_one_step_back_must_be_obeyed")
        return None if to in self.near(origin) else refused("not_one_step_back_must_be_obeyed", ONE_STEP, NO_FURTHER)

    def _refuse_length(self, unit: UnitType, origin: PlaceId, to: PlaceId) -> Refusal | None:
        """Return why a way is too long. Source: movement.land.points, movement.road.contiguous."""
        if to in self.reach(unit, origin):
            is_out = self.must_not_step_back and self.board.zones[origin].is_city
            has_road = unit.has_road_movement
            if is_out and to not in self._search(origin, unit.move, has_road=has_road, in_city=True):
                return refused("not_one_step_back_must_be_obeyed", NOT_OUT, NOT_OUT_OF_CITY)
            return None
        if unit.has_road_movement and self._free(origin)[to] <= unit.move + ROAD_STEPS:
            return refused("road_must_be_contiguous")
        would_drive = to in self._search(origin, unit.move, has_road=True)
        return refused("movement_must_suffice", rule=RuleId("movement.road.who") if would_drive else None)

    def _free(self, origin: PlaceId) -> dict[PlaceId, int]:
        """Return how many steps lead to each zone in which a move of any length can end."""
        found = distances((origin,), lambda at: self.near(at) if at == origin or at in self.lie.open else ())
        del found[origin]
        return found

    def refuse_launcher(self, unit: UnitType, origin: PlaceId, to: PlaceId) -> Refusal | None:
        """Return why a rocket launcher may not go to a zone, or None if it may, or is another unit.

        Source: movement.rear-echelon, ruling.rear-echelon-contested.
        """
        if unit.type != ROCKET_LAUNCHER:
            return None
        is_reached = to in self._search(origin, unit.move, has_road=False, only_held=True)
        if is_reached and was_friendly(self.table, to, self.side):
            return None
        return refused("launcher_zone_must_have_been_friendly")

    def refuse_assault(self, to: PlaceId) -> Refusal | None:
        """Return why a unit that enters a zone could not begin an Assault, or None if it need not or can.

        Source: components.combat-markers.exhausted.
        """
        if to in self.contested or self.has_marker or to in self.friendly:
            return None
        return refused("combat_marker_must_be_available")


@lru_cache(maxsize=64)
def lie_of(
    friendly: Zones, taken: frozenset[str], contested: Zones, blitzed: PlaceId | None, *, is_corridor: bool
) -> Lie:
    """Return how the zones lie before a side.

    Args:
        friendly: Its zones.
        taken: The zones whose control has changed in the current phase.
        contested: The contested zones.
        blitzed: A hostile zone that a Blitz takes first.
        is_corridor: Other units may move through what a Blitz took.
    """
    before = friendly - taken
    held = before - contested
    if not is_corridor:
        return Lie(before, held, held)
    return Lie(before, held, (friendly if blitzed is None else friendly | {blitzed}) - contested)


@lru_cache(maxsize=64)
def moved_before(board: Board, side: Side, zones: tuple[Zones | None, ...]) -> Moved:
    """Return what is kept of the moves of a side where the zones lie like this (`Land.moved`)."""
    return Moved()


@lru_cache(maxsize=64)
def ends_before(board: Board, side: Side, friendly: Zones, contested: Zones) -> dict[str, list[PlaceId]]:
    """Return what is kept of the ends of a side's relocations and Air Transports, by mission, where these zones are friendly and contested."""
    return {}


@lru_cache(maxsize=1024)
def _reach(board: Board, ways: Zones, origin: PlaceId, points: int, has_road: bool) -> Reach:  # noqa: FBT001 - a cache.
    """Return where a unit can go through some zones; of the ways to a zone a dry one is taken. Source: ruling.whole-moves."""
    found: Reach = {}
    drive = _drive(board, ways, origin, points + ROAD_STEPS) if has_road else ()
    for at, to in (*_walk(board, ways, origin, points), *drive):
        found[to] = found.get(to, False) or not board.are_divided_by_don(at, to)
    found.pop(origin, None)
    return found


@lru_cache(maxsize=256)
def _near(board: Board, zone: PlaceId) -> tuple[PlaceId, ...]:
    return tuple([near for near in board.zones[zone].near if board.zones[near].base is None])


def _walk(board: Board, ways: Collection[PlaceId], origin: PlaceId, points: int) -> list[tuple[PlaceId, PlaceId]]:
    onward = rings((origin,), lambda at: [near for near in _near(board, at) if near in ways])
    return [(at, near) for ring in islice(onward, points) for at in ring for near in _near(board, at)]


def _drive(board: Board, ways: Collection[PlaceId], origin: PlaceId, points: int) -> list[tuple[PlaceId, PlaceId]]:
    """Follow contiguous roads. Source: movement.road.contiguous, movement.road.normal-rules."""

    def onward(strand: Strand) -> list[Strand]:
        return [other for other in board.road_steps[strand] if board.zones[other[0]].base is None]

    driven = rings(board.zones[origin].strands, lambda at: [other for other in onward(at) if other[0] in ways])
    return [(at[0], other[0]) for ring in islice(driven, points) for at in ring for other in onward(at)]


def refuse_spent(table: Table, piece: PieceId) -> Refusal | None:
    """Return why a unit that was moved or just created cannot move, or None if it can; one that landed from a crossing can.

    Source: movement.land.points, movement.force-multiplier.new-unit-static, movement.volga.offload-free.
    """
    state = MOVE.of(table, piece)
    if state not in (MOVED, CREATED):
        return None
    return refused("movement_must_suffice", rule=STATIC if state == CREATED else None)
