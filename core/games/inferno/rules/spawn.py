"""Soviet blocks: how one enters from its pool, how it is revealed and concealed, and how it returns to its pool.

Where a seat plays the Soviet side, blocks are drawn when they enter, and that seat knows them. Where the rules play it, nobody may know
a block before a Showdown, so it has no kind until then: the pools hold all blocks whose place nobody knows, and a block is drawn out of its
pool when it is revealed, from the units that can have been there when it entered. Units that came into a pool later have a higher layer.
"""

from collections.abc import Sequence
from typing import NamedTuple

from core.engine.draft import Draft
from core.engine.draft_chance import NO_PIECE
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import INFANTRY, MARINE, TANK, SpawnUnits
from core.games.inferno.ids import EDGES, MIX_ARMS, POOL_PILES, SETUP_MIX, SOVIET
from core.games.inferno.memory import CAME, LAYER, NUMBER, POOL
from core.games.inferno.options import FULL_SPAWN_HEX
from core.games.inferno.rules.entering import take_control
from core.games.inferno.rules.queries import free_token, has_advantage, has_room, is_soviet_played
from core.secrets.late_draw_odds import nested_weights
from events.ids import TABLE, CardId, PieceId, PileId, PlaceId, RuleId
from projections.state.table import Table

SPAWN_UNIT = RuleId("soviet.spawn.random")
ONE_PLACE = RuleId("soviet.spawn.one-place-left")
FULL_HEX = RuleId("soviet.spawn.full-hex")
BLIND = RuleId("ai.deploy-blind-draw")
RANDOM_EDGE = RuleId("ai.random-strength")


def left(table: Table, arm: str) -> int:
    """Return how many units are in a pool, which all know.

    Source: fog.pools-facedown, fog.public-facts.
    """
    here = table.pile(POOL_PILES[arm]).count
    return here if is_soviet_played(table) else here - len(_waiting(table, arm))


class Due(NamedTuple):
    """Units due to a Spawn Hex: one from each of these pools or, if the hex is full, this many cards; and the rule that says so."""

    arms: tuple[str, ...]
    cards: int
    rule: RuleId


def due_at(table: Table, board: Board, units: SpawnUnits) -> Due:
    """Return what a Spawn Hex is due now; a card is drawn for each unit whose pool is empty.

    Source: soviet.spawn.table, soviet.spawn.full-hex, soviet.spawn.one-place-left,
    mode.1v1.spawn-blocked-card, ruling.spawn-full-two, ruling.spawn-one-place-infantry-out.
    """
    if not has_room(table, board, units.hex):
        number = units.number if FULL_SPAWN_HEX.chosen(table) == "card-per-unit" else 1
        return Due((), number * board.spawn.full_hex_cards, FULL_HEX)
    arms = (INFANTRY,) * units.infantry + (TANK,) * units.tanks
    if not has_room(table, board, units.hex, len(arms)):
        return Due((INFANTRY,), 0, ONE_PLACE)
    return Due(arms, 0, SPAWN_UNIT)


def deploy(draft: Draft, board: Board, arm: str, place: PlaceId, rule: RuleId) -> PieceId | None:
    """Bring a random unit of a pool into a hex, concealed, and return it; None if the pool is empty.

    Control of the hex goes to the Soviets.

    Source: ai.deploy-blind-draw, ai.random-strength, ai.deploy-concealed, fog.spawn-kind-public.

    Args:
        draft: The draft.
        board: The board.
        arm: The pool: `infantry`, `tank` or `marine`.
        place: A hex with room.
        rule: The rule that brings the unit.
    """
    if not left(draft.table, arm):
        return None
    assert has_room(draft.table, board, place), f"{place} is full"
    piece = free_token(draft.table, SOVIET)
    if is_soviet_played(draft.table):
        seats = draft.table.seats_of(SOVIET)
        unit = draft.draw_piece(POOL_PILES[arm], f"unit of {piece}", BLIND, piece=piece, seen_by=seats)
        place_known(draft, board, piece, unit, place=place, rule=rule)
    else:
        draft.place(piece, place, rule, kind="", side=SOVIET, seen_by=())
        LAYER.set(draft, piece, LAYER.of(draft.table, POOL_PILES[arm]) or 0, rule)
    _number(draft, board, piece, rule)
    POOL.set(draft, piece, arm, rule)
    take_control(draft, board, place, (piece,), rule)
    return piece


def _number(draft: Draft, board: Board, piece: PieceId, rule: RuleId) -> None:
    """Give a block that comes onto the map a number of its own, after those of the set-up. Source: ruling.block-tracking."""
    CAME.add(draft, TABLE, rule)
    NUMBER.set(draft, piece, board.soviet_blocks + CAME.of(draft.table), rule)


def place_known(draft: Draft, board: Board, piece: PieceId, unit: CardId, *, place: PlaceId, rule: RuleId) -> None:
    """Place a block that the Soviet seat knows, on a random edge."""
    seats = draft.table.seats_of(SOVIET)
    face = EDGES[0]
    if not is_empowered(draft.table, board, unit):
        face = draft.choose(EDGES, f"edge of {piece}", RANDOM_EDGE, about=piece, seen_by=seats)
    steps = board.blocks[unit].edge(face).strength
    draft.place(piece, place, rule, kind=unit, side=SOVIET, face=face, steps=steps, seen_by=seats)


def is_empowered(table: Table, board: Board, unit: CardId) -> bool:
    """Return whether a unit enters at its maximum. Source: designer.advantage.marines-empowered."""
    return board.blocks[unit].pool == MARINE and has_advantage(table, SOVIET, "marines_empowered")


def reveal(draft: Draft, board: Board, piece: PieceId, rule: RuleId) -> None:
    """Reveal a Soviet block to all; one that nobody knew is drawn now.

    Source: combat.showdown, ai.deploy-blind-draw, ai.random-strength.
    """
    there = draft.table.pieces[piece]
    if there.kind:
        if piece in draft.table.known_to:
            draft.reveal(piece, there.kind, there.face, rule)
        return
    arm = POOL.of(draft.table, piece) or MIX_ARMS[draft.draw_piece(SETUP_MIX, f"arm of {piece}", BLIND, piece=piece)]
    unit = _draw_unit(draft, piece, arm)
    face = EDGES[0]
    if not is_empowered(draft.table, board, unit):
        face = draft.choose(EDGES, f"edge of {piece}", RANDOM_EDGE, about=piece)
    draft.reveal(piece, unit, face, rule, steps=board.blocks[unit].edge(face).strength)
    LAYER.forget(draft, piece, rule)


def _draw_unit(draft: Draft, piece: PieceId, arm: str) -> CardId:
    """Draw which unit of its pool a block is, by the odds at the time at which it entered."""
    table = draft.table
    cards = table.pile(POOL_PILES[arm]).cards
    own = LAYER.of(table, piece) or 0
    layers = sorted([own, *_waiting(table, arm, piece)])
    came = {card: LAYER.of(table, card) or 0 for card in cards}
    # Most blocks are of few layers.
    there = {layer: frozenset([card for card in cards if came[card] <= layer]) for layer in set(layers)}
    weights = nested_weights([there[layer] for layer in layers], layers.index(own))
    return draft.draw_piece(POOL_PILES[arm], f"unit of {piece}", BLIND, piece=piece, weights=weights)


def _waiting(table: Table, arm: str, except_for: PieceId = NO_PIECE) -> list[int]:
    """Return the layers of the other blocks of an arm that wait for their draw; those of the set-up are of the lowest."""
    mixed = [0 for name in table.pile(SETUP_MIX).cards if MIX_ARMS[name] == arm]
    layers = [
        LAYER.of(table, piece) for piece in POOL.all_with(table, arm) if piece in table.pieces and piece != except_for
    ]
    return mixed + [layer for layer in layers if layer is not None]


def conceal(draft: Draft, piece: PieceId, rule: RuleId) -> None:
    """Conceal a block of either side: only the seats of its side still know it.

    Source: fog.conceal-after-combat, fog.german-sees-own, fog.1v1-soviet-sees-own.
    """
    draft.conceal(piece, rule, known_to=draft.table.seats_of(draft.table.pieces[piece].side))


def return_to_pool(draft: Draft, board: Board, piece: PieceId, rule: RuleId) -> None:
    """Return a revealed Soviet block to its pool. Source: hits.soviet-to-pool, ruling.destroyed-soviet-known."""
    unit = CardId(draft.table.pieces[piece].kind)
    add_layer(draft, POOL_PILES[board.blocks[unit].pool], (unit,), rule)
    draft.return_piece(piece, POOL_PILES[board.blocks[unit].pool], rule)


def add_layer(draft: Draft, pool: PileId, units: Sequence[CardId], rule: RuleId) -> None:
    """Record that units come into a pool now, so that no block drawn before can be one of them."""
    if is_soviet_played(draft.table):
        return
    layer = (LAYER.of(draft.table, pool) or 0) + 1
    for name in (pool, *units):
        LAYER.set(draft, name, layer, rule)
