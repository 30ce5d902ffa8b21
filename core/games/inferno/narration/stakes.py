"""What an option puts at stake: who fires when and with what, what a Spawn Action brings, where the Soviet Compass leads."""

from collections import Counter
from collections.abc import Sequence

from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import INFANTRY, PANZER_GRENADIER, TANK
from core.games.inferno.components.view.map import DIRECTIONS
from core.games.inferno.ids import GERMAN, RUBBLE, SOVIET, SOVIET_SEAT, hand
from core.games.inferno.memory import COMBAT
from core.games.inferno.narration.sentences import card_words
from core.games.inferno.options import PG_ALWAYS_BONUS, SPAWN_TABLE
from core.games.inferno.rules.cards import CHUIKOV, HOTH, VON_RICHTHOFEN, has_leader
from core.games.inferno.rules.losses import target as target_of
from core.games.inferno.rules.queries import block, is_soviet_played, mixes, side_in, stack
from core.games.inferno.rules.reinforcement import is_open, row_units
from core.games.inferno.rules.rubble import may_lie
from core.games.inferno.rules.spawn import due_at, left
from core.wording import counted, joined
from events.ids import CardId, PieceId, PlaceId, Side
from projections.table import Table


def effect_words(table: Table, board: Board, card: CardId) -> str:
    """Return what a card does in the combat that is being fought: twice as much under Von Richthofen, and less without a Rubble Roll."""
    at = table.topmost(COMBAT)
    is_rolled = at is None or may_lie(table, board, target_of(at))
    return card_words(board, card, is_doubled=has_leader(table, board, VON_RICHTHOFEN), is_rolled=is_rolled)


def fire_words(
    table: Table, board: Board, target: PlaceId, units: Sequence[PieceId], from_hexes: Sequence[PlaceId]
) -> str:
    """Return what an attack would bring: the attackers' dice, who fires first, Rubble, Opportunity Fire, a Soviet card by chance.

    Args:
        table: The table, as the deciding seat knows at least its own units.
        board: The board.
        target: The hex that is attacked.
        units: The attackers, all on the table.
        from_hexes: The hexes from which they attack.
    """
    if target not in board.hexes or not units:
        return ""
    attacker = table.pieces[units[0]].side
    dice = [table.pieces[unit].steps for unit in units]
    said = [f"{counted(sum(dice), 'die')} of the attacker"] if all(dice) else []
    said.append(_order(table, board, target, units, attacker))
    if table.marker(target, RUBBLE):
        said.append(f"Rubble: {board.rubble.hits_per_step} hits for each Step of the defender")
    if attacker == GERMAN and has_leader(table, board, CHUIKOV):
        near = {near for place in from_hexes if place in board.hexes for near in board.hexes[place].near}
        firing = sum(len(stack(table, place)) for place in near if side_in(table, place) == SOVIET)
        said.append(f"{counted(firing, 'Soviet unit')} with Opportunity Fire")
    held = table.pile(hand(SOVIET_SEAT)).count
    if held and not is_soviet_played(table):
        said.append(f"one of {counted(held, 'Soviet card')} by chance")
    return f"; {', '.join(said)}"


def _order(table: Table, board: Board, target: PlaceId, units: Sequence[PieceId], attacker: Side) -> str:
    """Return who fires first, as far as the attacker can know it before the Showdown."""
    terrain = board.terrain_of(target)
    if terrain.defender_first:
        return "the defender fires first"
    if not has_leader(table, board, HOTH) or not terrain.combined_force:
        return "both sides fire together"
    if attacker == SOVIET:
        return "the Germans fire first if they have the Combined Force Bonus"
    blocks = [board.blocks[CardId(table.pieces[unit].kind)] for unit in units if table.pieces[unit].kind]
    if PG_ALWAYS_BONUS.is_on(table) and any(block.kind == PANZER_GRENADIER for block in blocks):
        return "the Germans fire first by the Combined Force Bonus"
    if any(block.is_tank for block in blocks) and any(block.is_infantry for block in blocks):
        return "the Germans fire first unless the Soviets have Tanks and Infantry too"
    return "both sides fire together"


def room_in(table: Table, board: Board, place: PlaceId) -> int:
    """Return how many units can enter in a hex. Source: RuleId("german.reinforce.no-overstack"), RuleId("german.reinforce.hex-lost")."""
    if not is_open(table, board, place):
        return 0
    return board.limits.stack - len(stack(table, place))


def most_entering(table: Table, board: Board, pieces: Sequence[PieceId]) -> int:
    """Return how many of the units that were picked up can enter at most, one after the other.

    Source: RuleId("german.reinforce.must-deploy"); the hexes of Yellow and of Blue units are different ones, and White units may enter in all.
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
    """Return what is left in each row of the Reinforcement Track, and for how many units there is room where they enter."""
    left = [str(len(row_units(table, board, row))) for row in range(1, board.track.rows + 1)]
    hexes = [place for place in board.german_spawn if any(place in entry for entry in board.entry.values())]
    room = [f"{room_in(table, board, place)} in {place}" for place in hexes]
    return f"units left in rows 1 to {board.track.rows}: {', '.join(left)}; room for {joined(room)}"


def spawn_words(table: Table, board: Board) -> str:
    """Return what a Spawn Action would bring as things are, hex by hex; empty without a Soviet-controlled Spawn Hex."""
    said = []
    pools = Counter({arm: left(table, arm) for arm in (INFANTRY, TANK)})
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
            brought += [f"{_cards(missing)} ({arm.capitalize()} pool empty)"] if missing else []
        said.append(f"hex {due.hex}: {joined(brought) if arms else f'full, {_cards(cards)}'}")
    return "; ".join(said)


def _units(number: int, arm: str) -> str:
    """Return some units of an arm as on a list: `Tank`, `2 Infantry`."""
    named = arm.capitalize() if number == 1 or arm == INFANTRY else f"{arm.capitalize()}s"
    return named if number == 1 else f"{number} {named}"


def _cards(number: int) -> str:
    return "a card" if number == 1 else f"{number} cards"


def compass_words(board: Board) -> str:
    """Return the directions of the Soviet Compass on the map as it is drawn."""
    return ", ".join(f"{face} {DIRECTIONS[way]}" for face, way in enumerate(board.compass, start=1))
