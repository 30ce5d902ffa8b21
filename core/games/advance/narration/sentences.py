"""Questions and events of this game as its player would say them."""

from collections.abc import Callable, Sequence

from core.games.advance import memory
from core.games.advance.ids import AVAILABLE, CONTROL_COUNT, ISOLATED, SUPPORT, USED
from events.vocabulary import AttributeSet, Event, MarkerPlaced, MarkerRemoved, PieceDrawn, PieceRevealed, TrackMoved
from projections.table import Open

QUESTIONS = {
    "place_group": "in which Area a group enters",
    "place_part": "which units enter {area}",
    "choose_isolated": "which Soviet units are Isolated",
    "supply": "what to buy with Supply Points",
    "activate": "which Area becomes the Active Area",
    "act": "the next step of the Action Round, Active Area {area}",
    "attackers": "which units attack {area}",
    "barrage": "how to meet the Barrage at {area}",
    "lead": "which unit leads the attack on {area}",
    "support": "which support to place for the attack on {area}",
    "retreat_order": "which unit retreats next from {area}",
    "retreat_to": "where {unit} retreats to",
    "turn": "the turn",
    "attack": "the attack on {area}",
}
"""What is to be decided, or goes on, by its kind."""

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
"""What players say of that which the rules remember, by its key; of the rest they say nothing."""

Name = Callable[[str], str]
"""Returns what an id is called."""


def question(asked: Open, name: Name) -> str:
    """Word a question or what waits."""
    words = {key: name(str(value)) for key, value in asked.arguments.items()}
    return QUESTIONS[asked.kind].format(**words)


def tell(run: Sequence[Event], name: Name) -> str | None:
    """Say events in a row; empty where the default sentence will do, nothing where they go without saying.

    Args:
        run: Events that share a sentence: markers of one kind and count, or one other event.
        name: Names Areas with their numbers.
    """
    first = run[0]
    if isinstance(first, AttributeSet):
        return _remembered(first, [event.on for event in run if isinstance(event, AttributeSet)], name)
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
    if first.marker in SUPPORT:
        return _support(first, on, name)
    return f"Isolated: {', '.join(map(name, on))}." if first.marker == ISOLATED else ""


def _remembered(first: AttributeSet, on: Sequence[str], name: Name) -> str:
    value = first.value
    if value is None:
        return ""
    where = ", ".join(map(name, on))
    if first.key == memory.RESULT.key:
        return f"The attack on {where} {RESULTS[str(value)]}."
    said = ", ".join(map(name, value)) if isinstance(value, tuple) else str(value)
    return REMEMBERED.get(first.key, "").format(on=where, value=said)


def _support(placed: MarkerPlaced, on: Sequence[str], name: Name) -> str:
    """Return how many support markers of a type lie where they were put or taken from."""
    before = f" (before: {placed.was})" if placed.was else ""
    said = [f"{placed.count} {_where(one, name)}{before}" for one in on]
    return f"{name(placed.marker)}: {', '.join(said)}."


def _where(box: str, name: Name) -> str:
    return {AVAILABLE: "Available", USED: "Used"}.get(box, f"placed for the attack on {name(box)}")


def _removed(removed: MarkerRemoved, on: Sequence[str], name: Name) -> str:
    if removed.marker in SUPPORT:
        said = [f"none {_where(one, name)} any more" for one in on]
        return f"{name(removed.marker)}: {', '.join(said)}."
    return ""
