"""Fire of units: the dice of Close Combat and of Opportunity Fire, who fires first, and Khrushchev's ones."""

from collections.abc import Iterable, Sequence

from core.engine.draft import Draft
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import PANZER_GRENADIER
from core.games.inferno.ids import FORTIFICATIONS, GERMAN, SOVIET, enemy
from core.games.inferno.options import COMBINED_DEFENCE, OPPORTUNITY_FIRE, PG_ALWAYS_BONUS
from core.games.inferno.rules.cards import CHUIKOV, HOTH, KHRUSHCHEV, has_leader
from core.games.inferno.rules.losses import attacker, combatants, inflict, target
from core.games.inferno.rules.queries import block, stack, stacks
from core.games.inferno.rules.rubble import halved
from core.wording import counted
from events.codec import Struct
from events.ids import PlaceId, RuleId, Side
from events.vocabulary import Modifier
from projections.state.table import Open, Table

TOGETHER = RuleId("combat.simultaneous")
DEFENDER_FIRST = RuleId("combat.urban-defender-first")
GERMANS_FIRST = RuleId("combat.combined-german-first")
BONUS = RuleId("leader.khrushchev.bonus")
SELF_HIT = RuleId("leader.khrushchev.self-hit")
FORTIFIED = RuleId("designer.fortification.bonus")
OPPORTUNITY_BONUS = RuleId("leader.khrushchev.opportunity")
OPPORTUNITY = RuleId("leader.chuikov.opportunity-fire")
OPPORTUNITY_HITS = RuleId("leader.chuikov.opportunity-hits")
SINGLE_FIRE = "SF"
FIREPOWER = {
    SINGLE_FIRE: RuleId("firepower.single"),
    "DF": RuleId("firepower.double"),
    "TF": RuleId("firepower.triple"),
}


class Fire(Struct, frozen=True):
    """Results of units' dice: hits on the enemy, and ones that hit the Soviets themselves."""

    hits: int
    ones: int


def bonuses(
    table: Table, board: Board, side: Side, place: PlaceId, *, is_attacking: bool, rule: RuleId = BONUS
) -> tuple[Modifier, ...]:
    """Return what is added to each die of the units of a side in a hex.

    Source: leader.khrushchev.bonus, leader.khrushchev.opportunity, designer.fortification.bonus,
    designer.fortification.not-attacking, ruling.khrushchev-stacking-bonus, ruling.fortification-side.
    """
    found: list[Modifier] = []
    if side == SOVIET and has_leader(table, board, KHRUSHCHEV):
        found.append(Modifier(rule, "Khrushchev", board.leaders.khrushchev_bonus))
    is_fortified = any(table.marker(place, disc) for disc in FORTIFICATIONS.values())
    if side == SOVIET and is_fortified and not is_attacking:
        found.append(Modifier(FORTIFIED, "Fortification", board.designers_way.fortification_bonus))
    return tuple(found)


def hits_of(faces: Sequence[int], needed: int, modifiers: Sequence[Modifier] = ()) -> int:
    """Return how many dice hit; a natural 1 never does. Source: ruling.khrushchev-stacking-bonus."""
    bonus = sum([part.amount for part in modifiers])
    return sum([face > 1 and face + bonus >= needed for face in faces])


def ones_of(table: Table, board: Board, side: Side, faces: Sequence[int]) -> int:
    """Return how many dice of units hit the Soviets themselves. Source: leader.khrushchev.self-hit."""
    return list(faces).count(1) if side == SOVIET and has_leader(table, board, KHRUSHCHEV) else 0


def volley(draft: Draft, board: Board, at: Open, side: Side) -> Fire:
    """Throw the Close Combat dice of all units that a side has left, unit by unit.

    Source: strength.dice, strength.own-view, firepower.per-edge, combat.one-roll-per-unit,
    ruling.khrushchev-immediate.
    """
    hits = ones = 0
    for unit in combatants(draft.table, at, side):
        piece = draft.table.pieces[unit]
        edge = block(draft.table, board, unit).edge(piece.face)
        parts = bonuses(draft.table, board, side, piece.place, is_attacking=side == attacker(at))
        needed = board.hits_from[edge.firepower]
        rule = FIREPOWER[edge.firepower]
        faces = draft.dice(piece.steps, "Close Combat", rule, about=unit, modifiers=parts, needed=needed, each=True)
        hits += hits_of(faces, needed, parts)
        ones += ones_of(draft.table, board, side, faces)
    return Fire(hits, ones)


# Close Combat


def can_fight(table: Table, at: Open) -> bool:
    """Return whether both sides have units left.

    Source: combat.no-units-no-fire, leader.khrushchev.self-wipe.
    """
    return bool(combatants(table, at, GERMAN) and combatants(table, at, SOVIET))


def may_combine(table: Table, board: Board, place: PlaceId, attacking: Side) -> bool:
    """Return whether the right units would give the Germans the Combined Force Bonus where a side attacks a hex.

    Source: combined.condition, combined.either-role, leader.hoth, ruling.combined-defence.
    """
    is_granted = attacking == GERMAN or COMBINED_DEFENCE.is_on(table)
    return is_granted and has_leader(table, board, HOTH) and board.terrain_of(place).combined_force


def has_combined_force(table: Table, board: Board, at: Open) -> bool:
    """Return whether the Germans have the Combined Force Bonus with the units that are left.

    Source: combined.condition, combined.panzer-grenadier, ruling.combined-soviet-half, ruling.combined-pg,
    ruling.combined-optional, ruling.combined-moment.
    """
    if not may_combine(table, board, target(at), attacker(at)):
        return False
    german = [block(table, board, unit) for unit in combatants(table, at, GERMAN)]
    soviet = [block(table, board, unit) for unit in combatants(table, at, SOVIET)]
    if PG_ALWAYS_BONUS.is_on(table) and any(unit.kind == PANZER_GRENADIER for unit in german):
        return True
    has_both = any(unit.is_tank for unit in german) and any(unit.is_infantry for unit in german)
    return has_both and not (any(unit.is_tank for unit in soviet) and any(unit.is_infantry for unit in soviet))


def fire_alone(draft: Draft, board: Board, at: Open, side: Side, rule: RuleId) -> None:
    """Let one side fire, and apply its hits before the other fires.

    Source: combined.effect, combat.urban-defender-first, ruling.khrushchev-immediate.
    """
    fire = volley(draft, board, at, side)
    inflict(draft, board, enemy(side), halved(draft, board, enemy(side), fire.hits, target(at)), rule)
    inflict(draft, board, SOVIET, fire.ones, SELF_HIT)


def fire_together(draft: Draft, board: Board, at: Open) -> None:
    """Let both sides fire for all their units, and then apply all hits.

    Hits of Soviet ones come together with those of the Germans.

    Source: combat.simultaneous, ruling.khrushchev-immediate, ruling.khrushchev-self-wipe-hits.
    """
    of_soviets = volley(draft, board, at, SOVIET)
    of_germans = volley(draft, board, at, GERMAN)
    if of_soviets.ones:
        draft.apply(SELF_HIT, f"{counted(of_soviets.ones, 'hit')} more on the Soviet side by its own dice", target(at))
    on_germans = halved(draft, board, GERMAN, of_soviets.hits, target(at))
    on_soviets = halved(draft, board, SOVIET, of_germans.hits, target(at)) + of_soviets.ones
    inflict(draft, board, GERMAN, on_germans, TOGETHER)
    inflict(draft, board, SOVIET, on_soviets, TOGETHER)


# Opportunity Fire


def has_opportunity_fire(table: Table, board: Board, at: Open) -> bool:
    """Return whether the Soviets have Opportunity Fire, even if nobody is left to throw or to be hit.

    Source: leader.chuikov.in-play, leader.chuikov.opportunity-hasty, mode.1v1.rest-as-solo,
    ruling.chuikov-same-combat-fire, ruling.opportunity-dead-defenders.
    """
    return has_leader(table, board, CHUIKOV) and attacker(at) == GERMAN


def opportunity_hexes(table: Table, board: Board, attacking: Iterable[PlaceId]) -> dict[PlaceId, int]:
    """Return the Soviet Stacks next to hexes with attackers, in the order of the board, with next to how many of these each is.

    Source: leader.chuikov.opportunity-fire.
    """
    hexes = {*attacking}
    near = {place: len(hexes.intersection(board.hexes[place].near)) for place in stacks(table, board, SOVIET)}
    return {place: count for place, count in near.items() if count}


def opportunity_dice(table: Table, board: Board, place: PlaceId, near: int) -> int:
    """Return how many dice a Soviet Stack throws that is next to so many hexes with attackers. Source: ruling.opportunity-once."""
    times = near if OPPORTUNITY_FIRE.chosen(table) == "once-per-stack" else 1
    return len(stack(table, place)) * board.leaders.opportunity_dice * times


def opportunity_fire(draft: Draft, board: Board, at: Open) -> None:
    """Throw the Opportunity Fire of all Soviet units next to attackers, hex by hex, and apply its hits. Nobody is revealed.

    Source: leader.chuikov.opportunity-fire, leader.chuikov.opportunity-timing,
    leader.chuikov.opportunity-hits, leader.khrushchev.opportunity,
    leader.khrushchev.self-hit-not-concealed, fog.opportunity-fire-concealed, ruling.opportunity-target,
    ruling.opportunity-together, ruling.khrushchev-rubble.
    """
    table = draft.table
    attacking = {table.pieces[unit].place for unit in combatants(table, at, GERMAN)}
    needed = board.hits_from[SINGLE_FIRE]
    hits = ones = 0
    for place, near in opportunity_hexes(table, board, attacking).items():
        count = opportunity_dice(table, board, place, near)
        parts = bonuses(table, board, SOVIET, place, is_attacking=False, rule=OPPORTUNITY_BONUS)
        faces = draft.dice(
            count, "Opportunity Fire", OPPORTUNITY, about=place, modifiers=parts, needed=needed, each=True
        )
        hits += hits_of(faces, needed, parts)
        ones += ones_of(table, board, SOVIET, faces)
    inflict(draft, board, GERMAN, hits, OPPORTUNITY_HITS)
    inflict(draft, board, SOVIET, ones, SELF_HIT)
