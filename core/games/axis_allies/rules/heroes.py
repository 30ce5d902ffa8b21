"""The optional rule Heroes of the Soviet Union: a Soviet unit of a contested zone is given for an Axis unit there."""

from collections.abc import Sequence

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, SIDES
from core.games.axis_allies.options import HEROES
from core.games.axis_allies.rules.casualties import Losses
from core.games.axis_allies.rules.control import drop_marker_if_alone, lose
from core.games.axis_allies.rules.one_unit import OneUnit
from core.games.axis_allies.rules.queries import contested, units
from core.games.axis_allies.rules.supply import Supply
from core.sequence import Step
from events.ids import PieceId, PlaceId, RuleId
from projections.table import Open, Table

ROLL = RuleId("optional.heroes.roll")
HIT = RuleId("optional.heroes.hit")
MARKER = RuleId("optional.heroes.marker")

HEROES_UNIT = "heroes_unit"
HEROES_CASUALTY = "heroes_casualty"


class Heroes:
    """The last step of the Allies Movement phase. Source: RuleId("optional.heroes.roll"), ruling.heroes-details.

    Args:
        board: The board.
        supply: Shows who is supplied after the losses.
    """

    def __init__(self, board: Board, supply: Supply) -> None:
        self.board = board
        self.supply = supply
        self.unit = OneUnit(HEROES_UNIT, ROLL, self._candidates, self._give)
        self.casualty = Losses(board, HEROES_CASUALTY, self._hit)
        self.step = Step("heroes", ROLL, self._roll, when=lambda table, _: HEROES.is_on(table) and table.turn == ALLIES)

    @property
    def decisions(self) -> dict[str, Decision]:
        """The questions of the rule."""
        return {HEROES_UNIT: self.unit.question, HEROES_CASUALTY: self.casualty.question}

    def _candidates(self, table: Table) -> dict[PlaceId, list[PieceId]]:
        return {zone: list(units(table, self.board, zone, ALLIES)) for zone in contested(table, self.board)}

    def _roll(self, draft: Draft, at: Open) -> None:
        face = self.board.heroes.face
        faces = draft.dice(1, "Heroes of the Soviet Union", ROLL, needed=face)
        if faces[0] >= face:
            self.unit.ask(draft, draft.table.seat_of(ALLIES))

    def _give(self, draft: Draft, piece: PieceId) -> None:
        """Destroy the Soviet unit, and let the Axis choose its casualty. Source: RuleId("optional.heroes.hit")."""
        zone = draft.table.pieces[piece].place
        lose(draft, [piece], ROLL)
        pool = list(units(draft.table, self.board, zone, AXIS))
        if pool:
            self.casualty.ask(draft, draft.table.seat_of(AXIS), pool, 1, HIT)
        else:
            self._conclude(draft, zone)

    def _hit(self, draft: Draft, pieces: Sequence[PieceId], cause: RuleId) -> None:
        zone = draft.table.pieces[pieces[0]].place
        lose(draft, pieces, cause)
        self._conclude(draft, zone)

    def _conclude(self, draft: Draft, zone: PlaceId) -> None:
        """Return the Combat Marker where no combat is left to be fought. Source: RuleId("optional.heroes.marker")."""
        for side in SIDES:
            drop_marker_if_alone(draft, self.board, zone, side, MARKER)
        self.supply.show(draft)
