"""Single moves on land, and stacks of them: which are legal, and what they do."""

from collections import Counter
from collections.abc import Iterator

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import FACTORY, SUPPLY
from core.games.axis_allies.memory import MOVE, MOVED
from core.games.axis_allies.rules.ambush_sites import LEAVE, refuse_enter, refuse_leave
from core.games.axis_allies.rules.commands import Move, MoveStack
from core.games.axis_allies.rules.entering import enter
from core.games.axis_allies.rules.force_multiplier import leaves_city, multiply
from core.games.axis_allies.rules.land_movement import Land, refuse_spent
from core.games.axis_allies.rules.queries import is_contested, like
from core.games.axis_allies.rules.refusals import REFUSALS, refused
from core.games.axis_allies.rules.volga import load, offload, refuse_bank, refuse_load, refuse_offload, refuse_token
from core.refusal import Refusal
from core.selection import refuse_unsorted
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

STEP = RuleId("movement.land.points")
BY_ROAD = RuleId("movement.road")
BETWEEN_BOARDS = RuleId("movement.between-boards")
REINFORCE = RuleId("movement.reinforce-contested")
ENTER_SITE = RuleId("ambush.enter")
FACTORY_STAYS = RuleId("movement.factory-tokens")


def named(table: Table, side: Side, origin: PlaceId, unit: str) -> PieceId | None:
    """Return a side's first piece of a class in a place, or None."""
    there = [piece for piece in table.pieces_at(origin) if table.pieces[piece].side == side]
    return next((piece for piece in there if like(table, piece) == unit), None)


def refuse_land_unit(table: Table, board: Board, piece: PieceId | None) -> Refusal | None:
    """Return why a piece is no land unit that can be ordered, or None if it is; one aboard a bomber cannot. Source: RuleId("unit.class.land")."""
    there = None if piece is None else table.pieces[piece]
    if (
        there is None
        or there.kind not in board.units
        or board.units[there.kind].is_air
        or PieceId(there.place) in table.pieces
    ):
        return refused("unit_must_be_eligible")
    return None


def refuse_border(board: Board, side: Side, origin: PlaceId, to: PlaceId) -> Refusal | None:
    """Return why a land unit can never go from one place to another, or None. Source: RuleId("zone.base.entry"), ruling.own-base-entry."""
    refusal = refuse_bank(board, side, origin, to)
    if refusal is None and to in board.zones and board.zones[to].base is not None:
        return refused("base_zone_must_not_be_entered")
    return refusal


class Moves:
    """Single moves of land units and tokens.

    Args:
        board: The board.
    """

    def __init__(self, board: Board) -> None:
        self.board = board

    def legal(self, table: Table, asked: Open) -> Iterator[Move]:
        """Yield the legal moves: of each place the first piece of each class, in the order of their arrival."""
        board = self.board
        land = Land(table, board, table.side_of(asked.seat))
        for origin in (*board.zones, *board.crossings, *board.sites):
            first: dict[str, PieceId] = {}
            for piece in table.pieces_at(origin):
                if table.pieces[piece].side == land.side and MOVE.of(table, piece) != MOVED:
                    first.setdefault(like(table, piece), piece)
            for unit, piece in first.items():
                for to in self._targets(land, piece, origin):
                    if self.refuse_piece(land, piece, to) is None:
                        yield Move(unit, origin, to)

    def _targets(self, land: Land, piece: PieceId, origin: PlaceId) -> list[PlaceId]:
        """Return where a piece might go."""
        board = self.board
        if origin in board.crossings:
            return [board.crossings[origin].landing]
        if origin == board.east_bank:
            return list(board.crossings)
        kind = land.table.pieces[piece].kind
        if kind not in board.units or board.units[kind].is_air:
            return []
        if origin in board.sites:
            return list(board.sites[origin].zones)
        return [*land.reach(board.units[kind], origin), *board.zones[origin].sites]

    # Refusals

    def refuse(self, table: Table, asked: Open, move: Move) -> Refusal | None:
        """Return why a move is not legal, or None if it is."""
        land = Land(table, self.board, table.side_of(asked.seat))
        piece = named(table, land.side, move.origin, move.unit)
        if piece is None and move.unit == SUPPLY:
            return refused("token_must_be_own")
        if any(move.unit == marker and table.marker(move.origin, marker) for marker in FACTORY.values()):
            return refused("token_must_stay_in_place", rule=FACTORY_STAYS)
        return refused("unit_must_be_eligible") if piece is None else self.refuse_piece(land, piece, move.to)

    def refuse_piece(self, land: Land, piece: PieceId, to: PlaceId) -> Refusal | None:
        """Return why a side's piece, of those on the boards, cannot go to a place, or None if it can.

        Source: RuleId("unit.class.land"), RuleId("zone.base.entry"), RuleId("movement.force-multiplier.exit-pair").
        """
        table, board = land.table, self.board
        there = table.pieces[piece]
        if there.kind == SUPPLY:
            return refuse_token(table, board, piece, to)
        refusal = refuse_land_unit(table, board, piece) or refuse_border(board, land.side, there.place, to)
        if refusal is not None:
            return refusal
        if to in board.crossings:
            return refuse_load(table, to, piece, board.units[there.kind])
        if there.place in board.sites:
            return refuse_leave(table, board, piece, to)
        if there.place in board.crossings:
            return refuse_offload(table, board, piece, to)
        return refuse_enter(land, piece, to) if to in board.sites else self._refuse_to_zone(land, piece, to)

    def _refuse_to_zone(self, land: Land, piece: PieceId, to: PlaceId) -> Refusal | None:
        there = land.table.pieces[piece]
        refusal = self.refuse_walk(land, piece, to)
        if refusal is not None:
            return refusal
        if self.board.units[there.kind].has_force_multiplier and leaves_city(self.board, there.place, to):
            return refused("exit_must_be_paired")
        return land.refuse_assault(to)

    def refuse_walk(self, land: Land, piece: PieceId, to: PlaceId) -> Refusal | None:
        """Return why a unit cannot go from zone to zone, pairs and Combat Markers aside, or None if it can."""
        there = land.table.pieces[piece]
        unit = self.board.units[there.kind]
        if to not in self.board.zones:
            return refused("zones_must_be_adjacent")
        refusal = land.refuse_way(unit, there.place, to)
        return refusal or refuse_spent(land.table, piece) or land.refuse_launcher(unit, there.place, to)

    # What a move does

    def take(self, draft: Draft, asked: Open, move: Move) -> None:
        """Make a move."""
        side = draft.table.side_of(asked.seat)
        piece = named(draft.table, side, move.origin, move.unit)
        assert piece is not None
        self.go(draft, piece, move.to)

    def go(self, draft: Draft, piece: PieceId, to: PlaceId) -> None:
        """Move a piece where it may go. Source: RuleId("movement.land.points"), RuleId("ambush.enter"), RuleId("ambush.leave")."""
        table, board = draft.table, self.board
        there = table.pieces[piece]
        if to in board.crossings:
            load(draft, piece, to)
        elif there.place in board.crossings:
            offload(draft, board, piece, to)
        elif to in board.sites or there.place in board.sites:
            rule = ENTER_SITE if to in board.sites else LEAVE
            draft.move(piece, to, rule)
            MOVE.set(draft, piece, MOVED, rule)
        else:
            self.walk(draft, piece, to)

    def walk(self, draft: Draft, piece: PieceId, to: PlaceId) -> None:
        """Move a unit from zone to zone, over dry land if a way leads over it. Source: ruling.whole-moves."""
        table, board = draft.table, self.board
        there = table.pieces[piece]
        land = Land(table, board, there.side)
        rule = self._rule(land, piece, to)
        enter(draft, piece, to, rule, is_over_river=not land.is_dry(board.units[there.kind], there.place, to))
        multiply(draft, board, piece, there.place, to)
        MOVE.set(draft, piece, MOVED, rule)

    def _rule(self, land: Land, piece: PieceId, to: PlaceId) -> RuleId:
        """Return the rule under which a unit goes from zone to zone."""
        there = land.table.pieces[piece]
        if is_contested(land.table, to):
            return REINFORCE
        if self.board.zones[to].board != self.board.zones[there.place].board:
            return BETWEEN_BOARDS
        return STEP if land.is_walk(self.board.units[there.kind], there.place, to) else BY_ROAD

    # Stacks

    def refuse_stack(self, table: Table, asked: Open, stack: MoveStack) -> Refusal | None:
        """Return why several units cannot make their moves one after the other, or None if they can.

        Source: RuleId("movement.volga.capacity"), RuleId("ambush.who").
        """
        board = self.board
        side = table.side_of(asked.seat)
        wanted = Counter(stack.units)
        there = Counter([like(table, one) for one in table.pieces_at(stack.origin) if table.pieces[one].side == side])
        if not wanted or wanted - there:
            return refused("unit_must_be_eligible")
        if len(stack.units) > 1 and stack.to not in board.zones:
            return refused("crossing_must_be_empty" if stack.to in board.crossings else "ambush_site_must_be_empty")
        moves = [self.refuse(table, asked, Move(unit, stack.origin, stack.to)) for unit in wanted]
        return REFUSALS.first(moves) or refuse_unsorted(stack.units, may_repeat=True)

    def take_stack(self, draft: Draft, asked: Open, stack: MoveStack) -> None:
        """Make the moves of a stack."""
        for move in single_moves(stack):
            self.take(draft, asked, move)


def single_moves(stack: MoveStack) -> tuple[Move, ...]:
    """Return the moves of a stack."""
    return tuple([Move(unit, stack.origin, stack.to) for unit in stack.units])
