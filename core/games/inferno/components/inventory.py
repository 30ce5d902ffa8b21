"""What is in the box of this game, on a board: the one declaration of what can be on the table, and where."""

from collections.abc import Iterable

from core.components.inventory import Cards, Counters, Inventory, Memory, Pieces, Piles, Places
from core.games.inferno.components.board_model import Block, Board, Hex
from core.games.inferno.components.board_records import INFANTRY, MARINE, POOLS, TANK, URBAN
from core.games.inferno.ids import (
    BLUE_SEAT,
    DEATH_POOL,
    EDGES,
    FORTIFICATIONS,
    GERMAN,
    GERMAN_POOL,
    GERMAN_SEAT,
    GERMAN_SEATS,
    HEADQUARTERS,
    POOL_PILES,
    RAUS,
    RUBBLE,
    SIDE_NAMES,
    SIDES,
    SOVIET,
    SOVIET_SEAT,
    YELLOW_SEAT,
    combat_card,
    deck,
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
DEATH_POOL_BOX = "Death Pool"

POOL_UNITS = {INFANTRY: "Soviet Infantry unit", TANK: "Soviet Tank unit", MARINE: "Soviet Marine unit"}
"""What each pool holds."""
GERMAN_UNIT = "German unit"
AXE_UNIT = "unit of the 6th Panzer Division"

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

    Source: RuleId("components.german-blocks"), RuleId("components.soviet-blocks"), RuleId("components.pools"),
    RuleId("components.reinforcement-track"), RuleId("stack.limit").
    """
    return Inventory(
        sides=SIDE_NAMES,
        seats=(YELLOW_SEAT, BLUE_SEAT),
        places=_places(board),
        pieces=[_tokens(board, side, has_axe=has_axe) for side in SIDES],
        counters=_counters(board),
        cards=(*_units(board, has_axe=has_axe), *[_cards(board, side, has_extra=has_extra) for side in SIDES]),
        piles=piles(),
        memory=memory,
    )


def _places(board: Board) -> list[Places]:
    urban = [hex_ for hex_ in board.hexes.values() if hex_.terrain == URBAN]
    others = [hex_ for hex_ in board.hexes.values() if hex_.terrain != URBAN]
    rows = range(1, board.track.rows + 1)
    boxes = {
        track_box(row, box): f"row {row}, box {box} of the Reinforcement Track"
        for row in rows
        for box in range(1, board.track.boxes + 1)
    }
    return [
        Places(what=HEX, names=_hex_names(others), control=SIDES),
        Places(what=URBAN_HEX, names=_hex_names(urban), control=SIDES),
        Places(what=TRACK_BOX, names=boxes),
        Places(what=REMOVED_BOX, names={removed_box(row): f"Removed unit of row {row}" for row in rows}),
        Places(what=DEATH_POOL_BOX, names={DEATH_POOL: "Death Pool"}),
    ]


def _hex_names(hexes: Iterable[Hex]) -> dict[PlaceId, str]:
    return {hex_.id: f"hex {hex_.id}{f' ({hex_.name})' if hex_.name else ''}" for hex_ in hexes}


def _tokens(board: Board, side: Side, *, has_axe: bool) -> Pieces:
    """Declare the blocks of a side under their tokens; what is not known has no kind. Source: RuleId("fog.blocks-upright")."""
    blocks = board.blocks_of(side, has_axe=True)
    tokens = [token(side, number) for number in range(1, len(blocks) + 1)]
    kinds = ("", *[block.id for block in blocks if has_axe or not block.is_axe])
    boxes = {TRACK_BOX: 1, REMOVED_BOX: 1, DEATH_POOL_BOX: None} if side == GERMAN else {}
    return Pieces(
        what=f"{SIDE_NAMES[side]} block",
        names={piece: f"{SIDE_NAMES[side]} block {number}" for number, piece in enumerate(tokens, start=1)},
        where={HEX: board.limits.stack, URBAN_HEX: board.limits.stack, **boxes},
        sides=(side,),
        kinds=dict.fromkeys(tokens, kinds),
        faces=FACES,
        steps=max(edge.strength for block in blocks for edge in block.edges),
    )


def _counters(board: Board) -> list[Counters]:
    """Declare Rubble, Fortifications and the leader blocks. Source: RuleId("rubble.max-fifteen"), RuleId("rubble.one-per-hex")."""
    fortified: list[str] = [hex_.fortification for hex_ in board.hexes.values() if hex_.fortification]
    anywhere = {HEX: 1, URBAN_HEX: 1}
    return [
        Counters(faces={RUBBLE: "Rubble"}, on={URBAN_HEX: 1}, stock=board.limits.rubble_markers),
        *[
            Counters(faces={disc: f"{colour} Fortification"}, on=anywhere, stock=fortified.count(colour))
            for colour, disc in FORTIFICATIONS.items()
        ],
        Counters(faces={HEADQUARTERS: "Chuikov's headquarters"}, on=anywhere, stock=1),
        Counters(faces={RAUS: "Raus"}, on={REMOVED_BOX: 1}, stock=1),
    ]


def _units(board: Board, *, has_axe: bool) -> list[Cards]:
    """Declare the blocks as what is drawn from pools; all but the 6th Panzer Division are always somewhere."""
    german = board.blocks_of(GERMAN, has_axe=True)
    soviet = board.blocks_of(SOVIET)
    found = [
        Cards(what=GERMAN_UNIT, names=_names(block for block in german if not block.is_axe), are_all_out=True),
        *[
            Cards(
                what=POOL_UNITS[pool], names=_names(block for block in soviet if block.pool == pool), are_all_out=True
            )
            for pool in POOLS
        ],
    ]
    axes = Cards(what=AXE_UNIT, names=_names(block for block in german if block.is_axe))
    return [*found, axes] if has_axe else found


def _names(blocks: Iterable[Block]) -> dict[CardId, str]:
    return {block.id: block.name for block in blocks}


def _cards(board: Board, side: Side, *, has_extra: bool) -> Cards:
    names = {card: board.cards[card].name for card in board.deck(side, has_extra=has_extra)}
    return Cards(what=f"{SIDE_NAMES[side]} card", names=names, are_all_out=True)


def piles() -> list[Piles]:
    """Declare the piles. Source: RuleId("components.pools"), RuleId("mode.co-op.cards-private")."""
    found = [Piles(names={GERMAN_POOL: "German units on the Reinforcement Track"}, holds=GERMAN_UNIT)]
    found += [
        Piles(names={pile: f"{pool.capitalize()} pool"}, holds=POOL_UNITS[pool]) for pool, pile in POOL_PILES.items()
    ]
    for side in SIDES:
        name = SIDE_NAMES[side]
        seats: tuple[Seat, ...] = GERMAN_SEATS if side == GERMAN else (SOVIET_SEAT,)
        names = {
            deck(side): f"{name} deck",
            **{hand(seat): HAND_NAMES[seat] for seat in seats},
            combat_card(side): f"{name} cards of the combat",
            discards(side): f"{name} discards",
            leaders(side): f"{name} Leaders in play",
        }
        found.append(Piles(names=names, holds=f"{name} card"))
    return found
