"""Stakes of questions and options of attacks and reinforcements: values so far, what support adds, which units."""

from collections import Counter
from collections.abc import Callable

from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import AMBUSH
from core.games.advance.ids import AIR, ARTILLERY, AVAILABLE, ENGINEER, GERMAN, SOVIET
from core.games.advance.memory import (
    AIR_BAN,
    EVENT,
    ActionRound,
    attackers,
    entrants,
    entry_area,
    starters,
    was_contested,
)
from core.games.advance.narration.sentences import in_order
from core.games.advance.options import REINFORCEMENT_DELAY
from core.games.advance.rules.combat import air_ban, markers_max, where_banned
from core.games.advance.rules.combat_results import defense_dice
from core.games.advance.rules.combat_values import attack_parts, defense_parts, total
from core.games.advance.rules.dawn import Arrival, due, entries, group_of
from core.games.advance.rules.defense_strategies import strategy_in_force
from core.games.advance.rules.queries import (
    artillery_bonus,
    counter_at,
    is_revealed,
    movement_factor,
    room,
    soviet_at,
)
from core.narration.side_sum import SideSum
from core.wording import counted, joined
from events.ids import MarkerId, PieceId, PlaceId
from projections.state.table import Open, Table

Name = Callable[[str], str]
"""Returns what an id is called."""


def sums(table: Table, board: Board, asked: Open) -> tuple[SideSum, SideSum] | None:
    """Return the Attack Value and the Defense Value so far, with the support that is picked; None before it is placed."""
    if asked.kind != "support" or not attackers(table):
        return None
    area = PlaceId(asked.text("area"))
    placed = _placed(table, area, asked)
    notes = ["less 1d6"] if placed.marker(area, AIR) else []
    rolled, _ = defense_dice(table, board, area)
    kept = board.combat.soviet_dice
    notes += [f"the {kept} highest of {rolled} dice"] if rolled > kept else []
    defense = [part for part in defense_parts(placed, board, area, 0) if part.amount]
    return (
        SideSum(GERMAN, "Attack Value", attack_parts(placed, board, area)),
        SideSum(SOVIET, "Defense Value", tuple(defense), ", ".join(notes)),
    )


def _placed(table: Table, area: PlaceId, asked: Open) -> Table:
    """Return the table with the support that is picked: while it is being placed, some of it is there already."""
    placed = table.clone()
    placed.markers[area] = Counter(table.markers.get(area, {})) | Counter(map(MarkerId, asked.picked))
    return placed


def values(table: Table, board: Board, asked: Open) -> str:
    """Return the values of an attack so far, with the support that is picked; empty for a question without them."""
    area = PlaceId(asked.text("area"))
    # What defends an Area is known before the attackers are where it is Revealed already.
    is_known = asked.kind == "attackers" and counter_at(table, board, area) is not None
    if not is_known and (asked.kind not in ("lead", "support") or not attackers(table)):
        return ""
    placed = _placed(table, area, asked)
    defense = f"Defense Value {total(defense_parts(placed, board, area, 0))}"
    defense += " less 1d6" if placed.marker(area, AIR) else ""
    rolled, _ = defense_dice(table, board, area)
    kept = board.combat.soviet_dice
    defense += f" with the {kept} highest of {rolled} dice" if rolled > kept else ""
    if asked.kind != "support":
        return f"; so far {defense}"
    return f"; so far Attack Value {total(attack_parts(placed, board, area))}, {defense}"


def led_into_ambush(table: Table, board: Board, area: PlaceId) -> bool:
    """Return whether an Ambush is in force in the attack on an Area. Source: RuleId("9.4.ambush")."""
    return counter_at(table, board, area) is not None and strategy_in_force(table, board, area) == AMBUSH


def left(table: Table, board: Board, unit: PieceId) -> str:
    """Return of how many MF a unit pays for its next step, with a space before; empty for one that is not on the map."""
    if unit not in board.units or unit not in table.pieces:
        return ""
    now = ActionRound(table)
    return f" of {now.left if unit == now.moving else movement_factor(table, board, unit)}"


def entered(table: Table, area: PlaceId) -> str:
    """Return which Soviet unit is in an Area that is entered, and whether it must be attacked; empty if there is none. Source: 9.1."""
    if soviet_at(table, area) is None:
        return ""
    unit = "a Revealed Soviet unit" if is_revealed(table, area) else "an Unrevealed Soviet unit"
    return f", where {unit} is" if was_contested(table, area) else f": Mandatory Attack on {unit}"


def support(table: Table, board: Board, asked: Open, marker: str) -> str:
    """Return what a support marker does and how many are left, in brackets with a space before. Source: 9.5.2C, 9.5.3D."""
    left = table.marker(AVAILABLE, MarkerId(marker)) - asked.picked.count(marker)
    return f" ({_effects(table, board)[MarkerId(marker)]}; {left} Available)"


def for_sale(table: Table, board: Board, asked: Open, name: Name) -> tuple[str, ...]:
    """Return what each support marker does this turn, while markers can be bought. Source: 9.5.2C, 9.5.3D, 6.2."""
    if asked.kind != "supply":
        return ()
    effects = _effects(table, board) | ({AIR: "may not be placed this turn"} if AIR_BAN.of(table, EVENT) else {})
    return ("; ".join([f"{name(marker)}: {effect}" for marker, effect in effects.items()]),)


def _effects(table: Table, board: Board) -> dict[MarkerId, str]:
    return {
        ARTILLERY: f"Attack Value {artillery_bonus(table, board):+d}",
        ENGINEER: f"Attack Value {board.combat.engineer_bonus:+d}",
        AIR: "Defense Value -1d6",
    }


def supporting(table: Table, board: Board, area: PlaceId, name: Name) -> str:
    """Return which support is asked for: how many markers at most, and why no Air Support although there is some. Source: 9.5.4, 12.5."""
    ban = air_ban(table, board, area) if table.marker(AVAILABLE, AIR) else None
    no_air = f"; no Air Support {where_banned(ban)}" if ban is not None else ""
    most = counted(markers_max(table, board, area), "marker")
    return f"which support to place for the attack on {name(area)} (at most {most}{no_air})"


def able_to_enter(table: Table, board: Board) -> list[Arrival]:
    """List the groups that enter now if their player wishes: those that are due and find room. Source: 6.1.1."""
    return [arrival for arrival in due(table, board) if entries(table, board, arrival)]


def entering(table: Table, board: Board) -> str:
    """Return which groups enter now, each with how it enters. Source: 6.1.1, 6.2.1."""
    said = []
    for arrival in able_to_enter(table, board):
        group = group_of(table, arrival.box)
        is_whole = max(room(table, board, area) for area in entries(table, board, arrival)) >= len(group)
        how = "in one Area" if is_whole else "as many as there is room for"
        verb = "come back" if arrival.is_return else "enter"
        said.append(f"{joined(in_order(group))} {verb}{'' if len(group) == 1 else f', {how}'}")
    may_wait = ", or whether they wait" if REINFORCEMENT_DELAY.chosen(table) == "at-will" else ""
    return f"where {'; or where '.join(said)}{may_wait}" if said else ""


def group(table: Table, area: PlaceId, unit: str, name: Name) -> str:
    """Return which of the two groups that never attack together a unit belongs to, with a comma before; empty if there is only one.

    Source: RuleId("9.3.no-joint-attack").
    """
    if not _is_mixed(table, area):
        return ""
    entry = entry_area(table, PieceId(unit))
    return f", which entered from {name(entry)}" if entry else ", which was in the Contested Area already"


def attacking(table: Table, area: PlaceId, name: Name) -> str:
    """Return which units are asked for an attack on an Area. Source: 9.2, 9.3."""
    where = name(area)
    if _is_mixed(table, area):
        return f"which units attack {where}: those that entered it or those in it already, never both together"
    if entrants(table, ActionRound(table), area):
        return f"which of the units that entered {where} attack"
    return f"which of the units in the Contested {where} attack"


def _is_mixed(table: Table, area: PlaceId) -> bool:
    """Return whether units that entered an Area and units that were there already can attack it."""
    now = ActionRound(table)
    return area == now.area and bool(entrants(table, now, area)) and bool(starters(table, now))
