"""The order of the cards, the halves of a round, and the deck of the next round."""

from collections.abc import Callable
from functools import partial

from core.engine.draft import Draft
from core.games.axis_allies.ids import (
    ALLIES,
    AXIS,
    ORDER_BOX,
    ORDER_DECK,
    ORDER_DISCARDS,
    PHASES,
    RACE,
    URANUS,
    order_card,
)
from core.games.axis_allies.rules.axis_allies_rules import ROUND, Rounds
from events.ids import PileId, RuleId
from events.vocabulary import TurnBegan
from projections.state.table import Open, Table
from tests.support.axis_allies import BOARD, charts


class Played(Exception):
    """A round has been played."""


def play_round(draft: Draft, number: int, during: Callable[[Draft, int], object] | None = None) -> list[int]:
    """Play one round, with chapters that only call `during`, and return the cards that were carried out."""
    carried_out: list[int] = []

    def carry_out(card: int, now: Draft) -> None:
        if carried_out and card <= carried_out[-1]:
            raise Played
        carried_out.append(card)
        if during is not None:
            during(now, card)

    rounds = Rounds(BOARD, {card: partial(carry_out, card) for card in PHASES})
    try:
        rounds.begin(draft, number)
        while True:
            top = draft.table.stack[-1]
            assert isinstance(top, Open)
            assert top.kind == ROUND
            rounds.sequence.go_on(draft, top)
    except Played:
        return carried_out


def cards(table: Table, pile: PileId) -> list[str]:
    return [str(card) for card in table.pile(pile).cards]


def test_a_round_passes_through_all_cards_in_order() -> None:
    """RuleId("sequence.card-order"), RuleId("sequence.rounds")."""
    draft = charts(RACE)

    assert play_round(draft, 1) == list(range(1, 15))
    assert draft.table.round == 2


def test_each_half_of_a_round_is_a_turn() -> None:
    """RuleId("sequence.active-side")."""
    draft = charts(RACE)
    seen: list[tuple[int, str]] = []

    play_round(draft, 1, lambda now, card: seen.append((card, now.table.turn)))

    assert dict(seen) == {card: AXIS if card < 7 else ALLIES for card in range(1, 15)}
    assert len([event for event in draft.events if isinstance(event, TurnBegan)]) == 3  # The next round has begun.


def test_a_card_is_discarded_when_the_next_one_begins() -> None:
    """RuleId("sequence.instruction-order")."""
    draft = charts(RACE)
    seen: dict[int, list[str]] = {}

    play_round(draft, 1, lambda now, card: seen.update({card: cards(now.table, ORDER_DISCARDS)}))

    assert seen[1] == []
    assert seen[4] == [order_card(1), order_card(2), order_card(3)]


def test_the_deck_of_the_next_round_is_in_ascending_order() -> None:
    """RuleId("sequence.new-round"), RuleId("order.14.next-round")."""
    draft = charts(RACE)

    play_round(draft, 1)

    assert cards(draft.table, ORDER_DECK) == [order_card(number) for number in range(1, 15)]
    assert cards(draft.table, ORDER_DISCARDS) == []


def test_a_removed_card_is_left_out_for_good() -> None:
    """RuleId("sequence.removed-cards")."""
    draft = charts(RACE)

    def box(now: Draft, card: int) -> None:
        if card == 7:
            now.move_card(order_card(7), ORDER_DECK, ORDER_BOX, RuleId("sequence.removed-cards"))

    assert play_round(draft, 5, box) == list(range(1, 15))
    assert order_card(7) not in cards(draft.table, ORDER_DECK)
    assert order_card(7) in cards(draft.table, ORDER_BOX)


def test_uranus_begins_in_the_middle_of_a_round() -> None:
    """RuleId("setup.uranus.deck"), ruling.uranus-round-7-weather."""
    draft = charts(URANUS)

    assert play_round(draft, 7) == [9, 10, 11, 12, 13, 14]
    assert cards(draft.table, ORDER_DECK) == [order_card(number) for number in (1, 2, 3, 4, 5, 6, *range(9, 15))]
