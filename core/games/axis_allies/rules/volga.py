"""Movement across the Volga: loading and offloading at the Volga Crossings, and the tokens that cross."""

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board, UnitType
from core.games.axis_allies.components.map_records import CrossingRow
from core.games.axis_allies.ids import ALLIES, AXIS, FERRY, SUPPLY
from core.games.axis_allies.memory import LANDED, MOVE, MOVED
from core.games.axis_allies.rules.entering import enter
from core.games.axis_allies.rules.limits import refuse_assault
from core.games.axis_allies.rules.queries import has_crossing, is_friendly
from core.games.axis_allies.rules.refusals import refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Table

LOAD = RuleId("movement.volga.load")
LOAD_STOPS = RuleId("movement.volga.load-stops")
OFFLOAD = RuleId("movement.volga.must-offload")
ACROSS = RuleId("movement.volga.assault-across-river")
OFFLOAD_FREE = RuleId("movement.volga.offload-free")
BOTH_BANKS = RuleId("zone.volga.not-adjacent")
CITY_ONLY = RuleId("zone.volga.soviet-only-city")
TOKEN_LANDED = RuleId("movement.volga.tokens")


def refuse_bank(board: Board, side: Side, origin: PlaceId, to: PlaceId) -> Refusal | None:
    """Return why a move would cross the Volga where or as it may not, or None if it does not.

    Source: RuleId("zone.volga.axis-never"), RuleId("zone.volga.not-adjacent"), RuleId("zone.volga.soviet-only-city"),
    RuleId("movement.volga.from-krasnaya-sloboda").
    """
    east = (board.east_bank, board.bases[ALLIES])
    is_loading = to in board.crossings
    if side == AXIS and (is_loading or to in east):
        return refused("axis_must_not_cross_volga")
    if is_loading:
        return None if origin == board.east_bank else refused("volga_must_be_crossed_westward_at_crossings")
    if (origin in east) == (to in east):
        return None
    rule = CITY_ONLY if board.bases[ALLIES] in (origin, to) else BOTH_BANKS
    return refused("volga_must_be_crossed_westward_at_crossings", rule=rule)


def refuse_load(table: Table, crossing: PlaceId, piece: PieceId, unit: UnitType | None) -> Refusal | None:
    """Return why a unit, or a token (no unit), of Krasnaya Sloboda cannot load onto a crossing, or None if it can.

    Source: RuleId("movement.volga.load"), RuleId("movement.volga.capacity"), RuleId("ferry.cargo-infantry"), RuleId("icebridge.any-land-unit").
    """
    if not has_crossing(table, crossing):
        return refused("crossing_must_be_in_place")
    if table.marker(crossing, FERRY) and unit is not None and not unit.is_infantry:
        return refused("crossing_must_suit_cargo")
    if table.pieces_at(crossing):
        return refused("crossing_must_be_empty")
    return refused("movement_must_suffice") if MOVE.of(table, piece) else None


def refuse_offload(table: Table, board: Board, piece: PieceId, to: PlaceId) -> Refusal | None:
    """Return why what lies on a crossing cannot land in a zone, or None if it can.

    Source: RuleId("movement.volga.must-offload"), RuleId("movement.volga.load-stops"), ruling.forced-offload.
    """
    there = table.pieces[piece]
    if to != board.crossings[there.place].landing:
        return refused("zones_must_be_adjacent", rule=OFFLOAD)
    if MOVE.of(table, piece):
        return refused("movement_must_suffice", rule=LOAD_STOPS)
    if there.kind == SUPPLY or is_friendly(table, to, ALLIES):
        return None
    return refuse_assault(table, board, to)


def refuse_token(table: Table, board: Board, token: PieceId, to: PlaceId) -> Refusal | None:
    """Return why a supply token cannot be moved by land, or None if it can.

    Source: RuleId("supply.token.movement"), RuleId("movement.volga.tokens").
    """
    origin = table.pieces[token].place
    if MOVE.of(table, token) == LANDED:
        return refused("token_must_stay_in_place", rule=TOKEN_LANDED)
    if origin in board.crossings:
        return refuse_offload(table, board, token, to)
    if origin != board.east_bank or to not in (*board.zones, *board.crossings):
        return refused("token_must_stay_in_place")
    return refuse_bank(board, ALLIES, origin, to) or refuse_load(table, to, token, None)


def load(draft: Draft, piece: PieceId, crossing: PlaceId) -> None:
    """Load a unit or a token, whose move ends with it. Source: RuleId("movement.volga.load"), RuleId("movement.volga.load-stops")."""
    draft.move(piece, crossing, LOAD)
    MOVE.set(draft, piece, MOVED, LOAD_STOPS)


def offload(draft: Draft, board: Board, piece: PieceId, to: PlaceId) -> None:
    """Land a unit or a token; from a ferry a unit comes over an unfrozen river.

    Source: RuleId("movement.volga.must-offload"), RuleId("movement.volga.offload-free"), RuleId("movement.volga.assault-across-river"),
    RuleId("movement.volga.tokens"), ruling.token-alone-in-hostile, ruling.freeze-with-cargo.
    """
    table = draft.table
    there = table.pieces[piece]
    if there.kind == SUPPLY:
        draft.move(piece, to, OFFLOAD)
        MOVE.set(draft, piece, LANDED, TOKEN_LANDED)
    else:
        enter(draft, piece, to, OFFLOAD, is_over_river=table.marker(there.place, FERRY) > 0, river=ACROSS)
        MOVE.set(draft, piece, LANDED, OFFLOAD_FREE)


def must_offload(table: Table, board: Board) -> CrossingRow | None:
    """Return a crossing whose cargo still has to land and can, or None.

    Source: RuleId("movement.volga.must-offload"), ruling.forced-offload.
    """
    for row in board.crossings.values():
        if any(refuse_offload(table, board, piece, row.landing) is None for piece in table.pieces_at(row.id)):
            return row
    return None
