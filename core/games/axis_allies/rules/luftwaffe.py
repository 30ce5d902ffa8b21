"""The optional rule Luftwaffe Priorities: aircraft that are needed elsewhere."""

from collections.abc import Sequence

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import AXIS, RACE, RPC
from core.games.axis_allies.rules.control import lose
from core.games.axis_allies.rules.queries import air, first_like, like
from core.games.axis_allies.rules.refusals import misplaced
from core.selection import Picks, Selection
from events.ids import PlaceId, RuleId
from projections.table import Open, Table

ROLL = RuleId("optional.luftwaffe.roll")
COMPENSATION = RuleId("optional.luftwaffe.compensation")

LUFTWAFFE_LOSS = "luftwaffe_loss"


class Priorities:
    """The roll, and the aircraft that is lost. Source: RuleId("optional.luftwaffe.roll"), ruling.luftwaffe-mandatory-choice."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.question = Selection(
            lambda _: ROLL,
            lambda table, _: list(self._aircraft(table)),
            lambda *_: (1, 1),
            self._lose_chosen,
            places=lambda table, _, item: self._aircraft(table).get(item, ()),
            refuse_other=misplaced,
        )

    def _aircraft(self, table: Table) -> dict[str, list[PlaceId]]:
        """Return the classes of the German aircraft in play, each with its zones; all aircraft of the Axis are German."""
        found: dict[str, list[PlaceId]] = {}
        for zone in self.board.zones:
            for one in dict.fromkeys([like(table, piece) for piece in air(table, self.board, zone, AXIS)]):
                found.setdefault(one, []).append(zone)
        return found

    def roll(self, draft: Draft, at: Open) -> None:
        """Roll, and ask which air unit is lost if there is a choice."""
        face = self.board.luftwaffe.face
        faces = draft.dice(1, "Luftwaffe Priorities", ROLL, needed=face)
        choices = [(one, zone) for one, zones in self._aircraft(draft.table).items() for zone in zones]
        if faces[0] < face or not choices:
            return
        if len(choices) == 1:
            self._lose(draft, choices)
        else:
            draft.ask(LUFTWAFFE_LOSS, draft.table.seat_of(AXIS), ROLL)

    def _lose_chosen(self, draft: Draft, asked: Open, picks: Picks) -> None:
        self._lose(draft, [(one, PlaceId(zone)) for one, zone in picks])

    def _lose(self, draft: Draft, chosen: Sequence[tuple[str, PlaceId]]) -> None:
        """Destroy the air unit and collect RPCs for it. Source: RuleId("optional.luftwaffe.compensation")."""
        for one, zone in chosen:
            piece = first_like(draft.table, zone, one)
            assert piece is not None
            lose(draft, [piece], ROLL)
        gained = self.board.luftwaffe
        more = gained.race if draft.table.scenario == RACE else gained.uranus
        draft.track(RPC[AXIS], draft.table.track(RPC[AXIS]) + more, COMPENSATION)
