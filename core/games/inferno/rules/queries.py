"""Queries of the table: Stacks, colours, seats, Spawn Hexes and Top Stacked Hexes."""

from collections.abc import Iterable
from functools import lru_cache

from core.games.inferno.components.board_model import Block, Board
from core.games.inferno.components.board_records import BLUE, WHITE, YELLOW
from core.games.inferno.ids import BLUE_SEAT, GERMAN, SOVIET, YELLOW_SEAT, removed_box, token
from core.games.inferno.memory import ADVANTAGES
from core.games.inferno.options import DESIGNER_EXTRAS, OFF, TIE_CHOOSER, level
from events.ids import NO_SIDE, CardId, PieceId, PlaceId, Seat, Side
from projections.state.table import Table

SEAT_COLOURS = {YELLOW_SEAT: YELLOW, BLUE_SEAT: BLUE}
COLOUR_SEATS = {colour: seat for seat, colour in SEAT_COLOURS.items()}


def has_advantage(table: Table, side: Side, name: str) -> bool:
    """Return whether an Advantage that is not a Leader is in force. Source: ruling.specials-by-level."""
    return name in (ADVANTAGES.of(table, side) or ()) or (
        level(table) != OFF and DESIGNER_EXTRAS.chosen(table) == "always"
    )


# Stacks


def stack(table: Table, place: PlaceId) -> tuple[PieceId, ...]:
    """Return the units in a hex. Source: stack.definition."""
    return table.pieces_at(place)


def side_in(table: Table, place: PlaceId) -> Side:
    """Return the side whose Stack is in a hex; empty if there is none. Source: stack.one-side-per-hex."""
    there = table.at.get(place)
    return table.pieces[there[0]].side if there else NO_SIDE


def block(table: Table, board: Board, piece: PieceId) -> Block:
    """Return what a piece is, which must be known to the rules."""
    return board.blocks[CardId(table.pieces[piece].kind)]


def units(table: Table, board: Board, side: Side) -> list[PieceId]:
    """Return all units of a side on the map, hex by hex in the order of the board."""
    return [piece for place in stacks(table, board, side) for piece in stack(table, place)]


def stacks(table: Table, board: Board, side: Side) -> list[PlaceId]:
    """Return the hexes with a Stack of a side, in the order of the board."""
    at, pieces = table.at, table.pieces
    return [place for place in board.hexes if (there := at.get(place)) and pieces[there[0]].side == side]


def has_stack(table: Table, board: Board, side: Side) -> bool:
    """Return whether a side has a Stack."""
    at, pieces = table.at, table.pieces
    for place in board.hexes:
        there = at.get(place)
        if there and pieces[there[0]].side == side:
            return True
    return False


def is_next_to(table: Table, board: Board, place: PlaceId, side: Side) -> bool:
    """Return whether a Stack of a side is next to a hex."""
    at, pieces = table.at, table.pieces
    for near in board.hexes[place].near:
        there = at.get(near)
        if there and pieces[there[0]].side == side:
            return True
    return False


def has_room(table: Table, board: Board, place: PlaceId, number: int = 1) -> bool:
    """Return whether so many more units fit into a hex. Source: stack.limit."""
    return len(stack(table, place)) + number <= board.limits.stack


# Sides and seats


def is_soviet_played(table: Table) -> bool:
    """Return whether a seat plays the Soviet side."""
    return bool(table.seats_of(SOVIET))


def has_partners(table: Table) -> bool:
    """Return whether two seats play the Germans."""
    return len(table.seats_of(GERMAN)) > 1


def partner(table: Table, seat: Seat) -> Seat:
    """Return the other German seat."""
    return next(other for other in table.seats_of(GERMAN) if other != seat)


def colours(table: Table, board: Board, pieces: tuple[PieceId, ...]) -> frozenset[str]:
    """Return the colours of German units, White aside."""
    return frozenset({block(table, board, piece).colour for piece in pieces} - {WHITE})


def stack_colour(table: Table, board: Board, place: PlaceId) -> str:
    """Return the colour of a German Stack. Source: mode.co-op.stack-colour."""
    found = colours(table, board, stack(table, place))
    return next(iter(found)) if found else WHITE


def stack_seat(table: Table, board: Board, place: PlaceId) -> Seat | None:
    """Return the seat that commands a German Stack, or None for a White one of two German seats.

    Source: mode.co-op.own-stacks-only, mode.co-op.white-stacks.
    """
    if not has_partners(table):
        return table.seats_of(GERMAN)[0]
    return COLOUR_SEATS.get(stack_colour(table, board, place))


def of_partner(table: Table, board: Board, seat: Seat, places: Iterable[PlaceId]) -> list[PlaceId]:
    """Return the hexes with German Stacks that only the partner of a seat commands."""
    return [place for place in places if stack_seat(table, board, place) not in (seat, None)]


def mixes(table: Table, board: Board, pieces: tuple[PieceId, ...], place: PlaceId) -> bool:
    """Return whether units in a hex would mix Yellow and Blue, with two German seats. Source: mode.co-op.no-mixed-stack."""
    return has_partners(table) and len(colours(table, board, (*pieces, *stack(table, place)))) > 1


def defending_seat(table: Table, board: Board, place: PlaceId) -> Seat:
    """Return the German seat that decides for a Stack when it is attacked.

    Source: mode.co-op.white-defence, ruling.co-op-tie-chooser.
    """
    seat = stack_seat(table, board, place)
    return YELLOW_SEAT if seat is None else seat


def decider(table: Table, *, units_of: Side, german: Seat) -> Seat:
    """Return the seat that chooses among equally strong units in a combat.

    Source: hits.tie-german-chooses, ruling.tie-chooser, ruling.co-op-tie-chooser.

    Args:
        table: The table.
        units_of: The side of the units.
        german: The German seat of the combat: the attacking one, or the one that decides for the attacked Stack.
    """
    is_owners = units_of == SOVIET and is_soviet_played(table) and TIE_CHOOSER.chosen(table) == "owner"
    return table.seat_of(SOVIET) if is_owners else german


# Hexes


def soviet_spawn_hexes(table: Table, board: Board) -> list[PlaceId]:
    """Return the Soviet-controlled Soviet Spawn Hexes. Source: soviet.turn.german-spawn-ignored."""
    return [place for place in board.soviet_spawn if table.control.get(place) == SOVIET]


def top_stacked(table: Table, board: Board) -> list[PlaceId]:
    """Return the Top Stacked Hexes in the order of the compass dice.

    Source: soviet.turn.top-stacked, soviet.move.roll-order, ruling.top-stacks-anywhere.
    """
    pieces, hexes = table.pieces, board.hexes
    most, found = 1, list[PlaceId]()
    # Not hex by hex: most are empty, and most Stacks are small.
    for place, there in table.at.items():
        size = len(there)
        if size < most or place not in hexes or pieces[there[0]].side != SOVIET:
            continue
        if size > most:
            most, found = size, []
        found.append(place)
    return sorted(found, key=lambda place: hexes[place].northness)


# Tokens, and units off the map


def free_token(table: Table, side: Side) -> PieceId:
    """Return the token of a block that comes onto the table. Source: ruling.block-tracking."""
    pieces = table.pieces
    for name in _tokens(side, len(pieces) + 1):
        if name not in pieces:
            return name
    raise AssertionError("more names than pieces are all taken")


@lru_cache(maxsize=1024)
def _tokens(side: Side, count: int) -> tuple[PieceId, ...]:
    """Return the first tokens of a side."""
    return tuple([token(side, number) for number in range(1, count + 1)])


def removed_r_units(table: Table, board: Board) -> int:
    """Return how many R units have been Removed."""
    return sum(len(table.pieces_at(removed_box(row))) for row in board.removed_units)
