"""The rounds: one pass through the deck of Order Cards, each card the phase of one side."""

from collections.abc import Callable, Mapping
from functools import partial

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, ORDER_DECK, ORDER_DISCARDS, PHASES, order_card
from core.sequence import Step, StepSequence
from events.ids import RuleId
from projections.table import Open, Table

CARD_ORDER = RuleId("sequence.card-order")
NEW_ROUND = RuleId("sequence.new-round")

ROUND = "round"

FIRST_ALLIED_CARD = 7
"""The first Order Card of the second half of a round, in which the Allies move and attack."""

Chapter = Callable[[Draft], None]
"""Carries an Order Card out, up to its first question."""


class Rounds:
    """The course of the rounds. Source: RuleId("sequence.rounds"), RuleId("sequence.active-side")."""

    def __init__(self, board: Board, chapters: Mapping[int, Chapter]) -> None:
        self.board = board
        self.chapters = chapters
        self.sequence = StepSequence(
            ROUND,
            NEW_ROUND,
            [
                Step(PHASES[number], CARD_ORDER, partial(self._carry_out, number), when=partial(_is_in_deck, number))
                for number in sorted(board.order_cards)
            ],
            then=self._end,
        )

    def begin(self, draft: Draft, number: int) -> None:
        """Begin a round with the first card in the deck."""
        draft.begin_round(number, RuleId("order.14.next-round"))
        self.sequence.begin(draft)

    def _carry_out(self, number: int, draft: Draft, at: Open) -> None:
        """Discard the card before this one, and begin its phase; with its first card a side's half of the round begins.

        Source: RuleId("sequence.instruction-order"), RuleId("sequence.round-conditions"), RuleId("sequence.removed-cards").
        """
        _discard_before(draft, number)
        half = AXIS if number < FIRST_ALLIED_CARD else ALLIES
        if draft.table.turn != half:
            draft.begin_turn(half, CARD_ORDER)
        draft.begin_phase(PHASES[number], CARD_ORDER)
        self.chapters[number](draft)

    def _end(self, draft: Draft, at: Open) -> None:
        """Form the deck anew and begin the next round. Source: RuleId("sequence.new-round"), RuleId("order.14.next-round")."""
        table = draft.table
        there = {*table.pile(ORDER_DECK).cards, *table.pile(ORDER_DISCARDS).cards}
        cards = [order_card(number) for number in sorted(self.board.order_cards)]
        draft.form(ORDER_DISCARDS, (), NEW_ROUND)
        draft.form(ORDER_DECK, tuple(card for card in cards if card in there), NEW_ROUND)
        self.begin(draft, table.round + 1)


def _is_in_deck(number: int, table: Table, at: Open) -> bool:
    return order_card(number) in table.pile(ORDER_DECK).cards


def _discard_before(draft: Draft, number: int) -> None:
    """Discard the card that was carried out last. Source: RuleId("sequence.instruction-order")."""
    current = draft.table.pile(ORDER_DECK).cards[0]
    if current != order_card(number):
        draft.discard(current, ORDER_DECK, ORDER_DISCARDS, RuleId("sequence.instruction-order"))
