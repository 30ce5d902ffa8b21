"""Audiences of pieces, piles and questions, as far as the events tell them to everybody and the table does not keep them."""

from collections.abc import Iterable, Sequence

from events.codec import Struct
from events.ids import PieceId, PileId, Seat
from events.vocabulary import (
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    DecisionOpened,
    DeckFormed,
    DeckShuffled,
    Event,
    PieceDrawn,
    PiecePlaced,
    PieceReturned,
    PieceRevealed,
    SecretsRedealt,
)

Seats = tuple[Seat, ...] | None
"""Some seats; None for all, and for those who watch."""


class Audiences(Struct):
    """The seats that have ever seen each piece, that know all cards of each pile, and the last question of each kind."""

    pieces: dict[PieceId, Seats] = {}
    piles: dict[PileId, Seats] = {}
    counts: dict[PileId, int] = {}
    questions: dict[str, DecisionOpened] = {}

    def follow(self, event: Event) -> None:
        """Follow one more event; of a redacted one is known who sees it."""
        match event:
            case PiecePlaced():
                self.pieces[event.piece] = event.seen_by
            case PieceRevealed():
                self.pieces[event.piece] = _either(self.pieces.get(event.piece), event.seen_by)
            case DecisionOpened():
                self.questions[event.kind] = event
            case _:
                self._follow_cards(event)

    def _follow_cards(self, event: Event) -> None:
        match event:
            case DeckFormed():
                self.piles[event.deck], self.counts[event.deck] = event.seen_by, event.count
            case SecretsRedealt():
                self.piles[event.pile] = event.seen_by
            case DeckShuffled():
                if event.source is not None:
                    self._come(event.deck, self.piles.pop(event.source, None), self.counts.pop(event.source, 0))
            case CardDrawn():
                self._move(event.deck, event.to, event.seen_by)
            case CardMoved():
                self._move(event.was, event.to, event.seen_by)
            case CardPlayed() | CardDiscarded():
                self._move(event.was, event.to, None)
            case PieceDrawn():
                self._leave(event.pool, event.seen_by)
            case PieceReturned():
                self._come(event.to, event.seen_by, 1)
            case _:
                pass

    def _move(self, source: PileId, to: PileId, seen_by: Seats) -> None:
        self._leave(source, seen_by)
        self._come(to, seen_by, 1)

    def _leave(self, pile: PileId, seen_by: Seats) -> None:
        """Let a card leave a pile: who does not see which one no longer knows what is left."""
        self.counts[pile] = max(0, self.counts.get(pile, 0) - 1)
        self.piles[pile] = _both(self.piles.get(pile), seen_by) if self.counts[pile] else None

    def _come(self, pile: PileId, seen_by: Seats, count: int) -> None:
        if count:
            self.piles[pile] = _both(self.piles.get(pile), seen_by) if self.counts.get(pile) else seen_by
            self.counts[pile] = self.counts.get(pile, 0) + count


def audiences_of(events: Iterable[Event]) -> Audiences:
    """Return who may know what after some events, none of which was taken back."""
    found = Audiences({}, {}, {}, {})
    for event in events:
        found.follow(event)
    return found


def _both(one: Seats, other: Seats) -> Seats:
    if one is None or other is None:
        return other if one is None else one
    return tuple([seat for seat in one if seat in other])


def _either(one: Seats, other: Seats) -> Seats:
    return None if one is None or other is None else (*one, *[seat for seat in other if seat not in one])


def in_order(seats: Seats, every: Sequence[Seat]) -> Seats:
    """Return seats in the order of the match."""
    return None if seats is None else tuple([seat for seat in every if seat in seats])
