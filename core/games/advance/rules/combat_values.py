"""Chapter 9.5.2 and 9.5.3: Attack Value and Defense Value, part by part, with 12.1, 12.3 and 12.4.

Every part is a `Modifier` that names its rule, so that the record of the dice shows the arithmetic.
"""

from core.games.advance.components.board_model import Board
from core.games.advance.ids import AIR, ARTILLERY, ENGINEER
from core.games.advance.memory import COMMISSARS, EVENT, ISOLATION_FACTOR, attackers, lead_of
from core.games.advance.options import PARENT_ORGANIZATION, PARENT_ORGANIZATION_COUNTS, RUBBLE
from core.games.advance.rules.defense_strategies import revealed_counter
from core.games.advance.rules.queries import artillery_bonus, is_strong
from core.games.advance.rules.random_event import event_rule
from events.ids import PieceId, PlaceId, RuleId
from events.vocabulary import Modifier
from projections.state.table import Table

SUPPORT_PART = RuleId("9.5.2.c-support")


def total(parts: tuple[Modifier, ...]) -> int:
    """Return the sum of the parts of a value."""
    return sum([part.amount for part in parts])


# The Attack Value


def attack_parts(table: Table, board: Board, area: PlaceId) -> tuple[Modifier, ...]:
    """List the parts of the Attack Value in the attack on an Area, whose Lead has been named.

    Source: RuleId("9.5.2.sum").
    """
    units = attackers(table)
    lead = lead_of(table)
    parts = [Modifier(RuleId("9.5.2.a-lead-factor"), f"{lead} leads", board.units[lead].attack_factor)]
    if len(units) > 1:
        further = (len(units) - 1) * board.combat.extra_unit_bonus
        parts.append(
            Modifier(RuleId("9.5.2.b-additional-units"), f"additional unit{'' if len(units) == 2 else 's'}", further)
        )
    parts += _support_parts(table, board, area)
    parts += _integrity_parts(table, board, area, units)
    if is_strong(table, board):
        parts.append(Modifier(RuleId("9.5.2.e-strong"), "Strong Morale", board.morale.strong_attack_bonus))
    parts += _parent_parts(table, board, units)
    return tuple(parts)


def _support_parts(table: Table, board: Board, area: PlaceId) -> list[Modifier]:
    """List what Artillery and Engineers add; shells may be short. Source: 9.5.2C, 6.2, 14.6.1."""
    parts: list[Modifier] = []
    artillery = table.marker(area, ARTILLERY)
    if artillery:
        each = artillery_bonus(table, board)
        is_short = each != board.combat.artillery_bonus
        rule = event_rule(table, RuleId("6.2.chart.5-6")) if is_short else SUPPORT_PART
        parts.append(Modifier(rule, "Artillery", artillery * each))
    engineers = table.marker(area, ENGINEER)
    if engineers:
        parts.append(Modifier(SUPPORT_PART, "Engineers", engineers * board.combat.engineer_bonus))
    return parts


def divisions(board: Board, units: tuple[PieceId, ...]) -> dict[str, int]:
    """Count the units of each division. Assault guns belong to none. Source: 4.3.2, 12.4, ruling.integrity-guns."""
    counts: dict[str, int] = {}
    for unit in units:
        name = board.units[unit].division
        if name is not None:
            counts[name] = counts.get(name, 0) + 1
    return counts


def _integrity_parts(table: Table, board: Board, area: PlaceId, units: tuple[PieceId, ...]) -> list[Modifier]:
    """List the bonus of three units of one division; in Rubble it is lost where no Engineer helps.

    Source: 9.5.2D, 12.1.
    """
    figures = board.combat
    if max(divisions(board, units).values(), default=0) < figures.divisional_integrity_min_units:
        return []
    if RUBBLE.is_on(table) and board.areas[area].is_urban and not table.marker(area, ENGINEER):
        return [Modifier(RuleId("12.1.rubble"), "no Divisional Integrity without Engineers", 0)]
    return [Modifier(RuleId("9.5.2.d-integrity"), "Divisional Integrity", figures.divisional_integrity_bonus)]


def _parent_parts(table: Table, board: Board, units: tuple[PieceId, ...]) -> list[Modifier]:
    """List the deduction for the divisions that take part. Source: 12.4, ruling.parent-first-division."""
    if not PARENT_ORGANIZATION.is_on(table):
        return []
    count = len(divisions(board, units))
    if count and PARENT_ORGANIZATION_COUNTS.chosen(table) == "beyond-the-first":
        count -= 1
    return [Modifier(RuleId("12.4.deduction"), "Parent Organizations", -count)] if count else []


# The Defense Value


def defense_factor(table: Table, board: Board, area: PlaceId) -> int:
    """Return the Defense Factor of the Soviet unit of an Area, as an isolation roll has changed it; 0 or more.

    Source: 9.5.3A, 12.3, ruling.isolation-factor.
    """
    changed = ISOLATION_FACTOR.of(table, area)
    return revealed_counter(table, board, area).defence_factor if changed is None else changed


def defense_parts(table: Table, board: Board, area: PlaceId, air: int) -> tuple[Modifier, ...]:
    """List the parts of the Defense Value of an Area's unit, which must be Revealed.

    Args:
        table: The table with all markers of this combat.
        board: The board.
        area: The Area under attack.
        air: What Air Support subtracts; 0 where none was placed.

    Returns:
        The parts. Their sum is not below 0: where it would be, a last part makes up for it.

    Source: RuleId("9.5.3.sum").
    """
    printed = revealed_counter(table, board, area).defence_factor
    parts = [Modifier(RuleId("9.5.3.a-factor"), "Defense Factor", printed)]
    isolation = defense_factor(table, board, area) - printed
    if isolation:
        parts.append(Modifier(RuleId("12.3.roll-table"), "isolation", isolation))
    parts.append(Modifier(RuleId("9.5.3.b-tem"), "terrain", board.areas[area].tem))
    if not is_strong(table, board):
        parts.append(Modifier(RuleId("9.5.3.c-shaken"), "Shaken Morale", board.morale.shaken_defence_bonus))
    if COMMISSARS.of(table, EVENT):
        rule = event_rule(table, RuleId("6.2.chart.9-12"))
        parts.append(Modifier(rule, "Commissars", COMMISSARS.of(table, EVENT)))
    if table.marker(area, AIR):
        parts.append(Modifier(RuleId("9.5.3.d-air"), "Air Support", -air))
    missing = board.combat.defence_value_min - sum([part.amount for part in parts])
    if missing > 0:
        parts.append(Modifier(RuleId("9.5.3.floor"), "never below 0", missing))
    return tuple(parts)
