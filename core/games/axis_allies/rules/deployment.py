"""Units that come onto the boards: free ones, bought ones and those of Operation Uranus.

Where which may arrive is said by the chapters that deploy them.
"""

from collections.abc import Iterable

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import FLYING, POOL, enemy
from core.games.axis_allies.rules.control import begin_assault, end_fight, take
from core.games.axis_allies.rules.limits import can_add, refuse_assault
from core.games.axis_allies.rules.queries import free_unit, is_friendly, is_occupied, tokens
from core.games.axis_allies.rules.refusals import refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Table

UNAVAILABLE = RuleId("components.limits-general")
INTO_EMPTY = RuleId("deployment.into-hostile-empty")


def refuse_deploy(table: Table, board: Board, kind: str, zone: PlaceId) -> Refusal | None:
    """Return why a unit of a type cannot be deployed in a zone in which it may arrive, or None if it can.

    Source: RuleId("components.limits-general"), ruling.marker-shortage-forced.
    """
    if not can_add(table, board, kind, zone):
        return refused("piece_must_be_available")
    unit = board.units[kind]
    return None if unit.is_air else refuse_arrival(table, board, unit.side, zone)


def refuse_arrival(table: Table, board: Board, side: Side, zone: PlaceId) -> Refusal | None:
    """Return why land units of a side cannot be deployed in a zone for lack of a Combat Marker, or None if they can.

    Source: RuleId("deployment.into-hostile-occupied"), ruling.marker-shortage-forced.
    """
    is_assault = not is_friendly(table, zone, side) and is_occupied(table, board, zone, enemy(side))
    return refuse_assault(table, board, zone) if is_assault else None


def deploy(draft: Draft, board: Board, kind: str, zone: PlaceId, rule: RuleId) -> PieceId | None:
    """Place a unit, aircraft in the air, and return it; return None if no component is left for it, so that it is lost.

    Source: RuleId("deployment.air"), RuleId("components.limits-general"), ruling.pool-exhausted.
    """
    if not can_add(draft.table, board, kind, zone):
        draft.apply(UNAVAILABLE, "no piece is left", kind)
        return None
    unit = board.units[kind]
    piece = free_unit(draft.table, kind)
    draft.place(piece, zone, rule, kind=kind, side=unit.side, face=FLYING if unit.is_air else "")
    return piece


def deploy_token(draft: Draft, side: Side, zone: PlaceId, rule: RuleId) -> None:
    """Place a supply token from a side's pool, if one is left there. Source: RuleId("components.supply-tokens"), ruling.pool-exhausted."""
    left = tokens(draft.table, POOL[side], side)
    if left:
        draft.move(left[0], zone, rule)
    else:
        draft.apply(UNAVAILABLE, "no supply token is left", zone)


def deploy_all(draft: Draft, board: Board, kinds: Iterable[str], zone: PlaceId, rule: RuleId) -> None:
    """Place units of a side together; if land units come into a hostile zone, they assault it or take it at once.

    Source: RuleId("deployment.into-hostile-occupied"), RuleId("deployment.into-hostile-empty"), ruling.deploy-into-contested.
    """
    table = draft.table
    placed = [piece for piece in [deploy(draft, board, kind, zone, rule) for kind in kinds] if piece is not None]
    arrived = [board.units[table.pieces[piece].kind] for piece in placed]
    side = next((unit.side for unit in arrived if not unit.is_air), None)
    if side is None or is_friendly(table, zone, side):
        return
    if is_occupied(table, board, zone, enemy(side)):
        begin_assault(draft, zone, RuleId("deployment.into-hostile-occupied"))
    else:
        end_fight(draft, zone, INTO_EMPTY)
        take(draft, board, zone, side, INTO_EMPTY)
