"""The odds of a hidden piece's kind that is drawn when the first seat may see it, by the pool at the time when the piece left it.

Units return to pools, so a piece that was drawn earlier has fewer candidates; of two pieces from one pool, one has all the candidates of
the other. What each piece can be, the game remembers.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from math import gcd, prod

from events.ids import CardId


def nested_weights(pools: Sequence[AbstractSet[str]], which: int) -> dict[CardId, int]:
    """Return the odds of the kind of one of several pieces drawn one after the other, as whole numbers without a common factor.

    Every possible order of draws is equally likely. A candidate counts once for each way to draw the earlier pieces without
    it; the later pieces have the same number of ways for each candidate.

    Args:
        pools: The candidates of each piece; each includes those of the piece before it.
        which: The index of the piece.
    """
    assert all(first is second or first <= second for first, second in pairwise(pools)), (
        "a piece drawn earlier has more candidates"
    )
    # In which pool each candidate is first: all with the same one have the same odds, and most pools are of few kinds.
    first: dict[str, int] = {}
    for place, pool in enumerate(pools[: which + 1]):
        if not place or pool is not pools[place - 1]:
            first.update(dict.fromkeys(pool - first.keys(), place))
    ways = {
        place: prod([len(pool) - taken - (place <= taken) for taken, pool in enumerate(pools[:which])])
        for place in set(first.values())
    }
    common = gcd(*ways.values())
    return {CardId(unit): ways[first[unit]] // common for unit in sorted(first) if ways[first[unit]]}
