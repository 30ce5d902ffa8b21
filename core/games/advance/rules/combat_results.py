"""Chapter 9.5.1 and 9.5.3D to 9.5.9: the dice of a combat, its result and its consequences.

Which result it was is remembered until the attack is over, under the rule of the result, or under that of the Defense
Strategy that changed it.
"""

from core.engine.draft import Draft
from core.games.advance import memory
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import AMBUSH, FANATIC, GUARDS, HEAVY_URBAN, HEROES
from core.games.advance.ids import AIR, SPENT, SUPPORT, USED, soviet_unit
from core.games.advance.options import ISOLATION_ROLL, LIMITED_AIR_POWER, OVERRUN_AGAINST
from core.games.advance.rules.changes import (
    change_morale,
    eliminate_soviet,
    move_markers,
    put_out_of_action,
)
from core.games.advance.rules.combat_values import attack_parts, defense_factor, defense_parts, total
from core.games.advance.rules.defense_strategies import revealed_counter, strategy_in_force
from core.games.advance.rules.queries import is_isolated
from events.ids import PlaceId, RuleId
from events.vocabulary import Modifier
from projections.state.table import Table

DICE = RuleId("9.5.1.dice")
ISOLATION_DIE = RuleId("12.3.isolation-roll")
STRATEGY_ONCE = RuleId("4.4.strategy-once")
MARKERS_USED = RuleId("9.5.9.markers-used")
AMBUSHED = RuleId("9.4.ambush")
OVERRUN_MARGIN = RuleId("9.5.5.overrun-margin")

RULE_OF_RESULT = {
    memory.REPULSE: RuleId("9.5.5.repulse"),
    memory.STALEMATE: RuleId("9.5.5.stalemate"),
    memory.SUCCESS: RuleId("9.5.5.success"),
    memory.OVERRUN: OVERRUN_MARGIN,
}

TEM_WITH_BONUS = 4
"""Source: 9.5.7."""


# The dice


def roll_isolation(draft: Draft, board: Board, area: PlaceId) -> None:
    """Roll for an Isolated unit and remember its Defense Factor for this combat; do nothing if it is not Isolated.

    Source: 12.3.
    """
    if not is_isolated(draft.table, area):
        return
    counter = revealed_counter(draft.table, board, area)
    modifiers = (Modifier(RuleId("12.3.roll-table"), "Guards", -1),) if counter.strategy == GUARDS else ()
    highest = max(board.isolation)
    (die,) = draft.dice(1, "isolation", ISOLATION_DIE, about=area, modifiers=modifiers, within=(1, highest))
    change = board.isolation[max(1, die + total(modifiers))]
    memory.ISOLATION_FACTOR.set(draft, area, max(0, counter.defence_factor + change), RuleId("12.3.roll-table"))


def roll_air(draft: Draft, board: Board, area: PlaceId) -> int:
    """Roll what Air Support takes off the Defense Value; 0 without a roll where none was placed.

    Source: 9.5.3D, 12.5, ruling.air-die-timing.
    """
    if not draft.table.marker(area, AIR):
        return 0
    is_limited = LIMITED_AIR_POWER.is_on(draft.table) and board.areas[area].terrain == HEAVY_URBAN
    modifiers = (Modifier(RuleId("12.5.heavy-urban-die"), "Heavy Urban", -2),) if is_limited else ()
    (die,) = draft.dice(1, "air support", RuleId("9.5.3.d-air"), about=area, modifiers=modifiers, within=(1, 6))
    return max(1, die + total(modifiers))


def defense_dice(table: Table, board: Board, area: PlaceId) -> tuple[int, RuleId]:
    """Return how many Soviet dice are rolled, of which the two highest count, and by which rule. Source: 9.4, 9.5.1, 12.6."""
    count = board.combat.soviet_dice
    if strategy_in_force(table, board, area) != GUARDS:
        return count, DICE
    is_at_volga = board.areas[area].is_volga
    rule = RuleId("9.4.guards-volga") if is_at_volga else RuleId("9.4.guards")
    if not memory.has_strategy_in_force(table, area):
        rule = RuleId("12.6.guards-every-time")
    return count + (2 if is_at_volga else 1), rule


def roll_soviet(draft: Draft, board: Board, area: PlaceId, parts: tuple[Modifier, ...]) -> int:
    """Roll the Soviet dice and return the sum of the two highest, 2 to 12: Guards have one more, at the Volga two.

    Source: 9.4, 9.5.1, 12.6.
    """
    count, rule = defense_dice(draft.table, board, area)
    keep = board.combat.soviet_dice if count > board.combat.soviet_dice else 0
    faces = draft.dice(count, "defense", rule, about=area, modifiers=parts, keep=keep)
    return sum(sorted(faces)[-board.combat.soviet_dice :])


# The result


def resolve(draft: Draft, board: Board, area: PlaceId) -> None:
    """Carry out parts C and D of a combat whose Lead is named and whose support is placed. Source: 9.5."""
    air = roll_air(draft, board, area)
    if ISOLATION_ROLL.chosen(draft.table) == "with-combat-dice":
        roll_isolation(draft, board, area)
    attack = attack_parts(draft.table, board, area)
    defense = defense_parts(draft.table, board, area, air)
    german = sum(draft.dice(board.combat.german_dice, "attack", DICE, about=area, modifiers=attack))
    soviet = roll_soviet(draft, board, area, defense)
    attack_total, defense_total = german + total(attack), soviet + total(defense)
    threshold = overrun_threshold(draft.table, board, area, total(defense), defense_total)
    result = judge(attack_total, defense_total, threshold)
    parts = [
        Modifier(DICE, "Attack Total", attack_total),
        Modifier(DICE, "Defense Total", -defense_total),
    ]
    if result in (memory.SUCCESS, memory.OVERRUN):
        rule = (
            OVERRUN_MARGIN if OVERRUN_AGAINST.chosen(draft.table) == OVERRUN_AGAINST.default else OVERRUN_AGAINST.rule
        )
        parts.append(Modifier(rule, "margin to exceed for an Overrun", -threshold))
    memory.RESULT.set(draft, area, result, RULE_OF_RESULT[result], parts=tuple(parts))
    if result == memory.SUCCESS and strategy_in_force(draft.table, board, area) == FANATIC:
        result = _stand_fast(draft, area)
    if result == memory.REPULSE:
        _repulse(draft, board)
    elif result == memory.STALEMATE:
        _stalemate(draft, board, area)
    else:
        _capture(draft, board, area, result)


def overrun_threshold(table: Table, board: Board, area: PlaceId, defense_value: int, defense_total: int) -> int:
    """Return what the margin of an Overrun must exceed.

    Source: ruling.overrun-strength, RuleId("9.5.5.overrun-margin").
    """
    against = OVERRUN_AGAINST.chosen(table)
    if against == "defense-value":
        return defense_value
    return defense_total if against == "defense-total" else defense_factor(table, board, area)


def judge(attack_total: int, defense_total: int, threshold: int) -> str:
    """Return the result of a combat by its two totals.

    Source: RuleId("9.5.5.repulse"), RuleId("9.5.5.stalemate"), RuleId("9.5.5.success").
    """
    if attack_total < defense_total:
        return memory.REPULSE
    if attack_total == defense_total:
        return memory.STALEMATE
    return memory.OVERRUN if attack_total - defense_total > threshold else memory.SUCCESS


def _stand_fast(draft: Draft, area: PlaceId) -> str:
    """Turn a Success into a Stalemate by Fanatic, which an Overrun ignores.

    Source: ruling.fanatic-overrun, RuleId("9.4.fanatic-ignored").
    """
    memory.RESULT.set(draft, area, memory.STALEMATE, RuleId("9.4.fanatic"))
    return memory.STALEMATE


def _repulse(draft: Draft, board: Board) -> None:
    """Take the Lead, turn the others Spent, and lower Morale once. After a failed Mandatory Attack a retreat follows.

    Heroes and Ambush have no effect; after an optional attack all units stay.

    Source: 9.5.5, 9.1, RuleId("9.3.no-retreat"), RuleId("9.4.heroes-ignored"), RuleId("9.4.ambush-ignored").
    """
    put_out_of_action(draft, memory.lead_of(draft.table), RuleId("9.5.5.repulse-losses"))
    for unit in memory.attackers(draft.table):
        draft.turn(unit, SPENT, RuleId("9.5.5.repulse-losses"))
    change_morale(draft, board, board.morale.repulse_change, RuleId("9.5.5.repulse-morale"))


def _stalemate(draft: Draft, board: Board, area: PlaceId) -> None:
    """Turn all attackers Spent where they are, after a Mandatory Attack too; then Heroes or Ambush.

    Source: 9.5.5, 9.4, ruling.stalemate-stays.
    """
    strategy = strategy_in_force(draft.table, board, area)
    if strategy == AMBUSH:
        put_out_of_action(draft, memory.lead_of(draft.table), AMBUSHED)
    for unit in memory.attackers(draft.table):
        draft.turn(unit, SPENT, RuleId("9.5.5.stalemate"))
    if strategy == HEROES:
        change_morale(draft, board, board.morale.heroes_change, RuleId("9.4.heroes"))


def _capture(draft: Draft, board: Board, area: PlaceId, result: str) -> None:
    """Eliminate the Soviet unit, turn the attackers Spent, and settle Heroes, Ambush and the bonus of the Area.

    An Overrun cancels both strategies. The bonus and Heroes cancel each other without moving Morale.

    Source: 9.5.5 to 9.5.7, 9.4.
    """
    rule = RuleId("9.5.5.overrun") if result == memory.OVERRUN else RULE_OF_RESULT[result]
    strategy = strategy_in_force(draft.table, board, area) if result == memory.SUCCESS else ""
    is_prized = board.areas[area].tem == TEM_WITH_BONUS
    if strategy == AMBUSH:
        is_alone = len(memory.attackers(draft.table)) == 1
        lone = RuleId("9.5.6.lone-lead-ambushed")
        put_out_of_action(draft, memory.lead_of(draft.table), lone if is_alone else AMBUSHED)
    for unit in memory.attackers(draft.table):
        draft.turn(unit, SPENT, rule)
    is_cancelled = is_prized and strategy == HEROES
    memory.STRATEGY_IN_FORCE.forget(
        draft, soviet_unit(area), RuleId("9.5.7.heroes-cancel") if is_cancelled else STRATEGY_ONCE
    )
    eliminate_soviet(draft, board, area, rule)
    if strategy == HEROES and not is_prized:
        change_morale(draft, board, board.morale.heroes_change, RuleId("9.4.heroes"))
    elif is_prized and not is_cancelled:
        change_morale(draft, board, board.morale.capture_tem4_change, RuleId("9.5.7.captured-area-bonus"))


# After the attack


def is_unclosed(table: Table, board: Board, area: PlaceId) -> bool:
    """Return whether an attack leaves support markers in its Area, or a Defense Strategy in force."""
    return any(table.marker(area, marker) for marker in SUPPORT) or memory.has_strategy_in_force(table, area)


def close_attack(draft: Draft, board: Board, area: PlaceId) -> None:
    """Put the support markers into the Used box and end the Defense Strategy. Source: 9.5E, 9.5.9, 4.4."""
    for marker in SUPPORT:
        if count := draft.table.marker(area, marker):
            move_markers(draft, marker, count, MARKERS_USED, source=area, to=USED)
    memory.STRATEGY_IN_FORCE.forget(draft, soviet_unit(area), STRATEGY_ONCE)
