"""The values with which units fire and what changes them, and the dice: one hits that shows the value or less."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from core.engine.draft import Draft
from core.games.axis_allies import memory
from core.games.axis_allies.components.board_model import Board, UnitType
from core.games.axis_allies.components.map_records import ASSAULT_GUN, BOMBER, FIGHTER
from core.games.axis_allies.components.supply_lines import is_supplied
from core.games.axis_allies.options import BAD_WEATHER_SORTIES, RELOCATED_FIGHTERS_ATTACK
from core.games.axis_allies.rules.queries import is_assaulted, is_bad_weather, is_friendly
from events.codec import Struct
from events.ids import PieceId, PlaceId, RuleId, Side
from events.vocabulary import Modifier
from projections.state.table import Table

UNSUPPLIED = RuleId("combat.mod.unsupplied")

ORDINARY = "ordinary"
"""How a unit without targeting fires."""
INTERCEPTOR = "interceptor"
"""How an interceptor fires: as a fighter that must hit air units. Source: optional.interceptors.must-target-air."""


class Firing(Struct, frozen=True):
    """Fire of a unit: its printed value, additions to it, and the kind of shooter that may name the types that it hits.

    `printed` is 0 where the unit has no value.
    """

    printed: int = 0
    modifiers: tuple[Modifier, ...] = ()
    shooter: str = ORDINARY

    @property
    def value(self) -> int:
        """The highest face that hits; 0 if no die is rolled."""
        return max(0, self.printed + sum([part.amount for part in self.modifiers])) if self.printed else 0


NO_FIRE = Firing()

Value = Callable[[Table, Board, PieceId, PlaceId], Firing]
"""Returns how a unit attacks or defends in a zone or above a crossing."""


def attack_value(table: Table, board: Board, piece: PieceId, place: PlaceId) -> Firing:
    """Return how a unit attacks in a zone or above a crossing.

    Source: combat.mod.unsupplied, combat.step1.transport-bombers, unit.assault-gun.targeted-tanks,
    unit.fighter.targeted-air, unit.bomber.targeted-land.
    """
    kind = board.units[table.pieces[piece].kind]
    if kind.is_air:
        return _in_the_air(table, board, kind, kind.attack, kind.type) if _may_attack(table, piece, kind) else NO_FIRE
    return Firing(kind.attack, _penalty(table, board, place, kind.side), _gun(kind))


def defence_value(table: Table, board: Board, piece: PieceId, place: PlaceId) -> Firing:
    """Return how a unit defends in a zone or above a crossing.

    Source: combat.mod.cancel, combat.mod.land-only, unit.rocket.no-combat-value,
    ruling.transport-bomber-defends.
    """
    kind = board.units[table.pieces[piece].kind]
    if kind.is_air:
        is_interceptor = memory.MISSION.of(table, piece) == memory.SCRAMBLE
        shooter = INTERCEPTOR if is_interceptor else ORDINARY if kind.type == BOMBER else kind.type
        return _in_the_air(table, board, kind, kind.defence, shooter)
    parts = (*_penalty(table, board, place, kind.side), *_bonus(table, board, place, kind.side))
    return Firing(kind.defence, parts, _gun(kind))


def _gun(kind: UnitType) -> str:
    return ASSAULT_GUN if kind.type == ASSAULT_GUN else ORDINARY


def _penalty(table: Table, board: Board, zone: PlaceId, side: Side) -> tuple[Modifier, ...]:
    """Return the penalty of a land force that does not fight supplied. Source: combat.step1.supply-status."""
    if memory.TOKEN_SPENT.of(table, side) or is_supplied(table, board, zone, side):
        return ()
    return (Modifier(UNSUPPLIED, "unsupplied", board.file.fire.unsupplied),)


def _bonus(table: Table, board: Board, zone: PlaceId, side: Side) -> tuple[Modifier, ...]:
    """Return the one bonus of land units that defend in a zone, if there is any.

    Source: combat.mod.no-stack, zone.fortified, ruling.assault-river-flag, ruling.other-rivers.
    """
    if board.zones[zone].is_fortified and is_friendly(table, zone, side):
        return (Modifier(RuleId("combat.mod.fortified"), "Fortified", board.file.fire.bonus),)
    if is_assaulted(table, zone) and memory.ACROSS_RIVER.of(table, zone):
        return (Modifier(RuleId("combat.mod.throw-them-back"), "Throw Them Back", board.file.fire.bonus),)
    return ()


def _may_attack(table: Table, piece: PieceId, kind: UnitType) -> bool:
    """Return whether an air unit flew, or stays, to attack.

    Source: combat.step1.transport-bombers, movement.air.stay-and-fight, ruling.relocated-do-not-attack,
    ruling.grounded-air-attacks.
    """
    mission = memory.MISSION.of(table, piece)
    if mission == memory.RELOCATE:
        return kind.type == FIGHTER and RELOCATED_FIGHTERS_ATTACK.is_on(table)
    return mission in (memory.ATTACK_MISSION, memory.STAY)


def _in_the_air(table: Table, board: Board, kind: UnitType, printed: int, shooter: str) -> Firing:
    """Return how an air unit fires.

    Source: combat.step1.bad-weather-air, unit.fighter.bad-weather, supply.air-always,
    optional.sorties.
    """
    if not is_bad_weather(table):
        return Firing(printed, (), shooter)
    if not BAD_WEATHER_SORTIES.is_on(table):
        return NO_FIRE
    return Firing(printed, (Modifier(RuleId("optional.sorties"), "Sorties", board.file.fire.sorties),), shooter)


TARGETING = {
    BOMBER: RuleId("unit.bomber.targeted-land"),
    ASSAULT_GUN: RuleId("unit.assault-gun.targeted-tanks"),
    FIGHTER: RuleId("unit.fighter.targeted-air"),
    INTERCEPTOR: RuleId("optional.interceptors.must-target-air"),
}
"""The shooters that name what they hit, in the order in which their hits are assigned. Source: ruling.hit-allocation-order."""


def scored(faces: Iterable[int], value: int) -> int:
    """Return how many dice hit at a value. Source: components.die."""
    return sum([face <= value for face in faces])


def roll(draft: Draft, place: PlaceId, shots: Sequence[Firing], purpose: str, rule: RuleId) -> Counter[str]:
    """Roll one die for each unit that has a value, and return the hits by shooter.

    Units with equal values roll together, from the lowest value up, and units with targeting afterwards and apart.

    Args:
        draft: The draft.
        place: Where they fire.
        shots: How each unit fires.
        purpose: The purpose of the dice.
        rule: The rule by which units without targeting fire.

    Source: combat.step2.attackers-fire, combat.step3.defenders-fire, components.die,
    ruling.dice-by-reason.
    """
    hits: Counter[str] = Counter()
    groups = Counter([firing for firing in shots if firing.value])
    order = (ORDINARY, *TARGETING)
    throw = partial(draft.dice, about=place, each=True, or_less=True)
    for firing in sorted(groups, key=lambda one: (order.index(one.shooter), one.value, one.printed)):
        why, needed, parts = TARGETING.get(firing.shooter, rule), firing.printed, firing.modifiers
        faces = throw(groups[firing], purpose, why, needed=needed, modifiers=parts)
        hits[firing.shooter] += scored(faces, firing.value)
    return hits
