"""Commands that do not answer the open question: which refusal tells the seat best what is wrong."""

from core.engine.command import Command
from core.games.inferno.ids import GERMAN, SOVIET
from core.games.inferno.rules.commands import (
    DeliberateAttack,
    HastyAttack,
    LongMove,
    Reinforce,
    ShortMove,
    SovietAttack,
    SovietDraw,
    SovietMove,
    SovietSpawn,
)
from core.games.inferno.rules.refusals import refused
from core.refusal import Refusal
from events.ids import RuleId
from projections.state.table import Open, Table

GERMAN_ACTIONS = (Reinforce, LongMove, ShortMove, HastyAttack, DeliberateAttack)
SOVIET_ACTIONS = (SovietSpawn, SovietDraw, SovietMove, SovietAttack)
ASKED = {
    "action": RuleId("turn.one-action"),
    "short_move": RuleId("german.short-move.up-to-two"),
    "join_attack": RuleId("mode.co-op.joint-deliberate-attack"),
    "deploy": RuleId("german.reinforce.must-deploy"),
    "return_unit": RuleId("german.reinforce.return-order"),
    "extra_turn": RuleId("victory.okh.extra-turns"),
    "soviet_action": RuleId("mode.1v1.choose-action"),
    "soviet_move": RuleId("mode.1v1.move-every-top-stack"),
}
"""The rule that decides what answers a question, by its kind; in a combat it is its sequence."""


def misplaced(table: Table, asked: Open, command: Command) -> Refusal:
    """Refuse a command that the open question does not allow.

    Source: turn.one-action, soviet.turn.once, turn.out-of-turn, combat.sequence.
    """
    side = table.side_of(asked.seat)
    if isinstance(command, GERMAN_ACTIONS) and side == GERMAN:
        return refused("turn_must_have_one_action" if table.turn == GERMAN else "seat_must_be_on_turn")
    if isinstance(command, SOVIET_ACTIONS) and side == SOVIET:
        return refused("soviet_turn_must_have_one_action" if table.turn == SOVIET else "seat_must_be_on_turn")
    return refused("decision_must_be_open", rule=ASKED.get(asked.kind))
