"""Decks, hands and Leaders: how cards are drawn, and what the last Soviet card ends."""

from core.engine.draft import Draft
from core.games.inferno.components.board_model import Board, Card
from core.games.inferno.components.board_records import LEADER
from core.games.inferno.ids import (
    GERMAN,
    SIDE_NAMES,
    SOVIET,
    SOVIET_SEAT,
    deck,
    deck_bottom,
    deck_top,
    discards,
    hand,
    leaders,
)
from core.games.inferno.memory import EXTRA_TURNS
from core.games.inferno.options import COOP_OPEN_HANDS, GERMAN_RESHUFFLE
from core.games.inferno.rules.ending import soviet_victory
from core.games.inferno.rules.queries import removed_r_units
from core.wording import counted
from events.ids import TABLE, PileId, RuleId, Seat, Side
from projections.state.table import Table

LEADER_AT_ONCE = RuleId("card.german-leader-immediate")
DOUBLED = RuleId("leader.paulus")
LAST_CARD = RuleId("victory.soviet-decisive.deck")
NONE_PLAYED = "no card is played"
"""What the log says of a side that lays no card face down in a combat."""
EXTRA = RuleId("victory.okh.extra-turns")

PAULUS, HOTH, VON_RICHTHOFEN, LINDEN, OKH = "paulus", "hoth", "von_richthofen", "linden", "okh"
CHUIKOV, ZAYTSEV, KHRUSHCHEV = "chuikov", "zaytsev", "khrushchev"


def deck_parts(side: Side) -> tuple[PileId, ...]:
    """Return the parts of a deck, topmost first. Within a part nobody knows the order, so that each draw is random."""
    return deck_top(side), deck(side), deck_bottom(side)


def deck_size(table: Table, side: Side) -> int:
    """Return how many cards are in a deck."""
    return sum(table.pile(part).count for part in deck_parts(side))


def has_leader(table: Table, board: Board, name: str) -> bool:
    """Return whether a Leader is in play. Source: card.leaders-stay."""
    for side in (GERMAN, SOVIET):
        for card in table.pile(leaders(side)).cards:
            if board.cards[card].title.id == name:
                return True
    return False


def drawable(table: Table, side: Side) -> int:
    """Return how many cards can be drawn from a deck, with the discards from which it may be formed anew. Source: ruling.german-deck-empty."""
    is_renewed = side == GERMAN and GERMAN_RESHUFFLE.is_on(table)
    return deck_size(table, side) + (table.pile(discards(side)).count if is_renewed else 0)


def card_number(table: Table, board: Board, number: int) -> int:
    """Return how many cards the Germans draw, with Paulus. Source: leader.paulus."""
    return number * board.leaders.paulus_factor if has_leader(table, board, PAULUS) else number


def hand_seats(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats that know a German seat's hand. Source: fog.co-op-hands, ruling.co-op-hand-view."""
    return table.seats_of(GERMAN) if COOP_OPEN_HANDS.is_on(table) else (seat,)


def draw_german(draft: Draft, board: Board, seat: Seat, number: int, rule: RuleId) -> None:
    """Draw German cards into a seat's hand; Leaders come into play at once.

    Source: card.german-leader-immediate, card.no-hand-limit, mode.co-op.cards-private,
    ruling.german-deck-empty.
    """
    seats = hand_seats(draft.table, seat)
    for drawn in range(number):
        if not drawable(draft.table, GERMAN):
            _miss(draft, GERMAN, number - drawn, rule)
            return
        if not deck_size(draft.table, GERMAN):
            draft.shuffle(deck(GERMAN), rule, discards(GERMAN))
        part = next(part for part in deck_parts(GERMAN) if draft.table.pile(part).count)
        card = draft.draw_card(part, hand(seat), f"card of {seat}", rule, seen_by=seats)
        if is_leader(board.cards[card]):
            draft.play_card(card, hand(seat), leaders(GERMAN), LEADER_AT_ONCE)


def _miss(draft: Draft, side: Side, number: int, rule: RuleId) -> None:
    """Record under the rule of a draw that cards cannot be drawn. Source: ruling.german-deck-empty, ruling.okh-draw-from-empty."""
    draft.apply(rule, f"{counted(number, 'card')} cannot be drawn, as the {SIDE_NAMES[side]} deck is empty", side)


def draw_with_paulus(draft: Draft, board: Board, seat: Seat, number: int, rule: RuleId) -> None:
    """Draw German cards, more of them if Paulus is in play when the first is drawn.

    Source: leader.paulus, ruling.paulus-timing.
    """
    more = card_number(draft.table, board, number) - number
    draw_german(draft, board, seat, number, rule)
    draw_german(draft, board, seat, more, DOUBLED)


def is_leader(card: Card) -> bool:
    """Return whether a card is a Leader."""
    return card.title.op == LEADER


def draw_soviet(draft: Draft, board: Board, number: int, rule: RuleId) -> None:
    """Draw Soviet cards, which only a Soviet seat sees. The last one of the deck ends the game, or opens the extra turns.

    Source: ai.card-draw-blind, victory.soviet-decisive.deck, victory.okh.extra-turns,
    victory.okh.destroyed-r-no-turn, ruling.okh-draw-from-empty, ruling.deck-before-turn-end,
    ruling.chance-of-drawn-hidden.
    """
    seats = draft.table.seats_of(SOVIET)
    for drawn in range(number):
        part = next((part for part in deck_parts(SOVIET) if draft.table.pile(part).count), None)
        if part is None:
            _miss(draft, SOVIET, number - drawn, rule)
            return
        draft.draw_card(part, hand(SOVIET_SEAT), "Soviet card", rule, seen_by=seats)
        if deck_size(draft.table, SOVIET):
            continue
        removed = removed_r_units(draft.table, board)
        if not removed or not has_leader(draft.table, board, OKH):
            soviet_victory(draft, board, LAST_CARD)
            return
        EXTRA_TURNS.set(draft, TABLE, min(removed, board.victory.okh_extra_turns), EXTRA)
