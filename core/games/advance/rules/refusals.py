"""The refusals of this game; `data/refusals.toml` has every code, the rule it usually breaks, and their order of precedence."""

from collections.abc import Mapping

from core.engine.command import Command
from core.games.advance.ids import PACKAGE, SUPPLY
from core.games.advance.memory import ActionRound, has_acted, mandatory
from core.refusal import Refusal, Refusals
from events.ids import RuleId
from projections.state.table import Open, Table

REFUSALS = Refusals(PACKAGE)

refused = REFUSALS.refused

QUESTIONS = {
    "place_group": "in which Area a group enters, whole",
    "place_part": "which units enter {area}",
    "choose_isolated": "which Soviet units get the last Isolation markers",
    "supply": "what to buy (Supply Points left: {points})",
    "activate": "which Area becomes the Active Area, or the end of the Combat Phase",
    "act": "the next move or attack of the Action Round in {area}{end}",
    "attackers": "which units attack {area}",
    "barrage": "which attacker the Barrage at {area} puts Out of Action, or the retreat of all",
    "lead": "which unit leads the attack on {area}: its Attack Factor counts, and a Repulse puts it Out of Action",
    "support": "which support to place for the attack on {area}",
    "retreat_order": "which unit retreats next from {area}, since an Area of entry has no room for all",
    "retreat_to": "where {unit} retreats to, since its Area of entry is full",
    "turn": "the turn",
    "attack": "the attack on {area}",
}
"""What is to be decided, or is under way, by its kind."""


def question(table: Table, asked: Open, words: Mapping[str, str]) -> str:
    """Return what is to be decided, with what is at stake on the table; `words` are the question's arguments in words."""
    stakes: dict[str, object] = {"points": table.track(SUPPLY)}
    if asked.kind == "act":
        can_end = has_acted(table, ActionRound(table)) and not mandatory(table)
        stakes["end"] = ", or its end" if can_end else ""
    return QUESTIONS[asked.kind].format(**stakes, **words)


def not_asked(table: Table, asked: Open, command: Command, rule: RuleId | None = None) -> Refusal:
    """Return the refusal of a command that does not answer the open question."""
    words = {key: f"Area {value}" if key == "area" else str(value) for key, value in asked.arguments.items()}
    about = question(table, asked, words)
    return refused("decision_must_be_open", f"This is not what is being asked now: {about}.", rule)
