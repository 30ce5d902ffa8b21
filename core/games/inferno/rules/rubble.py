"""Rubble: where it comes from, and the Double Defense it gives. It is never removed. Source: rubble.permanent."""

from collections.abc import Sequence

from core.engine.draft import Draft
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import URBAN
from core.games.inferno.ids import GERMAN, RUBBLE, SIDE_NAMES
from core.games.inferno.memory import ATTACKING, RUBBLE_BONUS
from core.games.inferno.options import RUBBLE_COUNT
from core.games.inferno.rules.losses import attacker, combat, combatants, defender, target
from core.games.inferno.rules.queries import block
from core.wording import counted
from events.ids import PieceId, PlaceId, RuleId, Side
from events.vocabulary import Modifier
from projections.state.table import Open, Table

ROLL = RuleId("rubble.roll.when")
SUCCESS = RuleId("rubble.roll.threshold")
DOUBLE_DEFENSE = RuleId("rubble.double-defense")
PER_HEX = RuleId("rubble.roll.modifier-hexes")
PER_TANK = RuleId("rubble.roll.modifier-panzers")
OF_CARDS = RuleId("rubble.roll.modifier-card")


def may_lie(table: Table, board: Board, place: PlaceId) -> bool:
    """Return whether a marker can be placed in a hex.

    Source: rubble.urban-only, rubble.one-per-hex, rubble.max-fifteen, components.rubble-markers.
    """
    is_free = board.hexes[place].terrain == URBAN and not table.marker(place, RUBBLE)
    return is_free and sum(RUBBLE in there for there in table.markers.values()) < board.limits.rubble_markers


def halved(draft: Draft, board: Board, side: Side, hits: int, by: str, *, rule: RuleId = DOUBLE_DEFENSE) -> int:
    """Return how many of the hits of one throw on a side are effective: fewer on a defender in Rubble.

    Source: rubble.double-defense, rubble.either-side, rubble.not-attacker, ruling.rubble-odd-hit,
    ruling.rubble-when.

    Args:
        draft: The draft.
        board: The board.
        side: The side that is hit.
        hits: How many hits were thrown.
        by: The card that threw them, or the hex for a whole side.
        rule: The rule by which Rubble counts against these hits.
    """
    at = combat(draft.table)
    if not hits or side != defender(at) or not draft.table.marker(target(at), RUBBLE):
        return hits
    effective = hits // board.rubble.hits_per_step
    draft.apply(
        rule,
        f"{counted(hits, 'hit')} on the {SIDE_NAMES[side]} side in Rubble count as {effective}",
        by,
    )
    return effective


def is_due(table: Table, board: Board, at: Open) -> bool:
    """Return whether a combat has a Rubble Roll if attackers are left. Source: rubble.roll.when, rubble.soviet-attacks-none, ruling.rubble-exists."""
    is_german = attacker(at) == GERMAN and at.number("is_deliberate") == 1
    return is_german and board.terrain_of(target(at)).rubble_roll and may_lie(table, board, target(at))


def is_rolled(table: Table, board: Board, at: Open) -> bool:
    """Return whether a Rubble Roll takes place. Source: rubble.roll.when, ruling.rubble-roll-no-defender, ruling.rubble-roll-no-attacker."""
    return is_due(table, board, at) and bool(combatants(table, at, GERMAN))


def roll(draft: Draft, board: Board, at: Open) -> None:
    """Make the Rubble Roll, and place the marker at once if it succeeds.

    Source: rubble.roll.threshold, rubble.roll.cumulative, rubble.roll.timing,
    rubble.two-sources.
    """
    parts = modifiers(draft.table, board, at)
    needed = board.rubble.must_exceed + 1
    faces = draft.dice(board.rubble.dice, "Rubble Roll", ROLL, about=target(at), modifiers=parts, needed=needed)
    if sum(faces) + sum([part.amount for part in parts]) >= needed:
        draft.mark(target(at), RUBBLE, SUCCESS)


def modifiers(table: Table, board: Board, at: Open) -> tuple[Modifier, ...]:
    """Return what is added to the Rubble Roll: for the hexes and Panzers that attack, and for German cards.

    Source: rubble.roll.modifier-hexes, rubble.roll.modifier-panzers, rubble.roll.modifier-card,
    units.panzer-grenadier-mixed, ruling.rubble-modifier-moment.
    """
    units = combatants(table, at, GERMAN)
    hexes = len({table.pieces[unit].place for unit in units})
    if RUBBLE_COUNT.chosen(table) == "declared":
        units, hexes = [PieceId(unit) for unit in ATTACKING.of(table) or ()], len(at.texts("hexes"))
    parts = declared_modifiers(table, board, units, hexes)
    bonus = RUBBLE_BONUS.of(table)
    return (*parts, Modifier(OF_CARDS, "German cards", bonus)) if bonus else parts


def declared_modifiers(table: Table, board: Board, units: Sequence[PieceId], hexes: int) -> tuple[Modifier, ...]:
    """Return what units of so many hexes add to the Rubble Roll, without cards."""
    tanks = sum([block(table, board, unit).is_tank for unit in units])
    parts = (
        Modifier(PER_HEX, "hexes that attack", hexes * board.rubble.per_hex),
        Modifier(PER_TANK, "Panzers and Panzer Grenadiers", tanks * board.rubble.per_tank),
    )
    return tuple([part for part in parts if part.amount])
