"""What answers are worth that fights ask for: targets, losses, tokens, ambushes, landings and the order of combats."""

from core.games.axis_allies.bots.flights import landing_worth
from core.games.axis_allies.bots.forces import Forces, power
from core.games.axis_allies.bots.marches import Marches
from core.games.axis_allies.ids import SUPPLY, enemy
from core.games.axis_allies.rules.air_defense import ASSIGN_AIR_DEFENSE
from core.games.axis_allies.rules.bombardment import ASSIGN_BOMBARDMENT
from core.games.axis_allies.rules.casualties import AIR
from core.games.axis_allies.rules.combats import NEXT_COMBAT
from core.games.axis_allies.rules.commands import Ambush, Evict, Spend
from core.games.axis_allies.rules.landing import LAND_QUESTION
from core.games.axis_allies.rules.queries import air, is_friendly
from core.games.axis_allies.rules.targeting import TARGETS
from core.games.axis_allies.rules.tokens import COMBAT_USE
from core.games.axis_allies.rules.uranus import PLACE_CARDS
from core.selection import Pick
from events.ids import CardId, PlaceId
from projections.table import Open

AIRCRAFT = 8.0
"""What an air unit is worth in a loss; a land unit is worth its cost."""
LAST = 10.0
"""What it costs to lose the last land unit in a zone while aircraft could be lost."""
FORCE = 2
"""How many units make a force for which a token is spent."""


class Fights:
    """The answers to one question.

    Args:
        forces: The land units on the table.
        asked: The question.
    """

    def __init__(self, forces: Forces, asked: Open) -> None:
        self.forces = forces
        self.board = forces.board
        self.table = forces.table
        self.asked = asked

    def worth(self, command: Pick | Spend | Ambush | Evict) -> float:
        """Return what an answer is worth."""
        match command:
            case Pick():
                return self._pick(command)
            case Spend():
                zone = PlaceId(self.asked.text("zone"))
                is_cut_off = not self.forces.supply.is_supplied(self.table, zone, self.forces.side)
                is_needed = is_cut_off and self.asked.text("use") == COMBAT_USE
                return 1.0 if is_needed and len(self.forces.mine[zone]) >= FORCE else -1.0
            case Ambush(to=to):
                return self.forces.worths[to] / len(self.forces.theirs[to])
            case Evict(to=to):
                # Where the enemy comes into a zone of this side, it may be beaten alone.
                return float(is_friendly(self.table, to, self.forces.side)) * len(self.forces.mine[to])

    def _pick(self, pick: Pick) -> float:
        item, to = pick.item, PlaceId(pick.to)
        match self.asked.kind:
            case kind if kind == NEXT_COMBAT:
                return self.forces.chance(PlaceId(item))
            case kind if kind == PLACE_CARDS:
                units = self.board.uranus_cards[CardId(item)].units
                return sum([power([self.board.units[one]]) * number for one, number in units.items() if one != SUPPLY])
            case kind if kind == LAND_QUESTION:
                return 2.0 + landing_worth(Marches(self.forces, ()), item, to)
            case kind if kind == TARGETS:
                return AIRCRAFT if to == AIR else max(one.cost for one in self.board.units.values() if one.type == to)
            case kind if kind == ASSIGN_AIR_DEFENSE:
                there = air(self.table, self.board, to, enemy(self.forces.side))
                return (1.0 + len(there)) / (1 + self.asked.places.count(to))
            case kind if kind == ASSIGN_BOMBARDMENT:
                return self.forces.worths[to] * (1 + bool(self.forces.mine[to])) / (1 + self.asked.places.count(to))
            case _:
                return self._loss(item)

    def _loss(self, item: str) -> float:
        """Return what a loss is worth: of the enemy the dearest unit, of the side itself the cheapest that does not give a zone up."""
        kind = self.board.units.get(item.split(" ", 1)[0])
        if kind is None:
            return 0.0
        price = float(kind.cost or AIRCRAFT)
        if kind.side != self.forces.side:
            return price
        pool = [
            self.board.units[self.table.pieces[piece].kind]
            for piece in self.table.pieces
            if piece in self.asked.texts("pool")
        ]
        left = sum([not one.is_air for one in pool])
        left -= sum([not self.board.units[one.split(" ", 1)[0]].is_air for one in self.asked.picked])
        return -price - LAST * (left == 1 and not kind.is_air)
