"""A bot that plays sensibly: it looks one attack ahead, weighs its chances exactly, and brings its reserves up.

It keeps nothing between two decisions. Supply goes to lost units, to Morale where Strong is in danger, then to support.
In the Combat Phase the most promising attack comes first; an attack that costs more than it may bring is left alone.
"""

from collections.abc import Callable

from core.command import Command
from core.decision import Rules
from core.games.advance.bots.valuation import Adviser
from core.games.advance.components.board_model import Board
from core.games.advance.ids import AIR, ARTILLERY, ENGINEER
from core.games.advance.memory import ATTACKERS, attackers, has_moved, lead_of, was_attacked
from core.games.advance.options import AREA_ACTIVATIONS_PER_TURN, chosen
from core.games.advance.rules.action_round import ActionRound, entrants, starters
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
from core.games.advance.rules.queries import fresh_at, morale, movement_factor
from core.selection import Choose, Done, Pick, Unpick, whole_choice
from events.codec import Struct
from events.ids import Digest, PieceId, PlaceId, Seat
from projections.table import Table

WORTH_A_TRY = 0.5
"""An attack must be worth more than this, in Supply Points."""

WORTH_A_MARCH = 1.0
"""A place must be better than the present one by this."""

UNIT = 0.3
"""What it is worth to keep one more unit for another attack."""

MORALE_WANTED = 13
"""With this much Morale at the beginning of a Combat Phase some Repulses do not end Strong."""

_ADVISERS: dict[Digest, Adviser] = {}


def _adviser(board: Board) -> Adviser:
    """Return the adviser for a board; it is made once."""
    if board.source.digest not in _ADVISERS:
        _ADVISERS[board.source.digest] = Adviser(board)
    return _ADVISERS[board.source.digest]


def greedy(rules: Rules, table: Table, seat: Seat, options: list[Command], number: Callable[[int], int]) -> Command:
    """Choose the option that promises most; see `core.game.Policy`."""
    assert isinstance(rules, AdvanceRules), "the rules of another game"
    top = table.top
    assert top is not None
    player = Player(_adviser(rules.board), table)
    match top.kind:
        case "supply":
            return player.supply(options)
        case "activate":
            return player.activate(options)
        case "act":
            return player.act(options)
        case "attackers":
            return player.attackers(PlaceId(top.text("area")), options)
        case "place_part" | "choose_isolated":
            return whole_choice(rules, table, options, lambda _, found: found[0])
        case "barrage":
            return player.barrage(PlaceId(top.text("area")), options)
        case "lead":
            return player.lead(PlaceId(top.text("area")), options)
        case "support":
            return player.support(PlaceId(top.text("area")))
        case _:
            return player.place(options)


class Step(Struct, frozen=True):
    """A first step towards something, and what that is worth in Supply Points."""

    worth: float
    command: Command


class Reach(Struct, frozen=True):
    """Where a unit can get: Soviet-occupied Areas and Vacant ones, each with the first step on the way."""

    targets: dict[PlaceId, PlaceId]
    stops: dict[PlaceId, PlaceId]


class Player:
    """One look at a table."""

    def __init__(self, adviser: Adviser, table: Table) -> None:
        self.adviser = adviser
        self.board = adviser.board
        self.movement = adviser.movement
        self.table = table
        self._reaches: dict[tuple[PlaceId, int, frozenset[PlaceId] | None], Reach] = {}

    @property
    def is_last_turn(self) -> bool:
        """Whether nothing needs to be kept for another turn."""
        return self.table.round >= self.board.scenarios[self.table.scenario].last_turn

    # Supply

    def supply(self, options: list[Command]) -> Command:
        """Bring units back, keep Morale Strong, buy support, and what is left over makes for more Morale."""
        returns = [command for command in options if isinstance(command, ReturnUnit)]
        if returns:
            return max(returns, key=self._return_worth)
        wanted = 5 if self.is_last_turn else MORALE_WANTED
        if Buy("morale") in options and morale(self.table) < wanted:
            return Buy("morale")
        for wish in (Buy("artillery"), Buy("engineer"), Buy("air"), Buy("morale")):
            if wish in options and not (wish.what == "morale" and self.is_last_turn):
                return wish
        return Done()

    def _return_worth(self, command: ReturnUnit) -> float:
        unit = command.unit
        near = self.adviser.distances(self.table, unit)
        factor = self.board.units[unit].attack_factor
        return factor + self.adviser.standing(self.table, near, unit, command.area)

    # Between rounds

    def activate(self, options: list[Command]) -> Command:
        """Activate for the most promising attack; if there is none, for the longest march."""
        areas = [command for command in options if isinstance(command, Activate)]
        best = Step(WORTH_A_TRY, Done())
        for command in areas:
            step = self._attack_from(command.area, self._able(command.area), {})
            if step.worth > best.worth:
                best = Step(step.worth, command)
        if best.worth > WORTH_A_TRY:
            return best.command
        best = Step(WORTH_A_MARCH, Done())
        for command in areas:
            step = self._march_from(command.area, self._able(command.area))
            if step.worth > best.worth:
                best = Step(step.worth, command)
        return best.command

    def _able(self, area: PlaceId) -> tuple[PieceId, ...]:
        return tuple(sorted([unit for unit in fresh_at(self.table, area) if self.movement.may_act(self.table, unit)]))

    # Within a round

    def act(self, options: list[Command]) -> Command:
        """Carry on with an attack that has begun, else begin another, else march, else end the round."""
        now = ActionRound(self.table)
        table = self.table
        if now.moving:
            return self._move_on(now)
        units = tuple([unit for unit in starters(table, now) if self.movement.may_act(table, unit)])
        entered = self._entered(now)
        for area, came in entered.items():
            step = self._reinforce(now, area, came, units)
            if area in now.mandatory or step.worth > 0:
                return step.command
        step = self._attack_from(now.area, units, entered)
        if step.worth > WORTH_A_TRY:
            return step.command
        if not self._has_attacked() or chosen(table, AREA_ACTIVATIONS_PER_TURN) == "one":
            march = self._march_from(now.area, units)
            if march.worth > WORTH_A_MARCH or (march.worth > step.worth and Done() not in options):
                return march.command
        if Done() in options:
            return Done()
        is_attack = isinstance(step.command, DeclareAttack) and DeclareAttack(step.command.area) in options
        return step.command if is_attack or step.command in options else options[0]

    def attackers(self, area: PlaceId, options: list[Command]) -> Command:
        """Choose the units of the most promising attack on an Area, all of one group."""
        now, table = ActionRound(self.table), self.table
        picks = {command.item for command in options if isinstance(command, Pick | Unpick)}
        best = Step(-1000.0, options[0])
        for units in (entrants(table, now, area), starters(table, now) if area == now.area else ()):
            for group in self.adviser.groups(tuple([unit for unit in units if unit in picks])):
                worth = self.adviser.bid(table, area, group).worth - UNIT * len(group)
                if worth > best.worth:
                    best = Step(worth, Choose(tuple(sorted(group))))
        return best.command

    def _has_attacked(self) -> bool:
        return bool(ATTACKERS.on(self.table))

    def _entered(self, now: ActionRound) -> dict[PlaceId, tuple[PieceId, ...]]:
        """Return the Areas where an attack by entrants can still be made, with the entrants."""
        found: dict[PlaceId, tuple[PieceId, ...]] = {}
        for unit in now.units:
            area = self.table.pieces[unit].place
            if has_moved(self.table, unit) and area not in found and not was_attacked(self.table, area):
                came = entrants(self.table, now, area)
                if came:
                    found[area] = came
        return found

    def _reinforce(
        self, now: ActionRound, area: PlaceId, came: tuple[PieceId, ...], units: tuple[PieceId, ...]
    ) -> Step:
        """Let further units enter an Area where an attack is to be made, or declare it."""
        best = Step(self.adviser.bid(self.table, area, came).worth, DeclareAttack(area, came))
        reach = {unit: self._reach(unit, now.area, movement_factor(self.table, self.board, unit)) for unit in units}
        pool = tuple([unit for unit in units if reach[unit].targets.get(area)])
        for group in self.adviser.groups(pool):
            if len(group) > self._room(area):
                break
            worth = self.adviser.bid(self.table, area, tuple(sorted((*came, *group)))).worth - UNIT * len(group)
            if worth > best.worth:
                best = Step(worth, Move(group[0], reach[group[0]].targets[area]))
        return best

    def _move_on(self, now: ActionRound) -> Command:
        """Let the moving unit go on to an attack or to a better place, else stop it."""
        unit, table = now.moving, self.table
        place = table.pieces[unit].place
        reach = self._reach(unit, place, now.left)
        units = tuple([other for other in starters(table, now) if self.movement.may_act(table, other)])
        entered = self._entered(now)
        best = Step(0.0, Stop())
        for area, step in reach.targets.items():
            came = tuple(sorted((*entered.get(area, ()), unit)))
            worth = self._reinforce(now, area, came, units).worth
            if worth > best.worth:
                best = Step(worth, Move(unit, step))
        if best.worth > 0:
            return best.command
        near = self.adviser.distances(table, unit)
        march = self._march(unit, place, reach, near)
        return march.command if march.worth > 0 else Stop()

    def _attack_from(
        self, area: PlaceId, units: tuple[PieceId, ...], entered: dict[PlaceId, tuple[PieceId, ...]]
    ) -> Step:
        """Return the first step to the best attack of units that have not moved; worth at most 0 if there is none."""
        best = Step(-1000.0, Done())
        if not units:
            return best
        reach = {unit: self._reach(unit, area, movement_factor(self.table, self.board, unit)) for unit in units}
        targets = sorted({target for unit in units for target in reach[unit].targets if target not in entered})
        for target in targets:
            pool = tuple([unit for unit in units if target in reach[unit].targets])
            for group in self.adviser.groups(pool):
                if len(group) > self._room(target):
                    break
                worth = self.adviser.bid(self.table, target, group).worth - UNIT * len(group)
                if worth > best.worth:
                    best = Step(worth, Move(group[0], reach[group[0]].targets[target]))
        if self.movement.has_soviet(self.table, area) and not was_attacked(self.table, area):
            for group in self.adviser.groups(units):
                worth = self.adviser.bid(self.table, area, group).worth - UNIT * len(group)
                if worth > best.worth:
                    best = Step(worth, DeclareAttack(area, group))
        return best

    def _room(self, area: PlaceId) -> int:
        return self.adviser.room(self.table, area)

    def _reach(self, unit: PieceId, start: PlaceId, left: int) -> Reach:
        """Find where a unit can get from an Area with so many MF."""
        bounds = self.movement.bounds(self.table, unit)
        key = (start, left, bounds)
        if key not in self._reaches:
            self._reaches[key] = self._search(start, left, bounds)
        return self._reaches[key]

    def _search(self, start: PlaceId, left: int, bounds: frozenset[PlaceId] | None) -> Reach:
        rest = {start: left}
        targets: dict[PlaceId, PlaceId] = {}
        stops: dict[PlaceId, PlaceId] = {}
        queue = [start]
        for place in queue:
            for to, cost in self.movement.steps(self.table, place):
                after = rest[place] - cost
                if after < 0 or (bounds is not None and to not in bounds):
                    continue
                first = stops.get(place, to)
                if self.movement.has_soviet(self.table, to):
                    targets.setdefault(to, first)
                elif after > rest.get(to, -1):
                    rest[to] = after
                    stops[to] = first
                    queue.append(to)
        return Reach(targets, stops)

    def _march_from(self, area: PlaceId, units: tuple[PieceId, ...]) -> Step:
        """Return the first step of the unit that gains most by a march."""
        best = Step(-1000.0, Done())
        if self.movement.has_soviet(self.table, area):
            return best
        for unit in units:
            reach = self._reach(unit, area, movement_factor(self.table, self.board, unit))
            step = self._march(unit, area, reach, self.adviser.distances(self.table, unit))
            if step.worth > best.worth:
                best = step
        return best

    def _march(self, unit: PieceId, place: PlaceId, reach: Reach, near: dict[PlaceId, int]) -> Step:
        """Return the first step to the place where a unit stands best, and how much better that is than here."""
        here = self.adviser.standing(self.table, near, unit, place)
        best = Step(-1000.0, Stop())
        for stop, first in reach.stops.items():
            worth = self.adviser.standing(self.table, near, unit, stop) - here
            if stop != place and worth > best.worth:
                best = Step(worth, Move(unit, first))
        return best

    # Within an attack

    def barrage(self, area: PlaceId, options: list[Command]) -> Command:
        """Give up the unit that matters least and fight on, unless the attack is not worth it any more."""
        units = attackers(self.table)
        best = Step(-1.0 if len(units) > 1 else 0.0, BreakOff())
        for command in options:
            if isinstance(command, PutOutOfAction) and len(units) > 1:
                left = tuple([unit for unit in units if unit != command.unit])
                worth = self.adviser.bid(self.table, area, left).worth - self.adviser.loss(self.table, command.unit)
                if worth > best.worth:
                    best = Step(worth, command)
        return best.command

    def lead(self, area: PlaceId, options: list[Command]) -> Command:
        """Name the Lead of the best attack."""
        return NameLead(self.adviser.bid(self.table, area, attackers(self.table)).lead)

    def support(self, area: PlaceId) -> Command:
        """Place the support of the best attack with the Lead that was named."""
        offer = self.adviser.supported(self.table, area, attackers(self.table), lead_of(self.table))
        guns, engineers, planes = offer.markers
        return Choose((*[AIR] * planes, *[ARTILLERY] * guns, *[ENGINEER] * engineers))

    # Where to

    def place(self, options: list[Command]) -> Command:
        """Choose the place that is nearest to the front; of other options the first one."""
        return max(options, key=self._place_worth)

    def _place_worth(self, command: Command) -> float:
        match command:
            case PlaceGroup(units=units, area=area):
                unit = units[0]
            case RetreatTo(area=area):
                unit = PieceId(self.table.stack[-1].text("unit"))
            case _:
                return 0.0
        return self.adviser.standing(self.table, self.adviser.distances(self.table, unit), unit, area)
