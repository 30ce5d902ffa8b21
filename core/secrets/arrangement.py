"""Dealing cards to places of which not each may hold every card: a possible arrangement, made random.

It uses nothing but the deal that it starts from, what is allowed and chance, so that a deal that depends on no secret stays so.
"""

from collections.abc import Sequence

from core.engine.dealing import Pick
from events.ids import CardId

MIXING = 16
"""How many random exchanges are tried for each place."""

Allowed = Sequence[Sequence[bool]]
"""Whether each place may hold the card that was dealt to each place; a square."""


def arranged(cards: Sequence[CardId], allowed: Allowed, pick: Pick) -> list[CardId] | None:
    """Return cards rearranged by chance so that each place may hold its card; None if that is impossible.

    A deal of which each card may be anywhere is returned as it is.

    Args:
        cards: The card of each place, dealt at random.
        allowed: Which place may hold which of these cards.
        pick: Makes random choices.
    """
    if all(all(row) for row in allowed):
        return list(cards)
    held = _matched(allowed)
    if held is None:
        return None
    places = [str(place) for place in range(len(cards))]
    for number in range(MIXING * len(cards)):
        one, other = int(pick(places, f"exchange {number}")), int(pick(places, f"exchange {number}, with"))
        if allowed[one][held[other]] and allowed[other][held[one]]:
            held[one], held[other] = held[other], held[one]
    return [cards[index] for index in held]


def is_possible(allowed: Allowed) -> bool:
    """Return whether the cards can be rearranged so that each place may hold its card."""
    return _matched(allowed) is not None


def _matched(allowed: Allowed) -> list[int] | None:
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
