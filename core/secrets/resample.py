"""Dealing again what a seat does not know, so that all it knows stays true and the new deal depends on nothing else.

Not every hidden card can be where every other one is: what went to a hand before a deck was formed anew was not among the
cards that were shuffled then. What is known of that is followed in `core.secrets.knowledge`. What a hidden piece is counts as a card
that lies by itself; pieces that the seat has seen and followed since stay what they are.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from core.engine.dealing import Deal, Dealing, Identity, Unknown
from core.engine.draft import Draft
from core.errors import KernelError
from core.secrets.arrangement import is_possible
from core.secrets.dealers import Dealer, Dealt, GamesPart, Lot, lot_problem
from core.secrets.knowledge import NEVER_SEEN, REDEALT, Hidden
from events.ids import CardId, PieceId, PileId, Seat
from events.vocabulary import AttributeSet, Event, SecretsRedealt, Value
from projections.state.fold import fold
from projections.state.table import Table, Terms
from projections.state.view import see

NO_DEAL = "the rules allow no deal that was tried"


class Redeal:
    """The hidden things of a table that a seat does not know, ready to be dealt as often as wanted.

    Args:
        table: A table that may be the true one; only what the seat can work out of it is used.
        known: The table as the seat knows it.
        dealing: The game's part.
        hidden: What the seat knows of what it cannot name.
        spare: Cards that may lie in a pile, or be a piece, beyond those that do: some of them are in no deal.
    """

    def __init__(
        self,
        table: Table,
        known: Table,
        dealing: Dealing,
        hidden: Hidden,
        spare: Mapping[PileId, Sequence[CardId]] = {},
    ) -> None:
        self.lots = hidden_lots(table, known, hidden, dealing, spare)
        unknown = _unknown(table, known, hidden, self.lots)
        self.game = GamesPart(dealing, unknown, dealing.limits(unknown))

    def deal(self, dealer: Dealer, position: int, attempt: int) -> Deal | None:
        """Return a deal, or None if the game refuses this one; see `Dealer` for the arguments."""
        dealt: Dealt = {}
        for lot in self.lots:
            dealt.update(dealer.deal(position, lot, attempt))
        return dealer.complete(position, self.game, self.lots, dealt, attempt)


def resample(
    draft: Draft, dealing: Dealing, views: Mapping[Seat, Table], seat: Seat, *, hidden: Hidden, dealer: Dealer
) -> None:
    """Deal again what a seat does not know, in the same numbers, so that all it knows stays true.

    Where the truth differs only in what the seat does not know, the new deal is the same. The game completes it and may
    refuse it; then another is tried, a bounded number of times.

    Args:
        draft: Over the true table.
        dealing: What the game says of it.
        views: The table as each seat knows it.
        seat: Whose knowledge counts.
        hidden: What the seat knows of what it cannot name.
        dealer: Where the new deal comes from.

    Raises:
        KernelError: Nothing that could be dealt is possible.
    """
    table, known, position = draft.table, views[seat], draft.position
    if [element.arguments for element in known.stack] != [element.arguments for element in table.stack]:
        raise dealer.refuse("the question that is open holds something that the seat that forks does not know")
    redeal = Redeal(table, known, dealing, hidden)
    problem = ""
    for attempt in range(dealer.tries):
        deal = redeal.deal(dealer, position, attempt)
        if deal is None:
            problem = NO_DEAL
            continue
        problem = _deal_problem(redeal, deal)
        if problem:
            break
        trial = Draft(table.clone(), draft.chance)
        _tell(trial, views, seat, deal)
        problem = _seen_problem(known, trial.events, seat) or dealing.problem(trial.table)
        if not problem:
            for event in trial.events:
                draft.emit(event)
            return
    raise dealer.refuse(problem)


def hidden_lots(
    table: Table, known: Table, hidden: Hidden, dealing: Dealing, spare: Mapping[PileId, Sequence[CardId]] = {}
) -> list[Lot]:
    """Return what is hidden from a seat, by families of what exchanges it.

    Args:
        table: The true table, of which only what the seat can work out is used.
        known: The table as the seat knows it.
        hidden: What the seat knows of what it cannot name.
        dealing: The game's part.
        spare: See `Redeal`.
    """
    families: dict[str, list[PileId]] = {}
    for name in (*sorted(table.piles), *[PileId(piece) for piece in sorted(hidden.unseen)]):
        if hidden.size(name):
            families.setdefault(dealing.family(name, known), []).append(name)
    return [_lot(table, names, known, hidden, spare) for names in families.values()]


def _lot(
    table: Table, names: list[PileId], known: Table, hidden: Hidden, spare: Mapping[PileId, Sequence[CardId]]
) -> Lot:
    """Return the hidden cards of piles and pieces that exchange cards, with what is known of where they may lie."""
    unknown = sorted(
        card for name in names for card in (*_not_in(_held(table, name), known.pile(name).cards), *spare.get(name, ()))
    )
    left: dict[int, list[CardId]] = {}
    for card in unknown:
        left.setdefault(hidden.lost.get(card, NEVER_SEEN), []).append(card)
    groups = {tuple(sorted(hidden.group(name))): +hidden.held(name) for name in names}
    told = sum(groups.values(), Counter[int]())
    if told - Counter({when: len(cards) for when, cards in left.items()}) or any(
        stock.total() != sum(hidden.size(name) for name in group) for group, stock in groups.items()
    ):
        # The stream does not tell enough, so that every card may be anywhere.
        left, groups = {NEVER_SEEN: unknown}, {tuple(names): Counter({NEVER_SEEN: sum(map(hidden.size, names))})}
    # What counts is the order of those events: their numbers are not the same for every onlooker.
    kinds = {when: kind for kind, when in enumerate(sorted({*left, *chain(*groups.values())}))}
    left = {kinds[when]: cards for when, cards in left.items()}
    groups = {group: Counter({kinds[when]: count for when, count in held.items()}) for group, held in groups.items()}
    lying = {name: known.pile(name).cards for group in groups for name in group}
    since = {name: hidden.unseen[PieceId(name)] for name in lying if PieceId(name) in hidden.unseen}
    latest = {name: max(kind for when, kind in kinds.items() if when <= seq) for name, seq in since.items()}
    return Lot(left, groups, {name: hidden.size(name) for name in lying}, lying, latest)


def _held(table: Table, name: PileId) -> tuple[CardId, ...]:
    """Return the cards of a pile, or what a piece is."""
    piece = table.pieces.get(PieceId(name))
    return table.pile(name).cards if piece is None else (CardId(piece.kind),)


def _not_in(cards: tuple[CardId, ...], known: tuple[CardId, ...]) -> list[CardId]:
    """Return the cards beyond the known ones, each copy counted."""
    left = list(cards)
    for card in known:
        left.remove(card)
    return left


def _unknown(table: Table, known: Table, hidden: Hidden, lots: Sequence[Lot]) -> Unknown:
    piles = {name: size for lot in lots for name, size in lot.sizes.items() if PieceId(name) not in hidden.unseen}
    attributes = [
        (on, key)
        for on, there in table.attributes.items()
        for key, value in there.items()
        if known.attribute(on, key) != value and hidden.values.get((on, key)) != value
    ]
    return Unknown(
        known=known,
        history=hidden.history,
        pieces=tuple(sorted(hidden.unseen)),
        followed={piece: seen.kind for piece, seen in sorted(hidden.followed.items())},
        turned={piece: hidden.followed[piece].kind for piece in sorted(hidden.turned)},
        piles=piles,
        attributes=tuple(sorted(attributes)),
        looks=_looks(table, sorted({*hidden.unseen, *hidden.turned})),
    )


def _looks(table: Table, pieces: Iterable[PieceId]) -> dict[str, tuple[Identity, ...]]:
    """Return what the pieces of each kind show, in an order that does not tell which is which."""
    looks: dict[str, list[Identity]] = {}
    for piece in pieces:
        held = table.pieces[piece]
        looks.setdefault(held.kind, []).append(Identity(held.kind, held.face, held.steps))
    return {kind: tuple(sorted(of_kind)) for kind, of_kind in sorted(looks.items())}


def _deal_problem(redeal: Redeal, deal: Deal) -> str:
    """Return why a game's deal contradicts what the forking seat knows, or does not add up; empty if it does neither."""
    unknown, limits = redeal.game.unknown, redeal.game.limits
    if {(on, key) for on, there in deal.attributes.items() for key in there} != set(unknown.attributes):
        return "the rules remember something in secret that the seat that forks does not know"
    if deal.pieces.keys() != {*unknown.pieces, *unknown.turned} or deal.piles.keys() != unknown.piles.keys():
        return "something else was dealt than what the seat that forks does not know"
    if any(deal.pieces[piece].kind != kind for piece, kind in unknown.turned.items()):
        return "a piece that the seat that forks has followed is another one"
    dealt: dict[PileId, Sequence[CardId]] = {**deal.piles}
    dealt |= {PileId(piece): (CardId(deal.pieces[piece].kind),) for piece in unknown.pieces}
    for lot in redeal.lots:
        if any(len(dealt[name]) != size for name, size in lot.sizes.items()):
            return "a pile has another number of cards than before"
        problem = lot_problem(lot, dealt)
        if problem:
            return problem
        for name in lot.sizes:
            cards = dealt[name]
            if not is_possible(cards, [limits.able(name, number) for number in range(len(cards))]):
                return f"{name} cannot hold what was dealt to it"
    return ""


def _tell(draft: Draft, views: Mapping[Seat, Table], seat: Seat, deal: Deal) -> None:
    """Tell what was dealt to those who know it, and what the seat has followed too, as the shared events show it to nobody."""
    table = draft.table
    for piece in list(table.pieces.values()):
        knowers = table.known_to.get(piece.id)
        if knowers is not None and seat not in knowers and piece.kind:
            now = deal.pieces.get(piece.id, piece)
            draft.reveal(piece.id, now.kind, now.face, REDEALT, steps=now.steps, seen_by=knowers)
    for terms in table.terms:
        if terms.seen_by is not None and seat not in terms.seen_by:
            value = deal.attributes.get(terms.on, {}).get(terms.key, table.attributes[terms.on][terms.key])
            draft.emit(_attribute(table, terms, value))
    for pile in sorted(deal.piles):
        knowers = tuple(other for other in table.seats if not views[other].pile(pile).hidden)
        lying = tuple(sorted([*views[seat].pile(pile).cards, *deal.piles[pile]]))
        draft.emit(SecretsRedealt(rule=REDEALT, pile=pile, cards=lying, seen_by=knowers))


def _attribute(table: Table, terms: Terms, value: Value) -> AttributeSet:
    """Return the event that sets an attribute anew, to last as long as before.

    Raises:
        KernelError: It ends with an element of the stack above which lies another of that kind.
    """
    within = table.stack[terms.depth - 1].kind if terms.depth else ""
    if terms.depth and table.depth_of(within) != terms.depth:
        raise KernelError(f"{terms.key} of {terms.on} cannot be dealt again while another {within} waits; fork later")
    return AttributeSet(
        rule=REDEALT,
        on=terms.on,
        key=terms.key,
        value=value,
        until=terms.until,
        within=within,
        names_pieces=terms.names_pieces,
        seen_by=terms.seen_by,
    )


def _seen_problem(known: Table, events: Sequence[Event], seat: Seat) -> str:
    """Return whether a new deal would change what the forking seat knows; empty if it does not."""
    seen = [event for event in [see(event, seat) for event in events] if event is not None]
    after = fold(seen, known.clone())
    for name in ("pieces", "known_to", "at", "attributes", "markers", "stack"):
        if getattr(after, name) != getattr(known, name):
            return f"the seat that forks could tell by its {name}"
    # Who knows a pile is noted anew.
    piles = [(name, pile.cards, pile.hidden) for name, pile in sorted(known.piles.items())]
    if [(name, pile.cards, pile.hidden) for name, pile in sorted(after.piles.items())] != piles:
        return "the seat that forks could tell by its piles"
    return ""
