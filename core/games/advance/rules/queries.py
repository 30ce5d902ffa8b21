"""What follows from a table and the board: nothing here is stored, nothing here changes anything.

Owns the definitions of chapters 3, 4 and 7: who holds an Area, which of its units can act, what a unit is.
"""

from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import GermanUnit, SovietCounter
from core.games.advance.ids import (
    AIR,
    ARTILLERY,
    AVAILABLE,
    CONTROL_COUNT,
    ENGINEER,
    FRESH,
    GERMAN,
    ISOLATED,
    MORALE,
    OUT_OF_ACTION,
    REVEALED,
    SOVIET,
    SUPPLY,
    USED,
    division_id,
    soviet_unit,
)
from core.games.advance.memory import COMMISSARS, EVENT, PAUSED, RAIN, SHELL_SHORTAGES
from events.ids import CardId, MarkerId, PieceId, PlaceId, RuleId, Side
from projections.table import Piece, Table

DEFINITIONS = (
    RuleId("2.1.dice-notation"),
    RuleId("3.1.fifty-areas"),
    RuleId("3.1.adjacency"),
    RuleId("3.1.volga-areas"),
    RuleId("3.1.1.shape"),
    RuleId("3.1.2.tem"),
    RuleId("4.2.types"),
    RuleId("4.2.1.armor"),
    RuleId("4.2.2.infantry"),
    RuleId("4.3.1.factors"),
    RuleId("4.3.3.unit-size"),
    RuleId("4.4.soviet-unit"),
)
"""Rules that are figures and shapes of the board: the board file states them and is checked for them when it is read.

Source: ruling.board-data; where a counter and the text disagree the text is followed, ruling.ocr-infantry-five."""


# Areas: who is there, and whose they are


def soviet_at(table: Table, area: PlaceId) -> Piece | None:
    """Return the Soviet unit of an Area, or None. There is never a second one.

    Source: 7.1, RuleId("7.1.soviet-one").
    """
    piece = table.pieces.get(soviet_unit(area))
    return piece if piece is not None and piece.place == area else None


def germans_at(table: Table, area: PlaceId) -> tuple[PieceId, ...]:
    """Return the German units in an Area or box, in the order of their arrival."""
    pieces = table.pieces
    return tuple([unit for unit in table.pieces_at(area) if pieces[unit].side == GERMAN])


def is_vacant(table: Table, area: PlaceId) -> bool:
    """Return whether no Soviet unit is in an Area; German ones do not matter.

    Source: 7.4, RuleId("7.4.vacant-is-german"), ruling.control-definition.
    """
    return soviet_at(table, area) is None


def controller(table: Table, area: PlaceId) -> Side:
    """Return who controls an existing Area: the Soviet side where a Soviet unit is, else the German one.

    Source: 7.2, 7.4; RuleId("7.2.always-controlled"), RuleId("7.2.soviet-presence"), RuleId("7.4.vacant-is-german").
    """
    return GERMAN if soviet_at(table, area) is None else SOVIET


def is_contested(table: Table, area: PlaceId) -> bool:
    """Return whether German and Soviet units are both in an Area.

    Source: 7.3, RuleId("7.3.contested").
    """
    return soviet_at(table, area) is not None and bool(germans_at(table, area))


def is_revealed(table: Table, area: PlaceId) -> bool:
    """Return whether the Soviet unit of an Area, which must be there, is Revealed. Source: 4.4."""
    return table.pieces[soviet_unit(area)].face == REVEALED


def soviet_areas(table: Table, board: Board) -> tuple[PlaceId, ...]:
    """List the Soviet-controlled Areas by number."""
    return tuple([area for area in board.areas if soviet_at(table, area) is not None])


def contested_areas(table: Table, board: Board) -> tuple[PlaceId, ...]:
    """List the Contested Areas by number."""
    # Most of the fifty hold one piece or none, which settles it.
    at = table.at
    return tuple([area for area in board.areas if len(at.get(area, ())) > 1 and is_contested(table, area)])


def room(table: Table, board: Board, area: PlaceId) -> int:
    """Return how many more German units fit into an Area, 0 or more. Markers take no room.

    Source: 7.1; RuleId("7.1.german-four"), RuleId("7.1.markers-free").
    """
    return max(0, board.movement.stacking_german - len(germans_at(table, area)))


def has_control_marker(table: Table, board: Board, area: PlaceId) -> bool:
    """Return whether a German Control marker lies in an Area: where it was taken from the Soviets.

    Source: 4.5.7, RuleId("4.5.7.control-marker").
    """
    return is_vacant(table, area) and not board.areas[area].is_german_at_start


def german_control_count(table: Table, board: Board) -> int:
    """Count the German-controlled Areas.

    Source: 3.4, RuleId("3.4.record-control").
    """
    return len(board.areas) - len(soviet_areas(table, board))


def counts_control(table: Table, board: Board) -> bool:
    """Return whether the number of German-controlled Areas is recorded on the Record Track. Source: 3.4, 14.2."""
    return board.scenarios[table.scenario].counts_control


# German units


def is_fresh(table: Table, unit: PieceId) -> bool:
    """Return whether a German unit of the table is Fresh; else it is Spent.

    Source: 4.2, RuleId("4.2.fresh-spent").
    """
    return table.pieces[unit].face == FRESH


def fresh_at(table: Table, area: PlaceId) -> tuple[PieceId, ...]:
    """Return the Fresh German units in an Area. Source: 4.3.1."""
    return tuple([unit for unit in germans_at(table, area) if table.pieces[unit].face == FRESH])


def out_of_action(table: Table) -> tuple[PieceId, ...]:
    """Return the units in the Out of Action Box, in the order in which they got there.

    Source: 3.7, RuleId("3.7.out-of-action-box").
    """
    return table.pieces_at(OUT_OF_ACTION)


def printed(board: Board, unit: PieceId) -> GermanUnit:
    """Return what is printed on a German unit of the board. Source: 4.3.1."""
    return board.units[unit]


def division(board: Board, unit: PieceId) -> str | None:
    """Return a unit's Parent Organization; None for an assault gun, which was only attached to one.

    Source: 4.3.2, RuleId("4.3.2.parent-organization").
    """
    return board.units[unit].division


def units_of(board: Board, division_id: str) -> tuple[PieceId, ...]:
    """Return all units of a division, on the table or not."""
    return tuple([unit.id for unit in board.units.values() if unit.division == division_id])


def is_paused(table: Table, board: Board, unit: PieceId) -> bool:
    """Return whether an event keeps a unit's division from moving and attacking this turn.

    Source: 6.2; RuleId("6.2.chart.7-8"), RuleId("6.2.chart.13-14"), ruling.logistical-pause.
    """
    return division_id(board.units[unit].division) in (PAUSED.of(table, EVENT) or ())


def movement_factor(table: Table, board: Board, unit: PieceId) -> int:
    """Return how many MF a unit has this turn: what is printed, or less in Rain.

    Source: 4.2.1, 4.2.2, 14.6.1; RuleId("14.6.1.rain").
    """
    factor = board.units[unit].movement_factor
    cap = RAIN.of(table, EVENT)
    return factor if cap is None else min(factor, cap)


def is_northern(board: Board, unit: PieceId) -> bool:
    """Return whether a unit's printed set-up place is one of the northern Areas 48 to 50. Source: 6.3, 12.2."""
    return board.units[unit].main_place in board.northern_setup_areas


# Soviet units


def counter_at(table: Table, board: Board, area: PlaceId) -> SovietCounter | None:
    """Return the counter of a Revealed Soviet unit; None where there is none or nobody may know it yet.

    Source: 4.4, RuleId("4.4.unrevealed-hidden").
    """
    piece = soviet_at(table, area)
    return board.counter(CardId(piece.kind)) if piece is not None and piece.kind else None


def is_isolated(table: Table, area: PlaceId) -> bool:
    """Return whether the Soviet unit of an Area is marked Isolated. Source: 12.3."""
    return bool(table.marker(soviet_unit(area), ISOLATED))


def is_urban(board: Board, area: PlaceId) -> bool:
    """Return whether an Area is Light or Heavy Urban. Source: 6.4.1."""
    return board.areas[area].is_urban


# Morale, supply, support, the event


def morale(table: Table) -> int:
    """Return German Morale, 0 to 19. Source: 3.3, RuleId("3.3.morale-track")."""
    return table.track(MORALE)


def is_strong(table: Table, board: Board) -> bool:
    """Return whether German Morale is Strong; else it is Shaken. The state follows the number at once.

    Source: 5.2, RuleId("5.2.morale-flip"), ruling.morale-flip-back.
    """
    return table.track(MORALE) >= board.morale.strong_at_least


def supply_points(table: Table) -> int:
    """Return the Supply Points not yet spent. Source: 3.4."""
    return table.track(SUPPLY)


def control_count(table: Table) -> int:
    """Return the recorded number of German-controlled Areas; 0 where it is not kept. Source: 3.4."""
    return table.track(CONTROL_COUNT)


def record_markers(number: int) -> tuple[int, int]:
    """Return where the x1 and the x10 marker of the Record Track lie for a number, which has no upper bound.

    Source: 3.4, RuleId("3.4.record-supply"), ruling.supply-unbounded.
    """
    return number % 10, number // 10


def available(table: Table, marker: MarkerId) -> int:
    """Return how many support markers of a type are Available.

    Source: 3.5, RuleId("3.5.available-box").
    """
    return table.marker(AVAILABLE, marker)


def used(table: Table, marker: MarkerId) -> int:
    """Return how many support markers of a type are in the Used box.

    Source: 3.6, RuleId("3.6.used-box").
    """
    return table.marker(USED, marker)


def support_total(board: Board, marker: MarkerId) -> int:
    """Return how many support markers of a type the game has.

    Source: 4.5, RuleId("4.5.marker-totals").
    """
    return {AIR: board.markers.air, ARTILLERY: board.markers.artillery, ENGINEER: board.markers.engineer}[marker]


def artillery_bonus(table: Table, board: Board) -> int:
    """Return what one Artillery marker adds to the Attack Value this turn. Source: 9.5.2C, 6.2."""
    shortage = SHELL_SHORTAGES.of(table, EVENT)
    return board.combat.artillery_bonus if shortage is None else shortage


def commissars(table: Table) -> int:
    """Return what Commissars add to every Soviet Defense Value this turn; 0 if they are not in force. Source: 6.2."""
    return COMMISSARS.of(table, EVENT) or 0
