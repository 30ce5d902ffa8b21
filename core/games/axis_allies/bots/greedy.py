"""A bot that plays sensibly for any seat, by rules of thumb and by what its own seat can see.

Purchases, cards and the auction are judged here, moves on land in `marches`, the rest in `fights`.
"""

from collections.abc import Callable, Mapping, Sequence

from core.bots.bot_port import Answer, Asked, Policy
from core.bots.choices import best_choice
from core.engine.command import Command
from core.engine.selection import Pick
from core.games.axis_allies.bots.fights import Fights
from core.games.axis_allies.bots.forces import power
from core.games.axis_allies.components.board_model import UnitType
from core.games.axis_allies.components.map_records import ROCKET_LAUNCHER
from core.games.axis_allies.components.supply_lines import has_crossing, is_supplied
from core.games.axis_allies.ids import ALLIES, AXIS, FERRY_ITEM, SUPPLY
from core.games.axis_allies.rules import commands
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.games.axis_allies.rules.commands import Move
from core.games.axis_allies.rules.movement import MOVE_UNITS
from core.games.axis_allies.rules.queries import is_friendly, is_volga_frozen, tokens
from events.codec import replace
from events.ids import PlaceId
from projections.state.table import Table

SIDE_WORTH = 8
"""The RPs for which the bot would as soon play one side as the other."""
PRICE, MOBILITY, ROCKETS = 0.9, 0.5, 1.5
"""What a Reinforcement Point is worth in the power of units, and what more movement points and Bombardment add to it."""
SAME, ARRIVAL = 0.2, 0.3
"""How much less a bought unit is worth for each of its type in the zone, and how much the zone counts."""
FERRY_BOUGHT, TOKEN_BOUGHT = 5.0, 0.5
KEPT = -1.0
"""What it is worth not to be asked about supply tokens any more: less than to be asked again."""
OVERFLOW = 3.0
"""What each unit of a card costs for which there is no room."""
OFFERED = 10
"""Among how many moves `quick` chooses."""
REARRANGED = 1.0
"""How much better a unit must stand after it was rearranged."""
LAUNCH_ROUND, CITY_LOST = 6, 0.75
"""When Operation Uranus is launched: in a round, or once the Axis has this share of the city's Reinforcement Points."""


class Mind(Fights):
    """One look at the table by a seat, with the picks made so far; doing nothing is worth 0."""

    def worth(self, command: Command) -> float:
        """Return how good a command looks."""
        match command:
            case commands.Move() | commands.Blitz() | commands.ExitPair():
                return self.move(command)
            case commands.Rearrange(unit=unit, origin=origin, to=to) if to in self.board.zones:
                return self.march(self.kind(unit), origin, to) - REARRANGED
            case commands.Fly() | Pick() | commands.Spend() | commands.Ambush() | commands.Evict():
                return self.answer(command)
            case commands.Buy(item=item, to=to):
                return self._buy(item, to)
            case commands.Deploy(unit=unit, to=to):
                return self.arrive(self.board.units[unit], to)
            case commands.DeployCard(card=card, to=to):
                return self._deploy_card(self.board.uranus_cards[card].units, to)
            case _:
                return self._declare(command)

    def _declare(self, command: Command) -> float:
        match command:
            case commands.Bid(rps=rps):
                return float(SIDE_WORTH - rps)
            case commands.Accept():
                # The standing bid is one less than the lowest that is open.
                return min([option.rps for option in self.options if isinstance(option, commands.Bid)]) - 1.0
            case commands.PlaceFactory(to=to):
                away = self.stakes.away[self.board.file.victory.minor_zone][to]
                return float(away if self.side == ALLIES else -away)
            case commands.Launch():
                held = [zone for zone in self.board.city_rp_zones if is_friendly(self.table, zone, AXIS)]
                lost = self._points(held) / self._points(self.board.city_rp_zones)
                return max(self.table.round - LAUNCH_ROUND + 0.5, lost - CITY_LOST)
            case commands.KeepTokens():
                return KEPT
            case _:
                return 0.0

    def _points(self, zones: Sequence[PlaceId]) -> int:
        return sum([self.board.zones[zone].rp for zone in zones])

    # Purchases and cards

    def _buy(self, item: str, to: PlaceId) -> float:
        if item == FERRY_ITEM:
            return FERRY_BOUGHT
        if item == SUPPLY:
            is_cut_off = self.mine[to] and not is_supplied(self.table, self.board, to, self.side)
            return TOKEN_BOUGHT if is_cut_off and not tokens(self.table, to, self.side) else 0.0
        kind = self.board.units[item]
        if to == self.board.east_bank and not self._can_be_ferried(kind):
            return 0.0
        strength = power([kind]) + MOBILITY * (kind.move - 1 + kind.has_road_movement)
        strength += ROCKETS * (kind.type == ROCKET_LAUNCHER)
        same = self.mine[to].count(kind)
        return strength - PRICE * kind.cost - SAME * same + ARRIVAL * self.arrive(kind, to)

    def _can_be_ferried(self, kind: UnitType) -> bool:
        """Return whether a new unit would not wait long on the east bank."""
        ways = [crossing for crossing in self.board.crossings if has_crossing(self.table, crossing)]
        suits = kind.is_infantry or is_volga_frozen(self.table, self.board)
        return suits and len(self.mine[self.board.east_bank]) < len(ways)

    def _deploy_card(self, units: dict[str, int], to: PlaceId) -> float:
        kinds = [self.board.units[kind] for kind, number in units.items() if kind != SUPPLY for _ in range(number)]
        there = [kind for kind in kinds if not kind.is_air]
        surplus = max(0, len(self.mine[to]) + len(there) - self.board.file.limits.land_units)
        return self.pull(to) + self.chance(to, there) - OVERFLOW * surplus


def greedy(asked: Asked) -> Answer:
    """Choose the option of the highest worth; among equals by chance."""
    assert isinstance(asked.rules, AxisAlliesRules), "the rules of another game"
    board, table, side, options = asked.rules.board, asked.table, asked.table.side_of(asked.seat), asked.options
    mind = Mind(board, table, side, options)

    def judge(ahead: Table) -> Callable[[Command], float]:
        return (mind if ahead is table else Mind(board, ahead, side, options)).worth

    answer = best_choice(asked, judge)
    if isinstance(answer.command, Move):
        return replace(answer, command=mind.together(answer.command))
    return answer


def quick(asked: Asked) -> Answer:
    """Choose as `greedy` does, for playouts: but of many moves only among some that chance offers."""
    if asked.table.stack[-1].kind == MOVE_UNITS and len(asked.options) > OFFERED:
        *moves, last = asked.options
        offered = sorted({asked.below(len(moves)) for _ in range(OFFERED)})
        options = [*[moves[number] for number in offered], last]
        return greedy(Asked(asked.rules, asked.table, asked.seat, options, asked.below))
    return greedy(asked)


POLICIES: Mapping[str, Policy] = {"quick": quick, "greedy": greedy}
"""The bots that know this game, by name."""
