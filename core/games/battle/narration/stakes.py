"""What an option or a question is worth, told with it: what a card does and where, what is added in a battle, and what does nothing."""

from collections.abc import Callable, Mapping

from core.games.battle.components.card_model import ActionCard, Cards
from core.games.battle.ids import CONTROL, area, bottom, enemy
from core.games.battle.memory import LOST, NO_LOCATION_CARDS
from core.games.battle.narration.counter_sentences import Name
from core.games.battle.rules.fighting import initiative_parts
from core.games.battle.rules.queries import combat, controlled, is_on_map, note_amount
from core.games.battle.rules.turn import cards_to_draw
from core.wording import counted, joined
from events.ids import CardId, PieceId, PlaceId, Side
from projections.table import Open, Table

PAYMENTS = ("pay_cards", "pay_rations", "pay_forces")
ATTACKS = ("attackers", "join_attack")


def answered_card(cards: Cards, table: Table, asked: Open) -> str:
    """Return what the card does that may be answered, with a colon before; empty for a card that the file does not have."""
    card = cards.cards.get(CardId(asked.text("card")))
    if card is None:
        return ""
    title = card.title
    if title.price is not None:
        return f": {title.text.rstrip('.')}"
    words = EFFECTS.get(title.op)
    return "" if words is None else f": {words(cards, table, card)}"


def with_places(cards: Cards, table: Table, asked: Open, words: Mapping[str, str], name: Name) -> dict[str, str]:
    """Return the arguments of a question in words, its Forces on the map with the Location, or with the Area from which one Moves."""
    found = dict(words)
    for key in ("force", "other"):
        force = PieceId(asked.text(key))
        if force in cards.forces and force in table.pieces and is_on_map(table, force):
            place = table.pieces[force].place
            where = f"from {name(place)}" if asked.kind == "answer_move" else f"at {name(cards.location_of(place))}"
            found[key] = f"{words[key]} {where}"
    return found


def window_words(cards: Cards, table: Table, asked: Open, name: Name) -> dict[str, str]:
    """Return what a question is about that its arguments do not name: the Forces lost, how many cards are drawn, what is paid for, or who defends."""
    side = table.side_of(asked.seat)
    if asked.kind in ATTACKS:
        return {"defended": defended(cards, table, area(asked.text("location"), enemy(side), CONTROL), name)}
    number = LOST.of(table, side) if asked.kind == "answer_loss" else 0
    gone = table.pieces_at(bottom(side))[-number:] if number else ()
    # One that came to the top of an empty deck at once is not beneath it.
    if gone and len(gone) == number:
        return {"lost": joined(tuple([name(force) for force in gone]))}
    if asked.kind in PAYMENTS:
        return paid_for(table, name)
    if asked.kind == "answer_draw" and side:
        return {"drawn": f" {counted(cards_to_draw(cards, table, enemy(side)), 'card')}"}
    return {}


def defended(cards: Cards, table: Table, place: PlaceId, name: Name) -> str:
    """Return which Forces defend in an Area, with a comma before; empty if there are none. Source: attack.defenders."""
    there = [PieceId(force) for force in table.pieces_at(place)]
    words = [f"{name(one)} (Combat {combat(cards, table, one)})" for one in there]
    return f", where {joined(words)} {'defends' if len(words) == 1 else 'defend'}" if words else ""


def paid_for(table: Table, name: Name) -> dict[str, str]:
    """Return what is paid for, with a space before: a Force with its Area, or a card; empty if nothing is."""
    for at in reversed(table.stack):
        if at.kind == "purchase":
            return {"paid_for": f" for {name(at.text('force'))}, to be placed at {name(at.text('to'))}"}
        if at.kind in ("card", "removal"):
            return {"paid_for": f" {'for' if at.kind == 'card' else 'to end'} {name(at.text('card'))}"}
    return {}


def added(cards: Cards, table: Table, side: Side, location: str, name: Name) -> str:
    """Return what is added to an attacker's total besides its Forces and cards, with a comma before; empty if nothing is."""
    parts = initiative_parts(cards, table, side, location)
    notes = {f"note of {one}": f"note of {name(one)}" for one in cards.locations}
    return "".join(f", {part.amount:+d} {notes.get(part.what, part.what)}" for part in parts)


def needless(cards: Cards, table: Table, card: ActionCard) -> str:
    """Return that a card denies nothing, in brackets with a space before; empty if it does."""
    if card.title.op != "deny_location_draws":
        return ""
    if NO_LOCATION_CARDS.of(table):
        return " (changes nothing: cards for Locations are denied already)"
    return "" if controlled(cards, table, enemy(card.side)) else " (changes nothing: the enemy Controls no Location)"


def stops(card: ActionCard) -> str:
    """Return how many Hits a card stops, with a space before; empty for one that stops none."""
    return f" and stop {counted(card.title.amount, 'Hit')}" if card.title.op == "stop_hits" else ""


def _strike(cards: Cards, table: Table, card: ActionCard) -> str:
    hits = card.title.hits + note_amount(cards, table, card.side, "card_attack_bonus")
    return f"{card.title.rubble} Rubble and {counted(hits, 'Hit')}"


def _points(cards: Cards, table: Table, card: ActionCard) -> str:
    points = card.title.amount + note_amount(cards, table, card.side, "reinforcements_bonus")
    return f"{counted(points, 'point')} for Forces"


EFFECTS: dict[str, Callable[[Cards, Table, ActionCard], str]] = {
    "card_attack": _strike,
    "move_and_attack": lambda *_: "it goes and attacks there for no Ration",
    "steal_rations": lambda _, __, card: f"{counted(card.title.amount, 'Ration')} from the one to the other",
    "gain_rations_each": lambda _, __, card: (
        f"{counted(card.title.amount, 'Ration')} for each Force in a Perimeter Area"
    ),
    "distribute_rations": lambda _, __, card: f"{counted(card.title.amount, 'Ration')} to hand out",
    "force_points": _points,
    "draw_cards": lambda _, __, card: f"{counted(card.title.amount, 'card')} drawn",
    "free_moves": lambda _, __, card: f"up to {card.title.amount} Moves for no Ration",
}
"""What a card of the Actions step does, by its effect."""
