"""How infantry enters and leaves Ambush Sites; their fire is `ambush`."""

from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.rules.land_movement import Land, refuse_spent
from core.games.axis_allies.rules.queries import is_contested, was_friendly
from core.games.axis_allies.rules.refusals import refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId
from projections.table import Table

LEAVE = RuleId("ambush.leave")


def refuse_enter(land: Land, piece: PieceId, site: PlaceId) -> Refusal | None:
    """Return why a unit cannot enter an Ambush Site, or None if it can.

    Source: RuleId("ambush.enter"), RuleId("ambush.who"), ruling.ambush-movement, ruling.not-one-step-back.
    """
    table, board = land.table, land.board
    there = table.pieces[piece]
    if not board.units[there.kind].is_infantry:
        return refused("ambusher_must_be_infantry")
    if there.place not in board.sites[site].zones:
        return refused("ambush_site_must_be_connected")
    if is_contested(table, there.place):
        return refused("ambusher_must_come_from_uncontested_zone")
    if table.pieces_at(site):
        return refused("ambush_site_must_be_empty")
    if land.is_bound(there.place):
        return refused("not_one_step_back_must_be_obeyed")
    return refuse_spent(table, piece)


def refuse_leave(table: Table, board: Board, piece: PieceId, zone: PlaceId) -> Refusal | None:
    """Return why an ambusher cannot leave into a zone, or None if it can. Source: RuleId("ambush.leave"), ruling.blitz-followers."""
    there = table.pieces[piece]
    if zone not in board.sites[there.place].zones:
        return refused("ambush_site_must_be_connected", rule=LEAVE)
    if is_contested(table, zone) or not was_friendly(table, zone, there.side):
        return refused("zone_must_have_been_friendly_and_uncontested")
    return refuse_spent(table, piece)
