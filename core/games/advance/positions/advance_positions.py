"""The position files of this game, bound to a board."""

from functools import cached_property

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.games.advance.components.board_model import Board
from core.games.advance.positions import position_checks, position_set_up
from core.games.advance.positions.position_set_up import IN_A_ROUND
from core.games.advance.rules.advance_rules import AdvanceRules
from core.positions.position import Defect, Position
from projections.state.table import Table


class AdvancePositions:
    """Checks positions and sets them up; see `core.game.bound_game.Positions`."""

    def __init__(self, board: Board) -> None:
        self.board = board

    @cached_property
    def rules(self) -> AdvanceRules:
        """The rules with which positions are opened."""
        return AdvanceRules(self.board)

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        """Return every defect of a position; empty if it can be played."""
        return position_checks.check(self.board, position) or self._dead_ends(position)

    def _dead_ends(self, position: Position) -> tuple[Defect, ...]:
        """Return the defect of a position within an Action Round whose decision leaves nothing to choose."""
        asked = position.decision
        if asked is None or asked.kind not in IN_A_ROUND:
            return ()
        draft = Draft(Table(scenario=position.scenario, options=position.options), ManualChance())
        self.set_up_position(draft, position)
        options = self.rules.options(draft.table)
        return () if options else (Defect(("decision",), f"the decision {asked.kind} leaves nothing to choose"),)

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Set the table up as a valid position says."""
        position_set_up.set_up_position(draft, self.board, self.rules.turn, position)
