"""The land forces of both sides in each zone, what they can do to each other, and where more are needed."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from core.games.axis_allies.bots.stakes import Stakes
from core.games.axis_allies.components.board_model import Board, UnitType
from core.games.axis_allies.ids import AXIS, enemy
from core.games.axis_allies.rules.queries import is_contested, is_don_frozen, is_friendly
from core.games.axis_allies.rules.supply import Supply
from events.ids import PlaceId, Side
from projections.table import Table

STEP = 2.0
"""What a unit counts besides its values, because it takes a hit."""
FAR = 0.4
"""How much a fast unit threatens a zone that is two zones away, compared with one next to it."""
THREAT = 12.0
"""The power of enemies next to a zone that makes a whole threat."""
CLOSER = 0.75
"""How much less a zone draws a unit for each zone that it is farther away."""
WET, HELP = 0.5, 0.3
"""What the Don adds to the defense of those beyond it, in the long run, and the share of the enemies next to a fight that help."""
ALERT = 4.0
"""The threat against which zones of more than ordinary worth are guarded even while no enemy is near."""
ORDINARY = 4.5
GUARD = 0.8
"""How much of the worth of a zone its guard can save."""
OCCUPIED = 0.6
"""What it is worth to the Axis to keep a unit in a zone, for each Reinforcement Point."""

Units = Sequence[UnitType]


def power(kinds: Iterable[UnitType]) -> float:
    """Return how strong land units are, wherever they are; rocket launchers only take hits."""
    return sum([kind.attack + kind.defence + STEP for kind in kinds])


class Forces:
    """The land units on one table, as a side sees them.

    Args:
        board: The board.
        stakes: The worth of its zones.
        supply: The supply on it.
        table: The table.
        side: The side.
    """

    def __init__(self, board: Board, stakes: Stakes, supply: Supply, table: Table, side: Side) -> None:
        self.board = board
        self.stakes = stakes
        self.supply = supply
        self.table = table
        self.side = side
        self.worths = stakes.worths(table)
        self.mine: dict[PlaceId, list[UnitType]] = defaultdict(list)
        self.theirs: dict[PlaceId, list[UnitType]] = defaultdict(list)
        for piece in table.pieces.values():
            kind = board.units.get(piece.kind)
            if kind is not None and not kind.is_air and piece.place in board.zones:
                (self.mine if piece.side == side else self.theirs)[piece.place].append(kind)
        self._uses: dict[PlaceId, float] = {}
        self._threats: dict[PlaceId, float] = {}

    # Fights

    def strength(self, zone: PlaceId, kinds: Units, side: Side, bonus: float = 0.0) -> float:
        """Return how strong units of a side are in a fight in a zone: their fire in both Attack phases, for as long as they last."""
        change = 0 if self.supply.is_supplied(self.table, zone, side) else self.board.fire.unsupplied
        if self.board.zones[zone].is_fortified and is_friendly(self.table, zone, side):
            bonus = self.board.fire.bonus
        fire = [max(0, kind.attack + change) + max(0, kind.defence + change + bonus) for kind in kinds if kind.defence]
        return sum(fire) * len(kinds)

    def chance(self, zone: PlaceId, more: Units = (), support: float = 0.0) -> float:
        """Return the chance that the side wins a zone in the end, with more units and with the support of aircraft."""
        theirs = self.strength(zone, self.theirs[zone], enemy(self.side))
        kinds = [*self.mine[zone], *more]
        mine = self.strength(zone, kinds, self.side) + support * len(kinds)
        return mine / (mine + theirs) if mine else 0.0

    def odds(self, zone: PlaceId, more: Units = (), origins: Sequence[PlaceId] = ()) -> float:
        """Return the chance where enemies next to the zone come to help, and where more units come over the Don."""
        wet = any(self.board.are_divided_by_don(at, zone) for at in origins) and not is_don_frozen(self.table)
        theirs = self.strength(zone, self.theirs[zone], enemy(self.side), WET * wet)
        theirs *= (1 + HELP * self.threat(zone) / power(self.theirs[zone])) ** 2
        mine = self.strength(zone, [*self.mine[zone], *more], self.side)
        return mine / (mine + theirs) if mine else 0.0

    # Places

    def threat(self, zone: PlaceId) -> float:
        """Return the power of the enemies that can attack a zone in their next Movement phase."""
        if zone not in self._threats:
            away, found = self.stakes.away[zone], 0.0
            for place, (slow, fast) in self._free.items():
                steps = away.get(place, 9)
                found += slow + fast if steps == 1 else FAR * fast if steps == 2 else 0.0
            self._threats[zone] = found
        return self._threats[zone]

    @cached_property
    def _free(self) -> dict[PlaceId, tuple[float, float]]:
        """The power of slow and of fast enemies that are not locked in combat."""
        return {
            place: (power([kind for kind in kinds if kind.move == 1]), power([kind for kind in kinds if kind.move > 1]))
            for place, kinds in self.theirs.items()
            if kinds and place in self.stakes.printed and not is_contested(self.table, place)
        }

    def guard_power(self, zone: PlaceId) -> float:
        """Return the power of the side's units in a zone."""
        return power(self.mine[zone])

    def guard(self, zone: PlaceId, kinds: Units) -> float:
        """Return what it is worth that these units guard a zone."""
        if not kinds:
            return 0.0
        threat = self.threat(zone) + ALERT * (self.worths[zone] > ORDINARY)
        held = power(kinds)
        garrison = OCCUPIED * self.board.zones[zone].rp if self.side == AXIS else 0.0
        return garrison + GUARD * self.worths[zone] * min(1.0, threat / THREAT) * held / (held + threat + 1)

    def use(self, zone: PlaceId, kind: UnitType, *, joins: bool) -> float:
        """Return how useful a unit is in a zone, which it joins or is in: as a guard, and on the way to where it is needed."""
        there = self.mine[zone]
        more = self.guard(zone, [*there, kind]) - self.guard(zone, there) if joins else self.leave(kind, zone)
        return more + self.pull(zone)

    def leave(self, kind: UnitType, zone: PlaceId) -> float:
        """Return what a unit is worth as a guard of the zone in which it is."""
        fewer = list(self.mine[zone])
        fewer.remove(kind)
        return self.guard(zone, self.mine[zone]) - self.guard(zone, fewer)

    def pull(self, place: PlaceId) -> float:
        """Return how near a place is to where units are needed."""
        if place not in self._uses:
            away = self.stakes.away[place]
            self._uses[place] = max([need * CLOSER ** away[zone] for zone, need in self._needs.items() if zone in away])
        return self._uses[place]

    @cached_property
    def _needs(self) -> dict[PlaceId, float]:
        """How much each zone needs units: one to be won for what is missing near it, one to be held for what is missing in it."""
        found: dict[PlaceId, float] = {}
        for zone, row in self.board.zones.items():
            if row.base is not None or zone == self.board.east_bank:
                continue
            if not is_friendly(self.table, zone, self.side) or self.theirs[zone]:
                near = [kind for at in row.near if at not in self._fights for kind in self.mine[at]]
                found[zone] = self.worths[zone] * (1.1 - self.chance(zone, near))
            else:
                threat, held = self.threat(zone), power(self.mine[zone])
                found[zone] = self.worths[zone] * min(1.0, threat / THREAT) * threat / (held + threat + 1)
        return found

    @cached_property
    def _fights(self) -> set[PlaceId]:
        return {place for place, kinds in self.mine.items() if kinds and self.theirs[place]}
