"""The turns: Germans and Soviets by turns, what is looked at when one ends, and the extra turns under OKH."""

from functools import partial

from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.engine.steps import Step, StepSequence
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import GERMAN, SOVIET
from core.games.inferno.memory import EXTRA_TURNS, EXTRA_TURNS_PLAYED, GERMAN_TURN, SOVIET_TURN
from core.games.inferno.options import OKH_EXTRA_TURNS, VICTORY_CHECK
from core.games.inferno.rules.actions import Actions
from core.games.inferno.rules.commands import ExtraTurn
from core.games.inferno.rules.ending import check_victory, soviet_victory
from core.games.inferno.rules.soviet import SovietTurn
from core.games.inferno.rules.wrong_command import misplaced
from events.ids import TABLE, RuleId
from projections.state.table import Open, Table

ALTERNATE = RuleId("turn.alternate")
TURN_ORDER = RuleId("mode.co-op.turn-order")
ACTION = RuleId("turn.one-action")
EXTRA = RuleId("victory.okh.extra-turns")
SOVIETS_ONCE = RuleId("soviet.turn.once")


class Turns:
    """The course of the turns, bound to the board. Source: turn.alternate, mode.2v1.combined."""

    def __init__(self, board: Board, actions: Actions, soviet: SovietTurn) -> None:
        self.board = board
        self.soviet = soviet
        self.german_turn = StepSequence(
            GERMAN_TURN,
            ALTERNATE,
            (Step("extra_turn", EXTRA, self._ask_extra, when=_is_extra), Step("action", ACTION, actions.ask)),
            then=self._end_german,
        )
        self.soviet_turn = StepSequence(SOVIET_TURN, SOVIETS_ONCE, soviet.steps(), then=self._end_soviet)

    def begin_german(self, draft: Draft) -> None:
        """Begin a German turn; with two German seats they take turns, Yellow first.

        Without an extra turn left the Soviets have won.

        Source: mode.co-op.turn-order, victory.okh.extra-turns, victory.okh.max-five,
        ruling.co-op-extra-turns.
        """
        table = draft.table
        granted = EXTRA_TURNS.of(table)
        if granted is not None and EXTRA_TURNS_PLAYED.of(table) >= granted:
            soviet_victory(draft, self.board, EXTRA)
            return
        self.play_german(draft, table.round + 1)

    def play_german(self, draft: Draft, number: int) -> None:
        """Begin the German turn of a round. Source: mode.co-op.turn-order."""
        seats = draft.table.seats_of(GERMAN)
        rule = TURN_ORDER if len(seats) > 1 else ALTERNATE
        draft.begin_round(number, rule)
        draft.begin_turn(GERMAN, rule, seat=seats[(number - 1) % len(seats)])
        self.german_turn.begin(draft)

    def _ask_extra(self, draft: Draft, at: Open) -> None:
        draft.ask("extra_turn", draft.table.turn_seat, EXTRA)

    def _end_german(self, draft: Draft, at: Open) -> None:
        """Look at victory, by option only if no Soviet turn follows, and begin the next turn.

        Source: ruling.turn-end, ruling.okh-soviet-turns, ruling.okh-current-turn.
        """
        table = draft.table
        is_last_of_round = EXTRA_TURNS.of(table) is not None and OKH_EXTRA_TURNS.chosen(table) == "consecutive"
        if is_last_of_round or VICTORY_CHECK.chosen(table) == "each-turn":
            check_victory(draft, self.board)
        if is_last_of_round:
            self.begin_german(draft)
        else:
            self.begin_soviet(draft)

    def begin_soviet(self, draft: Draft) -> None:
        """Begin the Soviet turn with its counts."""
        draft.begin_turn(SOVIET, ALTERNATE)
        self.soviet_turn.begin(draft, {"plan": self.soviet.plan(draft.table)})

    def _end_soviet(self, draft: Draft, at: Open) -> None:
        """Look at victory, and begin the next German turn."""
        check_victory(draft, self.board)
        self.begin_german(draft)


def _is_extra(table: Table, at: Open) -> bool:
    return EXTRA_TURNS.of(table) is not None


def _play_extra(board: Board, draft: Draft, asked: Open, command: ExtraTurn) -> None:
    """Play an extra turn, or let the Soviets win. Source: victory.okh.extra-turns, ruling.okh-decline."""
    if not command.play:
        soviet_victory(draft, board, EXTRA)
    EXTRA_TURNS_PLAYED.add(draft, TABLE, EXTRA)


def decisions(board: Board) -> dict[str, Decision]:
    """Return the question of this chapter."""
    ways = (ExtraTurn(play=True), ExtraTurn(play=False))
    extra = Answer(ExtraTurn, lambda *_: ways, None, partial(_play_extra, board), ends=EXTRA)
    return {"extra_turn": Question([extra], misplaced)}
