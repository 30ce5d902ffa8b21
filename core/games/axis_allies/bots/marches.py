"""Values of moves of land units: a plan of fights at good odds comes first, then guards and ways to the front."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from core.engine.command import Command
from core.games.axis_allies.bots.forces import Forces, power
from core.games.axis_allies.components.board_model import Board, UnitType
from core.games.axis_allies.ids import SUPPLY
from core.games.axis_allies.memory import MOVE
from core.games.axis_allies.rules.commands import Blitz, ExitPair, Move, MoveStack
from core.games.axis_allies.rules.queries import is_friendly
from events.ids import PlaceId, Side
from projections.state.table import Table

GOOD, POOR, SURE = 0.55, 0.3, 0.75
"""The chances at which a fight is begun, at which it is fed, and at which it needs no more units."""
STRIPPED = 0.5
"""The share of the worth of a target that a unit may be worth as a guard where it leaves."""
PLANNED, LANDED = 10.0, 20.0
"""What makes planned moves come first, after what has crossed the Volga: its crossing may be loaded again."""
TAKEN = 0.6
"""How much of its worth counts of an empty zone that a unit takes."""
DOUBLED, HALVED = 2.5, -3.0
"""What it is worth that infantry is doubled on its way into the city, or halved on its way out."""
CROWDED = 6.0
"""What it costs to bring more units into a zone than may stay there."""
SNIPER, FERRIED, TOKEN = 2.5, 2.0, 0.2
"""What it is worth to lie in ambush near enemies, and to load a unit or a token onto a crossing."""
WORTH_A_MARCH = 0.15
"""Moves that are worth less are not made."""

Way = tuple[str, PlaceId]
"""A type of units, and where they come from."""


class Marches(Forces):
    """The moves of a side on one table; the `options` tell what can come where."""

    def __init__(self, board: Board, table: Table, side: Side, options: Sequence[Command]) -> None:
        super().__init__(board, table, side)
        self.options = options
        self._stays: dict[tuple[str, PlaceId], float] = {}
        self._arrivals: dict[tuple[str, PlaceId], float] = {}

    def move(self, command: Move | Blitz | ExitPair) -> float:
        """Return what a move is worth."""
        found = self._worth(command)
        return found if found > WORTH_A_MARCH else 0.0

    def _worth(self, command: Move | Blitz | ExitPair) -> float:
        match command:
            case Move(unit=unit, origin=origin, to=to):
                return self._move(unit, origin, to)
            case Blitz(unit=unit, origin=origin, via=via, to=to):
                taken = 0.0 if self.theirs[to] else self.march(self.kind(unit), origin, to)
                return TAKEN * self.worths[via] + taken
            case ExitPair(units=units, origins=origins, to=to):
                gains = [self.march(self.kind(unit), at, to) for unit, at in zip(units, origins, strict=True)]
                return sum(gains) / 2 + HALVED

    def kind(self, unit: str) -> UnitType:
        """Return the type of a class of units."""
        return self.board.units[unit.split(" ", 1)[0]]

    def _move(self, unit: str, origin: PlaceId, to: PlaceId) -> float:
        board = self.board
        if origin in board.crossings:
            return LANDED
        if to in board.crossings:
            return self._load(unit, board.crossings[to].landing)
        kind = self.kind(unit)
        if to in board.sites:
            return SNIPER * self._is_hot(to) - self._stay(kind, origin)
        if origin in board.sites:
            return 0.0 if self._is_hot(origin) else 2 * WORTH_A_MARCH
        planned = self._plan.get((kind.id, origin, to))
        return self.march(kind, origin, to) if planned is None else PLANNED + planned[0]

    def together(self, move: Move) -> Move | MoveStack:
        """Return a planned move with those that are planned from the same zone."""
        numbers = {kind: self._plan.get((kind, move.origin, move.to), (0.0, 0))[1] for kind in self.board.units}
        units = sorted(Counter(numbers).elements())
        return MoveStack(tuple(units), move.origin, move.to) if len(units) > 1 else move

    def _is_hot(self, site: PlaceId) -> bool:
        """Return whether enemies are near an Ambush Site."""
        return any(self.threat(zone) or self.theirs[zone] for zone in self.board.sites[site].zones)

    def _load(self, unit: str, landing: PlaceId) -> float:
        if unit == SUPPLY:
            return TOKEN
        kind = self.kind(unit)
        if not is_friendly(self.table, landing, self.side):
            return FERRIED * self.chance(landing, [kind])
        return FERRIED + self.pull(landing) / 2 - self._crowd(kind, landing)

    def _stay(self, kind: UnitType, origin: PlaceId) -> float:
        found = self._stays.get((kind.id, origin))
        if found is None:
            found = self._stays[kind.id, origin] = self.leave(origin, kind) + self.pull(origin)
        return found

    def march(self, kind: UnitType, origin: PlaceId, to: PlaceId) -> float:
        """Return what it is worth that a unit goes from a zone to another, where no fight is planned."""
        gain = DOUBLED * self._is_doubled(kind, origin, to)
        return gain + self.arrive(kind, to) - self._stay(kind, origin)

    def arrive(self, kind: UnitType, to: PlaceId) -> float:
        """Return what it is worth that a unit comes into a zone: nothing where it would have to fight, unless at good odds."""
        found = self._arrivals.get((kind.id, to))
        if found is None:
            found = self._arrivals[kind.id, to] = self._arrive(kind, to)
        return found

    def _arrive(self, kind: UnitType, to: PlaceId) -> float:
        worth = self.worths[to]
        if self.theirs[to]:
            return worth * (max(0.0, self.chance(to, [kind], ()) - GOOD) - (not self.mine[to]))
        taken = 0.0 if is_friendly(self.table, to, self.side) or self.mine[to] else worth * TAKEN
        return taken + self.join(to, kind) - self._crowd(kind, to)

    def _crowd(self, kind: UnitType, to: PlaceId) -> float:
        there = len(self.mine[to]) + 1 + (kind.has_force_multiplier and self.board.zones[to].is_city)
        return CROWDED * (there > self.board.file.limits.land_units)

    # The plan

    @cached_property
    def _plan(self) -> dict[tuple[str, PlaceId, PlaceId], tuple[float, int]]:
        """The moves into fights by unit type, origin and zone, with what each is worth, and their number.

        Fights come by what their zones are worth, after those that are begun; each gets no more units than it needs.
        """
        ways = self._ways
        left: dict[Way, int] = {}
        for piece in self.table.pieces.values() if ways else ():
            if piece.side == self.side and MOVE.of(self.table, piece.id) is None:
                way = (piece.kind, piece.place)
                left[way] = left.get(way, 0) + 1
        found: dict[tuple[str, PlaceId, PlaceId], tuple[float, int]] = {}
        for to in sorted(ways, key=lambda zone: (not self.mine[zone], -self.worths[zone])):
            chosen, chance = self._force(to, left)
            if chosen and chance >= (POOR if self.mine[to] else GOOD):
                for way in chosen:
                    left[way] -= 1
                gain = self.worths[to] * (chance - self.chance(to, (), ())) / len(chosen)
                found |= {(*way, to): (gain, number) for way, number in Counter(chosen).items()}
        return found

    @cached_property
    def _ways(self) -> dict[PlaceId, list[Way]]:
        """What can come to each zone that the enemy holds or fights for."""
        found: dict[PlaceId, list[Way]] = defaultdict(list)
        for option in self.options:
            if isinstance(option, Move) and self.theirs.get(option.to) and option.origin in self.board.zones:
                found[option.to].append((self.kind(option.unit).id, option.origin))
        return found

    def _force(self, to: PlaceId, left: Mapping[Way, int]) -> tuple[list[Way], float]:
        """Return the units that come to a zone, and their chance."""
        units = self.board.units
        able = [(way, self.leave(way[1], units[way[0]])) for way in dict.fromkeys(self._ways[to])]
        able = [(way, cost) for way, cost in able if cost < STRIPPED * self.worths[to]]
        able.sort(key=lambda at: at[1] - power([units[at[0][0]]]) / 10)
        chosen: list[Way] = []
        chance, room = self.chance(to, (), ()), self.board.file.limits.land_units - len(self.mine[to])
        for way in [one for one, _ in able for _ in range(left.get(one, 0))]:
            room -= 1 + self._is_doubled(units[way[0]], way[1], to)
            if chance >= SURE or room < 0:
                break
            chosen.append(way)
            chance = self.chance(to, [units[kind] for kind, _ in chosen], [origin for _, origin in chosen])
        return chosen, chance

    def _is_doubled(self, kind: UnitType, origin: PlaceId, to: PlaceId) -> bool:
        """Return whether a unit comes into the city with Force Multiplier."""
        zones = self.board.zones
        return kind.has_force_multiplier and zones[to].is_city and not zones[origin].is_city
