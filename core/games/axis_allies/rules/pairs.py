"""Moves of two units together: a Blitz of a tank with mechanized infantry, and pairs of German infantry that leave the city."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from core.engine.draft import Draft
from core.engine.option_by_chance import Candidates
from core.engine.question import Answer, unlisted
from core.engine.selection import one_of, refuse_unsorted
from core.games.axis_allies.components.board_model import Board, UnitType
from core.games.axis_allies.components.map_records import MECH_INFANTRY, TANK
from core.games.axis_allies.ids import enemy
from core.games.axis_allies.memory import MOVE, MOVED
from core.games.axis_allies.options import BLITZ_NEEDS_MARKER, MINOR_AXIS_EXIT_PARTNER
from core.games.axis_allies.rules.commands import Blitz, ExitPair
from core.games.axis_allies.rules.control import lose, take
from core.games.axis_allies.rules.deployment import leaves_city, multiply
from core.games.axis_allies.rules.land_movement import (
    NO_FURTHER,
    NOT_OUT,
    NOT_OUT_OF_CITY,
    ONE_STEP,
    STOP,
    Land,
    refuse_spent,
)
from core.games.axis_allies.rules.moves import Moves, enter, refuse_border, refuse_land_unit
from core.games.axis_allies.rules.queries import all_like, first_like, is_occupied, like, movable
from core.games.axis_allies.rules.queries import land as land_units
from core.games.axis_allies.rules.refusals import REFUSALS, absent, misplaced, refused
from core.games.axis_allies.rules.supply import show_supply
from core.refusal import Refusal
from events.codec import replace
from events.ids import PieceId, PlaceId, RuleId
from projections.state.table import Open, Table

LOSS = RuleId("movement.force-multiplier.exit-loss")
BLITZ = RuleId("movement.blitz")
WITH_MECH = RuleId("movement.blitz.with-mech")
CAPTURE = RuleId("movement.blitz.consequences")

EXIT_LOSS = "exit_loss"


class PairMoves:
    """Pairs that leave the city, of which one is lost, and Blitzes."""

    def __init__(self, board: Board, moves: Moves) -> None:
        self.board = board
        self.moves = moves
        self._multiplied = {unit.side for unit in board.units.values() if unit.has_force_multiplier}
        self._tanks = {unit.id for unit in board.units.values() if unit.type == TANK}
        self.loss = one_of(LOSS, lambda _, asked: asked.texts("units"), self._take_loss, refuse_other=misplaced)
        self.answers = (
            Answer(Blitz, unlisted, self._refuse_blitz, self._take_blitz),
            Answer(ExitPair, unlisted, self._refuse_exit, self._take_exit),
        )

    def choices(self, land: Land) -> Candidates:
        """Yield the candidates of both; see `core.engine.repeated_questions.Series.choices`."""
        yield self._blitzes(land), lambda one: isinstance(one, Blitz) and self._refuse(land, one) is None
        yield self._exits(land), lambda one: isinstance(one, ExitPair) and self._refuse_pair(land, one) is None

    def _land(self, table: Table, asked: Open) -> Land:
        return Land(table, self.board, table.side_of(asked.seat))

    def _kind(self, table: Table, piece: PieceId) -> UnitType:
        return self.board.units[table.pieces[piece].kind]

    # Pairs that leave the city

    def _may_pair(self, table: Table, pieces: Sequence[PieceId]) -> bool:
        """Return whether two units leave as a pair. Source: ruling.force-multiplier-partner."""
        pair = [self._kind(table, piece) for piece in pieces]
        return any(unit.has_force_multiplier for unit in pair) and all(self._may_leave(table, unit) for unit in pair)

    def _may_leave(self, table: Table, unit: UnitType) -> bool:
        return unit.has_force_multiplier or (unit.is_infantry and MINOR_AXIS_EXIT_PARTNER.is_on(table))

    def _exits(self, land: Land) -> Iterator[ExitPair]:
        """Yield the pairs that might leave."""
        if land.side not in self._multiplied:
            return
        ways: dict[PlaceId, list[tuple[PlaceId, str]]] = {}
        for origin, unit, to in self._ways_out(land):
            ways.setdefault(to, []).append((origin, unit))
        for to, there in ways.items():
            for one, other in combinations_with_replacement(sorted(there), 2):
                yield ExitPair((one[0], other[0]), (one[1], other[1]), to)

    def _ways_out(self, land: Land) -> Iterator[tuple[PlaceId, str, PlaceId]]:
        """Yield which units of the city that may be one of a pair can go where on the Region Board."""
        table, zones = land.table, self.board.zones
        for origin in self.board.city:
            if origin not in land.forces:
                continue
            there = land.forces[origin].land[land.side]
            ready = [piece for piece in there if refuse_spent(table, piece) is None]
            for unit, kind in {like(table, piece): self._kind(table, piece) for piece in ready}.items():
                if self._may_leave(table, kind):
                    yield from [(origin, unit, to) for to in land.ends(kind, origin) if not zones[to].is_city]

    def _refuse_exit(self, table: Table, asked: Open, pair: ExitPair) -> Refusal | None:
        return self._refuse_pair(self._land(table, asked), pair)

    def _refuse_pair(self, land: Land, pair: ExitPair) -> Refusal | None:
        """Return why a pair cannot leave, or None if it can.

        Source: movement.force-multiplier.exit-pair, ruling.force-multiplier-partner.
        """
        table = land.table
        wanted = list(zip(pair.origins, pair.units, strict=True))
        pieces = all_like(table, land.side, wanted)
        if len(pieces) < len(wanted):
            origin, unit = next((one for one in wanted if not all_like(table, land.side, (one,))), wanted[0])
            return absent(table, land.side, origin, unit)
        refusal = REFUSALS.first(*[self._refuse_unit(land, piece, pair.to) for piece in pieces])
        if refusal is not None:
            return refusal
        leave = all(leaves_city(self.board, origin, pair.to) for origin in pair.origins)
        if not leave or not self._may_pair(table, pieces):
            return refused("exit_must_be_paired")
        named_as = [f"{origin} {unit}" for origin, unit in zip(pair.origins, pair.units, strict=True)]
        return land.refuse_assault(pair.to) or refuse_unsorted(named_as, may_repeat=True)

    def _refuse_unit(self, land: Land, piece: PieceId, to: PlaceId) -> Refusal | None:
        origin = land.table.pieces[piece].place
        refusal = refuse_land_unit(land.table, self.board, piece) or refuse_border(self.board, land.side, origin, to)
        if refusal is None and origin not in self.board.zones:
            return refused("zones_must_be_adjacent")
        return refusal or self.moves.refuse_walk(land, piece, to)

    def _take_exit(self, draft: Draft, asked: Open, pair: ExitPair) -> None:
        """Move a pair, and ask which of the two is lost. Source: movement.force-multiplier.exit-loss, ruling.force-multiplier-exit-timing."""
        side = draft.table.side_of(asked.seat)
        pieces = all_like(draft.table, side, zip(pair.origins, pair.units, strict=True))
        for piece in pieces:
            self.moves.walk(draft, piece, pair.to)
        self._ask_loss(draft, asked, pieces, pair.to)

    def _ask_loss(self, draft: Draft, asked: Open, pieces: list[PieceId], zone: PlaceId) -> None:
        units = tuple(sorted({like(draft.table, piece) for piece in pieces}))
        if len(units) == 1:
            lose(draft, pieces[1:], LOSS)
        else:
            draft.ask(EXIT_LOSS, asked.seat, LOSS, {"zone": zone, "units": units})

    def _take_loss(self, draft: Draft, asked: Open, unit: str, _: str) -> None:
        chosen = (PlaceId(asked.text("zone")), unit)
        lose(draft, all_like(draft.table, draft.table.side_of(asked.seat), (chosen,)), LOSS)

    # Partners of a mechanized infantry in a Blitz

    def _needs_partner(self, table: Table, mech: PieceId, blitz: Blitz) -> bool:
        """Return whether the mechanized infantry of a Blitz leaves the city in a pair. Source: movement.force-multiplier.exit-pair."""
        return self._kind(table, mech).has_force_multiplier and leaves_city(self.board, blitz.origin, blitz.to)

    def _partners(self, land: Land, mech: PieceId, blitz: Blitz) -> Iterator[tuple[PlaceId, str]]:
        """Yield the units that might go along, with their zones."""
        for origin, unit, to in self._ways_out(self._after(land, blitz)):
            partner = first_like(land.table, land.side, origin, unit, but=(mech,))
            if to == blitz.to and partner is not None and self._may_pair(land.table, (mech, partner)):
                yield origin, unit

    def _refuse_partner(self, land: Land, mech: PieceId | None, blitz: Blitz) -> Refusal | None:
        """Return why a Blitz has no partner that it needs, or one that cannot go along; None if neither holds."""
        if mech is None or not self._needs_partner(land.table, mech, blitz):
            return refused("exit_must_be_paired") if blitz.partner or blitz.partner_origin else None
        if not blitz.partner:
            return refused("exit_must_be_paired")
        partner = first_like(land.table, land.side, blitz.partner_origin, blitz.partner, but=(mech,))
        if partner is None:
            return absent(land.table, land.side, blitz.partner_origin, blitz.partner)
        refusal = self._refuse_unit(self._after(land, blitz), partner, blitz.to)
        leaves = refusal is None and leaves_city(self.board, blitz.partner_origin, blitz.to)
        may_join = leaves and self._may_pair(land.table, (mech, partner))
        return refusal or (None if may_join else refused("exit_must_be_paired"))

    def _after(self, land: Land, blitz: Blitz) -> Land:
        return Land(land.table, self.board, land.side, taken=blitz.via)

    # Blitzes

    def _blitzes(self, land: Land) -> Iterator[Blitz]:
        """Yield the Blitzes that might be legal."""
        table = land.table
        for origin in [zone for zone, force in land.forces.items() if land.side in force.tanks]:
            if origin in land.contested or land.is_bound(origin):
                continue
            ways = [via for via in land.near(origin) if land.is_empty(via)]
            if not ways:
                continue
            ready = movable(table, land.side, table.at[origin])
            tanks = [unit for unit, piece in ready.items() if table.pieces[piece].kind in self._tanks]
            for unit in tanks:
                for via in ways:
                    for to in land.near(via):
                        yield from self._ways(land, Blitz(unit, origin, via, to))

    def _ways(self, land: Land, alone: Blitz) -> Iterator[Blitz]:
        """Yield a Blitz of a tank alone, and those with a mechanized infantry, if there is one."""
        yield alone
        mech = self._mech(land, alone.origin)
        if mech is None:
            return
        pair = replace(alone, with_mech=True)
        if not self._needs_partner(land.table, mech, pair):
            yield pair
            return
        for origin, unit in self._partners(land, mech, pair):
            yield replace(pair, partner=unit, partner_origin=origin)

    def _refuse_blitz(self, table: Table, asked: Open, blitz: Blitz) -> Refusal | None:
        return self._refuse(self._land(table, asked), blitz)

    def _refuse(self, land: Land, blitz: Blitz) -> Refusal | None:
        """Judge a Blitz in the order of precedence.

        Source: movement.blitz, movement.blitz.not-with-road, movement.locked-in-combat,
        movement.not-one-step-back.one-step, ruling.not-one-step-back.
        """
        table, board, origin, via = land.table, self.board, blitz.origin, blitz.via
        tank = first_like(table, land.side, origin, blitz.unit)
        if tank is None:
            return absent(table, land.side, origin, blitz.unit)
        refusal = refuse_land_unit(table, board, tank)
        if refusal is not None:
            return refusal
        unit = self._kind(table, tank)
        if unit.type != TANK:
            return refused("unit_must_be_eligible", rule=BLITZ)
        refusal = refuse_border(board, land.side, origin, via) or refuse_border(board, land.side, via, blitz.to)
        if refusal is not None:
            return refusal
        is_near = origin in board.zones and via in land.near(origin)
        is_driven = origin in board.zones and not is_near and via in land.reach(unit, origin)
        if not (is_near or is_driven) or blitz.to not in land.near(via):
            return refused("zones_must_be_adjacent")
        refusal = self._refuse_first_zone(land, via) or self._refuse_mech(land, blitz, tank)
        refusal = refusal or (refused("blitz_must_not_join_road_movement") if is_driven else None)
        refusal = refusal or self._refuse_steps(land, blitz, tank) or self._refuse_markers(land, blitz)
        mech = self._mech(land, origin) if blitz.with_mech else None
        return REFUSALS.first(refusal, self._refuse_partner(land, mech, blitz))

    def _refuse_first_zone(self, land: Land, via: PlaceId) -> Refusal | None:
        """Return why a Blitz cannot go through a zone, or None if it can.

        Source: movement.blitz.no-enemy-unit, movement.blitz.first-zone-hostile, ruling.blitz-unoccupied.
        """
        if via in land.friendly:
            return refused("blitz_zone_must_be_unoccupied", rule=RuleId("movement.blitz.first-zone-hostile"))
        if is_occupied(land.table, self.board, via, enemy(land.side)):
            return refused("blitz_zone_must_be_unoccupied")
        return refused("blitz_zone_must_be_unoccupied", rule=STOP) if via in land.contested else None

    def _refuse_mech(self, land: Land, blitz: Blitz, tank: PieceId) -> Refusal | None:
        """Return why no mechanized infantry goes along, if one should.

        Source: movement.blitz.with-mech, ruling.blitz-mech-path.
        """
        if not blitz.with_mech or (self._mech(land, blitz.origin) is not None and not MOVE.of(land.table, tank)):
            return None
        return refused("blitz_mech_must_pair_with_tank")

    def _mech(self, land: Land, origin: PlaceId) -> PieceId | None:
        """Return the first mechanized infantry that began the phase in a zone, and has not moved."""
        there = land_units(land.table, self.board, origin, land.side)
        ready = [piece for piece in there if not MOVE.of(land.table, piece)]
        return next((piece for piece in ready if self._kind(land.table, piece).type == MECH_INFANTRY), None)

    def _refuse_steps(self, land: Land, blitz: Blitz, tank: PieceId) -> Refusal | None:
        """Return why the tank cannot leave its zone, or go two zones."""
        table, board = land.table, self.board
        if blitz.origin in land.contested:
            return refused("unit_must_not_be_locked_in_combat")
        if land.is_bound(blitz.origin):
            return refused("not_one_step_back_must_be_obeyed", ONE_STEP, NO_FURTHER)
        is_out = board.zones[blitz.origin].is_city and not all(
            board.zones[one].is_city for one in (blitz.via, blitz.to)
        )
        if land.must_not_step_back and is_out:
            return refused("not_one_step_back_must_be_obeyed", NOT_OUT, NOT_OUT_OF_CITY)
        return refuse_spent(table, tank)

    def _refuse_markers(self, land: Land, blitz: Blitz) -> Refusal | None:
        """Return why Combat Markers do not suffice. Source: components.combat-markers.exhausted, ruling.blitz-markers."""
        if not land.has_marker and BLITZ_NEEDS_MARKER.is_on(land.table):
            return refused("combat_marker_must_be_available")
        return land.refuse_assault(blitz.to)

    def _take_blitz(self, draft: Draft, asked: Open, blitz: Blitz) -> None:
        """Take the first zone, and go on to the second. Source: movement.blitz, movement.blitz.consequences."""
        table, board, land = draft.table, self.board, self._land(draft.table, asked)
        tank, mech = first_like(table, land.side, blitz.origin, blitz.unit), self._mech(land, blitz.origin)
        assert tank is not None
        pair = [(tank, BLITZ), *([(mech, WITH_MECH)] if blitz.with_mech and mech is not None else [])]
        partner = None
        if mech is not None and blitz.partner:
            partner = first_like(table, land.side, blitz.partner_origin, blitz.partner, but=(mech,))
        for piece, rule in pair:
            draft.move(piece, blitz.via, rule)
        take(draft, board, blitz.via, land.side, CAPTURE)
        for piece, rule in pair:
            enter(draft, piece, blitz.to, rule, is_over_river=land.is_wet(blitz.via, blitz.to))
            multiply(draft, board, piece, blitz.origin, blitz.to)
            MOVE.set(draft, piece, MOVED, rule)
        show_supply(draft, self.board)
        if mech is not None and partner is not None:
            self.moves.walk(draft, partner, blitz.to)
            self._ask_loss(draft, asked, [mech, partner], blitz.to)
