"""The position files of this game: what can be wrong with one besides what its inventory says.

A position lists blocks under their tokens (`german/1`, `soviet/1`), each with its hex, its unit as `kind` and the edge on top as
`face` (by default `edge-1`). A block on the map is known to the seats of its side; a Soviet one that no seat plays was seen by all
and is concealed again, as after a combat. A block without a kind was seen by nobody:

* a Soviet one, where no seat plays the Soviets, came with the set-up, and the pile `setup_mix` holds an arm for each of them
  (`tank/1`, `infantry/1`), or it has the attribute `pool` (`infantry`, `tank`, `marine`) and came from that pool;
* a German one lies on the Reinforcement Track, and the pile `german_pool` holds a unit for each of them.

Decks and Soviet pools hold by default what is nowhere else. A hex belongs by default to who stands in it, else as at the beginning.
`turn` names the side whose turn begins (by default the Germans), `round` the number of the German turn. German units that
a position does not name are not in play.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from core.components.inventory import Inventory
from core.engine.draft import Draft
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import BLUE, YELLOW
from core.games.inferno.ids import (
    CALLED,
    FORTIFICATIONS,
    GERMAN,
    GERMAN_POOL,
    HEADQUARTERS,
    MIX_ARMS,
    PLAYS,
    POOL_PILES,
    RAUS,
    SEATS,
    SETUP_MIX,
    SETUP_UNITS,
    SIDES,
    SOVIET,
    SOVIET_SEAT,
    combat_card,
    hand,
    leaders,
    removed_box,
    track_box,
)
from core.games.inferno.memory import POOL, in_play
from core.games.inferno.options import DESIGNERS_WAY
from core.games.inferno.positions.position_memory import is_designers_way, memory_defects
from core.games.inferno.positions.position_set_up import STATED, controlled, seats_in, set_up_position, side_of
from core.games.inferno.rules.cards import CHUIKOV, is_leader
from core.games.inferno.rules.inferno_rules import InfernoRules
from core.positions.inventory_checks import position_defects
from core.positions.position import Defect, PlacedPiece, Position
from core.positions.position_checks import Openings, opening_defects
from core.suggestions import unknown
from core.toml.toml_lines import Path
from events.codec import replace
from events.ids import CardId, PlaceId, Seat, Side

ROUNDS = range(1, 1001)


class InfernoPositions:
    """Checks positions and sets them up; see `core.game.bound_game.Positions`.

    Args:
        board: The packaged board or an owner's.
    """

    def __init__(self, board: Board) -> None:
        self.board = board

    @cached_property
    def rules(self) -> InfernoRules:
        """The rules with which positions are opened."""
        return InfernoRules(self.board)

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        """Return every defect of a position; empty if it can be played."""
        opening = (*_openings(position),)
        if position.mode not in ("", *PLAYS):
            return opening
        return (
            *opening,
            *position_defects(stated(self.board, position), position),
            *_stacks(self.board, position),
            *_blocks(self.board, position),
            *_hidden(self.board, position),
            *_cards(self.board, position),
            *_markers(self.board, position),
            *memory_defects(self.board, position),
        )

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Set the table up as a valid position says."""
        set_up_position(draft, self.board, self.rules.turns, position)


def stated(board: Board, position: Position) -> Inventory:
    """Return what a position can state: between two turns no combat is fought and nothing is picked up."""
    full = in_play(board, position.scenario or "standard", position.options)
    fought = {SETUP_UNITS, *[combat_card(side) for side in SIDES]}
    places = [group for group in full.places if CALLED not in group.names]
    return replace(full.narrowed(lambda pile: pile not in fought, STATED.__contains__), places=places)


def _openings(position: Position) -> Iterator[Defect]:
    """Source: turn.alternate, mode.co-op.turn-order."""
    seats = tuple(SEATS) if position.mode not in ("", *PLAYS) else tuple(map(Seat, seats_in(position)))
    named = replace(position, phase="", decision=None)
    openings = Openings(rounds=ROUNDS, phases=(), sides=SIDES, seats=seats, modes=tuple(PLAYS))
    yield from opening_defects(named, openings)
    if position.phase:
        yield Defect(("phase",), "a position of this game opens with a turn; it names no phase")
    if position.decision is not None:
        yield Defect(("decision",), "a position of this game opens with a turn; it names no decision")
    side = position.turn or GERMAN
    of_side = [seat for seat in seats if seats_in(position)[seat] == side] if position.mode in ("", *PLAYS) else []
    wanted = of_side[(max(1, position.round) - 1) % len(of_side)] if of_side else ""
    if position.turn_seat in seats and position.turn_seat != wanted:
        whose = f"the {side} turn of round {max(1, position.round)} is that of {wanted or 'no seat'}"
        yield Defect(("turn_seat",), f"{whose}, not of {position.turn_seat}")


def _stacks(board: Board, position: Position) -> Iterator[Defect]:
    """Source: stack.one-side-per-hex, control.switch-on-entry, mode.co-op.no-mixed-stack."""
    has_partners = sum(side == GERMAN for side in seats_in(position).values()) > 1
    control = controlled(board, position)
    first: dict[PlaceId, Side] = {}
    colours: dict[PlaceId, str] = {}
    for index, piece in enumerate(position.pieces):
        place, path, side = piece.place, ("pieces", index, "place"), side_of(board, piece)
        if place not in board.hexes:
            continue
        if first.setdefault(place, side) != side:
            yield Defect(
                path, f"{piece.id} is in {place}, where {first[place]} units are; a hex holds units of one side"
            )
        elif control[place] != side:
            yield Defect(("control", place), f"{place} has {side} units, so that {side} must control it")
        unit = board.blocks.get(CardId(piece.kind))
        colour = unit.colour if has_partners and unit is not None else ""
        if colour in (YELLOW, BLUE) and colours.setdefault(place, colour) != colour:
            yield Defect(path, f"{piece.id} is {colour}, but in {place} are {colours[place]} units")


def _blocks(board: Board, position: Position) -> Iterator[Defect]:
    """Source: fog.blocks-upright, german.reinforce.removed-for-good, hits.german-to-death-pool."""
    is_played = SOVIET in seats_in(position).values()
    for index, piece in enumerate(position.pieces):
        path: Path = ("pieces", index)
        side = side_of(board, piece)
        if not piece.kind:
            if piece.face or piece.steps:
                yield Defect((*path, "face"), f"{piece.id} has no kind, so that it has no face and no steps yet")
            if side == SOVIET and is_played:
                yield Defect(
                    (*path, "kind"), f"a seat plays the Soviets and knows their blocks: {piece.id} needs a kind"
                )
            elif side == GERMAN and piece.place not in _track(board):
                yield Defect((*path, "kind"), f"{piece.id} needs a kind; German blocks are unknown on the track only")
            continue
        unit = board.blocks.get(CardId(piece.kind))
        edges = [f"edge-{number}" for number in range(1, 1 + (0 if unit is None else len(unit.edges)))]
        face = piece.face or "edge-1"
        if unit is not None and face in edges and piece.steps not in (0, unit.edge(face).strength):
            strength = unit.edge(face).strength
            yield Defect((*path, "steps"), f"{piece.id} has {piece.steps} steps; on {face} it has Strength {strength}")
        if unit is not None and side == GERMAN and face in edges and not unit.edge(face).strength:
            yield Defect((*path, "face"), f"{piece.id} has no dots on {face}; a German unit is destroyed before that")
        yield from _removed(board, piece, path)


def _track(board: Board) -> frozenset[PlaceId]:
    boxes = range(1, board.track.boxes + 1)
    return frozenset(track_box(row, box) for row in range(1, board.track.rows + 1) for box in boxes)


def _removed(board: Board, piece: PlacedPiece, path: Path) -> Iterator[Defect]:
    for row in range(1, board.track.rows + 1):
        if piece.place == removed_box(row) and piece.kind != board.removed_units.get(row):
            wanted = board.removed_units.get(row, "no unit")
            yield Defect((*path, "kind"), f"{piece.place} is for {wanted}, not for {piece.kind}")


def _hidden(board: Board, position: Position) -> Iterator[Defect]:
    """Check that there is a unit for every block that nobody has seen.

    Source: fog.spawn-kind-public, ai.deploy-blind-draw, setup.step-9.
    """
    unseen = [piece for piece in position.pieces if not piece.kind]
    german = [piece for piece in unseen if side_of(board, piece) == GERMAN]
    pool_of = {
        piece.id: position.attributes.get(piece.id, {}).get(POOL.key)
        for piece in position.pieces
        if side_of(board, piece) == SOVIET
    }
    for piece in position.pieces:
        arm, unit = pool_of.get(piece.id), board.blocks.get(CardId(piece.kind))
        if arm is None or not isinstance(arm, str):
            continue
        path: Path = ("attributes", piece.id, POOL.key)
        if arm not in POOL_PILES:
            yield Defect(path, unknown(f"pool of {piece.id}", arm, list(POOL_PILES)))
        elif unit is not None and unit.pool != arm:
            yield Defect(path, f"{piece.id} is {unit.id}, which comes from the {unit.pool} pool, not {arm}")
    mix = position.piles.get(SETUP_MIX, ())
    mixed = sum(piece.id in pool_of and pool_of[piece.id] is None for piece in unseen)
    if len(mix) != mixed:
        problem = f"{SETUP_MIX} holds {len(mix)} arms; there are {mixed} Soviet blocks of the set-up without a kind"
        yield Defect(("piles", SETUP_MIX), problem)
    held = position.piles.get(GERMAN_POOL, ())
    if len(held) != len(german):
        problem = f"{GERMAN_POOL} holds {len(held)} units; there are {len(german)} German blocks without a kind"
        yield Defect(("piles", GERMAN_POOL), problem)
    waiting = Counter([MIX_ARMS[arm] for arm in mix if arm in MIX_ARMS])
    waiting += Counter([str(pool_of[piece.id]) for piece in unseen if pool_of.get(piece.id) is not None])
    named = {card for cards in position.piles.values() for card in cards} | {piece.kind for piece in position.pieces}
    for arm, pile in POOL_PILES.items():
        rest = [block.id for block in board.blocks_of(SOVIET) if block.pool == arm and block.id not in named]
        there = position.piles.get(pile, tuple(rest))
        if waiting[arm] > len(there):
            problem = f"{pile} holds {len(there)} units; {waiting[arm]} blocks without a kind must come from it"
            yield Defect(("piles", pile), problem)


def _cards(board: Board, position: Position) -> Iterator[Defect]:
    """Source: card.leaders-stay, card.german-leader-immediate, mode.list."""
    seats = seats_in(position)
    for seat in SEATS:
        if seat not in seats and seat != SOVIET_SEAT and hand(seat) in position.piles:
            yield Defect(("piles", hand(seat)), f"{seat} is no seat of this mode: {', '.join(seats)}")
        for index, card in enumerate(position.piles.get(hand(seat), ())):
            there = board.cards.get(card)
            if there is not None and there.side == GERMAN and is_leader(there):
                problem = f"{card} is a German Leader, which comes into play at once: it lies in {leaders(GERMAN)}"
                yield Defect(("piles", hand(seat), index), problem)
    for side in SIDES:
        for index, card in enumerate(position.piles.get(leaders(side), ())):
            there = board.cards.get(card)
            if there is not None and not is_leader(there):
                yield Defect(("piles", leaders(side), index), f"{card} is not a Leader and does not stay in play")


def _markers(board: Board, position: Position) -> Iterator[Defect]:
    """Source: designer.fortification.place, designer.fortification.destroyed, designer.chuikov.lost."""
    control = controlled(board, position)
    has_chuikov = any(
        card in board.cards and board.cards[card].title.id == CHUIKOV
        for card in position.piles.get(leaders(SOVIET), ())
    )
    for place, there in position.markers.items():
        for marker in (*FORTIFICATIONS.values(), HEADQUARTERS, RAUS):
            if there.get(marker) and not is_designers_way(position):
                yield Defect(("markers", place, marker), f"it belongs to the Designer's Way (option {DESIGNERS_WAY})")
        here = board.hexes.get(PlaceId(place))
        if here is None:
            continue
        for colour, disc in FORTIFICATIONS.items():
            if there.get(disc) and (here.fortification != colour or control[here.id] != SOVIET):
                problem = f"{place} is not a Soviet-controlled hex with a {colour} Fortification"
                yield Defect(("markers", place, disc), problem)
        if there.get(HEADQUARTERS) and not (has_chuikov and control[here.id] == SOVIET):
            problem = f"the headquarters needs Chuikov in {leaders(SOVIET)} and a Soviet-controlled hex"
            yield Defect(("markers", place, HEADQUARTERS), problem)
