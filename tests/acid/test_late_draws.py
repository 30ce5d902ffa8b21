"""Units unknown to all seats are drawn when the first seat may see them; forks respect layers and which cards may lie together."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations
from random import Random

import pytest
from typing_extensions import override

from core.chance import ManualChance
from core.dealers import ChanceDealer
from core.dealing import Dealing
from core.draft import Draft
from core.errors import DiceImpossible
from core.knowledge import Hidden
from core.late_draws import await_draw, draw_now, nested_weights
from core.resample import resample
from events.ids import AttributeKey, CardId, PieceId, PileId, PlaceId, RuleId, Seat, Side
from events.vocabulary import CardMoved, DeckFormed, Event, PieceDrawn
from projections.fold import fold
from projections.table import Table
from projections.view import seen_events
from tests.support.noninterference import FreeChance

RULE = RuleId("fog.spawn")
POOL = PileId("infantry")
CAN_BE = AttributeKey("infantry_left")
FIELD = PlaceId("field")
SOVIETS = Side("soviet")
GERMAN, SOVIET = Seat("german"), Seat("soviet")


def cards(names: str) -> tuple[CardId, ...]:
    """Return cards by their one-letter names."""
    return tuple(CardId(name) for name in names)


def spawn(draft: Draft, number: int) -> PieceId:
    """Place a block whose unit is not drawn yet."""
    block = PieceId(f"block-{number}")
    draft.place(block, FIELD, RULE, kind="", side=SOVIETS, seen_by=())
    await_draw(draft, block, POOL, CAN_BE, RULE)
    return block


def showdown(draft: Draft, block: PieceId) -> CardId:
    """Reveal a block, which draws its unit."""
    unit = draw_now(draft, block, POOL, CAN_BE, RULE, purpose=f"unit of {block}")
    draft.reveal(block, unit, "", RULE)
    return unit


def spawned(draft: Draft) -> list[PieceId]:
    """Draw two blocks from a pool of three; then the guards return to it, and a third is drawn."""
    draft.form(POOL, cards("abc"), RULE)
    guards = PieceId("guards")
    draft.place(guards, FIELD, RULE, kind="g", side=SOVIETS)
    first = [spawn(draft, 1), spawn(draft, 2)]
    draft.return_piece(guards, POOL, RULE)
    return [*first, spawn(draft, 3)]


def odds_of(order: tuple[int, ...]) -> dict[tuple[str, ...], Fraction]:
    """Return the probability of each outcome if the blocks are revealed in this order, by the recorded weights."""
    found: dict[tuple[str, ...], Fraction] = {}

    def follow(shown: dict[int, str]) -> None:
        draft = Draft(Table(), ManualChance((), list(shown.values())))
        blocks = spawned(draft)
        odds = Fraction(1)
        for number in list(shown):
            showdown(draft, blocks[number])
            drawn = next(event for event in reversed(draft.events) if isinstance(event, PieceDrawn))
            assert drawn.weights is not None
            odds *= Fraction(drawn.weights[CardId(shown[number])], sum(drawn.weights.values()))
        if len(shown) == len(blocks):
            found[tuple(shown[number] for number in range(len(blocks)))] = odds
            return
        on_table = draft.table.attributes[blocks[order[len(shown)]]][CAN_BE]
        assert isinstance(on_table, tuple)
        for unit in on_table:
            follow({**shown, order[len(shown)]: unit})

    follow({})
    return found


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_unit_that_returned_is_never_drawn_for_an_earlier_block(order: tuple[int, ...]) -> None:
    """ACID 4: in any order of revealing, the odds equal those of drawing each block at once from the pool of that moment."""
    at_once = {
        (first, second, third): Fraction(1, 3) * Fraction(1, 2) * Fraction(1, 2)
        for first, second, third in permutations("abcg", 3)
        if "g" not in (first, second)
    }

    assert odds_of(order) == at_once


def test_an_undrawn_unit_is_not_recorded_anywhere() -> None:
    """ACID 4: the arbiter and the log do not know the unit, so a fork deals nothing, and a manual match can type it."""
    draft = Draft(Table(), ManualChance((), ["g"]))
    blocks = spawned(draft)

    assert [draft.table.pieces[block].kind for block in blocks] == ["", "", ""]
    assert fold(seen_events(draft.events, GERMAN)).piles == draft.table.piles
    assert Hidden(seen_events(draft.events, GERMAN)).unseen == {}
    assert showdown(draft, blocks[2]) == "g"
    assert draft.table.attribute(blocks[0], CAN_BE) == ("a", "b", "c")


def test_an_impossible_typed_draw_is_refused() -> None:
    """ACID 4: the first block entered before the guards returned to the pool, so it cannot be the guards."""
    draft = Draft(Table(), ManualChance((), ["g"]))
    blocks = spawned(draft)

    with pytest.raises(DiceImpossible):
        showdown(draft, blocks[0])


def test_weights_count_the_possible_draws() -> None:
    """ACID 4: the weights agree with counting all draws one by one."""
    rng = Random(1)
    for _ in range(60):
        sizes = sorted(rng.sample(range(1, 6), 3))
        pools = [set("abcdef"[: max(size, number + 1)]) for number, size in enumerate(sizes)]
        ways = [
            way for way in permutations("abcdef", 3) if all(unit in pool for unit, pool in zip(way, pools, strict=True))
        ]
        assert all(first <= second for first, second in pairwise(pools))
        for which in range(3):
            counted = Counter(way[which] for way in ways)
            weights = nested_weights(pools, which)

            assert {unit: Fraction(count, len(ways)) for unit, count in counted.items()} == {
                unit: Fraction(weight, sum(weights.values())) for unit, weight in weights.items()
            }


# Layers, draws without replacement


def test_a_deck_is_drawn_layer_by_layer_in_unknown_order_within_each() -> None:
    """ACID 38: each layer is a pile with known content; a typed draw from another layer is refused."""
    layers = [PileId(f"layer-{number}") for number in (1, 2)]
    draft = Draft(Table(), ManualChance((), ["paulus", "hoth", "okh"]))
    draft.form(layers[0], (CardId("hoth"), CardId("paulus")), RULE)
    draft.form(layers[1], (CardId("okh"),), RULE)
    drawn = []
    for _ in range(3):
        layer = next(layer for layer in layers if draft.table.pile(layer).count)
        drawn.append(draft.draw_card(layer, PileId("hand"), "a card", RULE))
    early = Draft(fold(draft.events[:2]), ManualChance((), ["okh"]))

    assert drawn == ["paulus", "hoth", "okh"]
    with pytest.raises(DiceImpossible):
        early.draw_card(layers[0], PileId("hand"), "a card", RULE)


def test_cards_are_drawn_without_replacement() -> None:
    """ACID 38: typing a card that has been drawn already is refused."""
    draft = Draft(Table(), ManualChance((), ["north", "north"]))
    draft.form(PileId("advantages"), (CardId("north"), CardId("south")), RULE)
    draft.draw_piece(PileId("advantages"), "an advantage", RULE)

    with pytest.raises(DiceImpossible):
        draft.draw_piece(PileId("advantages"), "another advantage", RULE)


# What may lie together

DECK, HAND, DOWN = PileId("deck"), PileId("hand"), PileId("down")


class OneSort(Dealing):
    """A dealing in which all cards that lie face down must be of one sort."""

    @override
    def family(self, name: str, known: Table) -> str:
        return "cards"

    @override
    def problem(self, table: Table) -> str:
        sorts = {card.partition("-")[0] for card in table.pile(DOWN).cards}
        return "cards of two sorts lie together" if len(sorts) > 1 else ""


def test_face_down_cards_are_dealt_only_in_allowed_combinations() -> None:
    """ACID 8: only the number of face-down cards is public; a deal that breaks the rules is tried again."""
    names = (
        *[CardId(f"pioneer-{number}") for number in range(3)],
        *[CardId(f"heinkel-{number}") for number in range(3)],
    )
    events: list[Event] = [
        DeckFormed(rule=RULE, deck=DECK, count=0, cards=(), seen_by=()),
        DeckFormed(rule=RULE, deck=HAND, count=6, cards=names, seen_by=(GERMAN,)),
        *[CardMoved(rule=RULE, card=card, was=HAND, to=DOWN, seen_by=(GERMAN,)) for card in names[:2]],
    ]
    views = {seat: fold(seen_events(events, seat)) for seat in (GERMAN, SOVIET)}
    found: Counter[tuple[CardId, ...]] = Counter()
    for seed in range(80):
        draft = Draft(fold(events), FreeChance(Random(seed)))
        hidden = Hidden(seen_events(events, SOVIET))
        resample(draft, OneSort(), views, SOVIET, hidden=hidden, dealer=ChanceDealer(draft.chance))
        found[draft.table.pile(DOWN).cards] += 1

    assert views[SOVIET].pile(DOWN).hidden == 2
    assert len(found) == 6
    assert {len({card.partition("-")[0] for card in lying}) for lying in found} == {1}
