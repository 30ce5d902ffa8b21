"""Strips beside the map: the Reinforcement Track, the Death Pool, the Soviet pools, Rubble, and the cards of both sides."""

from collections.abc import Iterator

from core.games.inferno import memory
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import (
    CALLED,
    DEATH_POOL,
    GERMAN,
    POOL_PILES,
    RAUS,
    RUBBLE,
    SIDE_NAMES,
    SIDES,
    SOVIET,
    SOVIET_SEAT,
    deck_bottom,
    deck_top,
    discards,
    hand,
    leaders,
    removed_box,
    track_box,
)
from core.games.inferno.narration.names import Names
from core.games.inferno.narration.sentences import card_words, hand_words, hexes_words
from core.games.inferno.rules.cards import VON_RICHTHOFEN, deck_size, has_leader
from core.games.inferno.rules.ending import has_okh, objective_hexes
from core.games.inferno.rules.queries import has_advantage
from core.games.inferno.rules.reinforcement_track import SIXTH_PANZER_ADVANTAGE, is_white_box
from core.games.inferno.rules.spawn import left
from core.narration.strips import BACK, EMPTY, GONE, Cell, Strip, face_down, numbered, owned, row_of
from core.wording import counted, joined
from events.ids import CardId, Seat, Side
from projections.state.table import Table


def lost_points(table: Table, board: Board) -> int:
    """Return the points of the Death Pool."""
    blocks = [board.blocks.get(CardId(table.pieces[unit].kind)) for unit in table.pieces_at(DEATH_POOL)]
    return sum(board.victory.r_unit_points if block is not None and block.is_r_unit else 1 for block in blocks)


def rubble(table: Table) -> int:
    """Return how many Rubble markers are on the map."""
    return sum(RUBBLE in there for there in table.markers.values())


def placed_cards(names: Names, table: Table, side: Side) -> list[tuple[str, str]]:
    """Return which Leaders lie on top of a deck and beneath it, in an order that nobody knows; those drawn unseen leave a number only.

    Source: designer.advantage.leader-on-top, designer.difficulty.german, designer.difficulty.soviet-easy.
    """
    found = []
    for where, part in (("On top of the deck", deck_top(side)), ("Beneath the deck", deck_bottom(side))):
        pile = table.pile(part)
        cards = [names.name(card) for card in sorted(pile.cards)]
        cards += [counted(pile.hidden, "Leader")] if pile.hidden else []
        found += [(where, joined(cards))] if cards else []
    return found


class Strips:
    """Lays out what is beside the map.

    Args:
        names: The board, and what everything is called.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.board = names.board

    def all(self, table: Table) -> tuple[Strip, ...]:
        """Return tracks, pools and cards as their viewer sees them: units that are picked up first, then hands."""
        seats = (*table.seats_of(GERMAN), SOVIET_SEAT)
        losses, points = self.board.victory.german_losses, lost_points(table, self.board)
        dead = tuple(table.pieces_at(DEATH_POOL))
        called = tuple(table.pieces_at(CALLED))
        found = [
            Strip("Picked up", row_of([Cell(side=GERMAN, pieces=called) if called else None])),
            Strip(
                "Death Pool",
                (numbered(losses, min(points, losses), first=0),),
                f"{losses} is a Soviet victory",
                is_vital=True,
            ),
            Strip(
                "Soviet deck",
                row_of([Cell(str(deck_size(table, SOVIET)), ("cards",), side=SOVIET)]),
                "the last card drawn is a Soviet victory",
                is_vital=True,
            ),
            Strip(
                "German objective",
                row_of(list(self._objective(table))),
                hexes_words(objective_hexes(table, self.board)),
                is_vital=True,
            ),
            *[self._hand(table, seat) for seat in seats],
            Strip("Reinforcement Track", tuple(self._track(table)), "W: White Infantry at the set-up"),
            Strip("Units in the Death Pool", row_of([Cell("Lost", side=GERMAN, pieces=dead) if dead else None])),
            Strip("Soviet pools and Rubble", row_of(list(self._supplies(table)))),
            *[owned(side, SIDE_NAMES[side], "cards", row_of(list(self._cards(table, side)))) for side in SIDES],
        ]
        return tuple(strip for strip in found if strip.rows)

    def _track(self, table: Table) -> Iterator[tuple[Cell, ...]]:
        """Yield the rows from left to right: units face down, and at the end the unit that each may Remove."""
        board = self.board
        for row in range(1, board.track.rows + 1):
            there = {box: table.pieces_at(box) for box in [track_box(row, n) for n in range(1, board.track.boxes + 1)]}
            boxes = [
                Cell(
                    label="W" if is_white_box(board, box) else "",
                    side=GERMAN,
                    number=len(units),
                    look=BACK if units else EMPTY,
                )
                for box, units in there.items()
            ]
            yield (Cell(label=str(row)), *boxes, *self._removal(table, row))

    def _removal(self, table: Table, row: int) -> Iterator[Cell]:
        place, board = removed_box(row), self.board
        gone = tuple(table.pieces_at(place))
        unit = board.removed_units.get(row)
        if gone:
            yield Cell("Removed", pieces=gone)
        if row == board.track.raus_row:
            is_there, comes = table.marker(place, RAUS), has_advantage(table, GERMAN, SIXTH_PANZER_ADVANTAGE)
            note, look = ("Brings Raus", EMPTY) if comes else ("Removes no unit", GONE)
            yield Cell(self.names.name(RAUS)) if is_there else Cell("", (note,), look=look)
        elif not gone and unit is not None:
            look = GONE if memory.EXHAUSTED.of(table, place) else EMPTY
            yield Cell("", (f"Removes {board.blocks[unit].name}",), look=look)

    def _objective(self, table: Table) -> Iterator[Cell]:
        """Yield how many of the hexes are German that must be: the Soviet Spawn Hexes, or those that OKH demands."""
        hexes = objective_hexes(table, self.board)
        held = sum(table.control.get(place) == GERMAN for place in hexes)
        which = "OKH hexes" if has_okh(table, self.board) else "Spawn Hexes"
        yield Cell(f"{held} of {len(hexes)}", (which,), meter=(held, len(hexes)))

    def _supplies(self, table: Table) -> Iterator[Cell]:
        for arm in POOL_PILES:
            yield Cell(str(left(table, arm)), ("in the pool",), arm.capitalize(), side=SOVIET)
        limit, there = self.board.limits.rubble_markers, rubble(table)
        yield Cell("Rubble", (f"{there} of {limit} on the map",), meter=(there, limit))

    def _cards(self, table: Table, side: Side) -> Iterator[Cell]:
        """Yield a side's deck, the hands that the viewer does not see, the discards, and its Leaders and Advantages."""
        seats: tuple[Seat, ...] = table.seats_of(GERMAN) if side == GERMAN else (SOVIET_SEAT,)
        yield face_down("Deck", deck_size(table, side), side)
        for where, cards in placed_cards(self.names, table, side):
            yield Cell(cards, (), where, side=side)
        for seat in seats:
            hidden = table.pile(hand(seat)).hidden
            if hidden:
                yield face_down(self.names.name(hand(seat)), hidden, side)
        gone = table.pile(discards(side))
        yield Cell(self.names.name(gone.cards[-1]) if gone.cards else "", (), "Discards", str(gone.count), side)
        for card in table.pile(leaders(side)).cards:
            yield Cell(self.names.name(card), (card_words(self.board, card),), "Leader", side=side)
        for name in memory.ADVANTAGES.of(table, side) or ():
            yield Cell(self.names.name(name), (), "Advantage", side=side)

    def _hand(self, table: Table, seat: Seat) -> Strip:
        """Return the cards of a hand that the viewer knows, with their effects."""
        is_doubled = has_leader(table, self.board, VON_RICHTHOFEN)
        side = SOVIET if seat == SOVIET_SEAT else GERMAN
        cells = [
            Cell(
                self.names.name(card),
                (hand_words(self.board, card, is_doubled=is_doubled),),
                SIDE_NAMES[side],
                side=side,
                id=card,
            )
            for card in table.pile(hand(seat)).cards
        ]
        return Strip(self.names.name(hand(seat)), row_of(cells), is_private=True, owner=side, what="hand")
