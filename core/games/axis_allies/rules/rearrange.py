"""The optional alternative deployment: both sides move units of the set-up charts, the Allies first."""

from collections.abc import Iterator

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import ASSAULT_GUN, MECH_INFANTRY, TANK
from core.games.axis_allies.ids import ALLIES, AXIS
from core.games.axis_allies.memory import MOVE, MOVED
from core.games.axis_allies.options import ALTERNATIVE_DEPLOYMENT_SITES
from core.games.axis_allies.rules.commands import Rearrange
from core.games.axis_allies.rules.queries import first_like, is_friendly, land, like
from core.games.axis_allies.rules.refusals import refused
from core.games.axis_allies.rules.series import Series
from core.games.axis_allies.rules.supply import Supply
from core.question import Answer
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

RULES = {
    ALLIES: RuleId("optional.alternative-deployment.allies"),
    AXIS: RuleId("optional.alternative-deployment.axis"),
}

AXIS_TYPES = (MECH_INFANTRY, TANK, ASSAULT_GUN)
"""What the Axis may move. Source: RuleId("optional.alternative-deployment.axis")."""


class Rearrangement(Series):
    """The question which unit moves where, which stays open until the side is done. Source: ruling.rearranged-once."""

    def __init__(self, board: Board, supply: Supply) -> None:
        answer = Answer(Rearrange, self._candidates, self._refuse, self._move)
        super().__init__("rearrange", RULES.__getitem__, (answer,))
        self.board = board
        self.supply = supply

    # What is legal

    def _candidates(self, table: Table, asked: Open) -> Iterator[Rearrange]:
        side = table.side_of(asked.seat)
        for origin in self.board.zones:
            movable = [piece for piece in land(table, self.board, origin, side) if self._may_move(table, side, piece)]
            for unit in dict.fromkeys([like(table, piece) for piece in movable]):
                yield from [Rearrange(unit, origin, to) for to in (*self.board.zones, *self.board.sites)]

    def _may_move(self, table: Table, side: Side, piece: PieceId) -> bool:
        """Return whether a unit may be moved: once, and only those on the side's board and of its types."""
        there = table.pieces[piece]
        zone, kind = self.board.zones.get(there.place), self.board.units.get(there.kind)
        if zone is None or kind is None or kind.is_air or there.side != side or MOVE.of(table, piece):
            return False
        return zone.is_city if side == ALLIES else not zone.is_city and kind.type in AXIS_TYPES

    def _refuse(self, table: Table, asked: Open, command: Rearrange) -> Refusal | None:
        """Return why a unit cannot be moved to a place.

        Source: RuleId("optional.alternative-deployment.allies"), RuleId("optional.alternative-deployment.axis"), ruling.alt-deployment.
        """
        side, to = table.side_of(asked.seat), command.to
        piece = first_like(table, command.origin, command.unit)
        if piece is None or not self._may_move(table, side, piece):
            return refused("unit_must_be_eligible", rule=RULES[side])
        if to in self.board.sites and side == ALLIES and ALTERNATIVE_DEPLOYMENT_SITES.is_on(table):
            return self._refuse_site(table, piece, to)
        zone = self.board.zones.get(to)
        is_own = zone is not None and (zone.is_city if side == ALLIES else not zone.is_city and zone.base is None)
        if not is_own or to == command.origin or not is_friendly(table, to, side):
            return refused("zone_must_be_eligible", rule=RULES[side])
        is_full = len(land(table, self.board, to, side)) >= self.board.limits.land_units
        return refused("stacking_limit_must_hold", rule=RULES[side]) if is_full else None

    def _refuse_site(self, table: Table, piece: PieceId, site: PlaceId) -> Refusal | None:
        """Return why a unit cannot begin in an Ambush Site. Source: RuleId("ambush.who"), ruling.alt-deployment."""
        if not self.board.units[table.pieces[piece].kind].is_infantry:
            return refused("ambusher_must_be_infantry")
        return refused("ambush_site_must_be_empty") if table.pieces_at(site) else None

    # What follows

    def _move(self, draft: Draft, asked: Open, command: Rearrange) -> None:
        rule = RULES[draft.table.side_of(asked.seat)]
        piece = first_like(draft.table, command.origin, command.unit)
        assert piece is not None
        draft.move(piece, command.to, rule)
        MOVE.set(draft, piece, MOVED, rule)
        self.supply.show(draft)
