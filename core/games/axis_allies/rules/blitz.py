"""Blitz: a tank, with a mechanized infantry or alone, takes an unoccupied hostile zone on its way."""

from collections.abc import Iterator

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import MECH_INFANTRY, TANK
from core.games.axis_allies.ids import enemy
from core.games.axis_allies.memory import MOVE, MOVED
from core.games.axis_allies.options import BLITZ_NEEDS_MARKER
from core.games.axis_allies.rules.commands import Blitz
from core.games.axis_allies.rules.control import take
from core.games.axis_allies.rules.entering import enter
from core.games.axis_allies.rules.exit_pairs import ExitPairs
from core.games.axis_allies.rules.force_multiplier import leaves_city, multiply
from core.games.axis_allies.rules.land_movement import NO_FURTHER, NOT_OUT_OF_CITY, STOP, Land, refuse_spent
from core.games.axis_allies.rules.moves import named, refuse_border, refuse_land_unit
from core.games.axis_allies.rules.queries import classes, is_friendly, is_occupied
from core.games.axis_allies.rules.queries import land as land_units
from core.games.axis_allies.rules.refusals import REFUSALS, refused
from core.games.axis_allies.rules.supply import Supply
from core.refusal import Refusal
from events.codec import replace
from events.ids import PieceId, PlaceId, RuleId
from projections.table import Open, Table

BLITZ = RuleId("movement.blitz")
WITH_MECH = RuleId("movement.blitz.with-mech")
CAPTURE = RuleId("movement.blitz.consequences")
FIRST_HOSTILE = RuleId("movement.blitz.first-zone-hostile")


class Blitzes:
    """Blitzes.

    Args:
        board: The board.
        supply: Shows who is supplied once a zone is taken.
        pairs: The pairs that leave the city.
    """

    def __init__(self, board: Board, supply: Supply, pairs: ExitPairs) -> None:
        self.board = board
        self.supply = supply
        self.pairs = pairs

    def legal(self, table: Table, asked: Open) -> Iterator[Blitz]:
        """Yield the legal Blitzes."""
        board = self.board
        land = Land(table, board, table.side_of(asked.seat))
        for origin in board.zones:
            for unit in classes(table, board, origin, land.side):
                tank = named(table, land.side, origin, unit)
                if tank is None or board.units[table.pieces[tank].kind].type != TANK or MOVE.of(table, tank) == MOVED:
                    continue
                for via in land.near(origin):
                    if self._refuse_first_zone(land, via) is None:
                        blitzes = [
                            one for to in land.near(via) for one in self._ways(land, Blitz(unit, origin, via, to))
                        ]
                        yield from [one for one in blitzes if self._refuse(land, one) is None]

    def _ways(self, land: Land, alone: Blitz) -> Iterator[Blitz]:
        """Yield a Blitz of a tank alone, and those with a mechanized infantry."""
        yield alone
        mech = self._mech(land, alone.origin)
        pair = replace(alone, with_mech=True)
        if mech is None or not self.pairs.needs_partner(land.table, mech, pair):
            yield pair
            return
        for origin, unit in self.pairs.partners(land, mech, pair):
            yield replace(pair, partner=unit, partner_origin=origin)

    def refuse(self, table: Table, asked: Open, blitz: Blitz) -> Refusal | None:
        """Return why a Blitz is not legal, or None if it is."""
        return self._refuse(Land(table, self.board, table.side_of(asked.seat)), blitz)

    def _refuse(self, land: Land, blitz: Blitz) -> Refusal | None:
        """Judge a Blitz in the order of precedence.

        Source: RuleId("movement.blitz"), RuleId("movement.blitz.not-with-road"), RuleId("movement.locked-in-combat"),
        RuleId("movement.not-one-step-back.one-step"), ruling.not-one-step-back.
        """
        table, board, origin, via = land.table, self.board, blitz.origin, blitz.via
        tank = named(table, land.side, origin, blitz.unit)
        refusal = refuse_land_unit(table, board, tank)
        if refusal is not None or tank is None:
            return refusal
        unit = board.units[table.pieces[tank].kind]
        if unit.type != TANK:
            return refused("unit_must_be_eligible", rule=BLITZ)
        refusal = refuse_border(board, land.side, origin, via) or refuse_border(board, land.side, via, blitz.to)
        if refusal is not None:
            return refusal
        is_near = origin in board.zones and via in land.near(origin)
        is_driven = origin in board.zones and not is_near and via in land.reach(unit, origin)
        if not (is_near or is_driven) or blitz.to not in land.near(via):
            return refused("zones_must_be_adjacent")
        refusal = (
            self._refuse_first_zone(land, via)
            or self._refuse_mech(land, blitz, tank)
            or (refused("blitz_must_not_join_road_movement") if is_driven else None)
            or self._refuse_steps(land, blitz, tank)
            or self._refuse_markers(land, blitz)
        )
        mech = self._mech(land, origin) if blitz.with_mech else None
        return REFUSALS.first((refusal, self.pairs.refuse_partner(land, mech, blitz)))

    def _refuse_first_zone(self, land: Land, via: PlaceId) -> Refusal | None:
        """Return why a Blitz cannot go through a zone, or None if it can.

        Source: RuleId("movement.blitz.no-enemy-unit"), RuleId("movement.blitz.first-zone-hostile"), ruling.blitz-unoccupied.
        """
        if is_friendly(land.table, via, land.side):
            return refused("blitz_zone_must_be_unoccupied", rule=FIRST_HOSTILE)
        if is_occupied(land.table, self.board, via, enemy(land.side)):
            return refused("blitz_zone_must_be_unoccupied")
        return refused("blitz_zone_must_be_unoccupied", rule=STOP) if via in land.contested else None

    def _refuse_mech(self, land: Land, blitz: Blitz, tank: PieceId) -> Refusal | None:
        """Return why no mechanized infantry goes along, if one should.

        Source: RuleId("movement.blitz.with-mech"), ruling.blitz-mech-path.
        """
        if not blitz.with_mech or (self._mech(land, blitz.origin) is not None and not MOVE.of(land.table, tank)):
            return None
        return refused("blitz_mech_must_pair_with_tank")

    def _mech(self, land: Land, origin: PlaceId) -> PieceId | None:
        """Return the first mechanized infantry that began the phase in a zone, and has not moved."""
        units = self.board.units
        for piece in land_units(land.table, self.board, origin, land.side):
            if units[land.table.pieces[piece].kind].type == MECH_INFANTRY and not MOVE.of(land.table, piece):
                return piece
        return None

    def _refuse_steps(self, land: Land, blitz: Blitz, tank: PieceId) -> Refusal | None:
        """Return why the tank cannot leave its zone, or go two zones."""
        table, board = land.table, self.board
        if blitz.origin in land.contested:
            return refused("unit_must_not_be_locked_in_combat")
        if land.is_bound(blitz.origin):
            return refused("not_one_step_back_must_be_obeyed", rule=NO_FURTHER)
        steps = ((blitz.origin, blitz.via), (blitz.via, blitz.to))
        if land.must_not_step_back and any(leaves_city(board, one, other) for one, other in steps):
            return refused("not_one_step_back_must_be_obeyed", rule=NOT_OUT_OF_CITY)
        return refuse_spent(table, tank)

    def _refuse_markers(self, land: Land, blitz: Blitz) -> Refusal | None:
        """Return why Combat Markers do not suffice. Source: RuleId("components.combat-markers.exhausted"), ruling.blitz-markers."""
        if not land.has_marker and BLITZ_NEEDS_MARKER.is_on(land.table):
            return refused("combat_marker_must_be_available")
        return land.refuse_assault(blitz.to)

    def take(self, draft: Draft, asked: Open, blitz: Blitz) -> None:
        """Take the first zone, and go on to the second. Source: RuleId("movement.blitz"), RuleId("movement.blitz.consequences")."""
        table, board = draft.table, self.board
        land = Land(table, board, table.side_of(asked.seat))
        tank, mech = named(table, land.side, blitz.origin, blitz.unit), self._mech(land, blitz.origin)
        assert tank is not None
        pair = [(tank, BLITZ), *([(mech, WITH_MECH)] if blitz.with_mech and mech is not None else [])]
        partner = None if mech is None else self.pairs.partner(land, mech, blitz)
        for piece, rule in pair:
            draft.move(piece, blitz.via, rule)
        take(draft, board, blitz.via, land.side, CAPTURE)
        for piece, rule in pair:
            enter(draft, piece, blitz.to, rule, is_over_river=land.is_wet(blitz.via, blitz.to))
            multiply(draft, board, piece, blitz.origin, blitz.to)
            MOVE.set(draft, piece, MOVED, rule)
        self.supply.show(draft)
        if mech is not None and partner is not None:
            self.pairs.join(draft, asked, mech, partner, blitz.to)
