"""The sentences of this game: questions, commands, and events."""

from collections.abc import Callable, Sequence

from core.command import Command
from core.games.advance import memory
from core.games.advance.ids import AVAILABLE, CONTROL_COUNT, ISOLATED, SUPPORT, USED
from core.games.advance.rules.commands import (
    Activate,
    BreakOff,
    Buy,
    DeclareAttack,
    Move,
    NameLead,
    PlaceGroup,
    PutOutOfAction,
    RetreatNext,
    RetreatTo,
    ReturnUnit,
    Stop,
)
from core.games.advance.rules.refusals import QUESTIONS
from events.vocabulary import AttributeSet, Event, MarkerPlaced, MarkerRemoved, PieceDrawn, PieceRevealed, TrackMoved
from projections.table import Open

ENDS = {
    "attackers": "Begin the attack",
    "support": "Fight with the support placed",
    "place_part": "Let them enter",
    "supply": "End the purchases",
    "act": "End the Action Round",
}
"""What being done means, by the question."""

COMMANDS: dict[type[Command], str] = {
    PlaceGroup: "Place {units} in {area}",
    Buy: "Buy {what}",
    ReturnUnit: "Return {unit} to {area}",
    Activate: "Activate {area}",
    Move: "Move {unit} to {to}",
    Stop: "Stop here",
    DeclareAttack: "Attack {area}",
    PutOutOfAction: "Put {unit} Out of Action and fight on",
    BreakOff: "Break the attack off: all attackers retreat, Spent",
    NameLead: "Name {unit} as Lead Attacking Unit",
    RetreatNext: "Let {unit} retreat next",
    RetreatTo: "Retreat to {area}",
}
"""What a command would do, by its type."""

RESULTS = {
    memory.REPULSE: "is Repulsed",
    memory.STALEMATE: "ends in a Stalemate",
    memory.SUCCESS: "is a Success",
    memory.OVERRUN: "is an Overrun",
    memory.BROKEN_OFF: "is broken off",
}
"""How an attack ended."""

REMEMBERED = {
    memory.AIR_BAN.key: "No Air Support may be placed this turn.",
    memory.SHELL_SHORTAGES.key: "Artillery Shell Shortages: each Artillery marker adds {value} this turn.",
    memory.COMMISSARS.key: "Commissars: Soviet Defense Values are {value} higher this turn.",
    memory.RAIN.key: "Rain: units have {value} MF at most this turn.",
    memory.REDUCED_SUPPLY.key: "The supply roll has {value} dice this turn.",
    memory.ROLL.key: "The roll on the Random Event Chart is {value}.",
    memory.PAUSED.key: "May not move or attack this turn: {value}.",
    memory.ACTIVE_UNITS.key: "Active Area: {on}.",
    memory.ATTACKERS.key: "Attacking: {value}.",
    memory.LEAD.key: "{value} leads the attack.",
    memory.MANDATORY.key: "Mandatory Attack: {on}.",
    memory.ISOLATION_FACTOR.key: "The isolation roll leaves the Defense Factor of {on} at {value}.",
    memory.DUE.key: "{on}: may enter from turn {value} on.",
}
"""The sentences about attributes, by their keys; the other attributes have none."""

Name = Callable[[str], str]
"""Returns what an id is called."""


def question(asked: Open, name: Name) -> str:
    """Return the text of a question or a sequence."""
    words = {key: name(str(value)) for key, value in asked.arguments.items()}
    return QUESTIONS[asked.kind].format(**words)


def tell(run: Sequence[Event], name: Name) -> str | None:
    """Return the sentence for events in a row; empty for the default sentence, None for no sentence.

    Args:
        run: Events that share a sentence: markers of one kind and count, or one other event.
        name: Names Areas with their numbers.
    """
    on = [event.on for event in run if isinstance(event, AttributeSet | MarkerPlaced | MarkerRemoved)]
    match run[0]:
        case AttributeSet() as first:
            return _remembered(first, on, name)
        case MarkerPlaced(marker=marker) as first if marker in SUPPORT:
            before = f" (before: {first.was})" if first.was else ""
            said = [f"{first.count} {_where(one, name)}{before}" for one in on]
            return f"{name(marker)}: {', '.join(said)}."
        case MarkerPlaced(marker=marker) if marker == ISOLATED:
            return f"Isolated: {', '.join(map(name, on))}."
        case MarkerRemoved(marker=marker) if marker in SUPPORT:
            said = [f"none {_where(one, name)} any more" for one in on]
            return f"{name(marker)}: {', '.join(said)}."
        case PieceDrawn():
            # What was drawn is Revealed at once.
            return None
        case PieceRevealed(piece=piece, kind=str(kind)):
            return f"The {name(piece)} is Revealed: {name(kind)}."
        case TrackMoved() as first if first.track == CONTROL_COUNT:
            return f"{name(first.track)}: {first.to} (before: {first.was})."
        case _:
            return ""


def _remembered(first: AttributeSet, on: Sequence[str], name: Name) -> str:
    value = first.value
    if value is None:
        return ""
    where = ", ".join(map(name, on))
    if first.key == memory.RESULT.key:
        return f"The attack on {where} {RESULTS[str(value)]}."
    said = ", ".join(map(name, value)) if isinstance(value, tuple) else str(value)
    return REMEMBERED.get(first.key, "").format(on=where, value=said)


def _where(box: str, name: Name) -> str:
    return {AVAILABLE: "Available", USED: "Used"}.get(box, f"placed for the attack on {name(box)}")
