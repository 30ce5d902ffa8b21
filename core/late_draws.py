"""Draws a hidden piece's kind when the first seat may see it, by the odds at the time it left its pool.

A piece that came from an open pool unseen has no kind, and its unit is still in the pool. Its candidates are an attribute: the
pool at its own draw, without the units revealed since. Units return to pools, so a piece that was drawn earlier has fewer
candidates; of two pieces from one pool, one has all the candidates of the other.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import gcd, prod

from core.draft import Draft
from events.ids import AttributeKey, CardId, PieceId, PileId, RuleId


def await_draw(draft: Draft, piece: PieceId, pool: PileId, key: AttributeKey, rule: RuleId) -> None:
    """Record the candidates of a piece that came unseen from an open pool.

    Args:
        draft: A draft with the piece on its table, unknown to all seats.
        piece: The piece.
        pool: The pool, which still holds the units of all pieces that wait for their draw, and more.
        key: The attribute that holds the candidates of such pieces of this pool only.
        rule: The rule that brings the piece.
    """
    there = draft.table.pile(pool).cards
    assert len(there) > len(_waiting(draft, key)), f"nothing is left in {pool} for {piece}"
    draft.set_attribute(piece, key, tuple(sorted(there)), rule)


def draw_now(draft: Draft, piece: PieceId, pool: PileId, key: AttributeKey, rule: RuleId, *, purpose: str) -> CardId:
    """Draw the kind of a waiting piece openly, and remove it from the candidates of the others.

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
    """Return the pieces that wait for their draw, with their candidates."""
    found: dict[PieceId, tuple[str, ...]] = {}
    for on, there in draft.table.attributes.items():
        if key in there:
            units = there[key]
            assert isinstance(units, tuple)
            found[PieceId(on)] = units
    return found


def nested_weights(pools: Sequence[Collection[str]], which: int) -> dict[CardId, int]:
    """Return the odds of the kind of one of several pieces drawn one after the other, as whole numbers without a common factor.

    Every possible order of draws is equally likely. A candidate counts once for each way to draw the earlier pieces without
    it; the later pieces have the same number of ways for each candidate.

    Args:
        pools: The candidates of each piece, without duplicates; each includes those of the piece before it.
        which: The index of the piece.
    """
    assert all(set(first) <= set(second) for first, second in pairwise(pools)), (
        "a piece drawn earlier has more candidates"
    )
    weights = {
        CardId(unit): prod([len(pool) - taken - (unit in pool) for taken, pool in enumerate(pools[:which])])
        for unit in sorted(pools[which])
    }
    common = gcd(*weights.values())
    return {unit: weight // common for unit, weight in weights.items() if weight}
