"""The refusals of this game; `data/refusals.toml` has every code, the rule it usually breaks, and their order of precedence."""

from core.command import Command
from core.games.advance.ids import PACKAGE
from core.refusal import Refusal, Refusals
from events.ids import RuleId
from projections.table import Open, Table

REFUSALS = Refusals(PACKAGE)

refused = REFUSALS.refused

QUESTIONS = {
    "place_group": "in which Area a group enters",
    "place_part": "which units enter {area}",
    "choose_isolated": "which Soviet units are Isolated",
    "supply": "what to buy with Supply Points",
    "activate": "which Area becomes the Active Area",
    "act": "the next step of the Action Round in {area}",
    "attackers": "which units attack {area}",
    "barrage": "how to meet the Barrage at {area}",
    "lead": "which unit leads the attack on {area}",
    "support": "which support to place for the attack on {area}",
    "retreat_order": "which unit retreats next from {area}",
    "retreat_to": "where {unit} retreats to",
    "turn": "the turn",
    "attack": "the attack on {area}",
}
"""What is to be decided, or is under way, by its kind."""


def not_asked(table: Table, asked: Open, command: Command, rule: RuleId | None = None) -> Refusal:
    """Return the refusal of a command that does not answer the open question."""
    about = QUESTIONS[asked.kind].format(
        **{key: f"Area {value}" if key == "area" else value for key, value in asked.arguments.items()}
    )
    return refused("decision_must_be_open", f"This is not what is being asked now: {about}.", rule)
