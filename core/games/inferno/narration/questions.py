"""The questions and sequences of this game in words: what is answered, and what is at stake."""

from core.games.inferno import memory
from core.games.inferno.ids import CALLED, GERMAN, SIDE_NAMES, SOVIET, enemy
from core.games.inferno.narration.names import Names
from core.games.inferno.narration.sentences import CAUSES, CLOSE_COMBAT
from core.games.inferno.narration.stakes import LOST_ROW, entering_words, most_entering, room_in
from core.games.inferno.rules.cards import deck_size
from core.games.inferno.rules.losses import target
from core.games.inferno.rules.queries import block
from core.games.inferno.rules.reinforcement_track import fewest, is_dead
from core.wording import counted, joined
from events.ids import PlaceId, Side
from projections.state.table import Open, Table

QUESTIONS = {
    "action": "which action to take this turn",
    "short_move": "the second Short Move, or none",
    "join_attack": "whether the Stack in {hex} joins the Deliberate Attack on {target}",
    "extra_turn": "whether to play an extra turn; without one the Soviets win",
    "soviet_card": "which card to lay face down for {combat}, if any",
    "german_card": "which card to lay face down for {combat}, if any",
    "blitz": "which unit makes a Blitz move next, and where to",
    # Sequences.
    "german_turn": "the German turn",
    "soviet_turn": "the Soviet turn",
    "reinforcement": "the Call for Reinforcements",
    "deliberate_attack": "the Deliberate Attack on {target}",
}
"""What is asked, or which sequence goes on, by its kind; `question` has those that need more."""


def question(names: Names, table: Table, asked: Open) -> str:
    """Return the text of an open question or a sequence."""
    match asked.kind:
        case "hits":
            return _hits(names, table, asked)
        case "advance":
            return _advance(names, table, asked)
        case "soviet_advance":
            return f"which of the strongest attackers advances into {_target(names, table)}{_entered(names, table, SOVIET)}"
        case "soviet_action":
            is_due = asked.text("plan") == "must_spawn"
            return "the Spawn Action, which must be taken now" if is_due else "a Draw Action or a Movement Action"
        case "soviet_move":
            left = joined([names.name(place) for place in memory.TO_ACT.of(table) or ()])
            return f"which Top Stacked Hex moves a unit or attacks next{f'; left: {left}' if left else ''}"
        case "deploy" | "return_unit":
            return _called(names, table, asked)
        case "combat":
            attacker = SIDE_NAMES[SOVIET if asked.text("attacker") == SOVIET else GERMAN]
            sort = "Deliberate" if asked.number("is_deliberate") else "Hasty"
            hexes = joined([names.name(place) for place in asked.texts("hexes")])
            return f"the {attacker} {sort} Attack on {names.name(asked.text('target'))} from {hexes}"
        case _:
            return _plain(names, table, asked)


def _plain(names: Names, table: Table, asked: Open) -> str:
    at = table.topmost(memory.COMBAT)
    fight = "the combat" if at is None or at == asked else question(names, table, at)
    words = {"combat": fight, "target": _target(names, table)}
    words |= {key: names.name(str(value)) for key, value in asked.arguments.items()}
    said = QUESTIONS[asked.kind].format(**words)
    if asked.kind in ("action", "extra_turn"):
        said += f" (Soviet deck: {counted(deck_size(table, SOVIET), 'card')})"
    return said


def _target(names: Names, table: Table) -> str:
    """Name the hex of the combat that is being fought."""
    at = table.topmost(memory.COMBAT)
    return "the hex" if at is None else names.name(at.text("target"))


def _hits(names: Names, table: Table, asked: Open) -> str:
    """Return how many hits are to be taken, by what, and by which units."""
    hits, side = asked.number("hits"), SOVIET if asked.text("side") == SOVIET else GERMAN
    arm = {"infantry": " Infantry", "tank": " Tank"}.get(asked.text("arm"), "")
    cause = CAUSES.get(asked.text("cause"), "")
    by = f" by {f'the {SIDE_NAMES[enemy(side)]} fire in {cause}' if cause == CLOSE_COMBAT else cause}" if cause else ""
    at = table.topmost(memory.COMBAT)
    where = f" in the combat for {_target(names, table)}" if at is not None else ""
    which, lose = ("which", "loses") if hits == 1 else (f"which {hits}", "lose")
    left = "" if hits == 1 else f"; {hits - len(asked.picked)} to go"
    units = f"{which} of the equally strong {SIDE_NAMES[side]}{arm} units {lose} a Step"
    return f"{counted(hits, 'hit')}{by}{where}: {units}{left}"


def _advance(names: Names, table: Table, asked: Open) -> str:
    along = asked.texts("along")
    beside = f" together with {names.units(table, along)}" if along else ""
    least = "at least one" if asked.number("least") else "none need"
    entered = _entered(names, table, GERMAN).replace("; takes", "; that takes", 1)
    return f"which units advance into {_target(names, table)}{beside}, {least}{entered}"


def _entered(names: Names, table: Table, side: Side) -> str:
    """Return what follows when a side advances after the combat that is being fought."""
    at = table.topmost(memory.COMBAT)
    return "" if at is None else entering_words(table, names.board, names.name, side, (target(at),))


def _called(names: Names, table: Table, asked: Open) -> str:
    if asked.kind == "deploy":
        return f"which of the units that were called enters next, and where; {_entering(names, table)}"
    row = fewest(table, names.board)
    lost = LOST_ROW if is_dead(table, names.board, row) else ""
    return f"which unit goes back to row {row} of the Reinforcement Track next{lost}"


def _entering(names: Names, table: Table) -> str:
    """Return how many units can still enter, and why the others cannot; how many there are if the viewer does not know them."""
    called, board = table.pieces_at(PlaceId(CALLED)), names.board
    if not all(table.pieces[piece].kind for piece in called):
        return f"{counted(len(called), 'unit')} picked up"
    entering = most_entering(table, board, called)
    back = len(called) - entering
    if not back:
        return f"{entering} can enter"
    hexes = dict.fromkeys([place for piece in called for place in board.entry[block(table, board, piece).colour]])
    shut = {place: "full" if table.control.get(place) == GERMAN else "not German" for place in hexes}
    closed = [f"{names.name(place)} is {why}" for place, why in shut.items() if not room_in(table, board, place)]
    return f"{entering} can enter, {back} {'goes' if back == 1 else 'go'} back{f': {joined(closed)}' if closed else ''}"
