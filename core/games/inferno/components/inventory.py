"""Inventory of this game on a board: the one declaration of what can be on the table, and where."""

from collections.abc import Iterable

from core.components.inventory import Cards, Counters, Inventory, Memory, Pieces, Piles, Places
from core.games.inferno.components.board_model import Block, Board, Hex
from core.games.inferno.components.board_records import URBAN
from core.games.inferno.ids import (
    BLUE_SEAT,
    CALLED,
    DEATH_POOL,
    EDGES,
    FORTIFICATIONS,
    GERMAN,
    GERMAN_POOL,
    GERMAN_SEAT,
    GERMAN_SEATS,
    HEADQUARTERS,
    MIX_ARMS,
    POOL_PILES,
    RAUS,
    RUBBLE,
    SETUP_MIX,
    SETUP_UNITS,
    SIDE_NAMES,
    SIDES,
    SOVIET,
    SOVIET_SEAT,
    YELLOW_SEAT,
    advantages,
    combat_card,
    deck,
    deck_bottom,
    deck_top,
    discards,
    hand,
    leaders,
    removed_box,
    token,
    track_box,
)
from events.ids import CardId, PlaceId, Seat, Side

HEX = "hex"
URBAN_HEX = "Urban hex"
TRACK_BOX = "box of the Reinforcement Track"
REMOVED_BOX = "box of a Removed unit"
RAUS_BOX = "box of Raus"
CALLED_BOX = "place of units that were called"
DEATH_POOL_BOX = "Death Pool"

SOVIET_UNIT = "Soviet unit"
GERMAN_UNIT = "German unit"
AXE_UNIT = "unit of the 6th Panzer Division"
ARM = "arm of a block of the set-up"
POOL, POOL_UNIT, AIRSTRIKE = "pool", "unit that can be in a pool", "airstrike card"
"""What is not a place, but remembered of: a pool, a Soviet unit, a German card."""
ADVANTAGE_NAMES = {
    "sixth_panzer": "6th Panzer",
    "marines_empowered": "Marines Empowered",
    "late_deployment": "Divisions' Late Deployment",
    "immortal_guard": "Immortal Guard",
}
"""The Advantages that are not Leaders, which are named by their cards. Source: designer.advantage.list."""

HAND_NAMES = {
    GERMAN_SEAT: "German hand",
    YELLOW_SEAT: "Yellow hand",
    BLUE_SEAT: "Blue hand",
    SOVIET_SEAT: "Soviet hand",
}

FACES = {"": "hidden", **{edge: f"edge {number} on top" for number, edge in enumerate(EDGES, start=1)}}


def inventory(board: Board, memory: Memory, *, has_axe: bool = True, has_extra: bool = True) -> Inventory:
    """Declare what is in the box or, without what is given as missing, what of it is in play.

    Args:
        board: Has the hexes, blocks, cards and figures.
        memory: What the rules remember.
        has_axe: Whether the 6th Panzer Division is in play, which it may be in the Designer's Way.
        has_extra: Whether there is a fifth Pioneer card (ruling.pioneer-672nd).

    Source: components.german-blocks, components.soviet-blocks, components.pools,
    components.reinforcement-track, stack.limit.
    """
    return Inventory(
        sides=SIDE_NAMES,
        seats=(YELLOW_SEAT, BLUE_SEAT),
        places=_places(board),
        pieces=[_tokens(board, side, has_axe=has_axe) for side in SIDES],
        counters=_counters(board),
        cards=(
            *_units(board, has_axe=has_axe),
            Cards(what=ARM, names={CardId(arm): "a block of the set-up" for arm in MIX_ARMS}),
            *[_cards(board, side, has_extra=has_extra) for side in SIDES],
            *[_advantages(board, side) for side in SIDES],
        ),
        piles=piles(board),
        memory=memory,
        phases=(),
    )


def _places(board: Board) -> list[Places]:
    urban = [hex_ for hex_ in board.hexes.values() if hex_.terrain == URBAN]
    others = [hex_ for hex_ in board.hexes.values() if hex_.terrain != URBAN]
    rows = range(1, board.track.rows + 1)
    raus = removed_box(board.track.raus_row)
    removed = {removed_box(row): f"Removed unit of row {row}" for row in rows if removed_box(row) != raus}
    soviets = board.blocks_of(SOVIET)
    airstrikes = [card for card in board.cards.values() if card.title.is_airstrike]
    boxes = {
        track_box(row, box): f"row {row}, box {box} of the Reinforcement Track"
        for row in rows
        for box in range(1, board.track.boxes + 1)
    }
    return [
        Places(what=HEX, names=_hex_names(others), control=SIDES),
        Places(what=URBAN_HEX, names=_hex_names(urban), control=SIDES),
        Places(what=TRACK_BOX, names=boxes),
        Places(what=REMOVED_BOX, names=removed),
        Places(what=RAUS_BOX, names={raus: f"box of Raus, row {board.track.raus_row}"}),
        Places(what=CALLED_BOX, names={CALLED: "units that were called"}),
        Places(what=DEATH_POOL_BOX, names={DEATH_POOL: "Death Pool"}),
        Places(what=POOL, names={PlaceId(pile): f"{pool.capitalize()} pool" for pool, pile in POOL_PILES.items()}),
        Places(what=POOL_UNIT, names={PlaceId(block.id): block.name for block in soviets}),
        Places(what=AIRSTRIKE, names={PlaceId(card.id): card.name for card in airstrikes}),
    ]


def _hex_names(hexes: Iterable[Hex]) -> dict[PlaceId, str]:
    return {hex_.id: f"hex {hex_.id}{f' ({hex_.name})' if hex_.name else ''}" for hex_ in hexes}


def block_group(side: Side) -> str:
    """Return what the blocks of a side are called."""
    return f"{SIDE_NAMES[side]} block"


def _tokens(board: Board, side: Side, *, has_axe: bool) -> Pieces:
    """Declare the blocks of a side under their tokens; what is not known has no kind. Source: fog.blocks-upright."""
    blocks = board.blocks_of(side, has_axe=True)
    tokens = [token(side, number) for number in range(1, len(blocks) + 1)]
    kinds = ("", *[block.id for block in blocks if has_axe or not block.is_axe])
    german = {TRACK_BOX: 1, REMOVED_BOX: 1, RAUS_BOX: None, CALLED_BOX: None, DEATH_POOL_BOX: None}
    boxes = german if side == GERMAN else {}
    return Pieces(
        what=block_group(side),
        names={piece: f"{SIDE_NAMES[side]} block {number}" for number, piece in enumerate(tokens, start=1)},
        where={HEX: board.limits.stack, URBAN_HEX: board.limits.stack, **boxes},
        sides=(side,),
        kinds=dict.fromkeys(tokens, kinds),
        faces=FACES,
        steps=max(edge.strength for block in blocks for edge in block.edges),
    )


def _counters(board: Board) -> list[Counters]:
    """Declare Rubble, Fortifications and the leader blocks. Source: rubble.max-fifteen, rubble.one-per-hex."""
    fortified: list[str] = [hex_.fortification for hex_ in board.hexes.values() if hex_.fortification]
    anywhere = {HEX: 1, URBAN_HEX: 1}
    return [
        Counters(faces={RUBBLE: "Rubble"}, on={URBAN_HEX: 1}, stock=board.limits.rubble_markers),
        *[
            Counters(faces={disc: f"{colour} Fortification"}, on=anywhere, stock=fortified.count(colour))
            for colour, disc in FORTIFICATIONS.items()
        ],
        Counters(faces={HEADQUARTERS: "Chuikov's headquarters"}, on=anywhere, stock=1),
        Counters(faces={RAUS: "Raus"}, on={RAUS_BOX: 1}, stock=1),
    ]


def _units(board: Board, *, has_axe: bool) -> list[Cards]:
    """Declare the blocks as what is drawn from pools; all but the 6th Panzer Division are always somewhere."""
    german = board.blocks_of(GERMAN, has_axe=True)
    soviet = board.blocks_of(SOVIET)
    found = [
        Cards(what=GERMAN_UNIT, names=_names(block for block in german if not block.is_axe), are_all_out=True),
        Cards(what=SOVIET_UNIT, names=_names(soviet), are_all_out=True),
    ]
    axes = Cards(what=AXE_UNIT, names=_names(block for block in german if block.is_axe))
    return [*found, axes] if has_axe else found


def _names(blocks: Iterable[Block]) -> dict[CardId, str]:
    return {block.id: block.name for block in blocks}


def _cards(board: Board, side: Side, *, has_extra: bool) -> Cards:
    names = {card: board.cards[card].name for card in board.deck(side, has_extra=has_extra)}
    return Cards(what=f"{SIDE_NAMES[side]} card", names=names, are_all_out=True)


def _advantages(board: Board, side: Side) -> Cards:
    listed = board.designers_way.german_advantages if side == GERMAN else board.designers_way.soviet_advantages
    titles = board.titles[side]
    names = {CardId(key): titles[key].name if key in titles else ADVANTAGE_NAMES[key] for key in listed}
    return Cards(what=f"{SIDE_NAMES[side]} Advantage", names=names)


def piles(board: Board) -> list[Piles]:
    """Declare the piles. Source: components.pools, mode.co-op.cards-private."""
    found = [
        Piles(names={GERMAN_POOL: "German units on the Reinforcement Track"}, holds=GERMAN_UNIT),
        Piles(names={SETUP_MIX: "blocks of the set-up that nobody has seen"}, holds=ARM),
        Piles(names={SETUP_UNITS: "blocks of the set-up"}, holds=SOVIET_UNIT),
    ]
    for pool, pile in POOL_PILES.items():
        units = frozenset(block.id for block in board.blocks_of(SOVIET) if block.pool == pool)
        found.append(Piles(names={pile: f"{pool.capitalize()} pool"}, holds=SOVIET_UNIT, only=units))
    for side in SIDES:
        name = SIDE_NAMES[side]
        seats: tuple[Seat, ...] = GERMAN_SEATS if side == GERMAN else (SOVIET_SEAT,)
        names = {
            deck_top(side): f"{name} cards on top of the deck",
            deck(side): f"{name} deck",
            deck_bottom(side): f"{name} cards beneath the deck",
            **{hand(seat): HAND_NAMES[seat] for seat in seats},
            combat_card(side): f"{name} cards of the combat",
            discards(side): f"{name} discards",
            leaders(side): f"{name} Leaders in play",
        }
        found.append(Piles(names=names, holds=f"{name} card"))
        found.append(Piles(names={advantages(side): f"other {name} Advantages"}, holds=f"{name} Advantage"))
    return found
