"""Inventory of this game on a board: the one declaration of what can be on the table, and where."""

from core.components.inventory import Cards, Counters, Inventory, Memory, Pieces, Piles, Places, Track
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board, UnitType
from core.games.axis_allies.components.map_records import (
    ARTILLERY,
    BOMBER,
    FIGHTER,
    INFANTRY,
    MECH_INFANTRY,
    MINOR_INFANTRY,
)
from core.wording import counted, plural
from events.ids import CardId, Side

ZONE = "zone"
CROSSING = "Volga Crossing"
SKY = "place above a Volga Crossing"
SITE = "Ambush Site"
POOL_BOX = "resource pool"
ROUND_SPACE = "space of the Round Track"
RIVER = "river"
RECTANGLE = "Stalingrad rectangle"

SUPPLIES = "supply token"
ORDER_CARD = "Order Card"
URANUS_CARD = "Operation Uranus card"

NATIONS = {"german": "German ", "minor_axis": "", "soviet": "Soviet "}
"""What comes before the printed name of a unit type; that of a Minor Axis one has it."""

UNCOUNTED = (INFANTRY, MINOR_INFANTRY, MECH_INFANTRY, ARTILLERY)
"""The types whose names have no plural."""


def base_group(side: Side) -> str:
    """Return what the base zone of a side is called."""
    return f"{ids.SIDE_NAMES[side]} base zone"


def unit_group(kind: UnitType) -> str:
    """Return what the units of a type are called."""
    return f"{kind_name(kind)} unit"


def kind_name(kind: UnitType) -> str:
    """Return the name of a unit type with its nation."""
    return f"{NATIONS[kind.nation]}{kind.name}"


def inventory(board: Board, memory: Memory) -> Inventory:
    """Declare what is in the box. RPCs do not run out (ruling.rpc-unbounded).

    Source: components.boards, components.return-to-pool, unit.class.tokens-not-units.
    """
    cards = {
        ORDER_CARD: {ids.order_card(number): f"{number} {row.name}" for number, row in board.order_cards.items()},
        URANUS_CARD: {card: f"Operation Uranus card {row.number}" for card, row in board.uranus_cards.items()},
    }
    return Inventory(
        sides=ids.SIDE_NAMES,
        places=_places(board),
        pieces=[*[_units(board, kind) for kind in board.units.values()], _tokens(board)],
        counters=_counters(board),
        tracks=[Track(id=track, name=f"RPCs of the {ids.SIDE_NAMES[side]}") for side, track in ids.RPC.items()],
        cards=[Cards(what=what, names=names, are_all_out=True) for what, names in cards.items()],
        piles=piles(),
        memory=memory,
        phases=tuple(ids.PHASES.values()),
        rounds_max=board.file.limits.rounds,
    )


def _places(board: Board) -> list[Places]:
    crossings, rounds = board.crossings.values(), range(1, board.file.limits.rounds + 1)
    zones = {zone.id: zone.name for zone in board.zones.values() if zone.base is None}
    bases = {side: {place: board.zones[place].name} for side, place in board.bases.items()}
    pools = {box: f"resource pool of the {ids.SIDE_NAMES[side]}" for side, box in ids.POOL.items()}
    return [
        Places(what=ZONE, names=zones, control=ids.SIDES),
        *[Places(what=base_group(side), names=bases[side], control=(side,)) for side in ids.SIDES],
        Places(what=CROSSING, names={row.id: row.name for row in crossings}),
        Places(what=SKY, names={ids.above(row.id): f"above the {row.name}" for row in crossings}),
        Places(what=SITE, names={row.id: row.name for row in board.sites.values()}),
        Places(what=POOL_BOX, names=pools),
        Places(what=ROUND_SPACE, names={ids.round_space(number): f"round {number}" for number in rounds}),
        Places(what=RIVER, names={ids.DON: "the Don"}),
        Places(what=RECTANGLE, names={ids.STALINGRAD: "Stalingrad on the Region Board"}),
    ]


def numbers(board: Board, kind: UnitType) -> range:
    """Return the numbers that units of a type can have: as many as there are figures and chips. Source: components.chips."""
    box = board.file.components
    return range(1, kind.figures + box.gray_chips + box.green_chips * box.green_worth + 1)


def _units(board: Board, kind: UnitType) -> Pieces:
    """Declare the units of a type.

    Source: zone.base.entry, ambush.who, movement.volga.capacity, unit.bomber.troop-landing.
    """
    where: dict[str, int | None] = {ZONE: None}
    if kind.is_air:
        where[base_group(kind.side)] = None
        if kind.side == ids.AXIS or kind.type == FIGHTER:
            where[SKY] = None
    elif kind.side == ids.ALLIES:
        where[CROSSING] = 1
    if kind.is_infantry:
        where[SITE] = 1
        where |= {unit_group(bomber): 1 for bomber in _bombers(board, kind.side)}
    name = kind_name(kind)
    names = {ids.unit(kind.id, number): f"{name} {number}" for number in numbers(board, kind)}
    kinds, faces = dict.fromkeys(names, (kind.id,)), ids.AIR_FACES if kind.is_air else {}
    return Pieces(what=unit_group(kind), names=names, where=where, sides=(kind.side,), kinds=kinds, faces=faces)


def _bombers(board: Board, side: Side) -> list[UnitType]:
    return [kind for kind in board.units.values() if kind.type == BOMBER and kind.side == side]


def _tokens(board: Board) -> Pieces:
    """Declare the supply tokens. Source: components.supply-tokens, unit.bomber.supply-landing."""
    bombers = {unit_group(bomber): 2 for side in ids.SIDES for bomber in _bombers(board, side)}
    bases: dict[str, int | None] = {base_group(side): None for side in ids.SIDES}
    numbered = range(1, board.file.components.supply_tokens + 1)
    names = {ids.token(number): f"supply token {number}" for number in numbered}
    where: dict[str, int | None] = {ZONE: None, **bases, CROSSING: 1, POOL_BOX: None, **bombers}
    kinds = dict.fromkeys(names, (ids.SUPPLY,))
    return Pieces(what=SUPPLIES, names=names, where=where, sides=ids.SIDES, kinds=kinds)


def _counters(board: Board) -> list[Counters]:
    """Declare the markers. What only shows a state is not limited (ruling.status-counters-derived).

    Source: components.combat-markers, components.crossing-tokens, components.frozen-markers,
    components.factory-tokens, components.unsupplied-markers.
    """
    box = board.file.components
    unsupplied = [{ids.UNSUPPLIED[side]: f"{ids.SIDE_NAMES[side]} Unsupplied Marker"} for side in ids.SIDES]
    factories = [
        {ids.FACTORY[name]: f"{name} factory", ids.CAPTURED_FACTORY[name]: f"captured {name} factory"}
        for name in ids.FACTORY
    ]
    combat = {ids.ASSAULT: "Combat Marker (Assault)", ids.BATTLE: "Combat Marker (Battle)"}
    return [
        Counters(faces=combat, on={ZONE: 1, SKY: 1}, stock=box.combat_markers),
        Counters(faces={ids.FERRY: "Ferry", ids.ICE_BRIDGE: "Ice Bridge"}, on={CROSSING: 1}, stock=box.ferries),
        Counters(faces={ids.FROZEN: "Frozen Marker"}, on={ROUND_SPACE: 1, RIVER: 1}, stock=box.frozen_markers),
        Counters(faces={ids.WINTER_STORM: "Operation Winter Storm Marker"}, on={ROUND_SPACE: 1}, stock=1),
        *[Counters(faces=faces, on={ZONE: 1, RECTANGLE: 1}) for faces in unsupplied],
        *[Counters(faces=faces, on={ZONE: 1}, stock=1) for faces in factories],
    ]


def piles() -> list[Piles]:
    """Declare the piles. Source: components.order-cards, order.7.place, order.7.secret."""
    orders = {
        ids.ORDER_DECK: "Order Cards to come",
        ids.ORDER_DISCARDS: "Order Cards carried out",
        ids.ORDER_BOX: "Order Cards out of the game",
    }
    uranus = {
        ids.URANUS_DECK: "Operation Uranus deck",
        ids.URANUS_DRAWN: "Operation Uranus cards drawn",
        **{pile: f"Operation Uranus cards in the {front}" for front, pile in ids.URANUS_FRONT.items()},
        ids.URANUS_DEPLOYED: "Operation Uranus cards carried out",
    }
    return [Piles(names=orders, holds=ORDER_CARD), Piles(names=uranus, holds=URANUS_CARD)]


def number_of(board: Board, count: int, kind: str) -> str:
    """Return how many units of a type, or supply tokens, there are, as in `3 German Infantry`."""
    there = board.units.get(kind)
    name = SUPPLIES if there is None else kind_name(there)
    is_uncounted = there is not None and there.type in UNCOUNTED
    return counted(count, name, name if is_uncounted else plural(name))


def printed_kinds(board: Board) -> dict[CardId, str]:
    """Return the printed names of the unit types, and of supply tokens, by the kinds of pieces."""
    return {**{CardId(kind.id): kind_name(kind) for kind in board.units.values()}, CardId(ids.SUPPLY): SUPPLIES}
