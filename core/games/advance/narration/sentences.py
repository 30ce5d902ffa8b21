"""Questions and facts of this game as its player would say them."""

from collections.abc import Callable, Sequence

from core.games.advance.ids import (
    ACTIVE,
    AIR_BAN,
    ATTACKING,
    AVAILABLE,
    COMMISSARS,
    CONTROL_COUNT,
    DUE,
    EVENT,
    FACTOR,
    ISOLATED,
    LEAD,
    MANDATORY,
    PAUSE,
    RAIN,
    REDUCED_SUPPLY,
    RESULT,
    ROLL,
    SHELL_SHORTAGES,
    SUPPORT,
    USED,
)
from core.games.advance.rules.combat_results import OVERRUN, REPULSE, STALEMATE, SUCCESS
from events.ids import MarkerId
from events.vocabulary import Event, MarkerPlaced, MarkerRemoved, PieceDrawn, PieceRevealed, TrackMoved
from projections.table import Open

QUESTIONS = {
    "place_group": "in which Area a group enters",
    "choose_isolated": "which Soviet units are Isolated",
    "supply": "what to buy with Supply Points",
    "activate": "which Area becomes the Active Area",
    "act": "the next step of the Action Round, Active Area {area}",
    "barrage": "how to meet the Barrage at {area}",
    "lead": "which unit leads the attack on {area}",
    "support": "which support to place for the attack on {area}",
    "retreat_order": "which unit retreats next from {area}",
    "retreat_to": "where {unit} retreats to",
    "action_rounds": "the Action Rounds of the Combat Phase",
    "combat_phase_over": "the end of the Combat Phase",
    "attack_over": "the end of the attack on {area}",
    "combat": "the combat at {area}",
    "retreats": "the retreats from {area}",
}
"""What is to be decided, or waits, by its kind."""

RESULTS = {
    f"{RESULT}{REPULSE}": "is Repulsed",
    f"{RESULT}{STALEMATE}": "ends in a Stalemate",
    f"{RESULT}{SUCCESS}": "is a Success",
    f"{RESULT}{OVERRUN}": "is an Overrun",
}
"""How an attack ended, by its marker."""

EVENT_WORDS = {
    AIR_BAN: "No Air Support may be placed this turn.",
    SHELL_SHORTAGES: "Artillery Shell Shortages: each Artillery marker adds {count} this turn.",
    COMMISSARS: "Commissars: Soviet Defense Values are {count} higher this turn.",
    RAIN: "Rain: units have {count} MF at most this turn.",
    REDUCED_SUPPLY: "The supply roll has {count} dice this turn.",
    ROLL: "The roll on the Random Event Chart is {count}.",
}
"""What an event does, by its marker; the count is its figure."""

Name = Callable[[str], str]
"""Returns what an id is called."""


def question(asked: Open, name: Name) -> str:
    """Word a question or what waits."""
    words = {key: name(str(value)) for key, value in asked.arguments.items()}
    return QUESTIONS[asked.kind].format(**words)


def tell(run: Sequence[Event], name: Name) -> str | None:
    """Say facts in a row; empty where the house's own sentence will do, nothing where they go without saying.

    Args:
        run: Facts that share a sentence: markers of one kind and count, or one other fact.
        name: Names Areas with their numbers.
    """
    first = run[0]
    if isinstance(first, MarkerPlaced):
        return _placed(first, [event.on for event in run if isinstance(event, MarkerPlaced)], name)
    if isinstance(first, MarkerRemoved):
        return _removed(first, [event.on for event in run if isinstance(event, MarkerRemoved)], name)
    if isinstance(first, PieceDrawn):
        # What was drawn is Revealed at once.
        return None
    if isinstance(first, PieceRevealed) and first.kind is not None:
        return f"The {name(first.piece)} is Revealed: {name(first.kind)}."
    if isinstance(first, TrackMoved) and first.track == CONTROL_COUNT:
        return f"{name(first.track)}: {first.to} (before: {first.was})."
    return ""


def _placed(first: MarkerPlaced, on: Sequence[str], name: Name) -> str:
    marker, count = first.marker, first.count
    if first.on == EVENT:
        return _event(marker, count, name)
    if marker in SUPPORT:
        return _support(first, on, name)
    where = [name(one) for one in on]
    if marker == ACTIVE:
        # The units of the Active Area bear the marker as well, which goes without saying.
        return f"Active Area: {where[0]}."
    if marker in RESULTS:
        return f"The attack on {where[0]} {RESULTS[marker]}."
    words = {
        ATTACKING: "Attacking: {}.",
        LEAD: "{} leads the attack.",
        MANDATORY: "Mandatory Attack: {}.",
        ISOLATED: "Isolated: {}.",
        FACTOR: f"The isolation roll leaves the Defense Factor of {{}} at {count - 1}.",
        DUE: f"{{}}: may enter from turn {count} on.",
    }.get(marker, "")
    return words.format(", ".join(where))


def _event(marker: MarkerId, count: int, name: Name) -> str:
    if marker.startswith(PAUSE):
        return f"The {name(marker).removesuffix(' paused')} may not move or attack this turn."
    return EVENT_WORDS[marker].format(count=count) if marker in EVENT_WORDS else ""


def _support(placed: MarkerPlaced, on: Sequence[str], name: Name) -> str:
    """Say how many support markers of a type lie where they were put or taken from."""
    before = f" (before: {placed.was})" if placed.was else ""
    said = [f"{placed.count} {_where(one, name)}{before}" for one in on]
    return f"{name(placed.marker)}: {', '.join(said)}."


def _where(box: str, name: Name) -> str:
    return {AVAILABLE: "Available", USED: "Used"}.get(box, f"placed for the attack on {name(box)}")


def _removed(removed: MarkerRemoved, on: Sequence[str], name: Name) -> str:
    if removed.marker in SUPPORT:
        said = [f"none {_where(one, name)} any more" for one in on]
        return f"{name(removed.marker)}: {', '.join(said)}."
    if removed.on == EVENT and removed.marker.startswith(PAUSE):
        return f"The {name(removed.marker).removesuffix(' paused')} may act again."
    if removed.on == EVENT:
        return f"No longer in force: {name(removed.marker)}."
    return ""
