"""Setting the table up as a position file says; `battle_positions` checks it."""

from core.engine.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import RATION, SIDES, SUPPLY, URANUS_IN_PLAY, deck, discards, force_pool, hand, top
from core.games.battle.memory import LOCATIONS
from core.games.battle.rules.changes import show_control, turn_up_top
from core.games.battle.rules.turn import Turns
from core.positions.position import Position, put_markers
from events.ids import TABLE, CardId, RuleId, Side

PLACED = RuleId("setup.order")
STEPS = RuleId("turn.steps")


def set_up_position(draft: Draft, cards: Cards, position: Position) -> None:
    """Set the table up as a valid position says, and go on to its first decision."""
    LOCATIONS.set(draft, TABLE, locations_named(position), PLACED)
    put_markers(draft, {on: there for on, there in position.markers.items() if on in cards.locations}, PLACED)
    for piece in position.pieces:
        force = cards.forces[piece.id]
        draft.place(piece.id, piece.place, PLACED, kind=piece.id, side=force.side)
        usual = {RATION: force.rations} if piece.place in cards.areas else {}
        show_control(draft, cards, piece.place)
        put_markers(draft, {piece.id: {**usual, **position.markers.get(piece.id, {})}}, PLACED)
    for side in SIDES:
        _form_piles(draft, cards, position, side)
    draft.begin_round(max(1, position.round), STEPS)
    draft.begin_turn(position.turn, STEPS)
    if position.phase == SUPPLY:
        draft.begin_phase(SUPPLY, STEPS)
    Turns(cards).sequence.begin(draft, {}, start="" if position.phase == SUPPLY else "actions")


def locations_named(position: Position) -> tuple[str, ...]:
    """Return the Locations that a position names as in play, in their order."""
    named = position.attributes.get(TABLE, {}).get(LOCATIONS.key)
    return named if isinstance(named, tuple) else ()


def _form_piles(draft: Draft, cards: Cards, position: Position, side: Side) -> None:
    named = {card for pile, listed in position.piles.items() for card in listed if pile != deck(side)}
    rest = tuple(card for card in cards.decks[side] if card not in named)
    draft.form(deck(side), position.piles.get(deck(side), rest), PLACED, seen_by=())
    draft.form(hand(side), position.piles.get(hand(side), ()), PLACED, seen_by=(draft.table.seat_of(side),))
    draft.form(discards(side), position.piles.get(discards(side), ()), PLACED)
    if side == SIDES[0]:
        draft.form(URANUS_IN_PLAY, position.piles.get(URANUS_IN_PLAY, ()), PLACED)
    placed = {piece.id for piece in position.pieces}
    pool = tuple(CardId(force) for force in cards.piles[side] if force not in placed)
    draft.form(force_pool(side), pool, PLACED)
    if not draft.table.pieces_at(top(side)):
        turn_up_top(draft, side, PLACED)
