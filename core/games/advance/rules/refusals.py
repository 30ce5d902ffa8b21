"""The refusals of this game; `data/refusals.toml` has every code, the rule it usually breaks, and their order of precedence."""

from core.command import Command
from core.games.advance.ids import PACKAGE
from core.refusal import Refusal, Refusals
from projections.table import Open, Table

REFUSALS = Refusals(PACKAGE)

refused = REFUSALS.refused


def not_asked(table: Table, asked: Open, command: Command) -> Refusal:
    """Return the refusal of a command that does not answer the open question."""
    return refused(
        "decision_must_be_open", f"This is not what is being asked now; the open question is {asked.kind!r}."
    )
