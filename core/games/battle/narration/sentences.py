"""The sentences of this game: its questions, and its events as players describe them."""

from collections.abc import Callable, Mapping, Sequence

from core.games.battle import ids, memory
from core.games.battle.components.card_model import Cards, Force
from core.games.battle.components.view.card_words import force_words
from core.games.battle.rules.buy import price
from core.windows import PASSES
from core.wording import counted
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    ControlChanged,
    DeckFormed,
    Event,
    MarkerPlaced,
    MarkerRemoved,
    PieceDrawn,
    PieceMoved,
    PiecePlaced,
    RuleApplied,
    SequenceBegan,
    SequenceEnded,
    TrackMoved,
)
from projections.table import Open, Table

QUESTIONS = {
    "choose_force": "which Force to take next, and where to place it{budget}",
    "repair": "which Location loses 1 Rubble",
    "action": "the next Action",
    "free_move": "the next free Move",
    "pay_rations": "which Forces give Rations as the cost; {left} to go",
    "pay_forces": "which Forces are Destroyed as the cost; {left} to go",
    "scouts": "which card of the deck to take",
    "attackers": "which Forces attack at {location}",
    "join_attack": "which Forces join the Attack at {location}",
    "firefight": "a card for the Firefight at {location}, or a pass{last}",
    "absorb_hit": "which Force absorbs {hit} at {location}",
    "award": "which Force gets the Heroic Service counter at {location}",
    "answer_draw": "whether to play a card before the enemy draws",
    "answer_move": "whether to answer the Move of {force} to {to}",
    "answer_card": "whether to answer {card}{aim}",
    "answer_battle": "whether to play a card in the battle at {location} before the Firefight",
    "answer_aftermath": "whether to play a card after the battle at {location}",
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

CANCELLED = {
    ("move", "card.sniper"): "The Move of {force} is cancelled.",
    ("card", "card.fog-of-war"): "{card} is cancelled and has no effect.",
}
"""What ends with a card that cancels it, by the sequence and the rule of that card."""

FORMED = {"setup.locations.draw": "The Locations are shuffled.", "card.scouts": "{deck}: {cards} looked through."}
"""What is told of a deck that is formed, by the rule."""

CAUSES = {
    "move.cost": "for a Move",
    "attack.cost": "for an Attack",
    "card.attack.others-join": "for joining the Attack",
    "attack.hits.ration": "for stopping a Hit",
    "uranus.play-cost": "as the cost of the card",
    "uranus.removal": "as the cost of the removal",
    "secrecy.cancelled-payment": "back, since the card is cancelled",
    "action.cancelled-costs-nothing": "back, since the Move is cancelled",
    "supply.perimeter-ration": "for the Perimeter",
    "supply.location-rations": "from the Location",
    "buy.starting-rations": "to start with",
    "setup.starting-rations": "to start with",
    "draw.location-bonus": "for Locations",
    "uranus.effect.draw-more": "by Operation: Uranus",
    "buy.pay": "to pay",
    "resupply.action": "by Resupply",
    "card.supply-raid": "by Supply Raid",
    "card.fresh-supplies": "by Fresh Supplies",
    "card.air-supply": "by Air Supply",
    "card.recover-wounded": "by Recover Wounded",
}
"""Why there are more or fewer Rations, Rubble or cards, by the rule."""

NOTES = {
    "location.note.rations-anywhere": "rations_anywhere",
    "location.note.buy-ration-bonus": "buy_ration_bonus",
    "location.note.repair-rubble": "repair_rubble",
    "location.note.extra-draw": "extra_draw",
}
"""The kind of a Location's note that does so, by the rule."""

GONE = ("force.destroyed-loses-counters", "location.destroyed.threshold")
"""The rules under which counters go with what is Destroyed, which has its own sentence."""

REMEMBERED = {
    memory.DOUBLED.key: "The Combat of {on} is doubled.",
    memory.LOCKED.key: "{on} may not Move any more this turn: locked by a Sniper.",
    memory.PLEDGED.key: "Set aside as a cost: {on}.",
    memory.FREE_MOVES_USED.key: "The free Move of a Location is used.",
    memory.NO_LOCATION_CARDS.key: "In force until the turn ends: No cards for Locations.",
    memory.BIG_PUSH.key: "In force until the turn ends: {on} Big Push{more}.",
    memory.NO_FIREFIGHT.key: "In this battle: No Firefight.",
    memory.NO_RETREAT.key: "{on} Forces cannot Retreat in this battle (Tanks).",
    memory.FREE_MOVES_LEFT.key: "Free Moves left: {value}{before}.",
    memory.TOTAL.key: "{on} total: {value}.",
    memory.IGNORED.key: "{on} ignores a Hit by its note.",
}
"""The sentences of what the rules remember, by its key; `_remembered` has those that need more."""

Name = Callable[[str], str]
"""Returns what an id is called."""


def question(asked: Open, name: Name) -> str:
    """Return the text of an open question or a sequence."""
    words = {key: name(str(value)) for key, value in asked.arguments.items()}
    if "count" in words:
        words["left"] = str(asked.number("count") - len(asked.picked))
    hits = asked.number("hits")
    words["hit"] = f"the next of {hits} Hits" if hits > 1 else "the last Hit" if hits else "the next Hit"
    words["last"] = ", which ends it" if asked.number("passed") else ""
    if "points" in words:
        words["budget"] = f" ({asked.number('points') - asked.number('spent')} of {words['points']} points left)"
    words = {"budget": "", **words, "aim": aim(words)}
    if asked.kind == "pay_cards":
        paid = "to set aside face down as payment" if asked.arguments.get("face_down") else "to pay with"
        return f"which cards {paid}; {words['left']} to go"
    if asked.kind == "distribute":
        where = f" among the Forces at {words['location']}" if asked.text("location") else ""
        source = f" of {words['source']}" if asked.text("source") else ""
        return f"which Forces get the Rations{source}{where}; {words['left']} to go"
    return QUESTIONS[asked.kind].format(**words)


def aim(words: Mapping[str, str]) -> str:
    """Return what a card names: a Force, another one, an Area; empty if it names nothing."""
    force, other, to = (words.get(key, "") for key in ("force", "other", "to"))
    if to:
        return f" with {force}, which goes to {to}"
    return (f" on {force}" if force else "") + (f" for {other}" if other else "")


def tell(table: Table, run: Sequence[Event], name: Name, cards: Cards) -> str | None:
    """Return the sentence for events in a row after a table; empty for the default sentence, None for no sentence."""
    first = run[0]
    match first:
        case AttributeSet():
            return _remembered(first, [event.on for event in run if isinstance(event, AttributeSet)], name)
        case MarkerPlaced() | MarkerRemoved():
            return _counters(
                first, [name(event.on) for event in run if isinstance(event, MarkerPlaced | MarkerRemoved)], cards
            )
        case ControlChanged(to=to):
            where = ", ".join([name(event.place) for event in run if isinstance(event, ControlChanged)])
            return f"{name(to)} Controls {where} now." if to else f"Uncontrolled now: {where}."
        case SequenceBegan() | SequenceEnded():
            return _began(first, name) if isinstance(first, SequenceBegan) else _ended(table, first, name)
        case RuleApplied(outcome=outcome, about=about) if outcome == PASSES:
            return f"{name(about)} passes."
        case TrackMoved(rule=rule, to=to, was=was):
            points = counted(was - to, "Reinforcement point")
            return (
                f"Lost: {points}."
                if rule == "buy.points-lapse"
                else f"Points to spend on Forces: {to} (before: {was})."
            )
        case CardPlayed() | CardDiscarded() | CardMoved() | CardDrawn():
            return _card(first, [event for event in run if isinstance(event, CardDrawn | CardDiscarded)], name, cards)
        case DeckFormed(deck=formed, count=count, rule=rule):
            return FORMED.get(rule, "").format(deck=name(formed), cards=counted(count, "card"))
        case PieceDrawn():
            # A Force that is drawn is turned up at once, and the Locations are named together.
            return None
        case PiecePlaced():
            return _placed([event for event in run if isinstance(event, PiecePlaced)], name, cards)
        case PieceMoved():
            return _moved(table, [event for event in run if isinstance(event, PieceMoved)], name, cards)
        case _:
            return ""


# Forces


def _turned_up(force: Force) -> str:
    words = force_words(force, force.rations)
    return f"{force.name} (Cost {force.cost}, {words}) is the open top of the {ids.SIDE_NAMES[force.side]} Force deck."


def _placed(run: Sequence[PiecePlaced], name: Name, cards: Cards) -> str:
    """Return which Forces were turned up on a Force deck and which were placed on the map; empty if none was turned up."""
    if not any(event.to in ids.TOPS for event in run):
        return ""
    return " ".join(
        _turned_up(cards.forces[event.piece])
        if event.to in ids.TOPS
        else f"Placed: {name(event.piece)} in {name(event.to)}."
        for event in run
    )


def _moved(table: Table, run: Sequence[PieceMoved], name: Name, cards: Cards) -> str:
    first, moved = run[0], ", ".join([name(event.piece) for event in run])
    if first.to in ids.TOPS:
        return _turned_up(cards.forces[first.piece])
    if first.to in ids.OFF_MAP:
        return f"{moved} at {name(first.was)}: Destroyed."
    if first.rule == "retreat.absorbs":
        return f"{moved} {'Retreats' if len(run) == 1 else 'Retreat'} to {name(first.to)}."
    if first.was not in ids.TOPS:
        return ""
    side = cards.forces[first.piece].side
    return f"{name(side)} buys {moved} for {price(cards, table, side, first.piece)}; it enters at {name(first.to)}."


BEGINNINGS = {
    "move": "Declared: the Move of {force} to {to} for {fare}.",
    "card": "Declared: {card}{aim}.",
    "battle": "{attacker} attacks at {location} with {forces}.",
    "card_attack": "{card} hits {force} at {location}.",
}
"""What is declared, by the kind of the sequence that begins."""


def _began(event: SequenceBegan, name: Name) -> str:
    """Return what was declared; empty for what needs no declaration, such as a card that names nothing."""
    words = {key: name(value) for key, value in event.arguments.items() if isinstance(value, str)}
    paid, forces, aimed = event.arguments.get("paid"), event.arguments.get("forces"), aim(words)
    words["fare"] = counted(paid, "Ration") if isinstance(paid, int) and paid else "no Ration"
    words["forces"] = ", ".join(map(name, forces)) if isinstance(forces, tuple) else ""
    said = "" if event.kind == "card" and not aimed else BEGINNINGS.get(event.kind, "")
    return said.format(**words, aim=aimed)


def _ended(table: Table, event: SequenceEnded, name: Name) -> str:
    """Return what was cancelled; empty for what is over."""
    ended = table.topmost(event.kind)
    words = {} if ended is None else {key: name(ended.text(key)) for key in ("force", "card")}
    return CANCELLED.get((event.kind, event.rule), "").format_map({"force": "the Force", "card": "The card", **words})


# Markers, and what the rules remember


def _cause(rule: str, cards: Cards) -> str:
    """Return why there are more or fewer Rations, Rubble or cards, with a space before; empty if the event tells that itself."""
    if rule in CAUSES:
        return f" {CAUSES[rule]}"
    noted = [location.name for location in cards.locations.values() if location.note.op == NOTES.get(rule)]
    return f" by the note of {' or '.join(noted)}" if noted else ""


def _counters(first: MarkerPlaced | MarkerRemoved, on: Sequence[str], cards: Cards) -> str | None:
    """Return how many counters lie there now; None for those that go with what is Destroyed."""
    where, cause = ", ".join(on), _cause(first.rule, cards)
    if first.rule in GONE and first.marker != ids.DESTROYED:
        return None
    if first.marker == ids.RATION and cause:
        now = first.count if isinstance(first, MarkerPlaced) else 0
        change = f"{counted(abs(now - first.was), 'Ration')} {'more' if now > first.was else 'less'}"
        return f"{where}: {change}{' each' if len(on) > 1 else ''}{cause}, {now or 'none'} now."
    if isinstance(first, MarkerRemoved):
        gone = {ids.RATION: "Rations", ids.RUBBLE: "Rubble", ids.HEROIC_SERVICE: "Heroic Service counters"}.get(
            first.marker
        )
        return f"{where}: no {gone} any more{cause}." if gone else ""
    before = f" (before: {first.was})" if first.was else ""
    return {
        ids.RATION: f"{where}: {counted(first.count, 'Ration')}{before}.",
        ids.RUBBLE: f"{where} has {first.count} Rubble{cause}{before}.",
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
        if first.rule == "attack.hits.excess-lost":
            left = counted(was if isinstance(was, int) else 0, "Hit")
            return f"{left} left over: lost, since no {where} Force takes part any more."
        have, each = ("have", " each") if len(on) > 1 else ("has", "")
        return f"{where} {have} {counted(number, 'Hit')}{each} to absorb." if value else none_left
    if first.key == memory.PLEDGED_RATIONS.key:
        return f"{where}: {counted(number, 'Ration')} set aside as a cost{before}."
    if first.key == memory.LOCATIONS.key and isinstance(value, tuple):
        return f"In play, in this order: {', '.join(map(name, value))}."
    more = f" ({value})" if number > 1 else ""
    return REMEMBERED.get(first.key, "").format(on=where, value=value, before=before, more=more)


def _fighting(event: AttributeSet, name: Name) -> str:
    """Return which Forces take part; if some join a battle, only those."""
    if event.key == memory.ATTACKING.key and event.was is None:
        return ""
    known = event.was if isinstance(event.was, tuple) else ()
    new = [force for force in event.value if force not in known] if isinstance(event.value, tuple) else []
    word = "Attacking" if event.key == memory.ATTACKING.key else "Defending"
    word = "Target" if event.rule == "card-attack.target" else word
    return f"{word}: {', '.join(map(name, new))}." if new else ""


# Cards


def _card(
    event: CardPlayed | CardDiscarded | CardMoved | CardDrawn,
    run: Sequence[CardDrawn | CardDiscarded],
    name: Name,
    cards: Cards,
) -> str:
    known = [name(one.card) for one in run or (event,) if one.card is not None]
    hidden = len(run or (event,)) - len(known)
    card = ", ".join([*known, *([counted(hidden, "card") if hidden > 1 else "a card"] if hidden else [])])
    owner = ids.PILE_NAMES[event.to][1]
    side = ids.SIDE_NAMES[owner]
    cause = _cause(event.rule, cards)
    match event:
        case CardDrawn():
            is_flip = event.to == ids.firefight(owner)
            return f"{side} flips {card} for its Firefight value." if is_flip else f"{side} draws {card}{cause}."
        case CardPlayed():
            return {
                ids.firefight(owner): f"{side} plays {card} in the Firefight.",
                ids.URANUS_IN_PLAY: f"{card} stays in play.",
                ids.snipers(owner): f"{card} stays with the Force until the turn ends.",
            }.get(event.to, f"{side} plays {card}.")
        case CardDiscarded():
            return f"{side} discards {card}{cause}."
        case CardMoved():
            return {
                (ids.hand(owner), ids.escrow(owner)): f"{side} sets {card} aside face down.",
                (ids.escrow(owner), ids.hand(owner)): f"{side} takes {card} back.",
                (ids.deck(owner), ids.hand(owner)): f"{side} takes {card} from the deck.",
            }.get((event.was, event.to), "")
