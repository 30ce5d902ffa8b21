"""The rules of this game, bound to a board: the sequence of a turn, and all chapters put together. Source: 6.0 to 6.5."""

from collections.abc import Callable

from core.engine.command import Command
from core.engine.decision import Decision
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.game_commands import command_decoder
from core.engine.steps import Step, StepSequence
from core.games.advance.components.board_model import Board
from core.games.advance.ids import COMBAT, DAWN, END, GERMAN_SEAT, RANDOM_EVENT, SUPPLY_PHASE
from core.games.advance.memory import ACTION_ROUNDS, TURN
from core.games.advance.options import ISOLATION
from core.games.advance.rules import (
    activation,
    bloody_streets,
    combat,
    commands,
    dawn,
    defense_strategies,
    ending,
    random_event,
    retreat,
    set_up,
    supply,
)
from core.games.advance.rules.attack import Attacks
from core.games.advance.rules.movement import Movement
from core.games.advance.rules.refusals import refused
from core.refusal import Refusal
from events.ids import RuleId, Seat
from projections.state.table import Open, Table

TURN_TRACK = RuleId("3.2.turn-track")


class AdvanceRules(DecisionRules):
    """The rules, bound to a board."""

    decoder = command_decoder(commands)

    def __init__(self, board: Board) -> None:
        self.board = board
        movement = Movement(board)
        retreats = retreat.Retreats(board, movement)
        attack = combat.attack(board, retreats)
        attacks = Attacks(board, movement, attack)
        activate = activation.ActivateArea(board, movement)
        place_group = dawn.PlaceGroupDecision(board)
        self.turn = _turn(board, activate)
        kinds: dict[str, Decision] = {
            "place_group": place_group,
            "place_part": place_group.part(),
            "choose_isolated": dawn.choose_isolated(board),
            "supply": supply.Purchases(board).question(),
            "activate": activate,
            "act": activation.Act(movement, attacks),
            "attackers": attacks.attackers(),
            "barrage": defense_strategies.barrage(),
            "lead": combat.lead(),
            "support": combat.support(board),
            "retreat_order": retreats.order(),
            "retreat_to": retreats.destination(),
        }
        super().__init__(kinds, sequences=(self.turn, attack))

    def set_up(self, draft: Draft) -> None:
        """Set the table up and play on to the first decision."""
        set_up.set_up(draft, self.board)
        self.turn.begin(draft)
        self.settle(draft)

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Return why a command is not legal, or None if it is: the match and the seat come before the open decision.

        Source: 1.0, ruling.seats, RuleId("6.5.no-end-phase-after-end").
        """
        asked = table.top
        if table.ended is not None or asked is None or not asked.seat:
            return refused("match_must_be_running")
        if seat != GERMAN_SEAT:
            return refused("seat_must_be_german")
        return self.kinds[asked.kind].refuse(table, asked, command)


def _turn(board: Board, activate: activation.ActivateArea) -> StepSequence:
    """Return the sequence of a turn, whose phases are steps; the next turn follows it. Source: 6.0."""

    def step(
        name: str,
        rule: RuleId,
        do: Callable[[Draft, Board], None],
        when: Callable[[Table, Board], object] = lambda *_: True,
        *,
        is_phase: bool = False,
    ) -> Step:
        def carry_out(draft: Draft, at: Open) -> None:
            if is_phase:
                draft.begin_phase(name, RuleId("6.0.five-phases"))
            do(draft, board)

        return Step(name, rule, carry_out, lambda table, _: bool(when(table, board)))

    def next_turn(draft: Draft, at: Open) -> None:
        draft.begin_round(draft.table.round + 1, TURN_TRACK)
        sequence.begin(draft)

    sequence = StepSequence(
        TURN,
        TURN_TRACK,
        (
            step(DAWN, dawn.DAWN_ORDER, dawn.ask_for_groups, is_phase=True),
            step("waiting", dawn.WAIT_FOR_ROOM, dawn.let_wait, dawn.due),
            step("withdrawal", dawn.WITHDRAWAL_TURN_9, dawn.withdraw_for_good, dawn.leaving),
            step("isolation", dawn.CHECK_EACH_DAWN, dawn.check_isolation, lambda table, _: ISOLATION.is_on(table)),
            step(RANDOM_EVENT, random_event.EVENT_ROLL, random_event.play, random_event.has_event, is_phase=True),
            step(SUPPLY_PHASE, supply.SUPPLY_ORDER, supply.play, is_phase=True),
            step(COMBAT, bloody_streets.COMBAT_ORDER, bloody_streets.roll_all, is_phase=True),
            step(ACTION_ROUNDS, activation.ACTION_ROUND, activation.ask, lambda table, _: activate.can_go_on(table)),
            step("victory_check", ending.VICTORY_CHECK, ending.check_victory),
            step(END, ending.END_ORDER, ending.play, is_phase=True),
        ),
        then=next_turn,
    )
    return sequence
