"""Entering a hex: control, the credit of two German seats, captured Spawn Hexes, Fortifications and Chuikov's headquarters."""

from collections.abc import Sequence

from core.engine.draft import Draft
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import FORTIFICATIONS, GERMAN, HEADQUARTERS, SOVIET, discards, leaders
from core.games.inferno.memory import CAPTURED_BY
from core.games.inferno.options import COOP_CREDIT, SPAWN_CAPTURE_CARD
from core.games.inferno.rules.cards import CHUIKOV, draw_soviet, draw_with_paulus
from core.games.inferno.rules.queries import COLOUR_SEATS, colours, has_partners
from events.ids import PieceId, PlaceId, RuleId, Seat, Side
from projections.state.table import Table

SWITCH = RuleId("control.switch-on-entry")
CAPTURE = RuleId("capture.spawn-hex-card")
CREDIT = RuleId("mode.co-op.control-by-colour")
FORTIFICATION_LOST = RuleId("designer.fortification.destroyed")
HEADQUARTERS_LOST = RuleId("designer.chuikov.lost")
CARDS_FOR_CAPTURE = 1


def enter(draft: Draft, board: Board, pieces: Sequence[PieceId], place: PlaceId, rule: RuleId) -> None:
    """Move units into a hex, with everything that follows at once.

    Source: control.switch-on-entry, capture.spawn-hex-card.
    """
    for piece in pieces:
        draft.move(piece, place, rule)
    take_control(draft, board, place, pieces, rule)


def take_control(draft: Draft, board: Board, place: PlaceId, pieces: Sequence[PieceId], rule: RuleId) -> None:
    """Do what follows when units have come into a hex: control switches, and what the enemy has lost there goes.

    Source: control.switch-on-entry, control.retake, capture.spawn-hex-card,
    designer.fortification.destroyed, designer.chuikov.lost, ruling.landing-control.

    Args:
        draft: The draft.
        board: The board.
        place: The hex.
        pieces: The units, which are there.
        rule: The rule by which they came.
    """
    table = draft.table
    side = table.pieces[pieces[0]].side
    is_captured, cards = table.control.get(place) != side, captured_cards(table, board, side, place)
    credited = _captor(table, board, tuple(pieces)) if side == GERMAN else None
    draft.control(place, side, SWITCH)
    if side == GERMAN:
        for disc in FORTIFICATIONS.values():
            draft.unmark(place, disc, FORTIFICATION_LOST)
        if table.marker(place, HEADQUARTERS):
            lose_chuikov(draft, board, place, HEADQUARTERS_LOST)
        if credited is not None and (is_captured or COOP_CREDIT.chosen(table) == "last-entered"):
            CAPTURED_BY.set(draft, place, credited, CREDIT)
    elif is_captured:
        CAPTURED_BY.forget(draft, place, CREDIT)
    if side == GERMAN:
        draw_with_paulus(draft, board, credited or table.seats_of(GERMAN)[0], cards, CAPTURE)
    else:
        draw_soviet(draft, board, cards, CAPTURE)


def captured_cards(table: Table, board: Board, side: Side, place: PlaceId) -> int:
    """Return how many cards a side that enters a hex is due for it, before Paulus doubles them.

    Source: capture.spawn-hex-card, ruling.enemy-spawn-hex.
    """
    enemy_spawn = board.soviet_spawn if side == GERMAN else board.german_spawn
    is_any = SPAWN_CAPTURE_CARD.chosen(table) == "any-of-nine" and board.hexes[place].spawn
    is_due = table.control.get(place) != side and (is_any or place in enemy_spawn)
    return CARDS_FOR_CAPTURE if is_due else 0


def _captor(table: Table, board: Board, pieces: tuple[PieceId, ...]) -> Seat | None:
    """Return the German seat that is credited with a hex which units enter, or None if there is only one German seat.

    Source: mode.co-op.control-by-colour, ruling.co-op-capture-credit.
    """
    if not has_partners(table):
        return None
    found = colours(table, board, pieces)
    if COOP_CREDIT.chosen(table) == "active" or len(found) != 1:
        return table.turn_seat if table.turn == GERMAN else table.seats_of(GERMAN)[0]
    return COLOUR_SEATS[next(iter(found))]


def lose_chuikov(draft: Draft, board: Board, place: PlaceId | None, rule: RuleId) -> None:
    """Discard Chuikov, and take his headquarters off the map if it is there.

    Source: designer.chuikov.lost, designer.chuikov.no-place.
    """
    if place is not None:
        draft.unmark(place, HEADQUARTERS, rule)
    for card in draft.table.pile(leaders(SOVIET)).cards:
        if board.cards[card].title.id == CHUIKOV:
            draft.discard(card, leaders(SOVIET), discards(SOVIET), rule)
