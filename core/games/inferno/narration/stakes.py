"""Stakes of an option: results of entering a hex, a draw, a Call for Reinforcements or a Spawn Action, and the direction of the Soviet Compass."""

from collections import Counter
from collections.abc import Callable, Sequence

from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import INFANTRY, TANK
from core.games.inferno.components.words.map_words import DIRECTIONS
from core.games.inferno.ids import FORTIFICATIONS, GERMAN, HEADQUARTERS, SIDE_NAMES, SOVIET
from core.games.inferno.options import SPAWN_TABLE
from core.games.inferno.rules.cards import card_number, drawable
from core.games.inferno.rules.ending import has_okh, objective_hexes
from core.games.inferno.rules.entering import captured_cards
from core.games.inferno.rules.queries import block, mixes, stack
from core.games.inferno.rules.reinforcement import is_open
from core.games.inferno.rules.reinforcement_track import is_dead, is_raus_due, row_units
from core.games.inferno.rules.spawn import due_at, left
from core.wording import counted, joined
from events.ids import PieceId, PlaceId, Side
from projections.state.table import Table

LOST_ROW = ", from which dice pick up no unit any more"
"""What is said of a row to which a unit goes back for nothing."""


def draw_words(table: Table, side: Side, number: int, verb: str = "draw") -> str:
    """Return what drawing some cards comes to: none from an empty deck, and no more than are left."""
    drawn = min(number, drawable(table, side))
    if not drawn:
        return f"{verb} no card, as the {SIDE_NAMES[side]} deck is empty"
    return f"{verb} {counted(drawn, 'card')}{', the last of the deck' if drawn < number else ''}"


def entering_words(
    table: Table, board: Board, name: Callable[[str], str], side: Side, places: Sequence[PlaceId]
) -> str:
    """Return what follows when units enter hexes: which of them change hands, the cards for a Spawn Hex, and what the enemy loses there.

    Source: control.switch-on-entry, capture.spawn-hex-card, designer.fortification.destroyed,
    designer.chuikov.lost.
    """
    entered = [place for place in places if place in board.hexes]
    taken = [place for place in entered if table.control.get(place, side) != side]
    names = [f"{name(place)}{_worth(table, board, side, place)}" for place in taken]
    said = [f"takes control of {joined(names)}"] if taken else []
    cards = sum([captured_cards(table, board, side, place) for place in entered])
    if cards:
        number = card_number(table, board, cards) if side == GERMAN else cards
        said.append(draw_words(table, side, number, "draws"))
    for place in entered if side == GERMAN else ():
        discs = [disc for disc in FORTIFICATIONS.values() if table.marker(place, disc)]
        said += [f"destroys the {name(disc)} there" for disc in discs]
        if table.marker(place, HEADQUARTERS):
            said.append("Chuikov's headquarters is lost, his card discarded and its effects ended")
    return f"; {'; '.join(said)}" if said else ""


def _worth(table: Table, board: Board, side: Side, place: PlaceId) -> str:
    """Return for what a hex counts that changes hands."""
    if board.hexes[place].spawn:
        return ", a Spawn Hex"
    is_wanted = side == GERMAN and has_okh(table, board) and place in objective_hexes(table, board)
    return ", an objective under OKH" if is_wanted else ""


def room_in(table: Table, board: Board, place: PlaceId) -> int:
    """Return how many units can enter in a hex. Source: german.reinforce.no-overstack, german.reinforce.hex-lost."""
    if not is_open(table, board, place):
        return 0
    return board.limits.stack - len(stack(table, place))


def most_entering(table: Table, board: Board, pieces: Sequence[PieceId]) -> int:
    """Return how many of the units that were picked up can enter at most, one after the other.

    Source: german.reinforce.must-deploy; the hexes of Yellow and of Blue units are different ones, and White units may enter in all.
    """
    rooms = {place: room_in(table, board, place) for place in board.german_spawn}
    entering = 0
    for piece in sorted(pieces, key=lambda piece: len(board.entry[block(table, board, piece).colour])):
        hexes = board.entry[block(table, board, piece).colour]
        place = next((one for one in hexes if rooms[one] and not mixes(table, board, (piece,), one)), None)
        if place is not None:
            rooms[place] -= 1
            entering += 1
    return entering


def reinforcement_words(table: Table, board: Board) -> str:
    """Return what is left in each row of the Reinforcement Track, dice of which rows do nothing, and for how many units there is room."""
    left = [str(len(row_units(table, board, row))) for row in range(1, board.track.rows + 1)]
    hexes = [place for place in board.german_spawn if any(place in entry for entry in board.entry.values())]
    room = [f"{room_in(table, board, place)} in {place}" for place in hexes]
    dead = [f"row {row}" for row in range(1, board.track.rows + 1) if is_dead(table, board, row)]
    idle = f"; dice of {joined(dead)} have no effect" if dead else ""
    raus = board.track.raus_row
    brings = f"; a {raus} that finds no unit brings Raus" if is_raus_due(table, board) else ""
    return f"units left in rows 1 to {board.track.rows}: {', '.join(left)}{idle}{brings}; room for {joined(room)}"


def spawn_words(table: Table, board: Board) -> str:
    """Return what a Spawn Action would bring as things are, hex by hex; empty without a Soviet-controlled Spawn Hex."""
    said = []
    pools = Counter({arm: left(table, arm) for arm in (INFANTRY, TANK)})
    deck = drawable(table, SOVIET)
    for due in board.spawn_tables[SPAWN_TABLE.chosen(table)]:
        if table.control.get(due.hex) != SOVIET:
            continue
        arms, cards, _ = due_at(table, board, due)
        brought = []
        for arm, number in Counter(arms).items():
            units = min(number, pools[arm])
            pools[arm] -= units
            brought += [_units(units, arm)] if units else []
            missing = board.spawn.empty_pool_cards * (number - units)
            brought += [f"{_cards(missing, deck)} ({arm.capitalize()} pool empty)"] if missing else []
            deck -= min(deck, missing)
        said.append(f"hex {due.hex}: {joined(brought) if arms else f'full, {_cards(cards, deck)}'}")
        deck -= min(deck, cards)
    return "; ".join(said)


def _units(number: int, arm: str) -> str:
    """Return some units of an arm as on a list: `Tank`, `2 Infantry`."""
    named = arm.capitalize() if number == 1 or arm == INFANTRY else f"{arm.capitalize()}s"
    return named if number == 1 else f"{number} {named}"


def _cards(number: int, deck: int) -> str:
    """Return some cards as on a list, as far as a deck has them."""
    drawn = min(number, deck)
    return "no card, as the deck is empty" if not drawn else "a card" if drawn == 1 else f"{drawn} cards"


def compass_words(board: Board) -> str:
    """Return the directions of the Soviet Compass on the map as it is drawn."""
    return ", ".join(f"{face} {DIRECTIONS[way]}" for face, way in enumerate(board.compass, start=1))
