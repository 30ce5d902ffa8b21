"""Single moves on land, and stacks of them: from zone to zone, over the Volga Crossings, and into and out of Ambush Sites."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from core.engine.draft import Draft
from core.engine.selection import refuse_unsorted
from core.games.axis_allies.components.board_model import Board, UnitType
from core.games.axis_allies.components.map_records import CrossingRow
from core.games.axis_allies.components.supply_lines import has_crossing
from core.games.axis_allies.ids import ALLIES, AXIS, FACTORY, FERRY, SUPPLY
from core.games.axis_allies.memory import ACROSS_RIVER, LANDED, MOVE, MOVED
from core.games.axis_allies.rules import queries
from core.games.axis_allies.rules.commands import Move, MoveStack
from core.games.axis_allies.rules.control import begin_assault
from core.games.axis_allies.rules.deployment import leaves_city, multiply, refuse_assault
from core.games.axis_allies.rules.land_movement import Land, refuse_spent
from core.games.axis_allies.rules.refusals import REFUSALS, absent, refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

RIVER = RuleId("combat.mod.throw-them-back")


def enter(
    draft: Draft, piece: PieceId, to: PlaceId, rule: RuleId, *, is_over_river: bool, river: RuleId = RIVER
) -> None:
    """Move a land unit into a zone, with what follows at once.

    Args:
        draft: The draft.
        piece: The unit, in a zone or on a Volga Crossing.
        to: The zone.
        rule: The rule under which it moves.
        is_over_river: The last step crosses an unfrozen river.
        river: The rule by which that counts.

    Source: movement.assault-marker, movement.reinforce-contested, ruling.assault-river-flag.
    """
    table = draft.table
    there = table.pieces[piece]
    draft.move(piece, to, rule)
    if not queries.is_friendly(table, to, there.side):
        begin_assault(draft, to, RuleId("movement.assault-marker"))
        if is_over_river and not queries.is_in_battle(table, to):
            ACROSS_RIVER.set(draft, to, value=True, rule=river)


LOAD_STOPS = RuleId("movement.volga.load-stops")
OFFLOAD = RuleId("movement.volga.must-offload")
ACROSS = RuleId("movement.volga.assault-across-river")
CITY_ONLY = RuleId("zone.volga.soviet-only-city")
TOKEN_LANDED = RuleId("movement.volga.tokens")


def refuse_bank(board: Board, side: Side, origin: PlaceId, to: PlaceId) -> Refusal | None:
    """Return why a move would cross the Volga where or as it may not, or None if it does not.

    Source: zone.volga.axis-never, zone.volga.not-adjacent, zone.volga.soviet-only-city,
    movement.volga.from-krasnaya-sloboda.
    """
    east = (board.east_bank, board.bases[ALLIES])
    is_loading = to in board.crossings
    if side == AXIS and (is_loading or to in east):
        return refused("axis_must_not_cross_volga")
    if is_loading:
        return None if origin == board.east_bank else refused("volga_must_be_crossed_westward_at_crossings")
    if (origin in east) == (to in east):
        return None
    rule = CITY_ONLY if board.bases[ALLIES] in (origin, to) else RuleId("zone.volga.not-adjacent")
    return refused("volga_must_be_crossed_westward_at_crossings", rule=rule)


def refuse_load(table: Table, crossing: PlaceId, piece: PieceId, unit: UnitType | None) -> Refusal | None:
    """Return why a unit, or a token (no unit), of Krasnaya Sloboda cannot load onto a crossing, or None if it can.

    Source: movement.volga.load, movement.volga.capacity, ferry.cargo-infantry, icebridge.any-land-unit.
    """
    if not has_crossing(table, crossing):
        return refused("crossing_must_be_in_place")
    if table.marker(crossing, FERRY) and unit is not None and not unit.is_infantry:
        return refused("crossing_must_suit_cargo")
    if table.pieces_at(crossing):
        return refused("crossing_must_be_empty")
    return refused("movement_must_suffice") if MOVE.of(table, piece) else None


def refuse_offload(table: Table, board: Board, piece: PieceId, to: PlaceId) -> Refusal | None:
    """Return why what lies on a crossing cannot land in a zone, or None if it can.

    Source: movement.volga.must-offload, movement.volga.load-stops, ruling.forced-offload.
    """
    there = table.pieces[piece]
    if to != board.crossings[there.place].landing:
        return refused("zones_must_be_adjacent", rule=OFFLOAD)
    if MOVE.of(table, piece):
        return refused("movement_must_suffice", rule=LOAD_STOPS)
    if there.kind == SUPPLY or queries.is_friendly(table, to, ALLIES):
        return None
    return refuse_assault(table, board, to)


def refuse_token(table: Table, board: Board, token: PieceId, to: PlaceId) -> Refusal | None:
    """Return why a supply token cannot be moved by land, or None if it can.

    Source: supply.token.movement, movement.volga.tokens.
    """
    origin = table.pieces[token].place
    if MOVE.of(table, token) == LANDED:
        return refused("token_must_stay_in_place", rule=TOKEN_LANDED)
    if origin in board.crossings:
        return refuse_offload(table, board, token, to)
    if origin != board.east_bank or not (to in board.zones or to in board.crossings):
        return refused("token_must_stay_in_place")
    return refuse_bank(board, ALLIES, origin, to) or refuse_load(table, to, token, None)


def load(draft: Draft, piece: PieceId, crossing: PlaceId) -> None:
    """Load a unit or a token, whose move ends with it. Source: movement.volga.load, movement.volga.load-stops."""
    draft.move(piece, crossing, RuleId("movement.volga.load"))
    MOVE.set(draft, piece, MOVED, LOAD_STOPS)


def offload(draft: Draft, board: Board, piece: PieceId, to: PlaceId) -> None:
    """Land a unit or a token; from a ferry a unit comes over an unfrozen river.

    Source: movement.volga.must-offload, movement.volga.offload-free, movement.volga.assault-across-river,
    movement.volga.tokens, ruling.token-alone-in-hostile, ruling.freeze-with-cargo.
    """
    table = draft.table
    there = table.pieces[piece]
    if there.kind == SUPPLY:
        draft.move(piece, to, OFFLOAD)
        MOVE.set(draft, piece, LANDED, TOKEN_LANDED)
    else:
        enter(draft, piece, to, OFFLOAD, is_over_river=table.marker(there.place, FERRY) > 0, river=ACROSS)
        MOVE.set(draft, piece, LANDED, RuleId("movement.volga.offload-free"))


def must_offload(table: Table, board: Board) -> CrossingRow | None:
    """Return a crossing whose cargo still has to land and can, or None.

    Source: movement.volga.must-offload, ruling.forced-offload.
    """
    for row in board.crossings.values():
        if any(refuse_offload(table, board, piece, row.landing) is None for piece in table.pieces_at(row.id)):
            return row
    return None


LEAVE = RuleId("ambush.leave")


def refuse_enter(land: Land, piece: PieceId, site: PlaceId) -> Refusal | None:
    """Return why a unit cannot enter an Ambush Site, or None if it can.

    Source: ambush.enter, ambush.who, ruling.ambush-movement, ruling.not-one-step-back.
    """
    table, board = land.table, land.board
    there = table.pieces[piece]
    if not board.units[there.kind].is_infantry:
        return refused("ambusher_must_be_infantry")
    if there.place not in board.sites[site].zones:
        return refused("ambush_site_must_be_connected")
    if queries.is_contested(table, there.place):
        return refused("ambusher_must_come_from_uncontested_zone")
    if table.pieces_at(site):
        return refused("ambush_site_must_be_empty")
    if land.is_bound(there.place):
        return refused("not_one_step_back_must_be_obeyed")
    return refuse_spent(table, piece)


def refuse_leave(table: Table, board: Board, piece: PieceId, zone: PlaceId) -> Refusal | None:
    """Return why an ambusher cannot leave into a zone, or None if it can. Source: ambush.leave, ruling.blitz-followers."""
    there = table.pieces[piece]
    if zone not in board.sites[there.place].zones:
        return refused("ambush_site_must_be_connected", rule=LEAVE)
    if queries.is_contested(table, zone) or not queries.was_friendly(table, zone, there.side):
        return refused("zone_must_have_been_friendly_and_uncontested")
    return refuse_spent(table, piece)


STEP = RuleId("movement.land.points")


def refuse_land_unit(table: Table, board: Board, piece: PieceId) -> Refusal | None:
    """Return why a piece is no land unit that can be ordered, or None if it is; one aboard a bomber cannot. Source: unit.class.land."""
    there = table.pieces[piece]
    if there.kind not in board.land_units or PieceId(there.place) in table.pieces:
        return refused("unit_must_be_eligible")
    return None


def refuse_border(board: Board, side: Side, origin: PlaceId, to: PlaceId) -> Refusal | None:
    """Return why a land unit can never go from one place to another, or None. Source: zone.base.entry, ruling.own-base-entry."""
    refusal = refuse_bank(board, side, origin, to)
    if refusal is None and to in board.zones and board.zones[to].base is not None:
        return refused("base_zone_must_not_be_entered")
    return refusal


class Moves:
    """Single moves of land units and tokens."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._beside_zones: tuple[PlaceId, ...] = (*board.crossings, *board.sites)
        self._inland = {place for place, zone in board.zones.items() if not zone.sites and place != board.east_bank}

    def legal(self, land: Land) -> Iterator[list[Move]]:
        """Yield the legal moves, place by place: of each place the first piece of each class, in the order of their arrival."""
        table, side, kept = land.table, land.side, land.moved.by_zone
        changed = table.attributes.keys()
        for origin, force in land.forces.items():
            if origin != self.board.east_bank and (origin in land.contested or not force.land[side]):
                # Only there are tokens that can move; out of a contested zone nothing does.
                continue
            others = () if origin in self._inland else self._others(table, origin)
            if origin == self.board.east_bank or not changed.isdisjoint(force.there):
                yield self._of(land, origin, queries.movable(table, side, force.there), others)
            else:
                # All that these moves depend on is in the force, in the sites that are empty and in `land.moved`.
                before = kept.get(origin)
                if before is None or before[0] is not force or before[1] != others:
                    found = self._of(land, origin, queries.movable(table, side, force.there), others)
                    before = kept[origin] = (force, others, found)
                yield before[2]
        for origin in self._beside_zones:
            there = table.at.get(origin)
            if there:
                yield self._of(land, origin, queries.movable(table, side, there), self._others(table, origin))

    def _of(self, land: Land, origin: PlaceId, ready: Mapping[str, PieceId], others: Collection[PlaceId]) -> list[Move]:
        """Return the legal moves of the pieces of a place that are ready."""
        found, kept = list[Move](), land.moved.by_class
        for unit, piece in ready.items():
            if origin not in land.contested:
                # All that these moves depend on is in the class of the unit and in `land.moved`.
                moves = kept.get((unit, origin))
                if moves is None:
                    ends = self._zones(land, piece, origin)
                    moves = kept[unit, origin] = [Move(unit, origin, to) for to in ends]
                found += moves
            for to in others:
                if self.refuse_piece(land, piece, to) is None:
                    found.append(Move(unit, origin, to))
        return found

    def _zones(self, land: Land, piece: PieceId, origin: PlaceId) -> Collection[PlaceId]:
        """Return to which zones a piece of a zone can go."""
        unit = self.board.units.get(land.table.pieces[piece].kind)
        if unit is None or unit.is_air or origin not in self.board.zones or refuse_spent(land.table, piece) is not None:
            return ()
        ends = land.ends(unit, origin)
        if land.has_marker and not unit.has_force_multiplier:
            return ends
        return [to for to in ends if self._refuse_entry(land, unit, origin, to) is None]

    def _others(self, table: Table, origin: PlaceId) -> Collection[PlaceId]:
        """Return where pieces might go besides from zone to zone; where nobody can go now is left out."""
        board = self.board
        if origin in board.crossings:
            return (board.crossings[origin].landing,)
        if origin in board.sites:
            return board.sites[origin].zones
        if origin == board.east_bank:
            return [to for to in board.crossings if has_crossing(table, to) and not table.at.get(to)]
        sites = board.zones[origin].sites
        return [to for to in sites if not table.at.get(to)] if sites else ()

    # Refusals

    def refuse(self, table: Table, asked: Open, move: Move) -> Refusal | None:
        """Return why a move is not legal, or None if it is."""
        land = Land(table, self.board, table.side_of(asked.seat))
        piece = queries.first_like(table, land.side, move.origin, move.unit)
        if piece is None and move.unit == SUPPLY:
            return refused("token_must_be_own")
        if any(move.unit == marker and table.marker(move.origin, marker) for marker in FACTORY.values()):
            return refused("token_must_stay_in_place", rule=RuleId("movement.factory-tokens"))
        if piece is None:
            return absent(table, land.side, move.origin, move.unit)
        return self.refuse_piece(land, piece, move.to)

    def refuse_piece(self, land: Land, piece: PieceId, to: PlaceId) -> Refusal | None:
        """Return why a side's piece, of those on the boards, cannot go to a place, or None if it can.

        Source: unit.class.land, zone.base.entry, movement.force-multiplier.exit-pair.
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
        if to in board.sites:
            return refuse_enter(land, piece, to)
        refusal = self.refuse_walk(land, piece, to)
        return refusal or self._refuse_entry(land, board.units[there.kind], there.place, to)

    def _refuse_entry(self, land: Land, unit: UnitType, origin: PlaceId, to: PlaceId) -> Refusal | None:
        if unit.has_force_multiplier and leaves_city(self.board, origin, to):
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
        for piece in queries.all_like(draft.table, side, ((move.origin, move.unit),)):
            self.go(draft, piece, move.to)

    def go(self, draft: Draft, piece: PieceId, to: PlaceId) -> None:
        """Move a piece where it may go. Source: movement.land.points, ambush.enter, ambush.leave."""
        table, board = draft.table, self.board
        there = table.pieces[piece]
        if to in board.crossings:
            load(draft, piece, to)
        elif there.place in board.crossings:
            offload(draft, board, piece, to)
        elif to in board.sites or there.place in board.sites:
            rule = RuleId("ambush.enter") if to in board.sites else LEAVE
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
        if queries.is_contested(land.table, to):
            return RuleId("movement.reinforce-contested")
        if self.board.zones[to].board != self.board.zones[there.place].board:
            return RuleId("movement.between-boards")
        return STEP if land.is_walk(self.board.units[there.kind], there.place, to) else RuleId("movement.road")

    # Stacks

    def refuse_stack(self, table: Table, asked: Open, stack: MoveStack) -> Refusal | None:
        """Return why several units cannot make their moves one after the other, or None if they can.

        Source: movement.volga.capacity, ambush.who.
        """
        board = self.board
        side = table.side_of(asked.seat)
        wanted = Counter(stack.units)
        own = [one for one in table.pieces_at(stack.origin) if table.pieces[one].side == side]
        there = Counter([queries.like(table, one) for one in own])
        lacking = wanted - there
        if not wanted or lacking:
            return absent(table, side, stack.origin, next(iter(lacking), ""))
        if len(stack.units) > 1 and stack.to not in board.zones:
            return refused("crossing_must_be_empty" if stack.to in board.crossings else "ambush_site_must_be_empty")
        moves = [self.refuse(table, asked, Move(unit, stack.origin, stack.to)) for unit in wanted]
        return REFUSALS.first(*moves) or refuse_unsorted(stack.units, may_repeat=True)

    def take_stack(self, draft: Draft, asked: Open, stack: MoveStack) -> None:
        """Make the moves of a stack."""
        for move in single_moves(stack):
            self.take(draft, asked, move)


def single_moves(stack: MoveStack) -> tuple[Move, ...]:
    """Return the moves of a stack."""
    return tuple([Move(unit, stack.origin, stack.to) for unit in stack.units])
