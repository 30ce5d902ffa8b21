"""Contents of piles that a seat does not know, drawn card by card: exact wherever nothing but the draw depends on it.

A table on which chances are counted has some possible deal of the hidden cards. Where a card is drawn, any card may come that can lie
there by what the seat knows (`core.secrets.resample.Lot`); it changes places with one of the deal.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from core.secrets.dealers import Lot
from events.codec import replace
from events.ids import CardId, PileId
from projections.state.table import Table


class HiddenPiles:
    """The hidden cards of a table, and which of them were drawn in this run.

    Args:
        lots: The hidden cards by families of piles that exchange them.
    """

    def __init__(self, lots: Sequence[Lot] = ()) -> None:
        self._lot_of = {pile: lot for lot in lots for pile in lot.sizes if lot.sizes[pile]}
        self._group_of = {pile: group for lot in lots for group in lot.groups for pile in group}
        self._drawn: Counter[CardId] = Counter()
        self._left: Counter[tuple[tuple[PileId, ...], int]] = Counter()

    def again(self) -> "HiddenPiles":
        """Return the same piles before anything was drawn."""
        copied = HiddenPiles()
        copied._lot_of, copied._group_of = self._lot_of, self._group_of
        return copied

    def is_unknown(self, pile: PileId) -> bool:
        """Return whether a pile holds cards that the seat does not know."""
        return pile in self._lot_of

    def candidates(self, table: Table, pile: PileId) -> Mapping[CardId, int]:
        """Return the cards that can be drawn from a pile, each with its weight as a whole number."""
        there = table.pile(pile)
        lot = self._lot_of.get(pile)
        known = Counter(there.cards) if lot is None else Counter(lot.known[pile]) & Counter(there.cards)
        hidden = there.count - known.total()
        if lot is None or hidden <= 0:
            return known
        group = self._group_of[pile]
        stock = {kind: count - self._left[group, kind] for kind, count in lot.groups[group].items()}
        shares: dict[CardId, Fraction] = {card: Fraction(count) for card, count in known.items()}
        for kind, count in stock.items():
            cards = Counter(lot.cards[kind]) - self._drawn
            for card, copies in cards.items():
                share = Fraction(hidden * count * copies, sum(stock.values()) * cards.total())
                shares[card] = shares.get(card, Fraction(0)) + share
        common = lcm(*[share.denominator for share in shares.values()])
        return {card: int(share * common) for card, share in sorted(shares.items()) if share}

    def draw(self, table: Table, pile: PileId, card: CardId) -> None:
        """Let a card lie in the pile from which it is drawn: it changes places with a hidden one of the deal."""
        lot = self._lot_of.get(pile)
        if lot is None:
            return
        kind = lot.kinds().get(card)
        if kind is not None and card not in lot.known[pile]:
            self._drawn[card] += 1
            self._left[self._group_of[pile], kind] += 1
        there = table.pile(pile)
        if card in there.cards:
            return
        kinds = lot.kinds()
        given = next((one for one in there.cards if kinds.get(one) == kind), there.cards[-1])
        # In a match that began from a position it may have lain in the box.
        holders = [name for name in sorted(lot.sizes) if card in table.pile(name).cards][:1]
        for name, out, into in ((pile, given, card), *[(holder, card, given) for holder in holders]):
            cards = list(table.pile(name).cards)
            cards[cards.index(out)] = into
            table.piles[name] = replace(table.pile(name), cards=tuple(cards))
