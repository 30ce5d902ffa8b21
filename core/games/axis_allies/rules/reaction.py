"""Cards 4 and 11: what scrambles, and what fires at the enemy before its Attack phase."""

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.memory import REACTION
from core.games.axis_allies.rules.air_defense import AirDefense
from core.games.axis_allies.rules.ambush import Ambushes
from core.games.axis_allies.rules.interceptors import Interceptors
from core.games.axis_allies.rules.supply import Supply
from core.sequence import StepSequence
from events.ids import RuleId


class Reaction:
    """The Reaction phases of both sides: Interceptors, Air Defense, then ambushes.

    Source: RuleId("order.4.sequence"), RuleId("order.11.sequence").
    """

    def __init__(self, board: Board, supply: Supply) -> None:
        self.interceptors = Interceptors(board)
        self.air_defense = AirDefense(board)
        self.ambushes = Ambushes(board, supply)
        steps = (self.interceptors.step, *self.air_defense.steps, self.ambushes.step)
        self.sequence = StepSequence(REACTION, RuleId("order.4.sequence"), steps)

    @property
    def decisions(self) -> dict[str, Decision]:
        """The questions of the chapter."""
        return {**self.interceptors.decisions, **self.air_defense.decisions, **self.ambushes.decisions}

    def begin(self, draft: Draft) -> None:
        """Begin the phase; the side whose turn it is not reacts."""
        self.sequence.begin(draft)
