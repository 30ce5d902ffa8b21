"""The sentences of this game: its questions, and its events as players describe them."""

from collections.abc import Mapping, Sequence

from core.engine.reactions import PASSES
from core.games.battle import ids
from core.games.battle.components.card_model import Cards, Force
from core.games.battle.components.words.card_words import force_words
from core.games.battle.memory import NO_FIREFIGHT
from core.games.battle.narration.counter_sentences import Name, cause, counters, remembered
from core.games.battle.rules.buy import price
from core.games.battle.rules.queries import controlled, hand_size, uranus_in_play
from core.wording import counted, joined
from events.ids import Side
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
    MatchEnded,
    PieceDrawn,
    PieceMoved,
    PiecePlaced,
    RuleApplied,
    SequenceBegan,
    SequenceEnded,
    StepBegan,
    TrackMoved,
)
from projections.state.table import Open, Table

QUESTIONS = {
    "choose_force": "which Force to take next, and where to place it{budget}",
    "repair": "which Location loses 1 Rubble",
    "action": "the next Action",
    "free_move": "the next free Move{free}",
    "pay_rations": "which Forces give {rations} as the cost{paid_for}",
    "pay_forces": "which {forces} Destroyed as the cost{paid_for}",
    "scouts": "which card of the deck to take",
    "attackers": "which Forces attack at {location}{defended}",
    "join_attack": "which Forces join the Attack at {location}{defended}",
    "firefight": "a card for the Firefight at {location}, or a pass",
    "absorb_hit": "which Force absorbs {hit}{by} at {location}",
    "award": "which Force gets the Heroic Service counter at {location}",
    "answer_draw": "whether to play a card before the enemy draws{drawn}",
    "answer_move": "whether to answer the Move of {force} to {to}",
    "answer_card": "whether to answer {card}{aim}",
    "answer_battle": "whether to play a card in the battle at {location} before the Firefight",
    "answer_aftermath": "whether to play a card after the battle at {location}",
    "answer_loss": "whether to play a card for {lost} just Destroyed",
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


def question(asked: Open, name: Name, known: Mapping[str, str] | None = None) -> str:
    """Return the text of an open question or a sequence; arguments whose words are `known` are called so."""
    words = {**{key: name(str(value)) for key, value in asked.arguments.items()}, **(known or {})}
    count, hits = asked.number("count"), asked.number("hits")
    words |= {"rations": counted(count, "Ration"), "forces": "Force is" if count == 1 else f"{count} Forces are"}
    words["hit"] = f"the next of {hits} Hits" if hits > 1 else "the Hit" if hits else "the next Hit"
    if "points" in words:
        words["budget"] = f" ({asked.number('points') - asked.number('spent')} of {words['points']} points left)"
    words = {
        "budget": "",
        "by": "",
        "defended": "",
        "drawn": "",
        "free": "",
        "lost": "the Force",
        "paid_for": "",
        **words,
        "aim": aim(words),
    }
    if asked.kind == "pay_cards":
        paid = "to set aside face down as payment" if asked.arguments.get("face_down") else "to pay with"
        return f"which {'card' if count == 1 else f'{count} cards'} {paid}{words['paid_for']}"
    if asked.kind == "distribute":
        return _shared_out(asked, words)
    return QUESTIONS[asked.kind].format(**words)


def _shared_out(asked: Open, words: Mapping[str, str]) -> str:
    """Return which Rations are handed out among which Forces; a Location that gives them to its own Forces is named once."""
    source, location, count = asked.text("source"), asked.text("location"), asked.number("count")
    who = "Force" if count == 1 else "Forces"
    where = f" at {words['location']}" if location else ""
    verb = "gets" if count == 1 else "get"
    if source and source == location:
        return f"which {who}{where} {verb} its {counted(count, 'Ration')}"
    of = f" of {words['source']}" if source else ""
    return f"which {who}{where} {verb} the {counted(count, 'Ration')}{of}"


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
            on = [event.on for event in run if isinstance(event, AttributeSet)]
            return remembered(table, first, on, name, cards)
        case MarkerPlaced() | MarkerRemoved():
            return counters(
                table, [event for event in run if isinstance(event, MarkerPlaced | MarkerRemoved)], name, cards
            )
        case ControlChanged(to=to):
            where = joined([name(event.place) for event in run if isinstance(event, ControlChanged)])
            return f"{name(to)} Controls {where} now." if to else f"Uncontrolled now: {where}."
        case SequenceBegan() | SequenceEnded() | StepBegan() | RuleApplied() | DeckFormed() | MatchEnded():
            return _course(table, first, name, cards)
        case TrackMoved(rule=rule, to=to, was=was):
            points = counted(was - to, "Reinforcement point")
            return (
                f"Lost: {points}."
                if rule == "buy.points-lapse"
                else f"Points to spend on Forces: {to}{cause(rule, cards)} (before: {was})."
            )
        case CardPlayed() | CardDiscarded() | CardMoved() | CardDrawn():
            together = [event for event in run if isinstance(event, CardDrawn | CardDiscarded | CardMoved)]
            return _card(table, first, together, name, cards)
        case PieceDrawn():
            # A Force that is drawn is turned up at once, and the Locations are named together.
            return None
        case PiecePlaced():
            return _placed([event for event in run if isinstance(event, PiecePlaced)], name, cards)
        case PieceMoved():
            return _moved(table, [event for event in run if isinstance(event, PieceMoved)], name, cards)
        case _:
            return ""


def _course(
    table: Table,
    event: SequenceBegan | SequenceEnded | StepBegan | RuleApplied | DeckFormed | MatchEnded,
    name: Name,
    cards: Cards,
) -> str:
    """Return what begins, ends or is applied; empty for the default sentence."""
    match event:
        case SequenceBegan():
            return _began(event, name)
        case SequenceEnded():
            return _ended(table, event, name)
        case RuleApplied():
            return _applied(table, event, name, cards)
        case MatchEnded(rule="victory.five-locations-own-turn", result=result):
            held = [location.name for location in controlled(cards, table, table.turn)]
            return f"{result}: at the end of its turn {name(table.turn)} Controls {joined(held)}. The match is over."
        case StepBegan(kind="battle", step="firefight"):
            none = [] if NO_FIREFIGHT.of(table) else _without_cards(table)
            return " ".join(f"{name(side)} has no cards for the Firefight." for side in none)
        case DeckFormed(deck=formed, count=count, rule=rule):
            return FORMED.get(rule, "").format(deck=name(formed), cards=counted(count, "card"))
        case _:
            return ""


def _applied(table: Table, event: RuleApplied, name: Name, cards: Cards) -> str:
    """Return who passes, and by which cards fewer are drawn; empty for the default sentence."""
    if event.rule == "uranus.effect.draw-fewer":
        fewer = joined([name(card) for card in uranus_in_play(cards, table, "enemy_draw")])
        return f"{name(event.about)} {event.outcome}, by {fewer}."
    if event.outcome != PASSES:
        return ""
    is_last = table.top is not None and table.top.kind == "firefight" and ends_firefight(table, table.top)
    return f"{name(event.about)} passes{', which ends the Firefight' if is_last else ''}."


def ends_firefight(table: Table, asked: Open) -> bool:
    """Return whether a pass ends the Firefight: the other side has passed, or has no cards and passes by itself."""
    return asked.number("passed") > 0 or not hand_size(table, ids.enemy(table.side_of(asked.seat)))


def _without_cards(table: Table) -> list[str]:
    """Return the sides that have no cards in hand, if their hands are known."""
    return [side for side in (ids.GERMAN, ids.RUSSIAN) if not hand_size(table, side)]


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
    first, moved = run[0], joined([name(event.piece) for event in run])
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
    "removal": "{side} pays to end {card}.",
}
"""What is declared, by the kind of the sequence that begins."""


def _began(event: SequenceBegan, name: Name) -> str:
    """Return what was declared; empty for what needs no declaration, such as a card that names nothing."""
    words = {key: name(value) for key, value in event.arguments.items() if isinstance(value, str)}
    paid, forces, aimed = event.arguments.get("paid"), event.arguments.get("forces"), aim(words)
    words["fare"] = counted(paid, "Ration") if isinstance(paid, int) and paid else "no Ration"
    words["forces"] = joined([name(force) for force in forces]) if isinstance(forces, tuple) else ""
    said = "" if event.kind == "card" and not aimed else BEGINNINGS.get(event.kind, "")
    return said.format(**words, aim=aimed)


def _ended(table: Table, event: SequenceEnded, name: Name) -> str:
    """Return what was cancelled; empty for what is over."""
    ended = table.topmost(event.kind)
    words = {} if ended is None else {key: name(ended.text(key)) for key in ("force", "card")}
    return CANCELLED.get((event.kind, event.rule), "").format_map({"force": "the Force", "card": "The card", **words})


# Cards


def _card(
    table: Table,
    event: CardPlayed | CardDiscarded | CardMoved | CardDrawn,
    run: Sequence[CardDrawn | CardDiscarded | CardMoved],
    name: Name,
    cards: Cards,
) -> str:
    known = [name(one.card) for one in run or (event,) if one.card is not None]
    hidden = len(run or (event,)) - len(known)
    card = joined([*known, *([counted(hidden, "card") if hidden > 1 else "a card"] if hidden else [])])
    owner = ids.PILE_NAMES[event.to][1]
    side = ids.SIDE_NAMES[owner]
    why = cause(event.rule, cards)
    match event:
        case CardDrawn():
            is_flip = event.to == ids.firefight(owner)
            return f"{side} flips {card} for its Firefight value." if is_flip else f"{side} draws {card}{why}."
        case CardPlayed():
            return {
                ids.firefight(owner): f"{side} plays {card} in the Firefight.{_passes_by_itself(table, owner, name)}",
                ids.URANUS_IN_PLAY: f"{card} stays in play.",
                ids.snipers(owner): f"{card} stays with {_locked(table, name)} until the turn ends.",
            }.get(event.to, f"{side} plays {card}.")
        case CardDiscarded(was=ids.URANUS_IN_PLAY):
            return f"{card} ends: {side} discards it."
        case CardDiscarded():
            return f"{side} discards {card}{why}."
        case CardMoved():
            return {
                (ids.hand(owner), ids.escrow(owner)): f"{side} sets {card} aside face down.",
                (ids.escrow(owner), ids.hand(owner)): f"{side} takes {card} back.",
                (ids.deck(owner), ids.hand(owner)): f"{side} takes {card} from the deck.",
            }.get((event.was, event.to), "")


def _passes_by_itself(table: Table, side: Side, name: Name) -> str:
    """Return that the enemy of who plays a Firefight card has none, with a space before; empty if it has."""
    other = ids.enemy(side)
    return "" if hand_size(table, other) else f" {name(other)} has no cards and passes."


def _locked(table: Table, name: Name) -> str:
    """Return the Force whose Move a Sniper answers."""
    move = table.topmost("move")
    return "the Force" if move is None else name(move.text("force"))
