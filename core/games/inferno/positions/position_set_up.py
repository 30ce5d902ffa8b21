"""Setting the table up as a position file says; `inferno_positions` checks it."""

from core.engine.attributes import Declared
from core.engine.draft import Draft
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import (
    DEATH_POOL,
    EDGES,
    GERMAN,
    GERMAN_POOL,
    PLAYS,
    POOL_PILES,
    SETUP_MIX,
    SIDES,
    SOVIET,
    SOVIET_SEAT,
    advantages,
    deck,
    deck_bottom,
    deck_top,
    discards,
    hand,
    leaders,
    removed_box,
    token,
)
from core.games.inferno.memory import (
    ADVANTAGES,
    CAME,
    CAPTURED_BY,
    EXHAUSTED,
    EXTRA_TURNS,
    EXTRA_TURNS_PLAYED,
    LAYER,
    NUMBER,
    POOL,
)
from core.games.inferno.options import PIONEER_672_EXTRA
from core.games.inferno.rules.queries import is_soviet_played
from core.games.inferno.rules.turn import Turns
from core.positions.position import PlacedPiece, Position, place_known, put_attributes, put_markers
from events.codec import replace
from events.ids import CardId, PileId, PlaceId, RuleId, Side

PLACED = RuleId("setup.step-1")
CONTROL = RuleId("control.initial")
ORDER = RuleId("turn.alternate")
STATED: tuple[Declared, ...] = (
    ADVANTAGES,
    CAME,
    CAPTURED_BY,
    EXHAUSTED,
    EXTRA_TURNS,
    EXTRA_TURNS_PLAYED,
    LAYER,
    NUMBER,
    POOL,
)
"""The attributes that a position can state: between two turns nothing else is remembered."""


def set_up_position(draft: Draft, board: Board, turns: Turns, position: Position) -> None:
    """Set the table up as a valid position says, and begin the turn that it names."""
    for place, side in controlled(board, position).items():
        draft.control(place, side, CONTROL)
    put_markers(draft, position.markers, PLACED)
    for piece in position.pieces:
        _place(draft, board, piece)
    put_attributes(draft, position, STATED, PLACED)
    for piece in position.pieces:
        if not piece.kind and POOL.of(draft.table, piece.id) and LAYER.of(draft.table, piece.id) is None:
            LAYER.set(draft, piece.id, 0, PLACED)
    _form_piles(draft, board, position)
    number = max(1, position.round)
    if position.turn == SOVIET:
        draft.begin_round(number, ORDER)
        turns.begin_soviet(draft)
    else:
        turns.play_german(draft, number)


def side_of(board: Board, piece: PlacedPiece) -> Side:
    """Return the side of a block by its token."""
    for side in SIDES:
        if any(piece.id == token(side, number) for number in range(1, len(board.blocks_of(side, has_axe=True)) + 1)):
            return side
    return piece.side


def open_boxes(board: Board) -> tuple[PlaceId, ...]:
    """Return the boxes in which all know the blocks. Source: fog.public-facts."""
    return (DEATH_POOL, *[removed_box(row) for row in range(1, board.track.rows + 1)])


def seats_in(position: Position) -> dict[str, Side]:
    """Return the seats of a position's mode with their sides."""
    return {str(seat): side for seat, side in PLAYS[position.mode or next(iter(PLAYS))].items()}


def controlled(board: Board, position: Position) -> dict[PlaceId, Side]:
    """Return who controls each hex: as the position says, else who stands there, else as at the beginning."""
    first = {place: GERMAN if place in board.setup.german_control else SOVIET for place in board.hexes}
    held = {piece.place: side_of(board, piece) for piece in position.pieces if piece.place in board.hexes}
    return {**first, **held, **position.control}


def _place(draft: Draft, board: Board, piece: PlacedPiece) -> None:
    """Place a block; what the position leaves out of a known one is its full strength, and that its own side knows it.

    Source: fog.german-sees-own, fog.1v1-soviet-sees-own, fog.reinforcements-facedown.
    """
    table, side = draft.table, side_of(board, piece)
    if not piece.kind:
        draft.place(piece.id, piece.place, PLACED, kind="", side=side, seen_by=())
        return
    if piece.known_to is None and piece.place not in open_boxes(board):
        own = table.seats_of(side)
        knows = () if piece.place not in board.hexes else own
        piece = replace(piece, known_to=knows, seen_by=own or tuple(table.seats))
    face = piece.face or EDGES[0]
    steps = board.blocks[CardId(piece.kind)].edge(face).strength
    place_known(draft, piece, PLACED, kind=piece.kind, side=side, face=face, steps=steps)


def _form_piles(draft: Draft, board: Board, position: Position) -> None:
    """Form the piles: a deck and a pool hold by default what is nowhere else, all other piles nothing."""
    named = {card for cards in position.piles.values() for card in cards}
    named |= {CardId(piece.kind) for piece in position.pieces}
    stated = position.piles
    for side in SIDES:
        cards = board.deck(side, has_extra=PIONEER_672_EXTRA.is_on(draft.table))
        rest = tuple(card for card in cards if card not in named)
        draft.form(deck(side), stated.get(deck(side), rest), PLACED, seen_by=())
        for pile in (discards(side), leaders(side)):
            draft.form(pile, stated.get(pile, ()), PLACED)
        _form_stated(draft, position, deck_top(side), deck_bottom(side), advantages(side))
    for seat in dict.fromkeys((*draft.table.seats_of(GERMAN), SOVIET_SEAT)):
        knows = (seat,) if seat in draft.table.seats else ()
        draft.form(hand(seat), stated.get(hand(seat), ()), PLACED, seen_by=knows)
    for arm, pool in POOL_PILES.items():
        blocks = [block.id for block in board.blocks_of(SOVIET) if block.pool == arm and block.id not in named]
        knows_pool = () if is_soviet_played(draft.table) else None
        draft.form(pool, stated.get(pool, tuple(blocks)), PLACED, seen_by=knows_pool)
    _form_stated(draft, position, GERMAN_POOL, SETUP_MIX)


def _form_stated(draft: Draft, position: Position, *piles: PileId) -> None:
    for pile in piles:
        if pile in position.piles:
            draft.form(pile, position.piles[pile], PLACED)
