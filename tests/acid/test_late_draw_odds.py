"""The odds of late draws, draws layer by layer, and forks that respect which cards may lie together."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations
from random import Random

import pytest
from typing_extensions import override

from core.chance.chance_sources import ManualChance
from core.engine.dealing import Dealing
from core.engine.draft import Draft
from core.errors import DiceImpossible
from core.secrets.dealers import ChanceDealer
from core.secrets.knowledge import Hidden
from core.secrets.late_draw_odds import nested_weights
from core.secrets.resample import resample
from events.ids import CardId, PileId, RuleId, Seat
from events.vocabulary import CardMoved, DeckFormed, Event
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.noninterference import FreeChance

RULE = RuleId("fog.spawn")
GERMAN, SOVIET = Seat("german"), Seat("soviet")


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
