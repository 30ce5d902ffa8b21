"""The sentences of this game: its questions, and its events as players describe them."""

from collections.abc import Callable, Sequence

from core.games.battle import ids, memory
from core.games.battle.components.view.card_words import counted
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    DeckFormed,
    Event,
    MarkerPlaced,
    MarkerRemoved,
    PieceDrawn,
    PieceMoved,
    PiecePlaced,
    TrackMoved,
)
from projections.table import Open

QUESTIONS = {
    "choose_force": "which Force to take next, and where to place it",
    "repair": "which Location loses 1 Rubble",
    "action": "the next Action",
    "free_move": "the next free Move",
    "pay_rations": "which Forces give Rations as the cost; {left} to go",
    "pay_forces": "which Forces are Destroyed as the cost; {left} to go",
    "scouts": "which card of the deck to take",
    "attackers": "which Forces attack at {location}",
    "join_attack": "which Forces join the Attack at {location}",
    "firefight": "a card for the Firefight, or a pass",
    "absorb_hit": "which Force absorbs the next Hit at {location}",
    "award": "which Force gets the Heroic Service counter at {location}",
    "answer_draw": "whether to play a card before the enemy draws",
    "answer_loss": "whether to play a card for the Force just Destroyed",
    # Sequences.
    "turn": "the turn",
    "move": "the Move of {force}",
    "card": "the effect of {card}",
    "purchase": "the arrival of {force}",
    "removal": "the end of {card}",
    "battle": "the battle at {location}",
    "card_attack": "the attack by a card at {location}",
}
"""What is asked, or which sequence goes on, by its kind; `question` has those that need more."""

ABOUT = {
    "answer_move": "whether to answer the Move of {}",
    "answer_card": "whether to answer {}",
    "answer_battle": "whether to play a card in the battle at {} before the Firefight",
    "answer_aftermath": "whether to play a card after the battle at {}",
}
"""Windows about something."""

REMEMBERED = {
    memory.DOUBLED.key: "The Combat of {on} is doubled.",
    memory.LOCKED.key: "{on} may not Move any more this turn: locked by a Sniper.",
    memory.PLEDGED.key: "Set aside as a cost: {on}.",
    memory.FREE_MOVES_USED.key: "The free Move of a Location is used.",
    memory.NO_LOCATION_CARDS.key: "In force until the turn ends: No cards for Locations.",
    memory.BIG_PUSH.key: "In force until the turn ends: {on} Big Push{more}.",
    memory.NO_FIREFIGHT.key: "In this battle: No Firefight.",
    memory.NO_RETREAT.key: "In this battle: No {on} Retreat.",
    memory.FREE_MOVES_LEFT.key: "Free Moves left: {value}{before}.",
    memory.TOTAL.key: "{on} total: {value}{before}.",
}
"""The sentences of what the rules remember, by its key; `_remembered` has those that need more."""

Name = Callable[[str], str]
"""Returns what an id is called."""


def question(asked: Open, name: Name) -> str:
    """Return the text of an open question or a sequence."""
    words = {key: name(str(value)) for key, value in asked.arguments.items()}
    if "count" in words:
        words["left"] = str(asked.number("count") - len(asked.picked))
    if asked.kind in ABOUT:
        return ABOUT[asked.kind].format(words["about"])
    if asked.kind == "pay_cards":
        hidden = " face down" if asked.arguments.get("face_down") else ""
        return f"which cards to pay with{hidden}; {words['left']} to go"
    if asked.kind == "distribute":
        where = f" among the Forces at {words['location']}" if asked.text("location") else ""
        return f"which Forces get the Rations{where}; {words['left']} to go"
    return QUESTIONS[asked.kind].format(**words)


def tell(run: Sequence[Event], name: Name) -> str | None:
    """Return the sentence for events in a row; empty for the default sentence, None for no sentence."""
    first = run[0]
    match first:
        case AttributeSet():
            return _remembered(first, [event.on for event in run if isinstance(event, AttributeSet)], name)
        case MarkerPlaced() | MarkerRemoved():
            on = [name(event.on) for event in run if isinstance(event, MarkerPlaced | MarkerRemoved)]
            return _counters(first, ", ".join(on))
        case TrackMoved(track=track, to=to, was=was):
            return f"Points to spend on Forces: {to} (before: {was})." if track == ids.POINTS else ""
        case CardPlayed() | CardDiscarded() | CardMoved() | CardDrawn():
            return _card(first, [event for event in run if isinstance(event, CardDrawn | CardDiscarded)], name)
        case DeckFormed(deck=formed, count=count) if formed == ids.UNUSED:
            return f"The {count} Locations are shuffled."
        case PieceDrawn(pool=pool, drawn=drawn):
            # A Force that is drawn is turned up at once.
            return f"In play: {name(drawn)}." if pool == ids.UNUSED and drawn else None
        case PiecePlaced():
            return _turned_up([event for event in run if isinstance(event, PiecePlaced)], name)
        case PieceMoved():
            return _moved(first, [name(event.piece) for event in run if isinstance(event, PieceMoved)], name)
        case _:
            return ""


# Forces


def _is_top(place: str) -> bool:
    return place in ids.PILE_NAMES and place == ids.top(ids.PILE_NAMES[place][1])


def _turned_up(run: Sequence[PiecePlaced], name: Name) -> str:
    """Return which Forces were turned up on a Force deck and which were placed on the map; empty if none was turned up."""
    if not any(_is_top(event.to) for event in run):
        return ""
    return " ".join(
        f"{name(event.piece)} is the open top of the {ids.SIDE_NAMES[ids.PILE_NAMES[event.to][1]]} Force deck."
        if _is_top(event.to)
        else f"Placed: {name(event.piece)} in {name(event.to)}."
        for event in run
    )


def _moved(first: PieceMoved, forces: Sequence[str], name: Name) -> str:
    moved = ", ".join(forces)
    if _is_top(first.to):
        return f"{moved} is the open top of the {ids.SIDE_NAMES[ids.PILE_NAMES[first.to][1]]} Force deck."
    if first.to in ids.PILE_NAMES and first.to == ids.bottom(ids.PILE_NAMES[first.to][1]):
        return f"{moved} at {name(first.was)}: Destroyed."
    return f"{moved} enters at {name(first.to)}." if _is_top(first.was) else ""


# Markers, and what the rules remember


def _counters(first: MarkerPlaced | MarkerRemoved, where: str) -> str:
    if isinstance(first, MarkerRemoved):
        gone = {ids.RATION: "Rations", ids.RUBBLE: "Rubble", ids.HEROIC_SERVICE: "Heroic Service counters"}.get(
            first.marker
        )
        return f"{where}: no {gone} any more." if gone else ""
    before = f" (before: {first.was})" if first.was else ""
    return {
        ids.RATION: f"{where}: {counted(first.count, 'Ration')}{before}.",
        ids.RUBBLE: f"{where} has {first.count} Rubble{before}.",
        ids.DESTROYED: f"{where} is Destroyed.",
        ids.HEROIC_SERVICE: f"{where} has {counted(first.count, 'Heroic Service counter')}{before}.",
    }.get(first.marker, "")


def _remembered(first: AttributeSet, on: Sequence[str], name: Name) -> str:
    value, was = first.value, first.was
    if value is None:
        return ""
    if first.key in (memory.ATTACKING.key, memory.DEFENDING.key):
        return _fighting(first, name)
    where = ", ".join(map(name, on))
    before = f" (before: {was})" if was is not None else ""
    number = value if isinstance(value, int) else 0
    if first.key == memory.HITS.key:
        none_left = f"{where} has no more Hits to absorb." if was else ""
        return f"{where} has {counted(number, 'Hit')} to absorb." if value else none_left
    if first.key == memory.PLEDGED_RATIONS.key:
        return f"{where}: {counted(number, 'Ration')} set aside as a cost{before}."
    if first.key == memory.IGNORED.key:
        return f"{where} has ignored {counted(number, 'Hit')}."
    more = f" ({value})" if number > 1 else ""
    return REMEMBERED.get(first.key, "").format(on=where, value=value, before=before, more=more)


def _fighting(event: AttributeSet, name: Name) -> str:
    """Return which Forces take part; if some join a battle, only those."""
    known = event.was if isinstance(event.was, tuple) else ()
    new = [force for force in event.value if force not in known] if isinstance(event.value, tuple) else []
    word = "Attacking" if event.key == memory.ATTACKING.key else "Defending"
    return f"{word}: {', '.join(map(name, new))}." if new else ""


# Cards


def _card(
    event: CardPlayed | CardDiscarded | CardMoved | CardDrawn, run: Sequence[CardDrawn | CardDiscarded], name: Name
) -> str:
    known = [name(one.card) for one in run or (event,) if one.card is not None]
    hidden = len(run or (event,)) - len(known)
    card = ", ".join([*known, *([counted(hidden, "card") if hidden > 1 else "a card"] if hidden else [])])
    owner = ids.PILE_NAMES[event.to][1]
    side = ids.SIDE_NAMES[owner]
    match event:
        case CardDrawn():
            is_flip = event.to == ids.firefight(owner)
            return f"{side} flips {card} for its Firefight value." if is_flip else f"{side} draws {card}."
        case CardPlayed():
            return {
                ids.firefight(owner): f"{side} plays {card} in the Firefight.",
                ids.URANUS_IN_PLAY: f"{card} stays in play.",
                ids.snipers(owner): f"{card} stays with the Force until the turn ends.",
            }.get(event.to, f"{side} plays {card}.")
        case CardDiscarded():
            return f"{side} discards {card}{' from the hand' if event.was == ids.hand(owner) else ''}."
        case CardMoved():
            return {
                (ids.hand(owner), ids.escrow(owner)): f"{side} sets {card} aside face down.",
                (ids.escrow(owner), ids.hand(owner)): f"{side} takes {card} back.",
                (ids.deck(owner), ids.hand(owner)): f"{side} takes {card} from the deck.",
            }.get((event.was, event.to), "")
