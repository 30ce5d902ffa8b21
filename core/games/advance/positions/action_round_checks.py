"""What can be wrong with a position that opens within an Action Round: what its markers remember must fit together."""

from core.games.advance.components.board_model import Board
from core.games.advance.ids import (
    ACTIVE,
    ATTACKED,
    ATTACKING,
    CONTESTED_AT_ACTIVATION,
    ENTERED_FROM,
    FACTOR,
    LEAD,
    MANDATORY,
    MOVED,
    MOVING,
    SUPPORT,
    soviet_unit,
)
from core.games.advance.positions.position_set_up import IN_A_ROUND, IN_AN_ATTACK
from core.position import Position
from events.ids import MarkerId, PieceId, PlaceId

ROUND_MARKERS = (
    ACTIVE,
    CONTESTED_AT_ACTIVATION,
    ATTACKED,
    MANDATORY,
    FACTOR,
    MOVED,
    MOVING,
    ATTACKING,
    LEAD,
)


def round_defects(board: Board, position: Position) -> list[str]:
    """Name what is wrong with the markers of an Action Round, or with their being there at all.

    Source: 6.4.2, 8.1, 9.5.
    """
    asked = position.decision
    if asked is None or asked.kind not in IN_A_ROUND:
        return [
            f"marker {marker} on {on} belongs to an Action Round, and the position does not open in one"
            for on, markers in position.markers.items()
            for marker in markers
            if _is_of_a_round(board, on, marker)
        ]
    found: list[str] = []
    active = [on for on, markers in position.markers.items() if on in board.areas and ACTIVE in markers]
    if len(active) != 1:
        found.append(f"an Action Round has one Active Area, not {len(active)}")
    found += _entry_defects(board, position)
    area = asked.arguments.get("area")
    if asked.kind in IN_AN_ATTACK and isinstance(area, str):
        found += _attack_defects(position, asked.kind, PlaceId(area))
    return found


def _is_of_a_round(board: Board, on: str, marker: MarkerId) -> bool:
    return marker in ROUND_MARKERS or marker.startswith(ENTERED_FROM) or (on in board.areas and marker in SUPPORT)


def _places(position: Position) -> dict[PieceId, PlaceId]:
    return {piece.id: piece.place for piece in position.pieces}


def _entry_defects(board: Board, position: Position) -> list[str]:
    """Check that a unit with an entry Area is beside it, with a Soviet unit. Source: 9.1, 9.5.8."""
    places = _places(position)
    found: list[str] = []
    for on, markers in position.markers.items():
        for marker in markers:
            if not marker.startswith(ENTERED_FROM):
                continue
            here, entry = places.get(PieceId(on), PlaceId("")), PlaceId(marker.removeprefix(ENTERED_FROM))
            if places.get(soviet_unit(here)) != here:
                found.append(f"{on} has entered no Area with a Soviet unit")
            elif not board.are_adjacent(here, entry):
                found.append(f"{on} cannot have entered Area {here} from {entry}")
    return found


def _attack_defects(position: Position, kind: str, area: PlaceId) -> list[str]:
    """Check that somebody attacks a Revealed unit, with one Lead where support is placed. Source: 9.4, 9.5."""
    places = _places(position)
    attackers = [on for on, markers in position.markers.items() if ATTACKING in markers]
    leads = [on for on, markers in position.markers.items() if LEAD in markers]
    found = [f"{on} is not in Area {area}, which is attacked" for on in attackers if places.get(PieceId(on)) != area]
    if not attackers:
        found.append(f"nobody attacks Area {area}: its attackers carry the marker {ATTACKING}")
    if any(piece.place == area and piece.id == soviet_unit(area) and not piece.kind for piece in position.pieces):
        found.append(f"the Soviet unit of Area {area} is attacked and so is Revealed")
    if kind == "support" and (len(leads) != 1 or leads[0] not in attackers):
        found.append("one of the attackers leads where support is placed")
    if kind != "support" and leads:
        found.append(f"the Lead is not named yet at the decision {kind}")
    return found
