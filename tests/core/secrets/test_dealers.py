"""What a seed deals is frozen: the audit of a fork deals again, years later."""

from collections import Counter

from core.chance.chance_sources import seeded
from core.secrets.dealers import ChanceDealer, Lot
from events.ids import CardId, PileId

HAND, ASIDE, DECK = PileId("hand"), PileId("aside"), PileId("deck")


def cards(names: str) -> list[CardId]:
    return [CardId(name) for name in names]


LOT = Lot(
    cards={0: cards("abcd"), 9: cards("wxyz")},
    groups={(ASIDE, HAND): Counter({0: 3, 9: 2}), (DECK,): Counter({0: 1, 9: 2})},
    sizes={HAND: 3, ASIDE: 2, DECK: 3},
    known={},
    latest={},
)
"""Hand and pile aside hold three old and two new cards together; the deck holds the other three."""


def test_a_seed_deals_the_same_cards_for_ever() -> None:
    dealer = ChanceDealer(seeded("7"))
    dealt = {
        attempt: {pile: "".join(lying) for pile, lying in dealer.deal(12, LOT, attempt).items()} for attempt in (0, 1)
    }

    assert dealt == {
        0: {"aside": "xc", "hand": "wbd", "deck": "zay"},
        1: {"aside": "ax", "hand": "wbc", "deck": "yzd"},
    }


def test_each_group_gets_as_many_cards_of_each_kind_as_it_holds() -> None:
    dealer = ChanceDealer(seeded("7"))
    for attempt in range(20):
        dealt = dealer.deal(12, LOT, attempt)
        together = sorted((*dealt[HAND], *dealt[ASIDE]))

        assert {pile: len(lying) for pile, lying in dealt.items()} == LOT.sizes
        assert sum(card in "abcd" for card in together) == 3
        assert sorted((*together, *dealt[DECK])) == cards("abcdwxyz")
