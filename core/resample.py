"""Dealing again what a seat does not know, so that all it knows stays true and the new deal depends on nothing else.

Not every hidden card can be where every other one is: what went to a hand before a deck was formed anew was not among the
cards that were shuffled then. What is known of that is followed in `core.knowledge`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Protocol

from core.chance import Chance
from core.decision import Rules
from core.draft import Draft
from core.errors import RecordDiffers
from core.knowledge import NEVER_SEEN, Hidden
from events.codec import Struct
from events.ids import CardId, PileId, RuleId, Seat
from events.vocabulary import Event, SecretsRedealt
from projections.table import Table

RESAMPLE = RuleId("match.resample")


class Lot(Struct, frozen=True):
    """Hidden cards to be dealt again: those of piles that exchange cards, and what is known of where each may lie.

    `cards` are sorted within their kinds: a kind are those which the seat that forks lost from sight at the same event, and
    the kinds are numbered in that order. `groups` say how many of each kind
    lie in piles of which only the sum is known. `sizes` is how many hidden cards each pile holds, and `known` the cards
    there that the seat can name, which stay.
    """

    cards: dict[int, list[CardId]]
    groups: dict[tuple[PileId, ...], Counter[int]]
    sizes: dict[PileId, int]
    known: dict[PileId, tuple[CardId, ...]]


Dealt = dict[PileId, list[CardId]]


class Dealer(Protocol):
    """Who deals hidden cards again: chance in the making of a fork, and in its audit chance or the record."""

    def deal(self, position: int, lot: Lot) -> Dealt:
        """Deal all cards of a lot to its piles.

        Args:
            position: What chance is bound to (`Draft.position`).
            lot: The cards.
        """


class ChanceDealer:
    """Deals by chance: first to each group, then within it.

    Args:
        chance: Dice of the fork's own; typed ones cannot deal.
    """

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def deal(self, position: int, lot: Lot) -> Dealt:
        """Deal by chance; see `Dealer.deal`."""
        left = {when: list(cards) for when, cards in lot.cards.items()}
        dealt: Dealt = {}
        for group, stock in sorted(lot.groups.items()):
            cards = [
                self._pick(position, left[when], f"{group[0]} {when}")
                for when, count in sorted(stock.items())
                for _ in range(count)
            ]
            cards.sort()
            for pile in group:
                dealt[pile] = [self._pick(position, cards, pile) for _ in range(lot.sizes[pile])]
        return dealt

    def _pick(self, position: int, cards: list[CardId], where: str) -> CardId:
        return cards.pop(self._chance.pick(position, cards, f"dealing again, {where}, {len(cards)}"))


class RecordDealer:
    """Deals as recorded where the seed is not known, and checks what must hold of any deal.

    Args:
        events: The first commit of a fork.
        first: The number of its first event.
    """

    def __init__(self, events: Sequence[Event], first: int) -> None:
        self._first = first
        self._recorded = {
            event.pile: (number, event.cards or ())
            for number, event in enumerate(events, start=first)
            if isinstance(event, SecretsRedealt)
        }

    def deal(self, position: int, lot: Lot) -> Dealt:
        """Deal as recorded; see `Dealer.deal`.

        Raises:
            RecordDiffers: No deal can have given what was recorded.
        """
        kinds = {card: when for when, cards in lot.cards.items() for card in cards}
        dealt = {pile: self._hidden(pile, lot) for group in lot.groups for pile in group}
        if Counter(chain(*dealt.values())) != Counter(chain(*lot.cards.values())):
            raise RecordDiffers(self._first, "other cards were dealt again than those the forking seat does not know")
        for group, stock in lot.groups.items():
            if Counter(kinds[card] for pile in group for card in dealt[pile]) != stock:
                where = " and ".join(group)
                raise RecordDiffers(self._first, f"cards were dealt to {where} that cannot lie there")
        return dealt

    def _hidden(self, pile: PileId, lot: Lot) -> list[CardId]:
        """Return the cards of a pile beyond those that the forking seat knew there."""
        if pile not in self._recorded:
            raise RecordDiffers(self._first, f"the hidden cards of pile {pile} were not dealt again")
        number, cards = self._recorded[pile]
        known = Counter(lot.known[pile])
        if known - Counter(cards):
            raise RecordDiffers(number, f"cards that the forking seat knew in pile {pile} were dealt elsewhere")
        hidden = sorted((Counter(cards) - known).elements())
        if len(hidden) != lot.sizes[pile]:
            raise RecordDiffers(number, f"pile {pile} has another number of cards than before")
        return hidden


def resample(
    draft: Draft, rules: Rules, views: Mapping[Seat, Table], seat: Seat, *, hidden: Hidden, dealer: Dealer
) -> None:
    """Deal again what a seat does not know, in the same numbers, so that all it knows stays true.

    Where the truth differs only in what the seat does not know, the new deal is the same.

    Args:
        draft: Over the true table.
        rules: Say which piles exchange cards.
        views: The table as each seat knows it.
        seat: Whose knowledge counts.
        hidden: What the seat knows of the cards that it cannot name.
        dealer: Where the new deal comes from.
    """
    known = views[seat]
    families: dict[str, list[PileId]] = {}
    for pile in sorted(draft.table.piles):
        if known.pile(pile).hidden:
            families.setdefault(rules.family(pile), []).append(pile)
    dealt: Dealt = {}
    for piles in families.values():
        dealt.update(dealer.deal(draft.position, _lot(draft.table, piles, known, hidden)))
    for pile, cards in sorted(dealt.items()):
        knowers = tuple(other for other in draft.table.seats if not views[other].pile(pile).hidden)
        lying = tuple(sorted([*known.pile(pile).cards, *cards]))
        draft.emit(SecretsRedealt(rule=RESAMPLE, pile=pile, cards=lying, seen_by=knowers))


def _lot(table: Table, piles: list[PileId], known: Table, hidden: Hidden) -> Lot:
    """Return the hidden cards of piles that exchange cards, with what is known of where they may lie."""
    unknown = sorted(card for pile in piles for card in _not_in(table.pile(pile).cards, known.pile(pile).cards))
    left: dict[int, list[CardId]] = {}
    for card in unknown:
        left.setdefault(hidden.lost.get(card, NEVER_SEEN), []).append(card)
    groups = {tuple(sorted(hidden.group(pile))): +hidden.held(pile) for pile in piles}
    told = sum(groups.values(), Counter[int]())
    if told != Counter({when: len(cards) for when, cards in left.items()}) or any(
        stock.total() != sum(known.pile(pile).hidden for pile in group) for group, stock in groups.items()
    ):
        # The stream does not tell enough, so that every card may be anywhere.
        left, groups = {NEVER_SEEN: unknown}, {tuple(piles): Counter({NEVER_SEEN: len(unknown)})}
    # What counts is the order of those events: their numbers are not the same for every onlooker.
    kinds = {when: kind for kind, when in enumerate(sorted({*left, *chain(*groups.values())}))}
    left = {kinds[when]: cards for when, cards in left.items()}
    groups = {group: Counter({kinds[when]: count for when, count in held.items()}) for group, held in groups.items()}
    lying = {pile: known.pile(pile) for group in groups for pile in group}
    sizes = {pile: seen.hidden for pile, seen in lying.items()}
    return Lot(left, groups, sizes, {pile: seen.cards for pile, seen in lying.items()})


def _not_in(cards: tuple[CardId, ...], known: tuple[CardId, ...]) -> list[CardId]:
    """Return the cards beyond the known ones, each copy counted."""
    left = list(cards)
    for card in known:
        left.remove(card)
    return left
