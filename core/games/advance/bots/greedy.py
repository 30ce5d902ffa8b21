"""A bot that looks one attack ahead, weighs its chances exactly, and brings its reserves up.

It remembers nothing between two decisions. Supply goes to lost units, to Morale if Strong is in danger, then to support.
In the Combat Phase the most promising attack comes first; an attack that costs more than it may bring is not made.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from core.bots.board_lookups import once_a_board
from core.bots.bot_port import Asked
from core.bots.choices import whole_choice
from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick, Unpick
from core.games.advance.bots.valuation import Adviser
from core.games.advance.components.board_model import Board
from core.games.advance.ids import AIR, ARTILLERY, ENGINEER
from core.games.advance.memory import (
    ATTACKERS,
    ActionRound,
    attackers,
    entered,
    entrants,
    is_attack_due,
    lead_of,
    starters,
    was_attacked,
)
from core.games.advance.options import AREA_ACTIVATIONS_PER_TURN
from core.games.advance.rules.advance_rules import AdvanceRules
from core.games.advance.rules.commands import (
    Activate,
    BreakOff,
    Buy,
    DeclareAttack,
    Move,
    NameLead,
    PlaceGroup,
    PutOutOfAction,
    RetreatTo,
    ReturnUnit,
    Stop,
)
from core.games.advance.rules.ending import is_last_turn
from core.games.advance.rules.queries import fresh_at, morale, movement_factor, room, soviet_areas
from core.geometry.paths import cheapest, way_to
from events.codec import Struct
from events.ids import PieceId, PlaceId
from projections.state.table import Table

WORTH_A_TRY = 0.5
"""An attack must be worth more than this, in Supply Points."""

WORTH_A_MARCH = 1.0
"""A place must be better than the present one by more than this."""

UNIT = 0.3
"""What it is worth to keep one more unit for another attack."""

MORALE_WANTED = 13
"""With this much Morale at the beginning of a Combat Phase some Repulses do not end Strong."""

NEVER = -1000.0
"""What an attack or a march is worth if there is none."""

Units = tuple[PieceId, ...]

_adviser: Callable[[Board], Adviser] = once_a_board(Adviser)


def greedy(asked: Asked) -> Command:
    """Choose the option that promises most."""
    return choose(asked, lambda board, table: Player(_adviser(board), table))


def choose(asked: Asked, player_on: Callable[[Board, Table], "Player"]) -> Command:
    """Let a player choose an option.

    Args:
        asked: The decision.
        player_on: Returns the player on a table.
    """
    rules, table, options, top = asked.rules, asked.table, asked.options, asked.table.top
    assert isinstance(rules, AdvanceRules), "the rules of another game"
    assert top is not None
    if top.kind in ("place_part", "choose_isolated"):
        return whole_choice(rules, table, options, lambda _, found: found[0])
    player = player_on(rules.board, table)
    choices = {
        "supply": player.supply,
        "activate": player.activate,
        "act": player.act,
        "attackers": player.attackers,
        "barrage": player.barrage,
        "lead": player.lead,
        "support": player.support,
    }
    return choices.get(top.kind, player.place)(options)


class Step(Struct, frozen=True):
    """A first step towards something, and what that is worth in Supply Points."""

    worth: float
    command: Command


def best(steps: Iterable[Step], least: float, otherwise: Command) -> Step:
    """Return the first of the steps that are worth most, or the other command if none is worth more than the least."""
    return max([Step(least, otherwise), *steps], key=lambda step: step.worth)


class Reach(Struct, frozen=True):
    """Areas that a unit can reach: Soviet-occupied Areas and Vacant ones, each with the first step on the way."""

    targets: dict[PlaceId, PlaceId]
    stops: dict[PlaceId, PlaceId]


class Player:
    """The choices of the bot on one table."""

    def __init__(self, adviser: Adviser, table: Table) -> None:
        self.adviser = adviser
        self.board = adviser.board
        self.movement = adviser.movement
        self.table = table
        self._reaches: dict[tuple[PlaceId, int, frozenset[PlaceId] | None], Reach] = {}
        self._steps: dict[PlaceId, tuple[tuple[PlaceId, int], ...]] = {}
        self._near: dict[frozenset[PlaceId] | None, dict[PlaceId, int]] = {}
        self.occupied = frozenset(soviet_areas(table, adviser.board))

    @property
    def area(self) -> PlaceId:
        """The Area that the open question is about."""
        return PlaceId(self.table.stack[-1].text("area"))

    # Supply

    def supply(self, options: list[Command]) -> Command:
        """Bring units back, keep Morale Strong, buy support, and more Morale with the rest."""
        returns = [command for command in options if isinstance(command, ReturnUnit)]
        if returns:
            factors = self.board.units
            return max(returns, key=lambda one: factors[one.unit].attack_factor + self._standing(one.unit, one.area))
        wanted = 5 if is_last_turn(self.table, self.board) else MORALE_WANTED
        if Buy("morale") in options and morale(self.table) < wanted:
            return Buy("morale")
        for wish in (Buy("artillery"), Buy("engineer"), Buy("air"), Buy("morale")):
            if wish in options and not (wish.what == "morale" and is_last_turn(self.table, self.board)):
                return wish
        return Done()

    def _standing(self, unit: PieceId, area: PlaceId) -> float:
        return self.adviser.standing(self.table, self._distances(unit), unit, area)

    # Between rounds

    def activate(self, options: list[Command]) -> Command:
        """Activate for the most promising attack; if there is none, for the longest march."""
        areas = [command for command in options if isinstance(command, Activate)]
        able = {command.area: self._able(sorted(fresh_at(self.table, command.area))) for command in areas}
        attacks = [Step(self._attack_from(one.area, able[one.area], {}).worth, one) for one in areas]
        attack = best(attacks, WORTH_A_TRY, Done())
        if attack.command != Done():
            return attack.command
        marches = [Step(self._march_from(one.area, able[one.area]).worth, one) for one in areas]
        return best(marches, WORTH_A_MARCH, Done()).command

    def _able(self, units: Iterable[PieceId]) -> Units:
        return tuple([unit for unit in units if self.movement.may_act(self.table, unit)])

    # Within a round

    def act(self, options: list[Command]) -> Command:
        """Carry on with an attack that has begun, else begin another, else march, else end the round."""
        now = ActionRound(self.table)
        if now.moving:
            return self._move_on(now)
        units = self._able(starters(self.table, now))
        groups = entered(self.table, now)
        for area, came in groups.items():
            step = self._reinforce(now, area, came, units)
            if is_attack_due(self.table, area) or step.worth > 0:
                return step.command
        step = self._attack_from(now.area, units, groups)
        if step.worth > WORTH_A_TRY:
            return step.command
        if not ATTACKERS.on(self.table) or AREA_ACTIVATIONS_PER_TURN.chosen(self.table) == "one":
            march = self._march_from(now.area, units)
            if march.worth > WORTH_A_MARCH or (march.worth > step.worth and Done() not in options):
                return march.command
        if Done() in options:
            return Done()
        is_attack = isinstance(step.command, DeclareAttack) and DeclareAttack(step.command.area) in options
        return step.command if is_attack or step.command in options else options[0]

    def attackers(self, options: list[Command]) -> Command:
        """Choose the units of the most promising attack on an Area, all of one group, with those that are picked already."""
        now, table, area = ActionRound(self.table), self.table, self.area
        picks = {command.item for command in options if isinstance(command, Pick | Unpick)}
        groups = (entrants(table, now, area), starters(table, now) if area == now.area else ())
        able = [tuple([unit for unit in group if unit in picks]) for group in groups]
        picked = set(table.stack[-1].picked)
        offers = [offer for units in able for offer in self._offers(area, units, Choose)]
        whole = [one for one in offers if isinstance(one.command, Choose) and picked <= {*one.command.items}]
        return best(whole, NEVER, options[0]).command

    def _offers(
        self, area: PlaceId, units: Units, first: Callable[[Units], Command], came: Units = ()
    ) -> Iterator[Step]:
        """Yield for each group of units an attack on an Area, with those that came there before, and its first step."""
        for group in self.adviser.groups(units):
            worth = self.adviser.bid(self.table, area, tuple(sorted((*came, *group)))).worth
            yield Step(worth - UNIT * len(group), first(group))

    def _entries(self, start: PlaceId, area: PlaceId, units: Units, came: Units = ()) -> Iterable[Step]:
        """Return attacks on an Area by units that have to enter it from another, each with the first step of its first unit."""
        reach = {unit: self._reach(unit, start).targets for unit in units}
        able = tuple([unit for unit in units if area in reach[unit]])
        offers = self._offers(area, able, lambda group: Move(group[0], reach[group[0]][area]), came)
        # Groups come by size, from one unit on.
        return islice(offers, room(self.table, self.board, area))

    def _reinforce(self, now: ActionRound, area: PlaceId, came: Units, units: Units) -> Step:
        """Return whether further units enter an Area first where an attack is to be made, or it is declared."""
        worth = self.adviser.bid(self.table, area, came).worth
        return best(self._entries(now.area, area, units, came), worth, DeclareAttack(area, came))

    def _move_on(self, now: ActionRound) -> Command:
        """Let the moving unit go on to an attack or to a better place, else stop it."""
        unit, place = now.moving, self.table.pieces[now.moving].place
        reach = self._reach(unit, place, now.left)
        units = self._able(starters(self.table, now))
        groups = entered(self.table, now)
        attacks = [
            Step(
                self._reinforce(now, area, tuple(sorted((*groups.get(area, ()), unit))), units).worth, Move(unit, step)
            )
            for area, step in reach.targets.items()
        ]
        attack = best(attacks, 0.0, Stop())
        if attack.worth > 0:
            return attack.command
        march = self._march(unit, place, reach)
        return march.command if march.worth > 0 else Stop()

    def _attack_from(self, area: PlaceId, units: Units, groups: Mapping[PlaceId, Units]) -> Step:
        """Return the first step to the best attack of units that have not moved."""
        reach = [self._reach(unit, area) for unit in units]
        targets = sorted({target for one in reach for target in one.targets if target not in groups})
        offers = [offer for target in targets for offer in self._entries(area, target, units)]
        if area in self.occupied and not was_attacked(self.table, area):
            offers += self._offers(area, units, lambda group: DeclareAttack(area, group))
        return best(offers, NEVER, Done())

    def _reach(self, unit: PieceId, start: PlaceId, moving: int = 0) -> Reach:
        """Return where a unit can get from an Area, with all of its MF or those of a move under way."""
        left = moving or movement_factor(self.table, self.board, unit)
        bounds = self.movement.bounds(self.table, unit)
        key = (start, left, bounds)
        if key not in self._reaches:
            self._reaches[key] = self.search(start, left, bounds)
        return self._reaches[key]

    def search(self, start: PlaceId, left: int, bounds: frozenset[PlaceId] | None) -> Reach:
        """Return the Areas that a unit can reach from one, within bounds, with the MF that it has left."""

        def onward(place: PlaceId) -> Sequence[tuple[PlaceId, int]]:
            if place != start and place in self.occupied:
                return ()
            steps = self.steps_from(place)
            return steps if bounds is None else [step for step in steps if step[0] in bounds]

        found = cheapest(start, onward, left)
        first = {place: way_to(place, found)[1] for place in found if place != start}
        targets = {place: step for place, step in first.items() if place in self.occupied}
        return Reach(targets, {place: step for place, step in first.items() if place not in targets})

    def steps_from(self, place: PlaceId) -> tuple[tuple[PlaceId, int], ...]:
        """Return the steps out of an Area, which all units share."""
        if place not in self._steps:
            self._steps[place] = tuple(self.movement.steps(self.table, place))
        return self._steps[place]

    def _distances(self, unit: PieceId) -> dict[PlaceId, int]:
        """Return how far each Area is from the front of a unit."""
        bounds = self.movement.bounds(self.table, unit)
        if bounds not in self._near:
            self._near[bounds] = self.adviser.distances(self.occupied, bounds)
        return self._near[bounds]

    def _march_from(self, area: PlaceId, units: Units) -> Step:
        """Return the first step of the unit that gains most by a march."""
        if area in self.occupied:
            return Step(NEVER, Done())
        return best([self._march(unit, area, self._reach(unit, area)) for unit in units], NEVER, Done())

    def _march(self, unit: PieceId, place: PlaceId, reach: Reach) -> Step:
        """Return the first step to the place where a unit stands best, and how much better that is than here."""
        near = self._distances(unit)
        here = self.adviser.standing(self.table, near, unit, place)
        stops = [
            Step(self.adviser.standing(self.table, near, unit, stop) - here, Move(unit, first))
            for stop, first in reach.stops.items()
        ]
        return best(stops, NEVER, Stop())

    # Within an attack

    def barrage(self, options: list[Command]) -> Command:
        """Give up the unit that matters least and fight on, unless the attack is not worth it any more."""
        units = attackers(self.table)
        if len(units) == 1:
            return BreakOff()
        losses = [
            Step(
                self.adviser.bid(self.table, self.area, tuple([unit for unit in units if unit != command.unit])).worth
                - self.adviser.loss(self.table, command.unit),
                command,
            )
            for command in options
            if isinstance(command, PutOutOfAction)
        ]
        return best(losses, -1.0, BreakOff()).command

    def lead(self, options: list[Command]) -> Command:
        """Name the Lead of the best attack."""
        return NameLead(self.adviser.bid(self.table, self.area, attackers(self.table)).lead)

    def support(self, options: list[Command]) -> Command:
        """Place the support of the best attack with the Lead that was named, with what is picked already."""
        picked = self.table.stack[-1].picked
        placed = (picked.count(ARTILLERY), picked.count(ENGINEER), picked.count(AIR))
        offer = self.adviser.supported(self.table, self.area, attackers(self.table), lead_of(self.table), placed)
        guns, engineers, planes = offer.markers
        return Choose((*[AIR] * planes, *[ARTILLERY] * guns, *[ENGINEER] * engineers))

    # Where to

    def place(self, options: list[Command]) -> Command:
        """Choose the place that is nearest to the front; of other options the first one."""
        return max(options, key=self._place_worth)

    def _place_worth(self, command: Command) -> float:
        match command:
            case PlaceGroup(units=units, area=area):
                return self._standing(units[0], area)
            case RetreatTo(area=area):
                return self._standing(PieceId(self.table.stack[-1].text("unit")), area)
            case _:
                return 0.0
