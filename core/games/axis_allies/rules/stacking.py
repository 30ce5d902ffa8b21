"""Stacking limits, checked when a side has moved: the enemy moves what is too much, and the owner destroys the rest."""

from collections.abc import Iterator

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import enemy
from core.games.axis_allies.memory import CREATED, MOVE
from core.games.axis_allies.options import EVICT_TO_FRIENDLY_ONLY
from core.games.axis_allies.rules.commands import Evict
from core.games.axis_allies.rules.control import lose
from core.games.axis_allies.rules.entering import enter
from core.games.axis_allies.rules.force_multiplier import STATIC, arrivals, leaves_city, multiply
from core.games.axis_allies.rules.land_movement import Land
from core.games.axis_allies.rules.moves import named, refuse_border, refuse_land_unit
from core.games.axis_allies.rules.queries import first_like, is_friendly, like
from core.games.axis_allies.rules.queries import land as land_units
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import Supply
from core.question import Answer, Question
from core.refusal import Refusal
from core.selection import Selection
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

LIMIT = RuleId("stacking.limit")
EVICTED = RuleId("stacking.opponent-moves-excess")
DESTROYED = RuleId("stacking.owner-destroys-rest")

EVICT = "evict"
DESTROY = "destroy"


class Stacking:
    """The check of a side's stacking limits. Source: RuleId("stacking.check-time").

    Args:
        board: The board.
        supply: Shows who is supplied after each change.
    """

    def __init__(self, board: Board, supply: Supply) -> None:
        self.board = board
        self.supply = supply
        self.eviction = Question((Answer(Evict, self._evictions, self._refuse, self._evict),), misplaced)
        self.destruction = Selection(
            lambda _: DESTROYED,
            lambda table, asked: self._classes(table, PlaceId(asked.text("zone")), table.side_of(asked.seat)),
            lambda *_: (1, 1),
            lambda draft, asked, picks: self._destroy(draft, PlaceId(asked.text("zone")), picks[0][0]),
            refuse_other=misplaced,
        )

    def overstacked(self, table: Table, side: Side) -> list[PlaceId]:
        """Return the zones with too many land units of a side.

        Source: RuleId("stacking.limit"), RuleId("stacking.air-unlimited-in-flight"), RuleId("unit.class.land").
        """
        most = self.board.limits.land_units
        return [zone for zone in self.board.zones if len(land_units(table, self.board, zone, side)) > most]

    def _classes(self, table: Table, zone: PlaceId, side: Side) -> list[str]:
        return list(dict.fromkeys([like(table, piece) for piece in land_units(table, self.board, zone, side)]))

    # The enemy moves

    def legal(self, table: Table, side: Side) -> Iterator[Evict]:
        """Yield how excess units of a side can be moved."""
        land = Land(table, self.board, side)
        for origin in self.overstacked(table, side):
            for unit in self._classes(table, origin, side):
                for to in self.board.zones[origin].near:
                    evict = Evict(unit, origin, to)
                    if self._refuse_eviction(land, evict) is None:
                        yield evict

    def _evictions(self, table: Table, asked: Open) -> list[Evict]:
        return list(self.legal(table, enemy(table.side_of(asked.seat))))

    def _refuse(self, table: Table, asked: Open, evict: Evict) -> Refusal | None:
        return self._refuse_eviction(Land(table, self.board, enemy(table.side_of(asked.seat))), evict)

    def _refuse_eviction(self, land: Land, evict: Evict) -> Refusal | None:
        """Return why a unit cannot be moved out of a zone, or None if it can; movement points already spent do not matter.

        Source: RuleId("stacking.opponent-moves-excess"), RuleId("stacking.no-full-target"), ruling.stacking-eviction.
        """
        table, board, origin, to = land.table, self.board, evict.origin, evict.to
        piece = named(table, land.side, origin, evict.unit)
        refusal = refuse_land_unit(table, board, piece)
        if refusal is not None or piece is None:
            return refusal
        if origin not in self.overstacked(table, land.side):
            return refused("unit_must_be_eligible", rule=LIMIT)
        is_hostile = to in board.zones and not is_friendly(table, to, land.side)
        if is_hostile and EVICT_TO_FRIENDLY_ONLY.is_on(table):
            return refused("zone_must_be_friendly", rule=EVICTED)
        refusal = refuse_border(board, land.side, origin, to)
        if refusal is None and to not in land.near(origin):
            refusal = refused("zones_must_be_adjacent", rule=EVICTED)
        return refusal or self._refuse_step(land, piece, origin, to)

    def _refuse_step(self, land: Land, piece: PieceId, origin: PlaceId, to: PlaceId) -> Refusal | None:
        table, board = land.table, self.board
        unit = board.units[table.pieces[piece].kind]
        if origin in land.contested:
            return refused("unit_must_not_be_locked_in_combat")
        refusal = land.refuse_retreat(origin, to)
        if refusal is None and MOVE.of(table, piece) == CREATED:
            refusal = refused("movement_must_suffice", rule=STATIC)
        refusal = refusal or land.refuse_launcher(unit, origin, to)
        if refusal is not None:
            return refusal
        if unit.has_force_multiplier and leaves_city(board, origin, to):
            return refused("exit_must_be_paired")
        after = len(land_units(table, board, to, land.side)) + arrivals(table, board, unit, origin, to)
        if after > board.limits.land_units:
            return refused("stacking_limit_must_hold", rule=RuleId("stacking.no-full-target"))
        return land.refuse_assault(to)

    def evict_next(self, draft: Draft, side: Side) -> None:
        """Ask the enemy which excess unit moves where, unless there is one choice only."""
        evictions = list(self.legal(draft.table, side))
        if len(evictions) == 1:
            self._move(draft, side, evictions[0])
        else:
            draft.ask(EVICT, draft.table.seat_of(enemy(side)), EVICTED)

    def _evict(self, draft: Draft, asked: Open, evict: Evict) -> None:
        draft.answered(EVICTED)
        self._move(draft, enemy(draft.table.side_of(asked.seat)), evict)

    def _move(self, draft: Draft, side: Side, evict: Evict) -> None:
        table, board = draft.table, self.board
        piece = named(table, side, evict.origin, evict.unit)
        assert piece is not None
        is_over_river = Land(table, board, side).is_wet(evict.origin, evict.to)
        enter(draft, piece, evict.to, EVICTED, is_over_river=is_over_river)
        multiply(draft, board, piece, evict.origin, evict.to)
        self.supply.show(draft)

    # The owner destroys

    def destroy_next(self, draft: Draft, side: Side) -> None:
        """Ask the owner which excess unit is destroyed, unless all are alike. Source: RuleId("stacking.owner-destroys-rest")."""
        zone = self.overstacked(draft.table, side)[0]
        kinds = self._classes(draft.table, zone, side)
        if len(kinds) == 1:
            self._destroy(draft, zone, kinds[0])
        else:
            draft.ask(DESTROY, draft.table.seat_of(side), DESTROYED, {"zone": zone})

    def _destroy(self, draft: Draft, zone: PlaceId, unit: str) -> None:
        piece = first_like(draft.table, zone, unit)
        assert piece is not None
        lose(draft, [piece], DESTROYED)
