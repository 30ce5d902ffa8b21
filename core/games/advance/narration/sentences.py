"""The sentences of this game: questions, commands, and events."""

import re
from collections.abc import Callable, Iterable, Sequence

from core.engine.command import Command
from core.games.advance import memory
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import (
    AMBUSH,
    BARRAGE,
    FACTORY,
    FANATIC,
    GUARDS,
    HEROES,
    MAIN,
    BloodyStreetsRow,
)
from core.games.advance.ids import (
    AVAILABLE,
    CONTROL_COUNT,
    ISOLATED,
    MORALE,
    OUT_OF_ACTION,
    SUPPLY,
    SUPPORT,
    USED,
)
from core.games.advance.rules import commands
from core.games.advance.rules.dawn import ARRIVALS, RETURNS, entry_turn
from core.games.advance.rules.random_event import MAIN_CHART, WITHDRAWALS
from core.games.advance.rules.supply import purchase_cost, return_cost
from core.telling.dice_text import Roll
from core.wording import counted, joined
from events.ids import AttributeKey, CardId, PlaceId
from events.vocabulary import (
    AttributeSet,
    ControlChanged,
    DeckFormed,
    DiceRolled,
    Event,
    MarkerPlaced,
    MarkerRemoved,
    Modifier,
    PieceDrawn,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceRevealed,
    TrackMoved,
    Value,
)
from projections.state.table import Table

ENDS = {
    "attackers": "Begin the attack",
    "support": "Fight with the support placed",
    "place_part": "Let them enter",
    "place_group": "Hold them back",
    "supply": "End the purchases",
    "act": "End the Action Round",
}
"""What being done means, by the question."""

COMMANDS: dict[type[Command], str] = {
    commands.PlaceGroup: "Place {units} in {area}",
    commands.Buy: "Buy {what}",
    commands.ReturnUnit: "Return {unit} to {area}",
    commands.Activate: "Activate {area}",
    commands.Move: "Move {unit} to {to}",
    commands.Stop: "Stop here",
    commands.DeclareAttack: "Attack {area}",
    commands.PutOutOfAction: "Put {unit} (Attack Factor {factor}) Out of Action",
    commands.BreakOff: "Break the attack off because of the Barrage: all attackers retreat, Spent",
    commands.NameLead: "Name {unit} as Lead Attacking Unit (Attack Factor {factor})",
    commands.RetreatNext: "Let {unit} retreat next",
    commands.RetreatTo: "Retreat to {area}",
}
"""What a command would do, by its type."""

RESULTS = {
    memory.REPULSE: "is Repulsed",
    memory.STALEMATE: "ends in a Stalemate",
    memory.SUCCESS: "is a Success",
    memory.OVERRUN: "is an Overrun",
    memory.BROKEN_OFF: "is broken off because of Barrage",
}
"""How an attack ended."""

STRATEGIES = {
    HEROES: "a Stalemate or a Success costs Morale",
    AMBUSH: "a Stalemate or a Success puts the Lead Out of Action",
    BARRAGE: "one attacker goes Out of Action, or all retreat",
    FANATIC: "a Success becomes a Stalemate",
    GUARDS: "the defense has more dice, of which the two highest count",
}
"""What a Defense Strategy does. Source: 9.4."""

EVENT_EFFECTS: dict[AttributeKey, str] = {
    memory.AIR_BAN.key: "no Air Support may be placed",
    memory.SHELL_SHORTAGES.key: "each Artillery marker adds {value}",
    memory.COMMISSARS.key: "Soviet Defense Values are {value} higher",
    memory.RAIN.key: "units have {value} MF at most",
    memory.REDUCED_SUPPLY.key: "the supply roll has {value} dice",
    memory.PAUSED.key: "{value} may not move or attack",
}
"""What an event does this turn, by the attribute that remembers it."""

REMEMBERED = {
    **{key: f"This turn, {effect}." for key, effect in EVENT_EFFECTS.items()},
    memory.ACTIVE_UNITS.key: "Active: {on}.",
    memory.ATTACKERS.key: "Attacking {on}: {value}.",
    memory.LEAD.key: "{value} leads the attack.",
    memory.MANDATORY.key: "Mandatory Attack: {on}.",
    memory.ISOLATION_FACTOR.key: "After the isolation roll the Defense Factor of {on} is {value}.",
}
"""The sentences about attributes, by their keys; the other attributes have none."""

REMEMBERED_BY_RULE = {
    "9.4.fanatic": "Fanatic turns the Success at {on} into a Stalemate.",
    "9.5.7.heroes-cancel": "Heroes and the Morale for this Area cancel each other.",
}
"""The sentences about attributes under certain rules, also about one that is removed."""

RETURNED = ("6.3.return-area", "6.3.return-northern")
"""The rules under which units return for Supply Points."""

FATES = {
    **dict.fromkeys(ARRIVALS.values(), "{units} {enter} {to} as reinforcements."),
    **dict.fromkeys(RETURNS.values(), "{units} {enter} {to}, back from the withdrawal."),
    **dict.fromkeys(WITHDRAWALS.values(), "Withdrawn from {was}: {units}."),
    "6.1.2.withdrawal-turn-9": "{units} {leave} {was} and the game.",
    **dict.fromkeys(RETURNED, "{units} {return} to {to} from the Out of Action Box{paid}."),
    "9.4.ambush": "Ambush at {was} puts {units} Out of Action.",
    "9.4.barrage-lose-one": "Barrage at {was} puts {units} Out of Action.",
    "9.4.barrage-lone": "Barrage at {was} puts {units} Out of Action; nobody is left to attack.",
    "9.5.5.repulse-losses": "{units}, which led the attack on {was}, is Out of Action after the Repulse.",
    **dict.fromkeys(("9.5.5.success", "9.5.5.overrun"), "{units} is eliminated."),
    "9.5.6.lone-lead-ambushed": "Ambush at {was} puts {units}, which attacked alone, Out of Action.",
    "9.5.8.entry-area": "{units} {retreat} from {was} to {to}{cause}.",
    "9.5.8.full-area": "{units} {retreat} from {was} to {to}{cause}, since the Area of entry has no room.",
}
"""What befalls units, by the rule under which they move or leave the table; other moves have the default sentence."""

MORALE_CAUSES = {
    "6.2.1.morale-per-missing-unit": "units that are Out of Action when their division is withdrawn",
    "14.6.1.breakthrough-64": "units that are Out of Action when their division is withdrawn",
    "6.3.buy-morale": "bought{paid}",
    "6.4.1.five": "Bloody Streets",
    "6.4.1.six": "Bloody Streets",
    "9.4.heroes": "Heroes",
    "9.5.5.repulse-morale": "Repulse",
    "9.5.7.captured-area-bonus": "an Area with a TEM of +4 was captured",
    "6.5.morale-loss": "End Phase",
}
"""Why Morale changes, by the rule."""

RETREATS = {memory.REPULSE: " after the Repulse", memory.BROKEN_OFF: " because of the Barrage"}
"""Why units retreat, by how the attack ended."""

PURCHASES = ("6.3.support-costs", "6.3.return-cost", "6.3.buy-morale")
"""The rules under which Supply Points are paid; what they buy is told with its price."""

FREE = ("6.3.free-air", "14.6.2.two-free-air")
"""The rules under which support costs nothing."""

OF_MINIMUM = ("10.2.minimum-sixteen", "14.6.2.minimum-sixteen")
"""The rules under which the supply roll counts as the minimum of the first turn."""

NUMBERS = re.compile(r"(\d+)")

Name = Callable[[str], str]
"""Returns what an id is called."""


def tell(table: Table, run: Sequence[Event], name: Name, board: Board) -> str | None:
    """Return the sentence for events in a row; empty for the default sentence, None for no sentence.

    Args:
        table: The table before them.
        run: Events that share a sentence: markers of one kind and count, pieces that move the same way, or one other event.
        name: Names Areas with their numbers.
        board: The board.
    """
    first = run[0]
    match first:
        case DiceRolled(rule="6.4.1.roll"):
            return _streets(first, name, board)
        case AttributeSet():
            on = [event.on for event in run if isinstance(event, AttributeSet)]
            return (
                _due(table, first, name, board) if first.key == memory.DUE.key else _remembered(first, on, name, board)
            )
        case MarkerPlaced() | MarkerRemoved():
            return _marked(
                table, [event for event in run if isinstance(event, MarkerPlaced | MarkerRemoved)], name, board
            )
        case DeckFormed(deck=deck, count=count):
            return f"{name(deck)}: {count}."
        case PieceDrawn() | ControlChanged(to="soviet", was=""):
            # What was drawn is Revealed at once; the Areas that begin Soviet are told with their units.
            return None
        case PieceRevealed(piece=piece, kind=str(kind)):
            strategy = STRATEGIES[board.counter(CardId(kind)).strategy]
            return f"The {name(piece)} is Revealed: {name(kind)}; {strategy}."
        case PiecePlaced(side="soviet"):
            return _placed([event for event in run if isinstance(event, PiecePlaced)], name)
        case PieceMoved() | PieceRemoved() if first.rule in FATES:
            return _fate(table, [event for event in run if isinstance(event, PieceMoved | PieceRemoved)], name, board)
        case TrackMoved():
            return _tracked(table, first, name, board)
        case _:
            return ""


def _placed(run: Sequence[PiecePlaced], name: Name) -> str:
    """Return which Soviet units are placed Revealed, and where others are; empty if all are others."""
    revealed = [f"{name(event.kind)} in {name(event.to)}" for event in run if event.kind]
    closed = joined([name(event.to) for event in run if not event.kind])
    if not revealed:
        return ""
    return (
        f"Placed, Revealed: {joined(revealed)}.{f' Placed, not Revealed: Soviet unit in {closed}.' if closed else ''}"
    )


def streets_row(event: DiceRolled, board: Board) -> BloodyStreetsRow:
    """Return what dice of Bloody Streets do."""
    return board.streets(sum(event.faces) + sum(part.amount for part in event.modifiers))


def _streets(event: DiceRolled, name: Name, board: Board) -> str:
    """Return the dice of Bloody Streets with what they do."""
    row = streets_row(event, board)
    spent = ", all German units there Spent" if row.flip_spent else ""
    effect = f"Morale {row.morale:+d}{spent}" if row.morale else "no effect"
    return f"Dice for Bloody Streets, {name(event.about)}: {Roll(event).words()}; {effect}."


def _marked(table: Table, run: Sequence[MarkerPlaced | MarkerRemoved], name: Name, board: Board) -> str | None:
    """Return where markers come to; None for those that leave a place, since they come to another or go with their unit."""
    first, on = run[0], [event.on for event in run]
    if first.marker not in SUPPORT:
        is_placed = first.marker == ISOLATED and isinstance(first, MarkerPlaced)
        return f"Isolated: {joined([*map(name, on)])}." if is_placed else None if first.rule in FATES else ""
    if isinstance(first, MarkerRemoved) or first.count < first.was:
        return None
    before = f" (before: {first.was})" if first.was else ""
    if first.rule in PURCHASES:
        return f"{name(first.marker)} bought{_paid(table, purchase_cost(board, first.marker))}: {first.count} Available{before}."
    boxes = {AVAILABLE: "Available", USED: "Used"}
    said = [f"{first.count} {boxes.get(one, f'placed for the attack on {name(one)}')}{before}" for one in on]
    free = "Free " if first.rule in FREE else ""
    return f"{free}{name(first.marker)}: {joined(said)}."


def _paid(table: Table, cost: int, *, later: int = 0) -> str:
    """Return what was paid, and what is left of the Supply Points on a table on which `later` is still to be paid."""
    return f" for {counted(cost, 'Supply Point')}, {table.track(SUPPLY) - later} left"


def _fate(table: Table, run: Sequence[PieceMoved | PieceRemoved], name: Name, board: Board) -> str:
    """Return what befell units, with the place they left, the one they came to, and why or for what."""
    first, units = run[0], [event.piece for event in run]
    costs = [return_cost(board, unit) if first.rule in RETURNED else 0 for unit in units]
    words = {verb: f"{verb}{'s' if len(units) == 1 else ''}" for verb in ("enter", "leave", "return", "retreat")}
    words["cause"] = RETREATS.get(memory.RESULT.of(table, first.was) or "", "")
    words["paid"] = _paid(table, sum(costs), later=sum(costs[1:]))
    words["was"] = (
        f"{'the ' if isinstance(first, PieceRemoved) and first.was == OUT_OF_ACTION else ''}{name(first.was)}"
    )
    words["to"] = name(first.to) if isinstance(first, PieceMoved) else ""
    return FATES[first.rule].format(units=joined([*map(name, in_order(units))]), **words)


def in_order(names: Iterable[str]) -> list[str]:
    """Sort names by the numbers in them: 71 comes before 100, and 100/54 before 100/369."""
    return sorted(
        names, key=lambda name: [(len(part), part) if part.isdecimal() else (0, part) for part in NUMBERS.split(name)]
    )


def _tracked(table: Table, event: TrackMoved, name: Name, board: Board) -> str | None:
    if event.track == SUPPLY and event.rule in PURCHASES:
        return None
    if event.track == CONTROL_COUNT:
        return f"{name(event.track)}: {event.to} (before: {event.was})."
    if event.track == SUPPLY and event.to != event.was:
        minimum = board.supply.opening_turn_minimum
        least = f"less than {minimum} counts as {minimum}" if event.rule in OF_MINIMUM else ""
        return f"Supply Points: {event.to} (before: {event.was}{f'; {least}' if least else ''})."
    if event.track != MORALE:
        return ""
    if event.rule not in MORALE_CAUSES:
        return f"German Morale: {event.to}."
    cause = MORALE_CAUSES[event.rule].format(paid=_paid(table, board.supply.costs.morale))
    said = f"German Morale goes from {event.was} to {event.to} ({cause})."
    strong = board.morale.strong_at_least
    if (event.was >= strong) == (event.to >= strong):
        return said
    return f"{said} It is {_strength(board, is_strong=event.to >= strong)}."


def _strength(board: Board, *, is_strong: bool) -> str:
    """Return a state of Morale with what it changes."""
    attack, defense = board.morale.strong_attack_bonus, board.morale.shaken_defence_bonus
    if is_strong:
        return f"Strong again: Attack Values +{attack}, Defense Values no longer +{defense}"
    return f"Shaken now: Attack Values no longer +{attack}, Defense Values +{defense}"


def _remembered(first: AttributeSet, on: Sequence[str], name: Name, board: Board) -> str:
    value = first.value
    where = joined([*map(name, on)])
    if first.rule in REMEMBERED_BY_RULE:
        return REMEMBERED_BY_RULE[first.rule].format(on=where)
    if value is None:
        return ""
    if first.key == memory.RESULT.key:
        return f"The attack on {where} {RESULTS[str(value)]}{_margin(first.parts or ())}."
    if first.key == memory.ROLL.key and isinstance(value, int):
        scenario = MAIN if first.rule in MAIN_CHART.values() else FACTORY
        return f"Random Event {value}: {board.scenarios[scenario].events.row(value).name}."
    if first.key == memory.ATTACKERS.key and isinstance(value, tuple) and len(value) == 1:
        return f"{name(value[0])} attacks {where} alone, and so leads."
    return REMEMBERED.get(first.key, "").format(on=where, value=value_words(value, name))


def _due(table: Table, event: AttributeSet, name: Name, board: Board) -> str:
    """Return from which turn on a group may enter, or that a division does not return."""
    if not isinstance(event.value, int) or table.scenario not in board.scenarios:
        return ""
    turn = entry_turn(table, board, PlaceId(event.on), event.value)
    return f"{name(event.on)}: {'does not return' if turn is None else f'may enter from turn {turn} on'}."


def _margin(parts: Sequence[Modifier]) -> str:
    """Return the totals of a combat and, of a Success, by how much it was one, in brackets with a space before; empty if none was fought."""
    if len(parts) < 2:
        return ""
    attack, defense, *margin = [abs(part.amount) for part in parts]
    said = f" ({attack} : {defense}"
    return said + "".join(f", by {attack - defense}; an Overrun needs more than {least}" for least in margin) + ")"


def value_words(value: Value, name: Name) -> str:
    """Return the value of an attribute; what a list names is named."""
    return joined(in_order(map(name, value))) if isinstance(value, tuple) else str(value)
