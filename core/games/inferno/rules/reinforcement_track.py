"""The Reinforcement Track: its rows, which dice still pick units up, how a unit is shown, and how it is put back."""

from collections.abc import Sequence
from functools import lru_cache

from core.engine.draft import Draft
from core.games.inferno.components.board_model import Block, Board
from core.games.inferno.components.board_records import INFANTRY, WHITE, Track
from core.games.inferno.ids import EDGES, GERMAN, GERMAN_POOL, RAUS, removed_box, track_box
from core.games.inferno.options import ROW_AFTER_REMOVAL
from core.games.inferno.rules.queries import free_token, has_advantage
from core.secrets.late_draw_odds import nested_weights
from events.ids import CardId, PieceId, PlaceId, RuleId
from projections.state.table import Table

PICK_UP = RuleId("german.reinforce.pick-up")
CONCEAL = RuleId("german.reinforce.return-facedown")
SIXTH_PANZER_ADVANTAGE = "sixth_panzer"
"""The Advantage that brings Raus with the 6th Panzer Division."""


def row_units(table: Table, board: Board, row: int) -> list[PieceId]:
    """Return the units of a row from left to right."""
    return [piece for box in range(1, board.track.boxes + 1) for piece in table.pieces_at(track_box(row, box))]


def is_dead(table: Table, board: Board, row: int) -> bool:
    """Return whether dice of a row have no effect any more. Source: ruling.reinforce-row-after-removal."""
    is_removed = row in board.removed_units and bool(table.pieces_at(removed_box(row)))
    return is_removed and ROW_AFTER_REMOVAL.chosen(table) == "dead"


def in_reach(table: Table, board: Board, row: int) -> list[PieceId]:
    """Return the units of a row that dice can pick up, from left to right."""
    return [] if is_dead(table, board, row) else row_units(table, board, row)


def is_raus_due(table: Table, board: Board) -> bool:
    """Return whether a die on the empty row brings Raus. Source: designer.advantage.sixth-panzer."""
    is_there = table.marker(removed_box(board.track.raus_row), RAUS)
    return has_advantage(table, GERMAN, SIXTH_PANZER_ADVANTAGE) and not is_there


def is_plain(unit: Block, colour: str) -> bool:
    """Return whether a German unit is plain Infantry of a colour. Source: ruling.setup-infantry."""
    return unit.kind == INFANTRY and unit.colour == colour


def is_white_box(board: Board, place: PlaceId) -> bool:
    """Return whether a box began with White Infantry. Source: setup.step-9."""
    return place in _white_boxes(board.track)


@lru_cache(maxsize=16)
def _white_boxes(track: Track) -> frozenset[PlaceId]:
    last = range(track.boxes - track.white_boxes + 1, track.boxes + 1)
    return frozenset([track_box(row, box) for row in range(1, track.rows + 1) for box in last])


def show(draft: Draft, board: Board, piece: PieceId) -> None:
    """Let the Germans see a unit of the track; one that nobody knew is drawn now, by the odds of the set-up.

    Source: german.reinforce.pick-up, fog.reinforcements-facedown, setup.step-9.
    """
    table, seats = draft.table, draft.table.seats_of(GERMAN)
    there = table.pieces[piece]
    if there.kind:
        draft.reveal(piece, there.kind, there.face, PICK_UP, seen_by=seats)
        return
    cards = frozenset(table.pile(GERMAN_POOL).cards)
    white = frozenset([card for card in cards if is_plain(board.blocks[card], WHITE)])
    is_white = {
        other.id: is_white_box(board, other.place)
        for other in table.pieces.values()
        if other.side == GERMAN and not other.kind
    }
    ordered = sorted(is_white.values(), reverse=True)
    weights = nested_weights([white if is_one else cards for is_one in ordered], ordered.index(is_white[piece]))
    unit = draft.draw_piece(GERMAN_POOL, f"unit of {piece}", PICK_UP, piece=piece, weights=weights, seen_by=seats)
    draft.reveal(piece, unit, EDGES[0], PICK_UP, steps=board.blocks[unit].edges[0].strength, seen_by=seats)


def fewest(table: Table, board: Board) -> int:
    """Return the row into which a unit goes back. Source: german.reinforce.return-order, ruling.reinforce-return-spread."""
    return min(range(1, board.track.rows + 1), key=lambda row: (len(row_units(table, board, row)), row))


def put_back(draft: Draft, board: Board, piece: PieceId, rule: RuleId) -> None:
    """Lay a unit face down into the right-most empty box of the row with the fewest units.

    Source: ruling.reinforce-return-box, ruling.returned-reinforcements.
    """
    row = fewest(draft.table, board)
    boxes = [track_box(row, box) for box in range(1, board.track.boxes + 1)]
    box = [place for place in boxes if not draft.table.pieces_at(place)][-1]
    draft.move(piece, box, rule)
    draft.conceal(piece, CONCEAL)


def place_unseen(draft: Draft, board: Board, units: Sequence[CardId], place: PlaceId, rule: RuleId) -> None:
    """Place German units at full Strength under tokens that do not tell others which is which.

    Source: fog.blocks-upright, ai.german-full-strength.
    """
    seats, left = draft.table.seats_of(GERMAN), list(units)
    while left:
        piece, unit = free_token(draft.table, GERMAN), left[0]
        if len(left) > 1:
            unit = CardId(draft.choose(left, f"unit of {piece}", rule, about=piece, seen_by=seats))
        left.remove(unit)
        steps = board.blocks[unit].edges[0].strength
        draft.place(piece, place, rule, kind=unit, side=GERMAN, face=EDGES[0], steps=steps, seen_by=seats)
