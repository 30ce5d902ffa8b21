"""The refusals of this game, and questions with the words in which it refuses what does not answer them.

`data/refusals.toml` has every code, the rule it usually breaks, and their order of precedence.
"""

from core.command import Command
from core.games.axis_allies.ids import AXIS, PACKAGE, PHASES
from core.games.axis_allies.rules.commands import Buy
from core.games.axis_allies.rules.queries import has_storm_begun
from core.question import Answer, Question
from core.refusal import Refusal, Refusals
from core.selection import Pick
from events.ids import RuleId
from projections.table import Open, Table

REFUSALS = Refusals(PACKAGE)

refused = REFUSALS.refused

TARGETS_SET = dict.fromkeys((PHASES[4], PHASES[11]), RuleId("unit.artillery.air-defense.assign-first"))
TARGETS_SET[PHASES[12]] = RuleId("unit.rocket.bombardment.assign-first")
"""The phases in which units are assigned to targets, and the rule by which none is assigned after the first die."""


def misplaced(table: Table, asked: Open, command: Command) -> Refusal:
    """Refuse a command that does not answer the open question.

    Source: RuleId("sequence.instruction-order"), RuleId("order.2.rpc-locked"), RuleId("unit.artillery.air-defense.assign-first"),
    RuleId("unit.rocket.bombardment.assign-first").
    """
    if isinstance(command, Pick) and command.to and table.phase in TARGETS_SET:
        return refused("targets_must_be_set_before_dice", rule=TARGETS_SET[table.phase])
    is_locked = table.round > 0 and table.side_of(asked.seat) == AXIS and not has_storm_begun(table)
    if isinstance(command, Buy) and is_locked:
        return refused("winter_storm_must_have_begun")
    return refused("decision_must_be_open")


def asks(*answers: Answer) -> Question:
    """Return a question of this game with its answers."""
    return Question(answers, misplaced)
