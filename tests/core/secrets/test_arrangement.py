"""Dealing cards to places that cannot hold every card."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest

from core.engine.dealing import Pick
from core.secrets.arrangement import arranged, is_possible
from events.ids import CardId

CARDS = [CardId(name) for name in "abcd"]


def pick_of(rng: Random) -> Pick:
    """Return a source of random choices."""

    def pick(candidates: Sequence[str], purpose: str) -> str:
        return rng.choice(candidates)

    return pick


def allowed(limits: Sequence[str]) -> list[list[bool]]:
    """Return whether each place may hold each card, by the names of the cards that it may hold."""
    return [[card in names for card in CARDS] for names in limits]


def test_a_deal_without_limits_stays() -> None:
    assert arranged(CARDS, allowed(["abcd"] * 4), pick_of(Random(1))) == CARDS


@pytest.mark.parametrize("limits", [["bc", "ab", "abcd", "cd"], ["d", "abc", "abc", "abd"], ["b", "a", "d", "c"]])
def test_every_possible_arrangement_comes_equally_often(limits: list[str]) -> None:
    possible = [
        deal for deal in permutations(CARDS) if all(card in names for card, names in zip(deal, limits, strict=True))
    ]
    tries = 600 * len(possible)
    found = Counter(tuple(arranged(CARDS, allowed(limits), pick_of(Random(seed))) or ()) for seed in range(tries))

    assert set(found) == set(possible)
    assert all(450 < count < 750 for count in found.values())


def test_an_impossible_arrangement_is_refused() -> None:
    limits = ["a", "a", "bcd", "bcd"]

    assert arranged(CARDS, allowed(limits), pick_of(Random(1))) is None
    assert not is_possible(allowed(limits))
