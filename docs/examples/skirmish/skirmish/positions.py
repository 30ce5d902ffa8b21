"""Position files: a table to start from.

What a position leaves out is not on the table, but cards are in the deck then, and a field is controlled by the squad on it.
"""

from collections import Counter
from collections.abc import Iterator

from skirmish.components import DECK, DISCARDS, FIELD_NAMES, FRESH, HANDS, MARCHED, RALLIED, REDS, SIDES, inventory
from skirmish.rules import SET_UP, TURN, begin_turn
from wardiary.game import Defect, Draft, Position, position_defects


class SkirmishPositions:
    """Checks positions and sets them up."""

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        """Name every defect of a position: first what the inventory finds, then what it cannot know."""
        return (*position_defects(inventory(position.scenario, position.options), position), *_defects(position))

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Set the table up as a valid position says, and ask the side whose turn it is."""
        named = {card for pile in position.piles.values() for card in pile}
        piles = {DECK: tuple(card for card in RALLIED if card not in named), **position.piles}
        draft.form(DECK, piles[DECK], SET_UP, seen_by=())
        draft.form(DISCARDS, piles.get(DISCARDS, ()), SET_UP)
        for seat, hand in HANDS.items():
            draft.form(hand, piles.get(hand, ()), SET_UP, seen_by=(seat,))
        for piece in position.pieces:
            draft.place(piece.id, piece.place, SET_UP, kind="squad", side=piece.side, steps=piece.steps or FRESH)
        held = {piece.place: piece.side for piece in position.pieces if piece.place in FIELD_NAMES}
        for place, side in {**position.control, **held}.items():
            draft.control(place, side, SET_UP)
        draft.begin_round(position.round or 1, TURN)
        begin_turn(draft, draft.table.seat_of(position.turn or REDS))
        for squad, there in position.attributes.items():
            if MARCHED.key in there:
                MARCHED.set(draft, squad, value=True, rule=SET_UP)


def _defects(position: Position) -> Iterator[Defect]:
    """Name what the inventory cannot know."""
    held = Counter(piece.place for piece in position.pieces)
    for index, piece in enumerate(position.pieces):
        if not piece.side:
            yield Defect(("pieces", index), f"{piece.id} needs a side, {' or '.join(SIDES.values())}")
        if piece.place in FIELD_NAMES and held[piece.place] > 1:
            yield Defect(("pieces", index, "place"), f"{piece.place} holds {held[piece.place]} squads; it can hold one")
        if position.control.get(piece.place, piece.side) != piece.side:
            yield Defect(("control", piece.place), f"{piece.place} is controlled by {piece.side}, whose squad is there")
    for side in SIDES.values():
        if not any(piece.side == side for piece in position.pieces):
            yield Defect(("pieces",), f"{side} has no squad; it needs at least one")
    if position.turn not in ("", *SIDES.values()):
        yield Defect(("turn",), f"turn must be {' or '.join(SIDES.values())}, not {position.turn!r}")
    if position.phase or position.decision is not None:
        yield Defect(("phase",), "a position of this game opens with a turn; it names no phase and no decision")
