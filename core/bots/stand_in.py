"""A table that may be the true one, made of what a seat knows and of what is in the box.

Its hidden cards and pieces lie in no particular way: it says only what there is to be dealt, and `core.bots.sampler` deals it.
"""

from collections.abc import Collection, Iterator, Sequence

from core.components.inventory import Inventory
from core.engine.dealing import Dealing
from core.errors import KernelError
from core.secrets.knowledge import NEVER_SEEN, Hidden
from events.codec import Struct, replace
from events.ids import CardId, PieceId, PileId
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    DecisionOpened,
    DeckFormed,
    Event,
    HiddenDiceRolled,
    PieceConcealed,
    PieceDrawn,
    PiecePlaced,
    PieceReturned,
    PieceRevealed,
    SecretsRedealt,
)
from projections.state.fold import fold
from projections.state.table import Piece, Pile, Table

UNTOLD = ""
"""The value of an attribute that the seat does not know."""


class StandIn(Struct, frozen=True):
    """A table of which nothing is hidden, and cards that may lie in place of others, by a pile or piece of their family."""

    table: Table
    spare: dict[PileId, Sequence[CardId]]


def stand_in(dealing: Dealing, inventory: Inventory, hidden: Hidden, nowhere: Collection[CardId] = ()) -> StandIn:
    """Return a table that differs from a seat's only in that nothing is hidden.

    Args:
        dealing: The game's part in dealing again.
        inventory: What is in play.
        hidden: What the seat knows.
        nowhere: Cards that the box has and no place can hold by what the seat knows: those are out of the match.

    Raises:
        KernelError: The inventory does not name enough of what is hidden, or the open question holds something that the seat does not know.
    """
    table = hidden.table.clone()
    _check_questions(hidden)
    _remember(table, hidden)
    for piece, seen in hidden.followed.items():
        table.pieces[piece] = replace(table.pieces[piece], kind=seen.kind, face=seen.face, steps=seen.steps)
    families: dict[str, list[PileId]] = {}
    for name in (*sorted(table.piles), *[PileId(piece) for piece in sorted(hidden.unseen)]):
        if hidden.size(name):
            families.setdefault(dealing.family(name, hidden.table), []).append(name)
    out = {*_named(table), *_gone(hidden), *nowhere}
    spare = {names[0]: _fill(table, inventory, hidden, names, out) for names in families.values()}
    return StandIn(table, spare)


def _check_questions(hidden: Hidden) -> None:
    """Check that the seat knows what the open questions hold.

    Raises:
        KernelError: It does not.
    """
    last = {event.kind: event for event in hidden.history if isinstance(event, DecisionOpened)}
    if any(one.kind in last and last[one.kind].arguments is None for one in hidden.table.stack):
        raise KernelError(
            "what is hidden cannot be dealt: the open question holds something that the seat does not know"
        )


def _remember(table: Table, hidden: Hidden) -> None:
    """Set the attributes that the seat does not know, with their lifetimes."""
    known = [_with_value(event, hidden) for event in hidden.history]
    if any(one is not event for one, event in zip(known, hidden.history, strict=True)):
        found = fold(known)
        table.attributes, table.terms = found.attributes, found.terms


def _with_value(event: Event, hidden: Hidden) -> Event:
    """Return an event with a value where it is secret that an attribute has one."""
    if isinstance(event, AttributeSet):
        is_secret = event.value is None and event.seen_by is not None and not event.is_removed
        return replace(event, value=UNTOLD) if is_secret else event
    if isinstance(event, HiddenDiceRolled):
        return replace(event, faces=()) if event.faces is None else event
    if isinstance(event, PieceConcealed) and event.attributes:
        return replace(event, known=True) if event.known is None else event
    return event


def _named(table: Table) -> Iterator[CardId]:
    """Yield the cards of which is known where they lie, and what known pieces are."""
    for pile in table.piles.values():
        yield from pile.cards
    for piece in table.pieces.values():
        if piece.kind:
            yield CardId(piece.kind)


def _gone(hidden: Hidden) -> set[CardId]:
    """Return the cards that the seat saw after it lost them from sight, if it ever did: those are hidden nowhere."""
    shown: dict[CardId, int] = {}
    for number, event in hidden.trail:
        for card in _shown(event):
            shown[card] = number
    return {card for card, number in shown.items() if hidden.lost.get(card, NEVER_SEEN) < number}


def _shown(event: Event) -> Sequence[CardId]:
    """Return the cards, and the kinds of pieces, that an event shows."""
    match event:
        case CardDrawn() | CardMoved() | CardPlayed() | CardDiscarded() | PieceReturned():
            return () if event.card is None else (event.card,)
        case DeckFormed() | SecretsRedealt():
            return event.cards or ()
        case PieceDrawn():
            return () if event.drawn is None else (event.drawn,)
        case PiecePlaced() | PieceRevealed():
            return (CardId(event.kind),) if event.kind else ()
        case _:
            return ()


def _fill(
    table: Table, inventory: Inventory, hidden: Hidden, names: Sequence[PileId], out: set[CardId]
) -> Sequence[CardId]:
    """Put cards that may be there into piles and pieces that exchange theirs, and return those that are too many.

    There are too many in a match that began from a position: it may have left some in the box.

    Raises:
        KernelError: The inventory does not name enough of them.
    """
    able = {card for name in names for card in _possible(inventory, name) if card not in out}
    # The seat has seen some of them in the match: those are not in the box.
    left = sorted(able, key=lambda card: (card in hidden.lost, card))
    wanted = sum(map(hidden.size, names))
    for number, name in enumerate(names):
        sorts = _sorts(inventory, name)
        cards = [sorts[number % len(sorts)]] if sorts else [left.pop() for _ in range(hidden.size(name)) if left]
        if len(cards) < hidden.size(name):
            raise KernelError(
                f"what is hidden in {', '.join(names)} cannot be dealt: the inventory of the game names {len(able)} of {wanted}"
            )
        piece = table.pieces.get(PieceId(name))
        if piece is None:
            pile = table.pile(name)
            table.piles[name] = Pile((*pile.cards, *cards), 0, pile.seen_by)
        else:
            group = inventory.pieces_of[piece.id]
            face = next(iter(group.faces), "")
            table.pieces[piece.id] = Piece(piece.id, cards[0], piece.side, piece.place, face, group.steps)
    return left


def _possible(inventory: Inventory, name: PileId) -> Sequence[CardId]:
    """Return the cards that a pile can hold or a piece can be."""
    pieces = inventory.pieces_of.get(PieceId(name))
    if pieces is not None:
        kinds = map(CardId, pieces.kinds.get(PieceId(name), (name,)))
        return [kind for kind in kinds if kind in inventory.cards_of]
    piles = inventory.piles_of.get(name)
    return [] if piles is None else list(inventory.cards_for[piles.holds, piles.only])


def _sorts(inventory: Inventory, name: PileId) -> Sequence[CardId]:
    """Return the kinds that a piece can be of where several pieces can be of one kind: it is not known how many are, so each is as good."""
    pieces = inventory.pieces_of.get(PieceId(name))
    if pieces is None:
        return ()
    return [
        CardId(kind) for kind in pieces.kinds.get(PieceId(name), (name,)) if kind and kind not in inventory.cards_of
    ]
