"""What can be wrong with the attributes of a position: what they are on, their types, and the things that they name."""

from collections.abc import Collection

from core.attributes import Declared, wrong_attributes
from core.games.advance.components.board_model import Board
from core.games.advance.ids import OUT_OF_ACTION, division_id, soviet_unit
from core.games.advance.memory import (
    ACTIVATED,
    ACTIVE_UNITS,
    ATTACK_ATTRIBUTES,
    ATTACKED,
    ATTACKERS,
    CONTESTED_AT_ACTIVATION,
    DUE,
    ENTERED_FROM,
    EVENT,
    EVENT_ATTRIBUTES,
    MANDATORY,
    MOVEMENT_LEFT,
    PAUSED,
    STRATEGY_IN_FORCE,
    WAS_WITHDRAWN,
)
from core.position import Position
from events.ids import TABLE, PieceId, PlaceId

OF_AREAS: tuple[Declared, ...] = (ACTIVATED, ACTIVE_UNITS, ATTACKED, MANDATORY, *ATTACK_ATTRIBUTES)
IN_COMBAT = ("activate", "act", "barrage", "lead", "support")
"""The decisions of the Combat Phase after which Areas may have been activated."""


def memory_defects(
    board: Board, position: Position, placed: Collection[PieceId], boxes: Collection[PlaceId]
) -> list[str]:
    """Name every defect of what a position remembers.

    Args:
        board: Has the Areas, units and divisions.
        position: The position.
        placed: The units that are in play in it.
        boxes: The boxes of its scenario.
    """
    soviets = {soviet_unit(area) for area in board.areas}

    def may_be_on(on: str) -> tuple[Declared, ...] | None:
        if on == EVENT:
            return EVENT_ATTRIBUTES
        if on == TABLE:
            return (CONTESTED_AT_ACTIVATION,)
        if on in board.areas:
            return OF_AREAS
        if on in boxes and on != OUT_OF_ACTION:
            return (DUE, WAS_WITHDRAWN)
        if on in placed:
            return (STRATEGY_IN_FORCE,) if on in soviets else (MOVEMENT_LEFT, ENTERED_FROM)
        return None

    found = wrong_attributes(position.attributes, may_be_on)
    return found or _named_defects(board, position, placed)


def _named_defects(board: Board, position: Position, placed: Collection[PieceId]) -> list[str]:
    """Check that numbers are possible and that what lists name is there, in attributes of the right types."""
    found: list[str] = []
    divisions = {division_id(division) for division in board.divisions}
    units = {unit for unit in placed if unit in board.units}
    lists: dict[str, Collection[str]] = {
        ACTIVE_UNITS.key: units,
        ATTACKERS.key: units,
        CONTESTED_AT_ACTIVATION.key: board.areas,
        PAUSED.key: divisions,
    }
    for on, there in position.attributes.items():
        for key, value in there.items():
            if isinstance(value, int) and value < 0:
                found.append(f"attribute {key} of {on} is {value}, which is less than 0")
            if isinstance(value, tuple) and key in lists:
                found += [
                    f"attribute {key} of {on} names {one!r}, which does not exist"
                    for one in value
                    if one not in lists[key]
                ]
        if ACTIVATED.key in there and (position.decision is None or position.decision.kind not in IN_COMBAT):
            found.append(
                f"attribute {ACTIVATED.key} of {on} belongs to the Combat Phase, and the position does not open in it"
            )
    return found
