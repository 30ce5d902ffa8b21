"""Dealing cards to places that cannot hold every card."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from random import Random

from core.engine.dealing import Pick
from core.secrets.arrangement import arranged, is_possible
from events.ids import CardId
from tests.support.rows import each_row

CARDS = [CardId(name) for name in "abcd"]


def pick_of(rng: Random) -> Pick:
    """Return a source of random choices."""

    def pick(candidates: Sequence[str], purpose: str) -> str:
        return rng.choice(candidates)

    return pick


def able(limits: Sequence[str]) -> list[frozenset[CardId]]:
    """Return what each place may hold, by the names of the cards."""
    return [frozenset(map(CardId, names)) for names in limits]


def test_a_deal_without_limits_stays() -> None:
    assert arranged(CARDS, able(["abcd"] * 4), pick_of(Random(1))) == CARDS
    assert arranged(CARDS, [None] * 4, pick_of(Random(1))) == CARDS


@each_row(
    "limits",
    [
        ["bc", "ab", "abcd", "cd"],
        ["d", "abc", "abc", "abd"],
        ["b", "a", "d", "c"],
        ["abcd", "ab", "abc", "abcd"],
        ["ab", "cdx", "abx", "cd"],
    ],
)
def test_every_possible_arrangement_comes_equally_often(limits: list[str]) -> None:
    possible = [
        deal for deal in permutations(CARDS) if all(card in names for card, names in zip(deal, limits, strict=True))
    ]
    tries = 600 * len(possible)
    found = Counter(tuple(arranged(CARDS, able(limits), pick_of(Random(seed))) or ()) for seed in range(tries))

    assert set(found) == set(possible)
    assert all(450 < count < 750 for count in found.values())


@each_row("limits", [["a", "a", "bcd", "bcd"], ["ab", "bc", "ab", "abc"], ["abc", "ab", "ab", "abc"]])
def test_an_impossible_arrangement_is_refused(limits: list[str]) -> None:
    assert arranged(CARDS, able(limits), pick_of(Random(1))) is None
    assert not is_possible(CARDS, able(limits))
