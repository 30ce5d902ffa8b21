"""Chances of a roll that has fallen: in how many ways fair dice give each result, and how likely the result was."""

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, groupby

from core.odds.odds_text import share_text
from core.telling.dice_text import Roll
from events.vocabulary import DiceRolled

FACES_MAX = 600
"""Dice times faces of the largest roll whose chances are counted; those of games have a tenth of that."""
KEPT_OF_MAX = 8
"""The most dice of a roll of which only the highest count."""


def ways_of(event: DiceRolled) -> Mapping[int, int] | None:
    """Return in how many ways fair dice give each result of a roll; None if there are too many dice to count."""
    number, sides = len(event.faces), event.sides
    if number * sides > FACES_MAX or number * sides < 1 or (event.keep and number > KEPT_OF_MAX):
        return None
    added = sum(part.amount for part in event.modifiers)
    if event.each and event.needed is not None:
        reaching = range(1, event.needed + added + 1) if event.or_less else range(event.needed - added, sides + 1)
        hits = sum(face in reaching for face in range(1, sides + 1))
        return {
            count: ways
            for count in range(number + 1)
            if (ways := math.comb(number, count) * hits**count * (sides - hits) ** (number - count))
        }
    sums = _highest(number, sides, event.keep) if event.keep else _sums(number, sides)
    return {value + added: ways for value, ways in sums.items()}


@lru_cache(maxsize=256)
def _sums(number: int, sides: int) -> Mapping[int, int]:
    ways = {0: 1}
    for _ in range(number):
        more: dict[int, int] = {}
        for value, count in ways.items():
            for face in range(1, sides + 1):
                more[value + face] = more.get(value + face, 0) + count
        ways = more
    return ways


@lru_cache(maxsize=64)
def _highest(number: int, sides: int, keep: int) -> Mapping[int, int]:
    ways: dict[int, int] = {}
    for faces in combinations_with_replacement(range(sides, 0, -1), number):
        orders = math.factorial(number)
        for _, alike in groupby(faces):
            orders //= math.factorial(len(list(alike)))
        value = sum(faces[:keep])
        ways[value] = ways.get(value, 0) + orders
    return ways


def chance_of(event: DiceRolled) -> float | None:
    """Return the chance of the result of a roll or a higher one; where each die counts alone, of so many that reach the number needed or more.

    Returns:
        0 to 1, or None if dice of this kind are not counted.
    """
    ways = None if event.each and event.needed is None else ways_of(event)
    total = Roll(event).total
    if ways is None or total not in ways:
        return None
    return sum(count for value, count in ways.items() if value >= total) / sum(ways.values())


def chance_words(event: DiceRolled) -> str:
    """Return the chance of a result that has fallen in words; empty where there was no other, or dice of this kind are not counted."""
    chance = chance_of(event)
    if chance is None or len(ways_of(event) or ()) < 2:
        return ""
    what = f"{Roll(event).total} of {len(event.faces)} or more" if event.each else f"{Roll(event).total} or more"
    return f"The chance of {what} was {share_text(chance)}"
