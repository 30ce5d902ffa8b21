"""The turn: its five phases in order, and within each of them its steps. What happens in a step is the business of its chapter.

Source: 6.0 to 6.5.
"""

from collections.abc import Callable

from core.draft import Draft
from core.games.advance.components.board_model import Board
from core.games.advance.ids import COMBAT, DAWN, END, RANDOM_EVENT, SUPPLY_PHASE
from core.games.advance.memory import ACTION_ROUNDS, TURN
from core.games.advance.rules import activation, bloody_streets, dawn, ending, random_event, supply
from core.games.advance.rules.activation import ActionRounds
from core.sequence import Step, StepSequence
from events.ids import RuleId
from projections.table import Open, Table

TURN_TRACK = RuleId("3.2.turn-track")


def turn(board: Board, rounds: ActionRounds) -> StepSequence:
    """Return the sequence of a turn; the next turn follows it. Source: 6.0, RuleId("6.0.five-phases")."""

    def step(
        name: str,
        rule: RuleId,
        do: Callable[[Draft, Board], None],
        when: Callable[[Table, Board], bool] | None = None,
    ) -> Step:
        takes_place = None if when is None else lambda table, _: when(table, board)
        return Step(name, rule, lambda draft, _: do(draft, board), takes_place)

    def next_turn(draft: Draft, at: Open) -> None:
        draft.begin_round(draft.table.round + 1, TURN_TRACK)
        sequence.begin(draft)

    sequence = StepSequence(
        TURN,
        TURN_TRACK,
        (
            step(DAWN, dawn.DAWN_ORDER, dawn.begin),
            step("waiting", dawn.WAIT_FOR_ROOM, dawn.let_wait, dawn.has_waiting),
            step("withdrawal", dawn.WITHDRAWAL_TURN_9, dawn.withdraw_for_good, dawn.has_withdrawal),
            step("isolation", dawn.CHECK_EACH_DAWN, dawn.check_isolation, dawn.checks_isolation),
            step(RANDOM_EVENT, random_event.EVENT_ROLL, random_event.begin, random_event.has_event),
            step(SUPPLY_PHASE, supply.SUPPLY_ORDER, supply.begin),
            step(COMBAT, bloody_streets.COMBAT_ORDER, bloody_streets.begin),
            Step(
                ACTION_ROUNDS,
                activation.ACTION_ROUND,
                lambda draft, _: activation.begin(draft),
                lambda table, _: rounds.can_go_on(table),
            ),
            step("victory_check", ending.VICTORY_CHECK, ending.check_victory),
            step(END, ending.END_ORDER, ending.begin),
        ),
        then=next_turn,
    )
    return sequence
