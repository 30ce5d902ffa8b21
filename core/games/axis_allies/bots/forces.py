"""Values of zones, and the land forces of both sides: their power against each other, and the zones that need more."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from core.games.axis_allies.components.board_model import Board, UnitType, Zone
from core.games.axis_allies.components.supply_lines import has_crossing, held_by, is_supplied
from core.games.axis_allies.ids import ALLIES, AXIS, enemy
from core.games.axis_allies.rules.queries import is_contested, is_don_frozen, is_friendly
from core.geometry.paths import distances
from events.ids import PlaceId, Side
from projections.state.table import Table

RP, KEY, EXIT, SPECIAL = 2.0, 4.0, 1.5, 1.0
"""What a Reinforcement Point, the victory conditions, an exit zone and other signs add to the worth of a zone, which is 1."""
CUT, CUT_MAX = 0.25, 6.0
"""How much of the worth of the zones counts that only this zone supplies, and the most of it."""
STEP = 2.0
"""What a unit counts besides its values, because it takes a hit."""
WET, HELP = 0.5, 0.3
"""What the Don adds to the defense of those beyond it, in the long run, and the share of the enemies next to a fight that help."""
FAR, THREAT = 0.4, 12.0
"""How much of a fast unit threatens a zone two zones away, and the power of enemies that makes a whole threat."""
ALERT, ORDINARY = 4.0, 4.5
"""The threat against which a zone of more than ordinary worth is guarded even while no enemy is near."""
GUARD, OCCUPIED = 0.8, 0.6
"""How much of the worth of a zone guards save, and what each Reinforcement Point adds that the Axis must occupy."""
CLOSER, HELD = 0.75, 1.1
"""How much less a zone draws units for each zone between, and how much it draws besides the chance to win it."""
KEPT = 4
"""For how many boards stakes are kept, and of each for how many states of control worths: those of the latest tables."""

Units = Sequence[UnitType]
Worths = Mapping[PlaceId, float]
Zones = frozenset[PlaceId]


def power(kinds: Iterable[UnitType]) -> float:
    """Return how strong land units are, wherever they are; rocket launchers only take hits."""
    return sum([kind.attack + kind.defence + STEP for kind in kinds])


class Stakes:
    """Values of the zones of a board, and the distances between them.

    Attributes:
        board: The board.
        printed: What each zone is worth by its signs.
        away: How many steps each zone is from others.
        rings: The zones to which one step leads from each zone, and those to which two lead.
        drawn: What is left of a zone's need in others.
        power: How strong one unit of each type is.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.printed = {place: self._print(zone) for place, zone in board.zones.items()}
        self.away = {place: distances((place,), self._near) for place in board.zones}
        self.rings: dict[PlaceId, tuple[list[PlaceId], list[PlaceId]]] = {place: ([], []) for place in board.zones}
        for place, far in self.away.items():
            for at, steps in far.items():
                if 1 <= steps <= 2:
                    self.rings[at][steps - 1].append(place)
        self.drawn = {place: {at: CLOSER**steps for at, steps in far.items()} for place, far in self.away.items()}
        self.power = {kind: power([unit]) for kind, unit in board.units.items()}
        self._found = lru_cache(maxsize=KEPT)(self._find)
        self._fires: dict[tuple[float, float], dict[str, float]] = {}

    def _near(self, place: PlaceId) -> list[PlaceId]:
        board = self.board
        if place == board.east_bank:
            return [row.landing for row in board.crossings.values()]
        return [near for near in board.zones[place].near if board.zones[near].base is None]

    def _print(self, zone: Zone) -> float:
        victory = self.board.file.victory
        is_key = zone.id in victory.key_zones or zone.id == victory.minor_zone or (zone.is_city and zone.rp > 0)
        is_landing = any(zone.id == row.landing for row in self.board.crossings.values())
        signs = [bool(zone.entry or zone.front), zone.takes_storm, zone.has_airfield, is_landing]
        return 1.0 + RP * zone.rp + KEY * is_key + EXIT * (zone.exit is not None) + SPECIAL * sum(signs)

    def fires(self, change: float, bonus: float) -> Mapping[str, float]:
        """Return the fire of a unit of each type in both Attack phases, with what is added to it, and more to that of its defense."""
        found = self._fires.get((change, bonus))
        if found is None:
            found = self._fires[change, bonus] = {
                name: max(0, kind.attack + change) + max(0, kind.defence + change + bonus) if kind.defence else 0
                for name, kind in self.board.units.items()
            }
        return found

    def worths(self, table: Table) -> Worths:
        """Return what each zone is worth to both sides, with the supply that its owner would lose with it."""
        crossings = [row.landing for row in self.board.crossings.values() if has_crossing(table, row.id)]
        return self._found(held_by(table, AXIS), held_by(table, ALLIES), frozenset(crossings))

    def _find(self, axis: Zones, allies: Zones, crossings: Zones) -> Worths:
        worths = dict(self.printed)
        for side, friendly in ((AXIS, axis), (ALLIES, allies)):
            exits = {*self.board.exits[side], *(crossings if side == ALLIES else ())}
            near = {zone: friendly.intersection(self.board.zones[zone].near) for zone in friendly}
            behind: dict[PlaceId, float] = defaultdict(float)
            for zone, cutting in cutting_off(near, exits & friendly).items():
                for at in cutting:
                    behind[at] += self.printed[zone]
            for zone, worth in behind.items():
                worths[zone] += min(CUT_MAX, CUT * worth)
        return worths


def cutting_off(
    near: Mapping[PlaceId, Iterable[PlaceId]], exits: Iterable[PlaceId]
) -> dict[PlaceId, frozenset[PlaceId]]:
    """Return the zones to which supply comes, each with the others without which none would.

    Args:
        near: The zones of a side that are next to each of them.
        exits: Those of them from which supply comes.
    """
    found: dict[PlaceId, frozenset[PlaceId]] = dict.fromkeys(exits, frozenset())
    changed = list(found)
    # Every way to a zone leads through what all zones before it have in common; what was found shrinks until that holds.
    while changed:
        at = changed.pop(0)
        before = found[at] | {at}
        for to in near[at]:
            was = found.get(to)
            now = before - {to} if was is None else was & before
            if now != was:
                found[to] = now
                changed.append(to)
    return found


stakes_of = lru_cache(maxsize=KEPT)(Stakes)
"""Returns the stakes of a board."""


class Forces:
    """The land units in the zones of one table, as a side sees them."""

    def __init__(self, board: Board, table: Table, side: Side) -> None:
        self.board = board
        self.table = table
        self.side = side
        self.stakes = stakes_of(board)
        self.worths = self.stakes.worths(table)
        mine: dict[PlaceId, list[UnitType]] = {}
        theirs: dict[PlaceId, list[UnitType]] = {}
        land, units, zones = board.land_units, board.units, board.zones
        for piece in table.pieces.values():
            kind, place = piece.kind, piece.place
            if kind in land and place in zones:
                held = mine if piece.side == side else theirs
                there = held.get(place)
                if there is None:
                    held[place] = [units[kind]]
                else:
                    there.append(units[kind])
        self.mine = defaultdict(list, mine)
        self.theirs = defaultdict(list, theirs)
        self._pulls: dict[PlaceId, float] = {}
        self._fires: dict[tuple[PlaceId, Side], tuple[float, float]] = {}
        self._powers: dict[PlaceId, float] = {}
        self._guards: dict[PlaceId, float] = {}

    # Fights

    def _strength(self, zone: PlaceId, kinds: Units, side: Side, bonus: float = 0.0) -> float:
        """Return how strong units of a side are in a fight in a zone: their fire in both Attack phases, for as long as they last."""
        change, fortified = self._fire(zone, side)
        fires = self.stakes.fires(change, fortified or bonus)
        return sum([fires[kind.id] for kind in kinds]) * len(kinds)

    def _fire(self, zone: PlaceId, side: Side) -> tuple[float, float]:
        """Return what is added to all fire of a side in a zone for want of supply, and to that of its defense behind fortifications."""
        found = self._fires.get((zone, side))
        if found is None:
            fire = self.board.file.fire
            is_fortified = self.board.zones[zone].is_fortified and is_friendly(self.table, zone, side)
            change = 0 if is_supplied(self.table, self.board, zone, side) else fire.unsupplied
            found = self._fires[zone, side] = (change, fire.bonus if is_fortified else 0)
        return found

    def chance(
        self, zone: PlaceId, more: Units = (), origins: Iterable[PlaceId] | None = None, support: float = 0.0
    ) -> float:
        """Return the chance that the side wins a zone in the end.

        Args:
            zone: The zone.
            more: Units that come to those of the side in it.
            origins: Where they come from, perhaps over the Don; if given, enemies next to the zone may help those in it.
            support: The attack values of the side's aircraft.
        """
        kinds = [*self.mine[zone], *more]
        if not kinds:
            return 0.0
        wet = any(self.board.are_divided_by_don(at, zone) for at in origins or ()) and not is_don_frozen(self.table)
        theirs = self._strength(zone, self.theirs[zone], enemy(self.side), WET * wet)
        if origins is not None and self.theirs[zone]:
            theirs *= (1 + HELP * self.threat(zone) / power(self.theirs[zone])) ** 2
        mine = self._strength(zone, kinds, self.side) + support * len(kinds)
        return mine / (mine + theirs) if mine else 0.0

    # Places

    def threat(self, zone: PlaceId) -> float:
        """Return the power of the enemies that can attack a zone in their next Movement phase."""
        return self._threats.get(zone, 0.0)

    @cached_property
    def _threats(self) -> dict[PlaceId, float]:
        """The power of the enemies that can attack each zone; none where it is missing."""
        found: dict[PlaceId, float] = {}
        for place, (slow, fast) in self._free.items():
            near, next_but_one = self.stakes.rings[place]
            for zone in near:
                found[zone] = found.get(zone, 0.0) + (slow + fast)
            for zone in next_but_one if fast else ():
                found[zone] = found.get(zone, 0.0) + FAR * fast
        return found

    @cached_property
    def _free(self) -> dict[PlaceId, tuple[float, float]]:
        """The power of slow and of fast enemies that are not locked in combat."""
        free = {place: kinds for place, kinds in self.theirs.items() if not is_contested(self.table, place)}
        slow = {place: power([kind for kind in kinds if kind.move == 1]) for place, kinds in free.items()}
        return {place: (slow[place], power([kind for kind in kinds if kind.move > 1])) for place, kinds in free.items()}

    def _power(self, zone: PlaceId) -> float:
        """Return how strong the units of the side in a zone are."""
        if zone not in self._powers:
            self._powers[zone] = power(self.mine[zone])
        return self._powers[zone]

    def _guard(self, zone: PlaceId, strength: float) -> float:
        """Return what it is worth that units with a power guard a zone."""
        if not strength:
            return 0.0
        threat = self.threat(zone) + ALERT * (self.worths[zone] > ORDINARY)
        held = strength / (strength + threat + 1)
        garrison = OCCUPIED * self.board.zones[zone].rp if self.side == AXIS else 0.0
        return garrison + GUARD * self.worths[zone] * min(1.0, threat / THREAT) * held

    def _guarded(self, zone: PlaceId) -> float:
        """Return what it is worth that the units of the side in a zone guard it."""
        found = self._guards.get(zone)
        if found is None:
            found = self._guards[zone] = self._guard(zone, self._power(zone))
        return found

    def join(self, zone: PlaceId, kind: UnitType) -> float:
        """Return how useful one more unit is in a zone: as a guard, and on the way to where it is needed."""
        there = self._power(zone)
        return self._guard(zone, there + self.stakes.power[kind.id]) - self._guarded(zone) + self.pull(zone)

    def leave(self, zone: PlaceId, kind: UnitType) -> float:
        """Return what one of the units in a zone is worth as a guard."""
        there = self._power(zone)
        return self._guarded(zone) - self._guard(zone, there - self.stakes.power[kind.id])

    def pull(self, place: PlaceId) -> float:
        """Return how near a place is to where units are needed."""
        if place not in self._pulls:
            drawn = self.stakes.drawn[place]
            self._pulls[place] = max([need * drawn.get(zone, 0.0) for zone, need in self._needs.items()], default=0.0)
        return self._pulls[place]

    @cached_property
    def _needs(self) -> dict[PlaceId, float]:
        """How much zones need units: those to be won for what is missing near them, those to be held for what is missing in them."""
        found: dict[PlaceId, float] = {}
        for zone, row in self.board.zones.items():
            if row.base is not None or zone == self.board.east_bank:
                continue
            if not is_friendly(self.table, zone, self.side) or self.theirs[zone]:
                near = [kind for at in row.near if not self.theirs[at] for kind in self.mine[at]]
                found[zone] = self.worths[zone] * (HELD - self.chance(zone, near))
            elif (threat := self.threat(zone)) > 0:
                missing = threat / (self._power(zone) + threat + 1)
                found[zone] = self.worths[zone] * min(1.0, threat / THREAT) * missing
        return found
