"""Dealing cards to places of which not each may hold every card: a possible arrangement, made random.

It uses nothing but the deal that it starts from, what is allowed and chance, so that a deal that depends on no secret stays so.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from core.engine.dealing import Pick
from events.ids import CardId

MIXING = 16
"""How many random exchanges are tried for each place where no better way is known."""

Able = frozenset[CardId] | None
"""The cards that a place may hold; None for any."""


def arranged(cards: Sequence[CardId], able: Sequence[Able], pick: Pick) -> list[CardId] | None:
    """Return cards rearranged by chance so that each place may hold its card; None if that is impossible.

    A deal of which each card may be anywhere is returned as it is.

    Args:
        cards: The card of each place, dealt at random.
        able: What each place may hold.
        pick: Makes random choices.
    """
    every = frozenset(cards)
    own = [every if there is None else there & every for there in able]
    kinds = set(own)
    if kinds <= {every}:
        return list(cards)
    if all(one.isdisjoint(other) or one <= other or one >= other for one, other in combinations(kinds, 2)):
        return _drawn(cards, own, pick)
    return _mixed(cards, own, pick)


def _drawn(cards: Sequence[CardId], own: Sequence[frozenset[CardId]], pick: Pick) -> list[CardId] | None:
    """Draw a card for each place, those that can hold fewest first.

    What two places can hold is disjoint, or one can hold all that the other can. So no draw changes in how many ways the rest can
    be drawn, and every arrangement is equally likely.
    """
    left, found = list(cards), list(cards)
    for place in sorted(range(len(own)), key=lambda place: (len(own[place]), place)):
        there = [card for card in left if card in own[place]]
        if not there:
            return None
        found[place] = CardId(pick(there, f"place {place}"))
        left.remove(found[place])
    return found


def _mixed(cards: Sequence[CardId], own: Sequence[frozenset[CardId]], pick: Pick) -> list[CardId] | None:
    """Exchange cards of two places, again and again, from some possible arrangement on."""
    allowed = _allowed(cards, own)
    held = _matched(allowed)
    if held is None:
        return None
    count = len(cards)
    pairs = _numbers(count * count)
    for number in range(MIXING * count):
        one, other = divmod(int(pick(pairs, f"exchange {number}")), count)
        if allowed[one][held[other]] and allowed[other][held[one]]:
            held[one], held[other] = held[other], held[one]
    return [cards[index] for index in held]


@lru_cache(maxsize=64)
def _numbers(count: int) -> Sequence[str]:
    return tuple(map(str, range(count)))


def is_possible(cards: Sequence[CardId], able: Sequence[Able]) -> bool:
    """Return whether cards can be rearranged so that each place may hold its card; see `arranged` for the arguments."""
    if all(there is None or card in there for card, there in zip(cards, able, strict=True)):
        return True
    return _matched(_allowed(cards, able)) is not None


def _allowed(cards: Sequence[CardId], able: Sequence[Able]) -> list[list[bool]]:
    """Return whether each place may hold the card that was dealt to each place."""
    return [[there is None or card in there for card in cards] for there in able]


def _matched(allowed: Sequence[Sequence[bool]]) -> list[int] | None:
    """Return the index of a card for each place, its own one where possible; None if not all can be placed (Kuhn's algorithm)."""
    places = range(len(allowed))
    place_of = [place if allowed[place][place] else -1 for place in places]

    def has_card(place: int, tried: set[int]) -> bool:
        """Return whether a place gets a card, after others have changed theirs for it."""
        for card in places:
            if allowed[place][card] and card not in tried:
                tried.add(card)
                if place_of[card] < 0 or has_card(place_of[card], tried):
                    place_of[card] = place
                    return True
        return False

    if not all(has_card(place, set()) for place in places if not allowed[place][place]):
        return None
    return sorted(places, key=lambda card: place_of[card])
