"""Hex: two players place stones on a board of hexes, and each tries to connect its own two edges. A small game for War Diary, to be copied.

Red connects the upper edge with the lower one, Blue the left one with the right one. After the first stone Blue may take Red's side.
"""

from wardiary.game import (
    NO_SIDE,
    Act,
    Command,
    Draft,
    Inventory,
    Open,
    PlaceId,
    Places,
    RuleId,
    Seat,
    Side,
    Table,
    by_worth,
    hex_board,
    small_game,
)

SIZE = 11
FIRST, SECOND = Seat("first"), Seat("second")
RED, BLUE = Side("red"), Side("blue")
BOARD = {place.id: place for place in hex_board(SIZE)}
PLACE, SWAP, END = RuleId("place"), RuleId("swap"), RuleId("end")
EDGES = {
    RED: [{cell for cell in BOARD if cell[1:] == row} for row in ("1", str(SIZE))],
    BLUE: [{cell for cell in BOARD if cell[0] == letter} for letter in ("a", chr(ord("a") + SIZE - 1))],
}


def begin_turn(draft: Draft, side: Side) -> None:
    """Ask a side for a stone."""
    draft.begin_turn(side, PLACE)
    draft.ask("turn", draft.table.seats_of(side)[0], PLACE)


def is_connected(table: Table, side: Side) -> bool:
    """Return whether stones of a side lead from one of its edges to the other."""
    start, goal = EDGES[side]
    found, left = set[PlaceId](), [cell for cell in start if table.control.get(cell) == side]
    while left:
        cell = left.pop()
        found.add(cell)
        near = BOARD[cell].neighbours
        left += [one for one in near if table.control.get(one) == side and one not in found]
    return not found.isdisjoint(goal)


class Place(Act, frozen=True):
    """Place a stone on an empty cell."""

    rule = PLACE
    words = "Place a stone on {cell}"

    cell: PlaceId

    @classmethod
    def candidates(cls, table: Table, asked: Open) -> list["Place"]:
        """Return a stone on each cell."""
        return [cls(cell) for cell in BOARD]

    def refuse(self, table: Table, asked: Open) -> str | None:
        """Refuse a cell that is not on the board, or not empty."""
        return "cell_must_be_empty" if self.cell not in BOARD or self.cell in table.control else None

    def take(self, draft: Draft, asked: Open) -> None:
        """Place the stone; the other side goes on unless it has lost."""
        side = draft.table.side_of(asked.seat)
        draft.control(self.cell, side, PLACE)
        if is_connected(draft.table, side):
            draft.end_match("Connection", (side,), END)
        else:
            begin_turn(draft, BLUE if side == RED else RED)


class Swap(Act, frozen=True):
    """Take the side of the first stone, once it lies there."""

    rule = SWAP
    words = "Take the side of the first stone"

    def refuse(self, table: Table, asked: Open) -> str | None:
        """Refuse it but for the answer to the first stone."""
        is_answer = len(table.control) == 1 and table.side_of(asked.seat) == BLUE and asked.seat == SECOND
        return None if is_answer else "stone_must_be_first"

    def take(self, draft: Draft, asked: Open) -> None:
        """Exchange the sides; who is Blue now goes on."""
        draft.assign_side(FIRST, BLUE, SWAP)
        draft.assign_side(SECOND, RED, SWAP)
        begin_turn(draft, BLUE)


def central(table: Table, seat: Seat, option: Command) -> float:
    """Return how near to the middle a stone lies; never swap."""
    cell = BOARD[option.cell] if isinstance(option, Place) else BOARD[PlaceId("a1")]
    return -abs(cell.x - 500) - abs(cell.y - 350)


GAME = small_game(
    __name__,
    key="hex",
    title="Hex",
    seats={FIRST: RED, SECOND: BLUE},
    acts=(Place, Swap),
    set_up=lambda draft: begin_turn(draft, RED),
    inventory=Inventory(
        sides={RED: "Red", BLUE: "Blue"},
        places=[Places(what="cell", names=dict.fromkeys(BOARD, ""), control=(NO_SIDE, RED, BLUE))],
    ),
    rule=PLACE,
    places=tuple(BOARD.values()),
    bots={"central": by_worth(central)},
    has_dice=False,
)
