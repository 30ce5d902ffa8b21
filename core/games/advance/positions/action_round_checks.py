"""What can be wrong with a position that opens within an Action Round: what is remembered of it must fit together."""

from core.games.advance.components.board_model import Board
from core.games.advance.ids import SUPPORT, soviet_unit
from core.games.advance.memory import (
    ACTIVE_UNITS,
    ATTACK_ATTRIBUTES,
    ATTACKERS,
    ENTERED_FROM,
    LEAD,
    ROUND_ATTRIBUTES,
)
from core.games.advance.positions.position_set_up import IN_A_ROUND, IN_AN_ATTACK
from core.position import Position
from events.ids import PieceId, PlaceId
from events.vocabulary import Value


def round_defects(board: Board, position: Position) -> list[str]:
    """Name what is wrong with what is remembered of an Action Round, or with its being there at all.

    Source: 6.4.2, 8.1, 9.5.
    """
    asked = position.decision
    if asked is None or asked.kind not in IN_A_ROUND:
        return _out_of_place(board, position)
    found: list[str] = []
    active = [on for on, there in position.attributes.items() if on in board.areas and ACTIVE_UNITS.key in there]
    if len(active) != 1:
        found.append(f"an Action Round has one Active Area, not {len(active)}")
    found += _entry_defects(board, position)
    area = asked.arguments.get("area")
    attacked = area if asked.kind in IN_AN_ATTACK else ""
    keys = {attribute.key for attribute in ATTACK_ATTRIBUTES}
    found += [
        f"attribute {key} of {on} belongs to an attack on that Area, and the position does not open in one"
        for on, there in position.attributes.items()
        for key in there
        if key in keys and on != attacked
    ]
    if asked.kind in IN_AN_ATTACK and isinstance(area, str):
        found += _attack_defects(position, asked.kind, PlaceId(area))
    return found


def _out_of_place(board: Board, position: Position) -> list[str]:
    """Name everything that belongs to an Action Round in a position that does not open in one."""
    keys = {attribute.key for attribute in (*ROUND_ATTRIBUTES, *ATTACK_ATTRIBUTES)}
    found = [
        f"attribute {key} of {on} belongs to an Action Round, and the position does not open in one"
        for on, there in position.attributes.items()
        for key in there
        if key in keys
    ]
    return found + [
        f"marker {marker} on {on} belongs to an Action Round, and the position does not open in one"
        for on, markers in position.markers.items()
        for marker in markers
        if on in board.areas and marker in SUPPORT
    ]


def _places(position: Position) -> dict[PieceId, PlaceId]:
    return {piece.id: piece.place for piece in position.pieces}


def _entry_defects(board: Board, position: Position) -> list[str]:
    """Check that a unit with an entry Area is beside it, with a Soviet unit. Source: 9.1, 9.5.8."""
    places = _places(position)
    found: list[str] = []
    for on, there in position.attributes.items():
        entry = there.get(ENTERED_FROM.key)
        if not isinstance(entry, str):
            continue
        here = places.get(PieceId(on), PlaceId(""))
        if entry not in board.areas:
            found.append(f"{on} cannot have come from {entry!r}, which is not an Area")
        elif places.get(soviet_unit(here)) != here:
            found.append(f"{on} has entered no Area with a Soviet unit")
        elif not board.adjacency.are_adjacent(here, PlaceId(entry)):
            found.append(f"{on} cannot have entered Area {here} from {entry}")
    return found


def _attack_defects(position: Position, kind: str, area: PlaceId) -> list[str]:
    """Check that somebody attacks a Revealed unit, with one Lead where support is placed. Source: 9.4, 9.5."""
    places = _places(position)
    attackers = _listed(position.attributes.get(area, {}).get(ATTACKERS.key))
    lead = position.attributes.get(area, {}).get(LEAD.key)
    found = [f"{on} is not in Area {area}, which is attacked" for on in attackers if places.get(PieceId(on)) != area]
    if not attackers:
        found.append(f"nobody attacks Area {area}: its attribute {ATTACKERS.key} lists who does")
    if any(piece.place == area and piece.id == soviet_unit(area) and not piece.kind for piece in position.pieces):
        found.append(f"the Soviet unit of Area {area} is attacked and so is Revealed")
    if kind == "support" and lead not in attackers:
        found.append("one of the attackers leads where support is placed")
    if kind != "support" and lead is not None:
        found.append(f"the Lead is not named yet at the decision {kind}")
    return found


def _listed(value: Value | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()
