"""The optional rule Luftwaffe Priorities: aircraft that are needed elsewhere."""

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import AXIS, RACE, RPC
from core.games.axis_allies.rules.control import lose
from core.games.axis_allies.rules.one_unit import OneUnit
from core.games.axis_allies.rules.queries import air
from events.ids import PieceId, PlaceId, RuleId
from projections.table import Open, Table

ROLL = RuleId("optional.luftwaffe.roll")
COMPENSATION = RuleId("optional.luftwaffe.compensation")

LUFTWAFFE_LOSS = "luftwaffe_loss"


class Priorities:
    """The roll, and the aircraft that is lost. Source: RuleId("optional.luftwaffe.roll"), ruling.luftwaffe-mandatory-choice."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.unit = OneUnit(LUFTWAFFE_LOSS, ROLL, self._aircraft, self._lose)
        self.question = self.unit.question

    def _aircraft(self, table: Table) -> dict[PlaceId, list[PieceId]]:
        """Return the German aircraft in play; all aircraft of the Axis are German."""
        return {zone: air(table, self.board, zone, AXIS) for zone in self.board.zones}

    def roll(self, draft: Draft, at: Open) -> None:
        """Roll, and ask which air unit is lost if there is a choice."""
        face = self.board.luftwaffe.face
        faces = draft.dice(1, "Luftwaffe Priorities", ROLL, needed=face)
        if faces[0] >= face:
            self.unit.ask(draft, draft.table.seat_of(AXIS))

    def _lose(self, draft: Draft, piece: PieceId) -> None:
        """Destroy the air unit and collect RPCs for it. Source: RuleId("optional.luftwaffe.compensation")."""
        lose(draft, [piece], ROLL)
        gained = self.board.luftwaffe
        more = gained.race if draft.table.scenario == RACE else gained.uranus
        draft.track(RPC[AXIS], draft.table.track(RPC[AXIS]) + more, COMPENSATION)
