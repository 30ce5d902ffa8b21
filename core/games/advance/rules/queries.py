"""The definitions of chapters 3, 4 and 7, derived from a table and the board: who holds an Area, what a unit is and can do.

Figures and shapes that are printed are the board's: ruling.board-data, ruling.ocr-infantry-five.
"""

from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import SovietCounter
from core.games.advance.ids import (
    FRESH,
    GERMAN,
    ISOLATED,
    MORALE,
    REVEALED,
    division_id,
    soviet_unit,
)
from core.games.advance.memory import EVENT, PAUSED, RAIN, SHELL_SHORTAGES
from events.ids import CardId, PieceId, PlaceId
from projections.state.table import Piece, Table

# Areas: who is there, and whose they are


def soviet_at(table: Table, area: PlaceId) -> Piece | None:
    """Return the Soviet unit of an Area, or None. There is never a second one. Source: RuleId("7.1.soviet-one")."""
    piece = table.pieces.get(soviet_unit(area))
    return piece if piece is not None and piece.place == area else None


def germans_at(table: Table, area: PlaceId) -> tuple[PieceId, ...]:
    """Return the German units in an Area or box, in the order of their arrival."""
    pieces = table.pieces
    return tuple([unit for unit in table.pieces_at(area) if pieces[unit].side == GERMAN])


def is_vacant(table: Table, area: PlaceId) -> bool:
    """Return whether no Soviet unit is in an Area; German ones do not matter.

    Source: RuleId("7.4.vacant-is-german"), ruling.control-definition.
    """
    there = table.at.get(area)
    return not there or soviet_unit(area) not in there


def is_revealed(table: Table, area: PlaceId) -> bool:
    """Return whether the Soviet unit of an Area, which must be there, is Revealed. Source: 4.4."""
    return table.pieces[soviet_unit(area)].face == REVEALED


def soviet_areas(table: Table, board: Board) -> tuple[PlaceId, ...]:
    """List the Soviet-controlled Areas by number."""
    return tuple([area for area in board.areas if not is_vacant(table, area)])


def contested_areas(table: Table, board: Board) -> tuple[PlaceId, ...]:
    """List the Areas with both German and Soviet units, by number. Source: RuleId("7.3.contested")."""
    # Most of the fifty hold one piece or none. There is never a second Soviet unit.
    crowded = {place for place, there in table.at.items() if len(there) > 1}
    return tuple([area for area in board.areas if area in crowded and not is_vacant(table, area)])


def room(table: Table, board: Board, area: PlaceId) -> int:
    """Return how many more German units fit into an Area, 0 or more. Markers take no room.

    Source: RuleId("7.1.german-four"), RuleId("7.1.markers-free").
    """
    here = len(table.at.get(area, ()))
    return max(0, board.movement.stacking_german - (here if is_vacant(table, area) else here - 1))


def german_control_count(table: Table, board: Board) -> int:
    """Count the German-controlled Areas. Source: RuleId("3.4.record-control")."""
    return len(board.areas) - len(soviet_areas(table, board))


# German units


def fresh_at(table: Table, area: PlaceId) -> tuple[PieceId, ...]:
    """Return the Fresh German units in an Area. Source: 4.3.1."""
    return tuple([unit for unit in germans_at(table, area) if table.pieces[unit].face == FRESH])


def units_of(board: Board, division_id: str) -> tuple[PieceId, ...]:
    """Return all units of a division, on the table or not."""
    return tuple([unit.id for unit in board.units.values() if unit.division == division_id])


def is_paused(table: Table, board: Board, unit: PieceId) -> bool:
    """Return whether an event keeps a unit's division from moving and attacking this turn.

    Source: RuleId("6.2.chart.7-8"), RuleId("6.2.chart.13-14"), ruling.logistical-pause.
    """
    return division_id(board.units[unit].division) in (PAUSED.of(table, EVENT) or ())


def movement_factor(table: Table, board: Board, unit: PieceId) -> int:
    """Return how many MF a unit has this turn: what is printed, or less in Rain.

    Source: 4.2.1, 4.2.2, RuleId("14.6.1.rain").
    """
    factor = board.units[unit].movement_factor
    cap = RAIN.of(table, EVENT)
    return factor if cap is None else min(factor, cap)


def is_northern(board: Board, unit: PieceId) -> bool:
    """Return whether a unit's printed set-up place is one of the northern Areas 48 to 50. Source: 6.3, 12.2."""
    return board.units[unit].main_place in board.northern_setup_areas


# Soviet units


def counter_at(table: Table, board: Board, area: PlaceId) -> SovietCounter | None:
    """Return the counter of a Revealed Soviet unit; None if there is none, or it is not known yet.

    Source: RuleId("4.4.unrevealed-hidden").
    """
    piece = soviet_at(table, area)
    return board.counter(CardId(piece.kind)) if piece is not None and piece.kind else None


def is_isolated(table: Table, area: PlaceId) -> bool:
    """Return whether the Soviet unit of an Area is marked Isolated. Source: 12.3."""
    return bool(table.marker(soviet_unit(area), ISOLATED))


# Morale, supply, support, the event


def morale(table: Table) -> int:
    """Return German Morale, 0 to 19. Source: RuleId("3.3.morale-track")."""
    return table.track(MORALE)


def is_strong(table: Table, board: Board) -> bool:
    """Return whether German Morale is Strong; else it is Shaken. The state follows the number at once.

    Source: RuleId("5.2.morale-flip"), ruling.morale-flip-back.
    """
    return table.track(MORALE) >= board.morale.strong_at_least


def artillery_bonus(table: Table, board: Board) -> int:
    """Return what one Artillery marker adds to the Attack Value this turn. Source: 9.5.2C, 6.2."""
    shortage = SHELL_SHORTAGES.of(table, EVENT)
    return board.combat.artillery_bonus if shortage is None else shortage
