"""Drawing what no seat may know yet when the first seat may see it, by the odds that it had when it left its pool.

A piece that came from an open pool unseen has no kind, and its unit still lies in the pool. What it can be is an attribute of it: the
pool as it was at its own draw, less what has come to light since. Units return to pools, so a piece that was drawn earlier can be fewer
of them; of two pieces from one pool, one can be all that the other can be.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import gcd, prod

from core.draft import Draft
from events.ids import AttributeKey, CardId, PieceId, PileId, RuleId


def await_draw(draft: Draft, piece: PieceId, pool: PileId, key: AttributeKey, rule: RuleId) -> None:
    """Remember what a piece that came unseen from an open pool can be.

    Args:
        draft: The piece lies on its table, and nobody knows what it is.
        piece: The piece.
        pool: It holds what all pieces that wait for their draw from it are, too, and more than those.
        key: The attribute under which such pieces of this pool, and no others, remember what they can be.
        rule: The rule that brings the piece.
    """
    there = draft.table.pile(pool).cards
    assert len(there) > len(_waiting(draft, key)), f"nothing is left in {pool} for {piece}"
    draft.set_attribute(piece, key, tuple(sorted(there)), rule)


def draw_now(draft: Draft, piece: PieceId, pool: PileId, key: AttributeKey, rule: RuleId, *, purpose: str) -> CardId:
    """Draw openly what a piece is that has waited for it, and take it out of what the others can be.

    The arguments are those of `await_draw`, with the purpose of the draw; the rule is the one by which it is seen.
    """
    waiting = _waiting(draft, key)
    ordered = sorted(waiting, key=lambda one: (len(waiting[one]), one))
    weights = nested_weights([waiting[one] for one in ordered], ordered.index(piece))
    drawn = draft.draw_piece(pool, purpose, rule, piece=piece, weights=weights)
    draft.remove_attribute(piece, key, rule)
    for other in ordered:
        if other != piece and drawn in waiting[other]:
            draft.set_attribute(other, key, tuple([unit for unit in waiting[other] if unit != drawn]), rule)
    return drawn


def _waiting(draft: Draft, key: AttributeKey) -> dict[PieceId, tuple[str, ...]]:
    """Return the pieces that wait for their draw, with what they can be."""
    found: dict[PieceId, tuple[str, ...]] = {}
    for on, there in draft.table.attributes.items():
        if key in there:
            units = there[key]
            assert isinstance(units, tuple)
            found[PieceId(on)] = units
    return found


def nested_weights(pools: Sequence[Collection[str]], which: int) -> dict[CardId, int]:
    """Return the odds of what one of several pieces is that were drawn one after the other, as whole numbers without a common factor.

    Each way in which they can have been drawn is equally likely. A candidate counts once for each way to draw the pieces before this
    one without it; the pieces after it have the same number of ways whatever it is.

    Args:
        pools: What each piece can be, each of them different; all that one can be the next can be too.
        which: The index of the piece.
    """
    assert all(set(first) <= set(second) for first, second in pairwise(pools)), "a piece drawn earlier can be more"
    weights = {
        CardId(unit): prod([len(pool) - taken - (unit in pool) for taken, pool in enumerate(pools[:which])])
        for unit in sorted(pools[which])
    }
    common = gcd(*weights.values())
    return {unit: weight // common for unit, weight in weights.items() if weight}
