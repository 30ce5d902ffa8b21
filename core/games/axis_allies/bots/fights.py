"""Values of answers to the questions of air and fights: missions and landings, targets and losses, tokens and ambushes."""

from functools import cached_property

from core.engine.selection import Pick
from core.games.axis_allies.bots.forces import power
from core.games.axis_allies.bots.marches import Marches
from core.games.axis_allies.components.map_records import ARTILLERY, FIGHTER
from core.games.axis_allies.components.supply_lines import is_supplied
from core.games.axis_allies.ids import FERRY, SUPPLY, above, enemy
from core.games.axis_allies.memory import ATTACK_MISSION, RELOCATE, SCRAMBLE, STAY, TROOP_LANDING
from core.games.axis_allies.rules.assigned_fire import ASSIGN_AIR_DEFENSE, ASSIGN_BOMBARDMENT
from core.games.axis_allies.rules.casualties import TARGETS
from core.games.axis_allies.rules.combat import NEXT_COMBAT
from core.games.axis_allies.rules.commands import Ambush, Evict, Fly, Spend
from core.games.axis_allies.rules.landing import LAND_QUESTION
from core.games.axis_allies.rules.queries import air, is_contested, is_friendly
from core.games.axis_allies.rules.supply import COMBAT_USE, tokens_in_reach
from core.games.axis_allies.rules.uranus import PLACE_CARDS
from events.ids import CardId, PieceId, PlaceId
from projections.state.table import Open

AFTER_MARCHES = 0.01
"""What makes missions worth less than any march, so that they come last: land units tell where they help."""
RISK = 2.5
"""What the loss of an air unit costs, beside what zones are worth."""
SUNK, CARGO = 0.5, 3
"""What a ferry is worth to those who attack it, and how much more what crosses the Volga."""
DROPPED = 0.3
"""How much of the worth of a zone counts to which a token is brought."""
AT_HOME, FORWARD, SAFE = 0.2, 0.5, 1.5
"""What it is worth to land at the base or to help to guard an airfield, and how much stronger than enemies its guards must be."""
AIRCRAFT, LAST = 8.0, 10.0
"""What an air unit costs as a loss, and how much more the last land unit if an air unit could be lost instead."""
FORCE = 2
"""How many units make a force for which a token is spent."""


class Fights(Marches):
    """The answers of a side to the question on top of a table."""

    @property
    def asked(self) -> Open:
        """The question."""
        return self.table.stack[-1]

    def answer(self, command: Fly | Pick | Spend | Ambush | Evict) -> float:
        """Return what an answer is worth."""
        match command:
            case Fly():
                return self._fly(command)
            case Pick(item=item, to=to):
                return self._pick(item, PlaceId(to))
            case Spend():
                zone = PlaceId(self.asked.text("zone"))
                is_cut_off = not is_supplied(self.table, self.board, zone, self.side)
                is_needed = is_cut_off and self.asked.text("use") == COMBAT_USE
                return 1.0 if is_needed and len(self.mine[zone]) >= FORCE else -1.0
            case Ambush(to=to):
                return self.worths[to] / len(self.theirs[to])
            case Evict(to=to):
                # Where the enemy comes into a zone of this side, it may be beaten alone.
                return float(len(self.mine[to]) if is_friendly(self.table, to, self.side) else 0)

    # Missions

    def _fly(self, command: Fly) -> float:
        to, mission = command.to, command.mission
        if mission == TROOP_LANDING:
            return self.march(self.kind(command.cargo[0]), command.origin, to)
        if mission == SCRAMBLE:
            return 1.0 if to in self.board.crossings else self.worths[to] * bool(self.mine[to])
        if mission == RELOCATE:
            return AFTER_MARCHES * (self._land(command.unit, to) - AT_HOME)
        if mission in (ATTACK_MISSION, STAY):
            attack = self.kind(command.unit).attack
            gain = self._sink(to, attack) if to in self.board.crossings else self._support(to, attack)
            return AFTER_MARCHES * (gain - RISK * self._shot_down(to) * (mission != STAY))
        is_near = any(near in self._lacking for near in self.board.zones[to].near)
        share = DROPPED if to in self._lacking else DROPPED / 2 * is_near
        return AFTER_MARCHES * share * (self.worths[to] + len(command.cargo))

    def _support(self, zone: PlaceId, attack: int) -> float:
        """Return what an attack adds to the chance of the land units in a zone."""
        if not self.mine[zone]:
            return 0.0
        pieces = self.table.pieces
        flown = sum([self.board.units[pieces[one].kind].attack for one in air(self.table, self.board, zone, self.side)])
        before, after = self.chance(zone, support=float(flown)), self.chance(zone, support=float(flown + attack))
        return self.worths[zone] * (after - before)

    def _sink(self, crossing: PlaceId, attack: int) -> float:
        """Return what an attack on a crossing may destroy, less if others attack it."""
        prizes = self.table.marker(crossing, FERRY) + CARGO * len(self.table.pieces_at(crossing))
        return SUNK * prizes * attack / 6 / (1 + len(self.table.pieces_at(above(crossing))))

    def _shot_down(self, to: PlaceId) -> float:
        """Return the chance that Air Defense hits an air unit; in the city it has several targets."""
        is_city = to in self.board.crossings or self.board.zones[to].is_city
        zones = self.board.city if is_city else (to,)
        guns = sum([kind.type == ARTILLERY for zone in zones for kind in self.theirs[zone]])
        return min(1.0, guns * self.board.file.fire.air_defense / 6 / (1 + is_city))

    @cached_property
    def _lacking(self) -> list[PlaceId]:
        """The zones where the side fights without supply and without a token."""
        table = self.table
        fights = [zone for zone, kinds in self.mine.items() if kinds and is_contested(table, zone)]
        cut_off = [zone for zone in fights if not is_supplied(table, self.board, zone, self.side)]
        return [zone for zone in cut_off if not tokens_in_reach(table, self.board, zone, self.side)]

    def _land(self, unit: str, to: PlaceId) -> float:
        """Return what it is worth that an air unit lands: at the base, or a fighter at an airfield that is well guarded."""
        if to == self.board.bases[self.side]:
            return AT_HOME
        threat, guards = self.threat(to), power(self.mine[to])
        is_safe = guards > SAFE * threat and not self.theirs[to]
        return FORWARD * (threat > 0 and self.kind(unit).type == FIGHTER) if is_safe else -1.0

    # Fire and losses

    def _pick(self, item: str, to: PlaceId) -> float:
        units, asked = self.board.units, self.asked
        if asked.kind == NEXT_COMBAT:
            return self.chance(PlaceId(item))
        if asked.kind == PLACE_CARDS:
            there = self.board.uranus_cards[CardId(item)].units
            return sum([power([units[one]]) * number for one, number in there.items() if one != SUPPLY])
        if asked.kind == LAND_QUESTION:
            return 2.0 + self._land(item, to)
        if asked.kind == TARGETS:
            # What is no type of land units is the crossing below.
            return max([float(one.cost) for one in units.values() if one.type == to], default=AIRCRAFT)
        if asked.kind == ASSIGN_AIR_DEFENSE:
            return (1.0 + len(air(self.table, self.board, to, enemy(self.side)))) / (1 + asked.places.count(to))
        if asked.kind == ASSIGN_BOMBARDMENT:
            return self.worths[to] * (1 + bool(self.mine[to])) / (1 + asked.places.count(to))
        return self._loss(item)

    def _loss(self, item: str) -> float:
        """Return what a loss is worth: of the enemy the dearest unit, of the side itself the cheapest that does not give a zone up."""
        units, pieces = self.board.units, self.table.pieces
        kind = units.get(item.split(" ", 1)[0])
        if kind is None:
            return 0.0
        price = kind.cost or AIRCRAFT
        if kind.side != self.side:
            return price
        pool = [units[pieces[PieceId(one)].kind] for one in self.asked.texts("pool") if one in pieces]
        picked = [units[one.split(" ", 1)[0]] for one in self.asked.picked if one not in self.board.crossings]
        left = sum([not one.is_air for one in pool]) - sum([not one.is_air for one in picked])
        return -price - LAST * (left == 1 and not kind.is_air)
