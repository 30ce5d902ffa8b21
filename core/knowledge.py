"""What onlookers know of cards that they cannot name, followed event by event, through forks too.

`Hidden` follows one onlooker's stream and tells which cards were lost from sight together, and how many of them lie in which
piles. `Knowledge` does so for every seat of a match at once: also for what several seats all know, because after a fork
that takes out of sight what one seat did not know, every other seat knows of the shared events only what both knew.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations

from events.ids import ARBITER, CardId, PileId, Seat
from events.vocabulary import (
    WITHHELD,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    DeckFormed,
    DeckShuffled,
    Event,
    MatchForked,
    PieceDrawn,
    SecretsRedealt,
)
from projections.fold import RESAMPLE, evolve
from projections.table import Pile, Table
from projections.view import see

NEVER_SEEN = 0
"""What was never seen counts as lost from sight at the beginning."""

ELSEWHERE = PileId("")
"""Where cards go that leave the piles."""

_OF_CARDS = frozenset(
    (CardDiscarded, CardDrawn, CardMoved, CardPlayed, DeckFormed, DeckShuffled, PieceDrawn, SecretsRedealt)
)


class Hidden:
    """What an onlooker can say of the cards that he cannot name.

    `lost` tells at which event he last lost a card from sight, for those that he ever could name. `groups` are piles among
    which cards of several kinds went unseen, so that only their sum is known; a pile by itself is a group of one. `stock`
    tells for each group how many of its hidden cards were lost from sight when.

    Args:
        seen: The stream of events as the onlooker sees it.
    """

    def __init__(self, seen: Iterable[Event]) -> None:
        self.table = Table()
        self.lost: dict[CardId, int] = {}
        self.groups: dict[PileId, frozenset[PileId]] = {}
        self.stock: dict[frozenset[PileId], Counter[int]] = {}
        for event in seen:
            self.follow(event)

    def copy(self) -> "Hidden":
        """Return an independent copy."""
        copied = Hidden(())
        copied.table = self.table.clone()
        copied.lost = self.lost.copy()
        copied.groups = self.groups.copy()
        copied.stock = {group: Counter(held) for group, held in self.stock.items()}
        return copied

    def group(self, pile: PileId) -> frozenset[PileId]:
        """Return the group of a pile."""
        return self.groups.get(pile, frozenset((pile,)))

    def held(self, pile: PileId) -> Counter[int]:
        """Return when the hidden cards of a pile's group were lost from sight."""
        return self.stock.setdefault(self.group(pile), Counter())

    def follow(self, event: Event) -> None:
        """Follow one more event, as the onlooker sees it."""
        if type(event) not in _OF_CARDS:
            evolve(self.table, event)
            return
        before = self.table.piles.copy()
        evolve(self.table, event)
        if isinstance(event, DeckFormed):
            self._formed(event, before.get(event.deck, Pile()))
        elif isinstance(event, SecretsRedealt):
            if event.cards is not None:
                self._named(event.pile, event.cards, before.get(event.pile, Pile()))
        elif isinstance(event, DeckShuffled):
            if event.source is not None:
                self._poured(event.source, event.deck)
        elif isinstance(event, CardDrawn):
            self._went(event.card, event.deck, event.to, before)
        elif isinstance(event, PieceDrawn):
            self._went(event.drawn, event.pool, ELSEWHERE, before)
        elif isinstance(event, CardMoved | CardPlayed | CardDiscarded):
            self._went(event.card, event.was, event.to, before)
        self._part()

    def _formed(self, event: DeckFormed, before: Pile) -> None:
        """A pile came into being, or, unseen and with as many cards as it had, was looked through by somebody else."""
        if event.cards is not None:
            self._named(event.deck, event.cards, before)
        elif before.count == event.count:
            self._lose(event.deck, before.cards)
        else:
            self.stock[self.group(event.deck)] = Counter({NEVER_SEEN: event.count})

    def _lose(self, pile: PileId, cards: tuple[CardId, ...]) -> None:
        """Lose cards of a pile from sight."""
        if cards:
            self.lost.update(dict.fromkeys(cards, self.table.seq))
            self.held(pile)[self.table.seq] += len(cards)

    def _named(self, pile: PileId, cards: tuple[CardId, ...], before: Pile) -> None:
        """Learn what lies in a pile."""
        if len(self.group(pile)) == 1:
            self.stock[self.group(pile)] = Counter()
        else:
            self.held(pile).subtract(self.lost.get(card, NEVER_SEEN) for card in cards if card not in before.cards)

    def _poured(self, source: PileId, to: PileId) -> None:
        """All cards of a pile went into another."""
        if len(self.group(source)) > 1:
            self._join(source, to)
        else:
            self.held(to).update(self.held(source))
            self.stock[self.group(source)] = Counter()

    def _went(self, card: CardId | None, source: PileId, to: PileId, before: Mapping[PileId, Pile]) -> None:
        """A card went from one pile to another."""
        known = before.get(source, Pile()).cards
        if card is not None:
            if card not in known:
                self.held(source)[self.lost.get(card, NEVER_SEEN)] -= 1
            return
        self._lose(source, known)
        kinds = [when for when, count in self.held(source).items() if count > 0]
        if len(kinds) > 1:
            self._join(source, to)
        elif kinds and self.group(source) != self.group(to):
            self.held(source)[kinds[0]] -= 1
            self.held(to)[kinds[0]] += 1

    def _join(self, pile: PileId, other: PileId) -> None:
        """Know of two piles only together what is hidden in them."""
        first, second = self.group(pile), self.group(other)
        if first != second:
            both = first | second
            self.stock[both] = self.stock.pop(first, Counter()) + self.stock.pop(second, Counter())
            self.groups.update(dict.fromkeys(both, both))

    def _part(self) -> None:
        """Take piles without hidden cards out of their groups: of what is left more is known."""
        for group in {group for group in self.groups.values() if len(group) > 1}:
            left = frozenset(pile for pile in group if pile == ELSEWHERE or self.table.pile(pile).hidden)
            if left != group:
                for pile in group - left:
                    del self.groups[pile]
                self.groups.update(dict.fromkeys(left, left))
                self.stock[left] = self.stock.pop(group)


class Knowledge:
    """What each seat knows of a match, and what several seats all know.

    It grows with the match: a fork costs no second look at the events that it shares. Facts that some seats do not even know
    of change neither piles nor pieces, so they are left out, and all onlookers count the same events.

    Args:
        onlookers: Seats of the match, `public`, or `arbiter`, who sees all.
        limiters: Those among the onlookers whose forks, so far or later on, take out of sight what they do not know.
        events: The events to begin with.
    """

    def __init__(self, onlookers: Iterable[Seat], limiters: Iterable[Seat], events: Iterable[Event]) -> None:
        limiting = sorted({*limiters} - {ARBITER})
        added = [set(some) for count in range(len(limiting) + 1) for some in combinations(limiting, count)]
        together = {frozenset({seat} | some) for seat in onlookers if seat != ARBITER for some in added}
        self._known: dict[frozenset[Seat], Hidden] = {seats: Hidden(()) for seats in together}
        self._all = Hidden(())
        for event in events:
            self.follow(event)

    def of(self, seat: Seat) -> Hidden:
        """Return what an onlooker knows."""
        return self._all if seat == ARBITER else self._known[frozenset((seat,))]

    def follow(self, event: Event) -> None:
        """Follow one more event of the match."""
        if type(event) in WITHHELD:
            return
        if isinstance(event, MatchForked) and event.hidden == RESAMPLE and event.seat != ARBITER:
            self._known = {seats: self._known[seats | {event.seat}].copy() for seats in self._known}
        self._all.follow(event)
        is_open = getattr(event, "seen_by", None) is None
        for seats, hidden in self._known.items():
            hidden.follow(event if is_open else _seen_by_all(event, seats))


def limiters_of(events: Iterable[Event]) -> set[Seat]:
    """Return the seats whose forks took out of sight what they did not know."""
    return {event.seat for event in events if isinstance(event, MatchForked) and event.hidden == RESAMPLE}


def _seen_by_all(event: Event, seats: Iterable[Seat]) -> Event:
    """Return as much of a fact as several seats all may see of it; it must be one that all of them know of."""
    for seat in seats:
        seen = see(event, seat)
        assert seen is not None
        event = seen
    return event
