"""What missions of aircraft are worth: support where land units fight, supply where it lacks, troops where they are needed."""

from functools import cached_property

from core.games.axis_allies.bots.marches import Marches
from core.games.axis_allies.components.map_records import FIGHTER
from core.games.axis_allies.ids import FERRY, above
from core.games.axis_allies.memory import ATTACK_MISSION, RELOCATE, STAY, SUPPLY_DROP, TROOP_LANDING
from core.games.axis_allies.rules.commands import Fly
from core.games.axis_allies.rules.queries import air, is_contested
from events.ids import PlaceId

AFTER_MARCHES = 0.01
"""What makes missions worth less than any march, so that they come last: land units tell where they help."""
RISK = 2.5
"""What the loss of an air unit costs, beside what zones are worth."""
SUNK, CARGO = 0.5, 3
"""What a ferry is worth to those who attack it, and how much more what crosses the Volga."""
DROPPED = 0.3
"""How much of the worth of a zone counts to which a token is brought."""
AT_HOME, FORWARD = 0.2, 0.5
"""What it is worth to land at the base, and to help to guard another airfield."""
SAFE = 1.5
"""How much stronger than its enemies the guard of an airfield must be."""


class Flights:
    """The missions of a side's aircraft on one table.

    Args:
        marches: The moves of its land units.
    """

    def __init__(self, marches: Marches) -> None:
        self.marches = marches
        self.forces = marches.forces
        self.board = marches.board
        self.table = marches.table
        self.side = marches.side

    def worth(self, command: Fly) -> float:
        """Return what a mission is worth."""
        to, mission = command.to, command.mission
        if mission == TROOP_LANDING:
            return self.marches.march(self.marches.kind(command.cargo[0]), command.origin, to)
        if mission == RELOCATE:
            return AFTER_MARCHES * (landing_worth(self.marches, command.unit, to) - AT_HOME)
        if mission in (ATTACK_MISSION, STAY):
            attack = self.marches.kind(command.unit).attack
            gain = self._sink(to, attack) if to in self.board.crossings else self._support(to, attack)
            return AFTER_MARCHES * (gain - RISK * self._shot_down(to) * (mission != STAY))
        share = DROPPED if to in self._lacking else DROPPED / 2 if self._lacks_near(to) else 0.0
        extra = AFTER_MARCHES * len(command.cargo) / 10 * (mission != SUPPLY_DROP)
        return AFTER_MARCHES * share * self.forces.worths[to] + extra * (share > 0)

    def _support(self, zone: PlaceId, attack: int) -> float:
        """Return what an attack adds to the chance of the land units in a zone."""
        if not self.forces.mine[zone]:
            return 0.0
        flown = sum(
            [
                self.board.units[self.table.pieces[one].kind].attack
                for one in air(self.table, self.board, zone, self.side)
            ]
        )
        before, after = (self.forces.chance(zone, support=float(number)) for number in (flown, flown + attack))
        return self.forces.worths[zone] * (after - before)

    def _sink(self, crossing: PlaceId, attack: int) -> float:
        """Return what an attack on a crossing may destroy, if no other air unit attacks it."""
        prizes = self.table.marker(crossing, FERRY) + CARGO * len(self.table.pieces_at(crossing))
        return SUNK * prizes * attack / 6 / (1 + len(self.table.pieces_at(above(crossing))))

    def _shot_down(self, to: PlaceId) -> float:
        """Return the chance that Air Defense hits an air unit."""
        is_city = to in self.board.crossings or self.board.zones[to].is_city
        zones = self.board.city if is_city else (to,)
        guns = sum([kind.has_air_defense for zone in zones for kind in self.forces.theirs[zone]])
        return min(1.0, guns * self.board.fire.air_defense / 6 / (2 if is_city else 1))

    @cached_property
    def _lacking(self) -> set[PlaceId]:
        """The zones where the side fights without supply and without a token."""
        supply, table = self.forces.supply, self.table
        return {
            zone
            for zone, kinds in self.forces.mine.items()
            if kinds
            and is_contested(table, zone)
            and not supply.is_supplied(table, zone, self.side)
            and not supply.tokens_in_reach(table, zone, self.side)
        }

    def _lacks_near(self, to: PlaceId) -> bool:
        return any(near in self._lacking for near in self.board.zones[to].near)


def landing_worth(marches: Marches, unit: str, to: PlaceId) -> float:
    """Return what it is worth that an air unit lands: at the base, or a fighter at an airfield that is well guarded."""
    if to == marches.board.bases[marches.side]:
        return AT_HOME
    forces = marches.forces
    threat, guards = forces.threat(to), forces.mine[to]
    is_safe = bool(guards) and forces.guard_power(to) > SAFE * threat and not forces.theirs[to]
    return FORWARD * (threat > 0 and marches.kind(unit).type == FIGHTER) if is_safe else -1.0
