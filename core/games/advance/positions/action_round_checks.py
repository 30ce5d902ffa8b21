"""What can be wrong with a position that opens within an Action Round: what is remembered of it must fit together."""

from collections.abc import Iterator

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
from core.position import Defect, Position
from events.ids import PieceId, PlaceId
from events.vocabulary import Value


def round_defects(board: Board, position: Position) -> Iterator[Defect]:
    """Name what is wrong with what is remembered of an Action Round, or with its being there at all.

    Source: 6.4.2, 8.1, 9.5.
    """
    asked = position.decision
    if asked is None or asked.kind not in IN_A_ROUND:
        yield from _out_of_place(board, position)
        return
    active = [on for on, there in position.attributes.items() if on in board.areas and ACTIVE_UNITS.key in there]
    if len(active) != 1:
        yield Defect(("attributes",), f"an Action Round has one Active Area, not {len(active)}")
    yield from _entry_defects(board, position)
    area = asked.arguments.get("area")
    attacked = area if asked.kind in IN_AN_ATTACK else ""
    keys = {attribute.key for attribute in ATTACK_ATTRIBUTES}
    for on, there in position.attributes.items():
        for key in there:
            if key in keys and on != attacked:
                problem = (
                    f"attribute {key} of {on} belongs to an attack on that Area, and the position does not open in one"
                )
                yield Defect(("attributes", on, key), problem)
    if asked.kind in IN_AN_ATTACK and isinstance(area, str):
        yield from _attack_defects(position, asked.kind, PlaceId(area))


def _out_of_place(board: Board, position: Position) -> Iterator[Defect]:
    """Name everything that belongs to an Action Round in a position that does not open in one."""
    keys = {attribute.key for attribute in (*ROUND_ATTRIBUTES, *ATTACK_ATTRIBUTES)}
    why = "belongs to an Action Round, and the position does not open in one"
    for on, there in position.attributes.items():
        for key in there:
            if key in keys:
                yield Defect(("attributes", on, key), f"attribute {key} of {on} {why}")
    for on, markers in position.markers.items():
        for marker in markers:
            if on in board.areas and marker in SUPPORT:
                yield Defect(("markers", on, marker), f"marker {marker} on {on} {why}")


def _places(position: Position) -> dict[PieceId, PlaceId]:
    return {piece.id: piece.place for piece in position.pieces}


def _entry_defects(board: Board, position: Position) -> Iterator[Defect]:
    """Check that a unit with an entry Area is beside it, with a Soviet unit. Source: 9.1, 9.5.8."""
    places = _places(position)
    for on, there in position.attributes.items():
        entry = there.get(ENTERED_FROM.key)
        here = places.get(PieceId(on), PlaceId(""))
        if not isinstance(entry, str):
            continue
        if places.get(soviet_unit(here)) != here:
            yield Defect(("attributes", on, ENTERED_FROM.key), f"{on} has entered no Area with a Soviet unit")
        elif entry in board.areas and not board.adjacency.are_adjacent(here, PlaceId(entry)):
            yield Defect(("attributes", on, ENTERED_FROM.key), f"{on} cannot have entered Area {here} from {entry}")


def _attack_defects(position: Position, kind: str, area: PlaceId) -> Iterator[Defect]:
    """Check that units attack a Revealed unit, with one Lead where support is placed. Source: 9.4, 9.5."""
    places = _places(position)
    there = position.attributes.get(area, {})
    attackers = _listed(there.get(ATTACKERS.key))
    lead = there.get(LEAD.key)
    path = ("attributes", area)
    for on in attackers:
        if places.get(PieceId(on)) != area:
            yield Defect((*path, ATTACKERS.key), f"{on} is not in Area {area}, which is attacked")
    if not attackers:
        yield Defect(path, f"nobody attacks Area {area}: its attribute {ATTACKERS.key} lists who does")
    for index, piece in enumerate(position.pieces):
        if piece.id == soviet_unit(area) and piece.place == area and not piece.kind:
            yield Defect(("pieces", index), f"the Soviet unit of Area {area} is attacked and so is Revealed")
    if kind == "support" and lead not in attackers:
        yield Defect(path, "one of the attackers leads where support is placed")
    if kind != "support" and lead is not None:
        yield Defect((*path, LEAD.key), f"the Lead is not named yet at the decision {kind}")


def _listed(value: Value | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()
