"""The refusals of this game; `data/refusals.toml` has every code, the rule it usually breaks, and their order of precedence."""

from core.command import Command
from core.games.axis_allies.ids import AXIS, PACKAGE
from core.games.axis_allies.rules.commands import Buy
from core.games.axis_allies.rules.queries import has_storm_begun
from core.refusal import Refusal, Refusals
from projections.table import Open, Table

REFUSALS = Refusals(PACKAGE)

refused = REFUSALS.refused


def misplaced(table: Table, asked: Open, command: Command) -> Refusal:
    """Refuse a command that does not answer the open question.

    Source: RuleId("sequence.instruction-order"), RuleId("order.2.rpc-locked").
    """
    is_locked = table.round > 0 and table.side_of(asked.seat) == AXIS and not has_storm_begun(table)
    if isinstance(command, Buy) and is_locked:
        return refused("winter_storm_must_have_begun")
    return refused("decision_must_be_open")
