"""Tracks what viewers know about hidden cards and pieces, event by event, across forks too.

`Hidden` follows one viewer's stream. It records which cards were lost from sight together, and how many of them are in which
piles. A piece that the viewer never saw counts as a pile of one card; a piece that was concealed after the viewer saw it is
known by its id. `Knowledge` does so for every seat of a match at once, and for what several seats all know: after a fork that
hides what the forking seat did not know, every other seat knows of the shared events only what both knew.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations

from events.codec import replace
from events.ids import ARBITER, AttributeKey, CardId, PieceId, PileId, RuleId, Seat
from events.vocabulary import (
    WITHHELD,
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    CommandsUndone,
    DeckFormed,
    DeckShuffled,
    Event,
    HiddenDiceRolled,
    MatchForked,
    PieceConcealed,
    PieceDrawn,
    PiecePlaced,
    PieceRemoved,
    PieceReturned,
    PieceRevealed,
    PieceTurned,
    SecretsRedealt,
    Value,
    events_with,
)
from projections.state.fold import evolve
from projections.state.forks import RESAMPLE
from projections.state.table import Piece, Pile, Table
from projections.state.view import see

NEVER_SEEN = 0
"""The event at which cards that were never seen count as lost from sight: the beginning."""

ELSEWHERE = PileId("")
"""The destination of cards that leave the piles."""

_OF_CARDS = events_with(lambda traits: traits.of == "cards")
_OF_PIECES = events_with(lambda traits: traits.of == "pieces")

_ABOUT_PIECE = (PieceConcealed, PiecePlaced)

REDEALT = RuleId("match.resample")
"""The rule of a fork's new deal."""


class Hidden:
    """Knowledge of a viewer about hidden cards and pieces.

    `lost` is the event at which each card that the viewer ever knew was last lost from sight. `groups` are piles among
    which cards were moved unseen, so that only their sum is known; a pile by itself is a group of one. `stock`
    is for each group the number of its hidden cards by the event at which they were lost from sight.

    `unseen` are the pieces on the table that the viewer never saw, with the event since which each is what it is: it can be no card that
    was lost from sight later. `followed` are those that were concealed after the viewer saw
    them, as last seen, `turned` those of them that were turned unseen since, and `values` their attributes
    known to the viewer when they were concealed.

    Args:
        seen: The stream of events as the viewer sees it.
    """

    def __init__(self, seen: Iterable[Event]) -> None:
        self.table = Table()
        self.lost: dict[CardId, int] = {}
        self.groups: dict[PileId, frozenset[PileId]] = {}
        self.stock: dict[frozenset[PileId], Counter[int]] = {}
        self.unseen: dict[PieceId, int] = {}
        self.followed: dict[PieceId, Piece] = {}
        self.turned: set[PieceId] = set()
        self.values: dict[tuple[str, AttributeKey], Value] = {}
        # All events by number, without those taken back.
        self.trail: list[tuple[int, Event]] = []
        for event in seen:
            self.follow(event)

    def copy(self) -> "Hidden":
        """Return an independent copy."""
        copied = Hidden(())
        copied.table = self.table.clone()
        copied.lost = self.lost.copy()
        copied.groups = self.groups.copy()
        copied.stock = {group: Counter(held) for group, held in self.stock.items()}
        copied.unseen, copied.turned = self.unseen.copy(), self.turned.copy()
        copied.followed, copied.values = self.followed.copy(), self.values.copy()
        copied.trail = self.trail.copy()
        return copied

    def group(self, pile: PileId) -> frozenset[PileId]:
        """Return the group of a pile."""
        return self.groups.get(pile, frozenset((pile,)))

    def held(self, pile: PileId) -> Counter[int]:
        """Return the events at which the hidden cards of a pile's group were lost from sight."""
        return self.stock.setdefault(self.group(pile), Counter())

    def follow(self, event: Event) -> None:
        """Follow one more event, as the viewer sees it, in the viewer's numbers."""
        if type(event) in _OF_PIECES:
            self._of_piece(event)
        elif type(event) in _OF_CARDS:
            self._of_cards(event)
        else:
            evolve(self.table, event)
            if isinstance(event, CommandsUndone):
                self._undo(event.to)
                return
        self.trail.append((self.table.seq, event))

    @property
    def history(self) -> tuple[Event, ...]:
        """What the viewer saw, without what was taken back."""
        return tuple([event for _, event in self.trail])

    def _undo(self, to: int) -> None:
        """Restore the knowledge after an event; nothing has been learned since."""
        self.trail = [(number, event) for number, event in self.trail if number <= to]
        again = Hidden(())
        for number, event in self.trail:
            if type(event) in _OF_CARDS or type(event) in _OF_PIECES:
                again.table.seq = number - 1
                again.follow(event)
        self.lost, self.groups, self.stock = again.lost, again.groups, again.stock
        self.unseen, self.followed, self.turned, self.values = again.unseen, again.followed, again.turned, again.values

    def _of_cards(self, event: Event) -> None:
        """Follow an event of cards."""
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
            if event.drawn is None and event.piece:
                self.unseen[event.piece] = self.table.seq
            self._went(event.drawn, event.pool, PileId(event.piece), before)
        elif isinstance(event, CardMoved | CardPlayed | CardDiscarded):
            self._went(event.card, event.was, event.to, before)
        self._part()

    def size(self, name: str) -> int:
        """Return how many cards are hidden in a pile; a piece that the viewer never saw counts as one."""
        return 1 if name in self.unseen else self.table.pile(PileId(name)).hidden

    def _of_piece(self, event: Event) -> None:
        """Follow an event of a piece."""
        before = self.table.pieces.get(event.piece) if isinstance(event, _ABOUT_PIECE) else None
        known = self.table.attributes.get(event.piece, {}) if isinstance(event, PieceConcealed) else {}
        evolve(self.table, event)
        if isinstance(event, AttributeSet | HiddenDiceRolled):
            self.values.pop((event.on, event.key), None)
        elif isinstance(event, PiecePlaced):
            self._placed(event, is_drawn=before is None and event.piece in self.unseen)
        elif isinstance(event, PieceConcealed):
            if event.known is None and before is not None and before.kind:
                self.followed[event.piece] = before
                self.values.update({(event.piece, key): known[key] for key in event.attributes if key in known})
        elif isinstance(event, PieceTurned):
            if event.steps is None and event.piece in self.followed:
                self.turned.add(event.piece)
        elif isinstance(event, PieceRevealed):
            self._revealed(event)
        elif isinstance(event, PieceReturned):
            self._returned(event)
        elif isinstance(event, PieceRemoved):
            if event.piece in self.unseen:
                self._went(None, PileId(event.piece), ELSEWHERE, {})
            self._forget(event.piece)
        self._part()

    def _placed(self, event: PiecePlaced, *, is_drawn: bool) -> None:
        """Follow the placement of a piece; its identity may have been drawn, unseen, just before."""
        if event.kind is not None:
            self._shown(event.piece, CardId(event.kind))
            self._forget(event.piece)
        elif not is_drawn:
            self._forget(event.piece)
            # What no seat may see is not drawn yet.
            if event.seen_by:
                self.unseen[event.piece] = self.table.seq
                self.stock[frozenset((PileId(event.piece),))] = Counter({NEVER_SEEN: 1})

    def _revealed(self, event: PieceRevealed) -> None:
        """Follow the reveal of a piece to the viewer or to other seats."""
        if event.kind is not None:
            self._shown(event.piece, CardId(event.kind))
            self._forget(event.piece)
        # What was dealt again in a fork agrees with the viewer's knowledge.
        elif event.piece in self.followed and event.rule != REDEALT:
            self.turned.add(event.piece)

    def _returned(self, event: PieceReturned) -> None:
        """Follow the return of a piece's identity to a pile."""
        followed = self.followed.get(event.piece)
        if event.card is not None:
            self._shown(event.piece, event.card)
        elif followed is not None:
            self._lose(event.to, (CardId(followed.kind),))
        elif event.piece in self.unseen:
            self._went(None, PileId(event.piece), event.to, {})
        self._forget(event.piece)

    def _shown(self, piece: PieceId, kind: CardId) -> None:
        """Learn the identity of a piece that was never seen."""
        if piece in self.unseen:
            self.held(PileId(piece))[self.lost.get(kind, NEVER_SEEN)] -= 1

    def _forget(self, piece: PieceId) -> None:
        """Drop the knowledge about a piece that is known now, or is no longer on the table."""
        self.unseen.pop(piece, None)
        self.followed.pop(piece, None)
        self.turned.discard(piece)
        self.stock.pop(frozenset((PileId(piece),)), None)
        for name in [name for name in self.values if name[0] == piece]:
            del self.values[name]

    def _formed(self, event: DeckFormed, before: Pile) -> None:
        """Follow the forming of a pile; unseen and with as many cards as before, another seat looked through it."""
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
        """Learn the contents of a pile."""
        if len(self.group(pile)) == 1:
            self.stock[self.group(pile)] = Counter()
        else:
            self.held(pile).subtract([self.lost.get(card, NEVER_SEEN) for card in cards if card not in before.cards])

    def _poured(self, source: PileId, to: PileId) -> None:
        """Follow the move of all cards of a pile into another."""
        if len(self.group(source)) > 1:
            self._join(source, to)
        else:
            self.held(to).update(self.held(source))
            self.stock[self.group(source)] = Counter()

    def _went(self, card: CardId | None, source: PileId, to: PileId, before: Mapping[PileId, Pile]) -> None:
        """Follow the move of a card from one pile to another."""
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
        """Merge the groups of two piles: their hidden cards are known only as a sum."""
        first, second = self.group(pile), self.group(other)
        if first != second:
            both = first | second
            self.stock[both] = self.stock.pop(first, Counter()) + self.stock.pop(second, Counter())
            self.groups.update(dict.fromkeys(both, both))

    def _part(self) -> None:
        """Remove piles without hidden cards from their groups: more is known of the rest."""
        for group in {group for group in self.groups.values() if len(group) > 1}:
            left = frozenset(pile for pile in group if pile == ELSEWHERE or self.size(pile))
            if left != group:
                for pile in group - left:
                    del self.groups[pile]
                self.groups.update(dict.fromkeys(left, left))
                self.stock[left] = self.stock.pop(group)


class Knowledge:
    """Knowledge of a match by seat, and that which several seats share.

    It grows with the match, so a fork need not read the shared events again. Events whose existence is secret
    change neither piles nor pieces, so they are left out, and all viewers count the same events.

    Args:
        onlookers: Seats of the match, `public`, or `arbiter`, who sees all.
        limiters: The viewers whose forks, so far or later, hide what they do not know.
        events: The events to begin with.
    """

    def __init__(self, onlookers: Iterable[Seat], limiters: Iterable[Seat], events: Iterable[Event]) -> None:
        limiting = sorted({*limiters} - {ARBITER})
        added = [set(some) for count in range(len(limiting) + 1) for some in combinations(limiting, count)]
        together = {frozenset({seat} | some) for seat in onlookers if seat != ARBITER for some in added}
        self._known: dict[frozenset[Seat], Hidden] = {seats: Hidden(()) for seats in together}
        self._all = Hidden(())
        self._seq = 0
        # The numbers of the events that are left out.
        self._left_out: list[int] = []
        for event in events:
            self.follow(event)

    def of(self, seat: Seat) -> Hidden:
        """Return what a viewer knows."""
        return self._all if seat == ARBITER else self._known[frozenset((seat,))]

    def follow(self, event: Event) -> None:
        """Follow one more event of the match."""
        self._seq += 1
        if type(event) in WITHHELD:
            self._left_out.append(self._seq)
            return
        if isinstance(event, CommandsUndone):
            event = replace(event, to=event.to - bisect_right(self._left_out, event.to))
        if isinstance(event, MatchForked) and event.hidden == RESAMPLE and event.seat != ARBITER:
            self._known = {seats: self._known[seats | {event.seat}].copy() for seats in self._known}
        self._all.follow(event)
        is_open = getattr(event, "seen_by", None) is None
        for seats, hidden in self._known.items():
            hidden.follow(event if is_open else _seen_by_all(event, seats))


def limiters_of(events: Iterable[Event]) -> set[Seat]:
    """Return the seats whose forks hide what they did not know."""
    return {event.seat for event in events if isinstance(event, MatchForked) and event.hidden == RESAMPLE}


def _seen_by_all(event: Event, seats: Iterable[Seat]) -> Event:
    """Return an event as all of several seats may see it; all of them must know of it."""
    for seat in seats:
        seen = see(event, seat)
        assert seen is not None
        event = seen
    return event
