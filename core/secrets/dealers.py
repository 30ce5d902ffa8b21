"""Deals again what is hidden: by chance in the making of a fork, and in its audit by chance or by the record."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Protocol

from core.engine.chance_port import Chance
from core.engine.dealing import Deal, Dealing, Identity, Limits, Pick, Unknown
from core.errors import KernelError, RecordDiffers
from core.secrets.arrangement import Able, arranged
from events.codec import Struct
from events.ids import AttributeKey, CardId, PieceId, PileId
from events.vocabulary import AttributeSet, Event, PieceRevealed, SecretsRedealt, Value

TRIES = 200
"""How often is dealt again before a fork is refused because no deal was one that the game allows."""


class Lot(Struct, frozen=True):
    """Hidden cards to be dealt again: those of piles and pieces that exchange them, and what is known of where each may lie.

    `cards` are sorted within their kinds: a kind are those which the seat that forks lost from sight at the same event, and
    the kinds are numbered in that order. `groups` say how many of each kind
    lie in piles of which only the sum is known. `sizes` is how many hidden cards each pile holds, and `known` the cards
    there that the seat can name, which stay. A piece is a pile of one card; `latest` is the last kind of which it can be.
    """

    cards: dict[int, list[CardId]]
    groups: dict[tuple[PileId, ...], Counter[int]]
    sizes: dict[PileId, int]
    known: dict[PileId, tuple[CardId, ...]]
    latest: dict[PileId, int]

    def kinds(self) -> dict[CardId, int]:
        """Return the kind of each card."""
        return {card: kind for kind, cards in self.cards.items() for card in cards}


Dealt = dict[PileId, list[CardId]]


class GamesPart(Struct, frozen=True):
    """Game's share in a new deal: its part of the dealing, and the limits by what the forking seat knows."""

    dealing: Dealing
    unknown: Unknown
    limits: Limits


class Dealer(Protocol):
    """Deals again what is hidden: by chance in the making of a fork, and in its audit by chance or by the record."""

    tries: int
    """How often it can deal."""

    def deal(self, position: int, lot: Lot, attempt: int) -> Dealt:
        """Deal all cards of a lot to its piles.

        Args:
            position: What chance is bound to (`Draft.position`).
            lot: The cards.
            attempt: 0 for the first deal, then 1 and so on.
        """

    def complete(self, position: int, game: GamesPart, lots: Sequence[Lot], dealt: Dealt, attempt: int) -> Deal | None:
        """Return the deal as the game limits and completes it, or None if the game refuses it."""

    def refuse(self, problem: str) -> KernelError:
        """Return what is to be raised where no deal was possible."""


class ChanceDealer:
    """Deals by chance: first to each group, then within it.

    Args:
        chance: Dice of the fork's own; typed ones cannot deal.
    """

    tries = TRIES

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def deal(self, position: int, lot: Lot, attempt: int) -> Dealt:
        """Deal by chance; see `Dealer.deal`."""
        left = {when: list(cards) for when, cards in lot.cards.items()}
        dealt: Dealt = {}
        for group, stock in sorted(lot.groups.items()):
            cards = [
                self._take(position, left[when], f"{group[0]} {when}", attempt)
                for when, count in sorted(stock.items())
                for _ in range(count)
            ]
            cards.sort()
            for pile in group:
                dealt[pile] = [self._take(position, cards, pile, attempt) for _ in range(lot.sizes[pile])]
        return dealt

    def _take(self, position: int, cards: list[CardId], where: str, attempt: int) -> CardId:
        return cards.pop(self._chance.pick(position, cards, _purpose(f"{where}, {len(cards)}", attempt)))

    def complete(self, position: int, game: GamesPart, lots: Sequence[Lot], dealt: Dealt, attempt: int) -> Deal | None:
        """Let the game limit and complete a deal by chance; see `Dealer.complete`."""

        def pick(candidates: Sequence[str], purpose: str) -> str:
            return candidates[self._chance.pick(position, candidates, _purpose(f"by the rules, {purpose}", attempt))]

        limits = game.limits.narrowed(pick)
        if limits is None or not all(
            _keep_order(lot, dealt, pick) and _keep_within(limits, lot, dealt, pick) for lot in lots
        ):
            return None
        return game.dealing.complete(game.unknown, as_deal(game.unknown, dealt), pick)

    def refuse(self, problem: str) -> KernelError:
        """Return that the fork cannot be made; see `Dealer.refuse`."""
        return KernelError(f"what is hidden cannot be dealt again: {problem}")


Place = tuple[PileId, int]
"""A pile or piece, and the number of a card there."""


def _keep_order(lot: Lot, dealt: Dealt, pick: Pick) -> bool:
    """Rearrange the dealt cards of each group so that no piece is a card that was lost from sight later; return whether they can."""

    def able(name: PileId, _: int) -> Able:
        latest = lot.latest.get(name)
        return None if latest is None else frozenset(chain(*[lot.cards[kind] for kind in lot.cards if kind <= latest]))

    groups = [group for group in sorted(lot.groups) if len(lot.groups[group]) > 1]
    return all(
        _rearrange(dealt, [(name, at) for name in group for at in range(len(dealt[name]))], able, pick, f"{group[0]}")
        for group in groups
    )


def _keep_within(limits: Limits, lot: Lot, dealt: Dealt, pick: Pick) -> bool:
    """Rearrange the dealt cards of a lot, each kind within itself, so that they keep to limits; return whether they can."""
    kinds, places = lot.kinds(), [(name, number) for name in lot.sizes for number in range(len(dealt[name]))]
    return all(
        _rearrange(
            dealt,
            [(name, number) for name, number in places if kinds[dealt[name][number]] == kind],
            limits.able,
            pick,
            f"kind {kind} of {min(lot.sizes)}",
        )
        for kind in sorted(lot.cards)
    )


def _rearrange(
    dealt: Dealt, places: Sequence[Place], able: Callable[[PileId, int], Able], pick: Pick, what: str
) -> bool:
    """Rearrange the cards of some places by chance so that each may hold its card; return whether they can."""
    cards = [dealt[name][number] for name, number in places]
    allowed = [able(name, number) for name, number in places]
    found = arranged(cards, allowed, lambda candidates, purpose: pick(candidates, f"{what}, {purpose}"))
    if found is None:
        return False
    for (name, number), card in zip(places, found, strict=True):
        dealt[name][number] = card
    return True


def _purpose(what: str, attempt: int) -> str:
    return f"dealing again, {what}" if attempt == 0 else f"dealing again ({attempt}), {what}"


class RecordDealer:
    """Deals as recorded where the seed is not known, and checks what must hold of any deal.

    Args:
        events: The first commit of a fork.
        first: The number of its first event.
    """

    tries = 1

    def __init__(self, events: Sequence[Event], first: int) -> None:
        self._first = first
        self._recorded: dict[PileId, tuple[int, tuple[CardId, ...]]] = {}
        self._pieces: dict[PieceId, Identity] = {}
        self._attributes: dict[str, dict[AttributeKey, Value]] = {}
        for number, event in enumerate(events, start=first):
            if isinstance(event, SecretsRedealt):
                self._recorded[event.pile] = (number, event.cards or ())
            elif isinstance(event, PieceRevealed):
                self._recorded[PileId(event.piece)] = (number, (CardId(event.kind or ""),))
                self._pieces[event.piece] = Identity(event.kind or "", event.face or "", event.steps or 0)
            elif isinstance(event, AttributeSet) and event.value is not None:
                self._attributes.setdefault(event.on, {})[event.key] = event.value

    def deal(self, position: int, lot: Lot, attempt: int) -> Dealt:
        """Deal as recorded; see `Dealer.deal`.

        Raises:
            RecordDiffers: No deal can have given what was recorded.
        """
        dealt = {pile: self._hidden(pile, lot) for group in lot.groups for pile in group}
        problem = lot_problem(lot, dealt)
        if problem:
            raise RecordDiffers(self._first, problem)
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

    def complete(self, position: int, game: GamesPart, lots: Sequence[Lot], dealt: Dealt, attempt: int) -> Deal | None:
        """Return what was recorded; see `Dealer.complete`."""
        deal = as_deal(game.unknown, dealt)
        pieces = {piece: self._pieces.get(piece, identity) for piece, identity in deal.pieces.items()}
        attributes: dict[str, dict[AttributeKey, Value]] = {}
        for on, key in game.unknown.attributes:
            if key in self._attributes.get(on, {}):
                attributes.setdefault(on, {})[key] = self._attributes[on][key]
        return Deal(deal.piles, pieces, attributes)

    def refuse(self, problem: str) -> KernelError:
        """Return that the record is not one that a fork can have; see `Dealer.refuse`."""
        return RecordDiffers(self._first, f"what was dealt again cannot be: {problem}")


def lot_problem(lot: Lot, dealt: Mapping[PileId, Sequence[CardId]]) -> str:
    """Return why hidden cards cannot lie as they were dealt by what the forking seat knows; empty if they can."""
    kinds = lot.kinds()
    if Counter(chain(*[dealt[pile] for pile in lot.sizes])) != Counter(chain(*lot.cards.values())):
        return "other cards were dealt again than those the forking seat does not know"
    for group, stock in lot.groups.items():
        if Counter(kinds[card] for pile in group for card in dealt[pile]) != stock:
            return f"cards were dealt to {' and '.join(group)} that cannot lie there"
    for name, latest in lot.latest.items():
        if any(kinds[card] > latest for card in dealt[name]):
            return f"{name} cannot be what was lost from sight only later"
    return ""


def as_deal(unknown: Unknown, dealt: Dealt) -> Deal:
    """Return what the kernel dealt; the pieces show nothing yet."""
    kinds = {piece: dealt[PileId(piece)][0] for piece in unknown.pieces} | unknown.turned
    piles = {name: tuple(cards) for name, cards in dealt.items() if name in unknown.piles}
    return Deal(piles, {piece: Identity(kind) for piece, kind in kinds.items()})
