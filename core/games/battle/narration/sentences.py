"""Questions and events of this game as its players would say them."""

from collections.abc import Callable, Sequence

from core.games.battle.components.view.card_words import counted
from core.games.battle.ids import DESTROYED, HEROIC_SERVICE, PILES, POINTS, RATION, RUBBLE, SIDE_NAMES, UNUSED
from core.games.battle.memory import (
    ATTACKING,
    BIG_PUSH,
    DEFENDING,
    DOUBLED,
    FREE_MOVES_LEFT,
    FREE_MOVES_USED,
    HITS,
    IGNORED,
    LOCKED,
    NO_FIREFIGHT,
    NO_LOCATION_CARDS,
    NO_RETREAT,
    PLEDGED,
    PLEDGED_RATIONS,
    TOTAL,
)
from core.games.battle.narration.names import Names
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
    Value,
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
    "absorb_hit": "who absorbs the next Hit at {location}",
    "award": "who gets the Heroic Service counter at {location}",
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
"""What is to be decided, or goes on step by step, by its kind; what needs more than that is worded by a function."""

ABOUT = {
    "answer_move": "whether to answer the Move of {}",
    "answer_card": "whether to answer {}",
    "answer_battle": "whether to play a card in the battle at {} before the Firefight",
    "answer_aftermath": "whether to play a card after the battle at {}",
}
"""Windows about something."""

REMEMBERED = {
    DOUBLED.key: "The Combat of {on} is doubled.",
    LOCKED.key: "{on} may not Move any more this turn: locked by a Sniper.",
    PLEDGED.key: "Set aside as a cost: {on}.",
    FREE_MOVES_USED.key: "The free Move of a Location is used.",
    NO_LOCATION_CARDS.key: "In force until the turn ends: No cards for Locations.",
    BIG_PUSH.key: "In force until the turn ends: {on} Big Push{more}.",
    NO_FIREFIGHT.key: "In this battle: No Firefight.",
    NO_RETREAT.key: "In this battle: No {on} Retreat.",
    FREE_MOVES_LEFT.key: "Free Moves left: {value}{before}.",
    TOTAL.key: "{on} total: {value}{before}.",
}
"""What players say of that which the rules remember, by its key; the rest has a sentence of its own, or none."""

Name = Callable[[str], str]
"""Returns what an id is called."""


def question(asked: Open, name: Name) -> str:
    """Word a question or what waits."""
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


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _what(pile: str) -> str:
    """Return what a pile or a place beside the map is; empty for anything else."""
    return PILES[pile][0] if pile in PILES else ""


class Sentences:
    """Says events in the names of one match.

    Args:
        names: What ids are called.
    """

    def __init__(self, names: Names) -> None:
        self.names = names

    def name(self, id_: str) -> str:
        """Return what an id is called."""
        return self.names.name(id_)

    def tell(self, run: Sequence[Event]) -> str | None:
        """Say events in a row; empty where the default sentence will do, nothing where they go without saying."""
        match run[0]:
            case AttributeSet() as first:
                return self._remembered(first, [event.on for event in run if isinstance(event, AttributeSet)])
            case MarkerPlaced() as first:
                return self._placed(first, [event.on for event in run if isinstance(event, MarkerPlaced)])
            case MarkerRemoved() as first:
                return self._removed(first, [event.on for event in run if isinstance(event, MarkerRemoved)])
            case TrackMoved() as first:
                return self._track(first)
            case CardPlayed() | CardDiscarded() | CardMoved() | CardDrawn() as first:
                return self._card(first, [event for event in run if isinstance(event, CardDrawn | CardDiscarded)])
            case DeckFormed(deck=deck, count=count) if deck == UNUSED:
                return f"The {count} Locations are shuffled."
            case PieceDrawn() as first:
                # A Force that is drawn is turned up at once.
                return f"In play: {self.name(first.drawn)}." if first.pool == UNUSED and first.drawn else None
            case PiecePlaced():
                return self._turned_up([event for event in run if isinstance(event, PiecePlaced)])
            case PieceMoved() as first:
                return self._moved(first, [event.piece for event in run if isinstance(event, PieceMoved)])
            case _:
                return ""

    def _side(self, pile: str) -> str:
        return SIDE_NAMES[PILES[pile][1]] if pile in PILES else self.name(pile)

    # Forces

    def _turned_up(self, run: Sequence[PiecePlaced]) -> str:
        """Return which Forces were turned up on a Force deck, and which were placed on the map; empty where none was."""
        if not any(_what(event.to) == "top" for event in run):
            return ""
        return " ".join(
            f"{self.name(event.piece)} is the open top of the {self._side(event.to)} Force deck."
            if _what(event.to) == "top"
            else f"Placed: {self.name(event.piece)} in {self.name(event.to)}."
            for event in run
        )

    def _moved(self, first: PieceMoved, forces: Sequence[str]) -> str:
        said = ", ".join(map(self.name, forces))
        if _what(first.to) == "bottom":
            return f"{said} at {self.name(first.was)}: Destroyed."
        if _what(first.to) == "top":
            return f"{said} is the open top of the {self._side(first.to)} Force deck."
        if _what(first.was) == "top":
            return f"{said} enters at {self.name(first.to)}."
        return ""

    # Markers and tracks

    def _placed(self, first: MarkerPlaced, on: Sequence[str]) -> str:
        where = ", ".join(map(self.name, on))
        count = first.count
        before = f" (before: {first.was})" if first.was else ""
        words = {
            RATION: f"{{}}: {counted(count, 'Ration')}{before}.",
            RUBBLE: f"{{}} has {count} Rubble{before}.",
            DESTROYED: "{} is Destroyed.",
            HEROIC_SERVICE: f"{{}} has {counted(count, 'Heroic Service counter')}{before}.",
        }.get(first.marker, "")
        return words.format(where)

    def _remembered(self, first: AttributeSet, on: Sequence[str]) -> str:
        value, was = first.value, first.was
        if value is None:
            return ""
        where = ", ".join(map(self.name, on))
        before = f" (before: {was})" if was is not None else ""
        if first.key in (ATTACKING.key, DEFENDING.key):
            return self._fighting(first)
        if first.key == HITS.key:
            done = f"{where} has no more Hits to absorb." if was else ""
            return f"{where} has {counted(_number(value), 'Hit')} to absorb." if value else done
        if first.key == PLEDGED_RATIONS.key:
            return f"{where}: {counted(_number(value), 'Ration')} set aside as a cost{before}."
        if first.key == IGNORED.key:
            return f"{where} has ignored {counted(_number(value), 'Hit')}."
        more = f" ({value})" if _number(value) > 1 else ""
        return REMEMBERED.get(first.key, "").format(on=where, value=value, before=before, more=more)

    def _fighting(self, event: AttributeSet) -> str:
        """Return which Forces take part; of those that join a battle, only who is new."""
        known = event.was if isinstance(event.was, tuple) else ()
        new = [force for force in event.value if force not in known] if isinstance(event.value, tuple) else []
        word = "Attacking" if event.key == ATTACKING.key else "Defending"
        return f"{word}: {', '.join(map(self.name, new))}." if new else ""

    def _removed(self, first: MarkerRemoved, on: Sequence[str]) -> str:
        where = ", ".join(map(self.name, on))
        return {
            RATION: f"{where}: no Rations any more.",
            RUBBLE: f"{where}: no Rubble any more.",
            HEROIC_SERVICE: f"{where}: no Heroic Service counters any more.",
        }.get(first.marker, "")

    def _track(self, moved: TrackMoved) -> str:
        if moved.track == POINTS:
            return f"Points to spend on Forces: {moved.to} (before: {moved.was})."
        return ""

    # Cards

    def _card(
        self, event: CardPlayed | CardDiscarded | CardMoved | CardDrawn, run: Sequence[CardDrawn | CardDiscarded]
    ) -> str:
        known = [self.name(one.card) for one in run or (event,) if one.card is not None]
        hidden = len(run or (event,)) - len(known)
        card = ", ".join([*known, *([counted(hidden, "card") if hidden > 1 else "a card"] if hidden else [])])
        to, side = _what(event.to), self._side(event.to)
        if isinstance(event, CardDrawn):
            flipped = {"firefight": f"{side} flips {card} for its Firefight value."}
            return flipped.get(to, f"{side} draws {card}.")
        was = _what(event.was)
        if isinstance(event, CardPlayed):
            return self._played(card, self._side(event.was), to)
        if isinstance(event, CardDiscarded):
            return f"{side} discards {card}{' from the hand' if was == 'hand' else ''}."
        return {
            ("hand", "escrow"): f"{side} sets {card} aside face down.",
            ("escrow", "hand"): f"{side} takes {card} back.",
            ("deck", "hand"): f"{side} takes {card} from the deck.",
        }.get((was, to), "")

    def _played(self, card: str, side: str, to: str) -> str:
        words = {
            "firefight": f"{side} plays {card} in the Firefight.",
            "uranus": f"{card} stays in play.",
            "sniper": f"{card} stays with the Force until the turn ends.",
        }
        return words.get(to, f"{side} plays {card}.")
