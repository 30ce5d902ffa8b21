"""Stakes of options and questions: the effect of a card and its place, additions in a battle, and options without effect."""

from collections.abc import Callable, Mapping

from core.games.battle.components.card_model import ActionCard, Cards
from core.games.battle.ids import CONTROL, PERIMETER, area, bottom, enemy
from core.games.battle.memory import HITS, LOST, NO_LOCATION_CARDS, is_attacking
from core.games.battle.narration.counter_sentences import Name
from core.games.battle.rules.fighting import initiative_parts, total, total_parts
from core.games.battle.rules.queries import (
    ATTACK_NOTE,
    DOUBLING,
    MEDAL_COMBAT,
    PUSH,
    combat_parts,
    controlled,
    controller,
    is_on_map,
    note_amount,
    participants,
    perimeter_forces,
    rations,
    retreat_worth,
)
from core.games.battle.rules.turn import cards_to_draw
from core.narration.side_sum import SideSum
from core.telling.dice_text import added_up
from core.wording import counted, joined
from events.ids import CardId, PieceId, PlaceId, Side
from events.vocabulary import Modifier
from projections.state.table import Open, Table

PAYMENTS = ("pay_cards", "pay_rations", "pay_forces")
ATTACKS = ("attackers", "join_attack")
FIREFIGHTS = ("answer_battle", "firefight")
"""The questions before and in a Firefight."""

BONUSES = {
    MEDAL_COMBAT: "Heroic Service",
    PUSH: "Big Push",
    ATTACK_NOTE: "when attacking",
    DOUBLING: "Heavy Weapons",
}
"""What is added to the Combat of a Force, by the rule."""


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
    """Return what a question is about that its arguments do not name: the Forces lost, how many cards are drawn, what is paid for, what caused Hits, or who defends."""
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
    if asked.kind == "absorb_hit":
        card, battle = table.topmost("card_attack"), table.topmost("battle")
        return {"by": f" of {name(card.text('card'))}" if card else " of the battle" if battle else ""}
    if asked.kind == "answer_draw" and side:
        return {"drawn": f" {counted(cards_to_draw(cards, table, enemy(side)), 'card')}"}
    return {}


def defended(cards: Cards, table: Table, place: PlaceId, name: Name) -> str:
    """Return which Forces defend in an Area, with a comma before; empty if there are none. Source: attack.defenders."""
    there = [PieceId(force) for force in table.pieces_at(place)]
    words = [f"{name(one)} ({combat_words(cards, table, one)})" for one in there]
    return f", where {joined(words)} {'defends' if len(words) == 1 else 'defend'}" if words else ""


def combat_words(cards: Cards, table: Table, force: PieceId, *, attacks: bool = False) -> str:
    """Return the Combat of a Force, or that with which it would attack, with what is added to the printed one.

    As in `Combat 7: 5, +2 when attacking`. Source: force.combat, force.note.attack-bonus.
    """
    parts, card = combat_parts(cards, table, force), cards.forces[force]
    if attacks and card.attack_bonus and not is_attacking(table, force):
        parts.append(Modifier(ATTACK_NOTE, "", card.attack_bonus))
    printed, *more = parts
    added_words = added_up([Modifier(part.rule, BONUSES[part.rule], part.amount) for part in more])
    said = f"Combat {sum([part.amount for part in parts])}"
    return f"{said}: {printed.amount}, {added_words}" if more else said


def attack_cost(cards: Cards, number: int = 1) -> str:
    """Return what an Attack costs so many Forces, with a space before; empty if it costs nothing. Source: attack.cost."""
    cost = cards.figures.attack_cost
    return f" for {counted(cost, 'Ration')}{' each' if number > 1 else ''}" if cost else ""


def left_of(there: int, cost: int = 1) -> str:
    """Return how many Rations are left after a cost, with a comma before; empty if it cannot be paid."""
    return f", then {there - cost or 'none'} left" if there >= cost else ""


def control_words(cards: Cards, table: Table, force: PieceId, to: PlaceId, name: Name) -> str:
    """Return whose Control of Locations changes once a Force stands in an Area of its side, with a colon before; empty if none does.

    Source: control.own, control.both, control.neither, control.immediate.
    """
    side, piece = cards.forces[force].side, table.pieces.get(force)
    was, there = PlaceId("") if piece is None else piece.place, cards.location_of(to)
    said = []
    if cards.is_control(to) and controller(table, there) != side and not _is_held(table, there, enemy(side)):
        said.append(f"Controls {name(there)}")
    if cards.is_control(was) and len(table.pieces_at(was)) == 1:
        left = cards.location_of(was)
        is_contested = _is_held(table, left, enemy(side))
        said.append(f"leaves {name(left)} to the enemy" if is_contested else f"gives up Control of {name(left)}")
    return f": {joined(said)}" if said else ""


def against(cards: Cards, table: Table, force: PieceId, to: PlaceId, name: Name) -> str:
    """Return which enemy Forces stand at the Location of an Area that a Force comes to, with a space before; empty if none does, or if it is there already.

    Source: setup.german-forces-budget, since who places second does so against what lies there.
    """
    there, other, piece = cards.location_of(to), enemy(cards.forces[force].side), table.pieces.get(force)
    if piece is not None and cards.location_of(piece.place) == there:
        return ""
    faced = [name(one) for which in (PERIMETER, CONTROL) for one in table.pieces_at(area(there, other, which))]
    return f" against {joined(faced)}" if faced else ""


def _is_held(table: Table, location: str, side: Side) -> bool:
    return bool(table.pieces_at(area(location, side, CONTROL)))


def absorbed(cards: Cards, table: Table, force: PieceId, by: str) -> tuple[str, str]:
    """Return how a Force meets a Hit that it stops with what it has, and what comes of it: a Ration with those left, or a Retreat with the Hits that it stops.

    Source: attack.hits.ration, retreat.absorbs, retreat.surplus-lost.
    """
    if by == "ration":
        return "stops the Hit with a Ration", left_of(rations(table, force))
    worth, hits = retreat_worth(cards, table, force), HITS.of(table, cards.forces[force].side)
    if not 0 < hits < worth:
        return "Retreats", f" and stops {counted(worth, 'Hit')}"
    return "Retreats", f" and stops {counted(hits, 'Hit')} (it could stop {worth})"


def destroyed(cards: Cards, table: Table, force: PieceId) -> str:
    """Return how many Hits the loss of a Force stops, and how many are lost then, since nobody is left to take them.

    Source: attack.hits.destroyed, attack.hits.excess-lost.
    """
    stopped = cards.figures.per_destroyed
    said = f" and stops {counted(stopped, 'Hit')}"
    card = cards.forces.get(force)
    if card is None or participants(cards, table, card.side) != [force]:
        return said
    lost = HITS.of(table, card.side) - stopped
    return f"{said}; {lost} more {'is' if lost == 1 else 'are'} lost" if lost > 0 else said


def adding_up(cards: Cards, table: Table, side: Side, name: Name) -> str:
    """Return what makes up a side's total in the present battle so far; empty for one to which nothing counts. Source: attack.totals."""
    battle = table.topmost("battle")
    parts = () if battle is None else total_parts(cards, table, battle, side)
    if battle is None or not parts:
        return ""
    words = added_up(parts, lambda what: " ".join([name(word) for word in what.split(" ")]))
    return f"{name(side)} total {total(cards, table, battle, side)}: {words}"


def side_sum(cards: Cards, table: Table, side: Side, name: Name) -> SideSum:
    """Return a side's total in the present battle so far, which there must be. Source: attack.totals."""
    battle = table.topmost("battle")
    assert battle is not None
    parts = [
        Modifier(part.rule, " ".join([name(word) for word in part.what.split(" ")]), part.amount)
        for part in total_parts(cards, table, battle, side)
    ]
    return SideSum(side, f"{name(side)} total", tuple(parts))


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


def needless(cards: Cards, table: Table, card: ActionCard, target: PieceId) -> str:
    """Return that a card, aimed at a Force, changes nothing, in brackets with a space before; empty if it does."""
    op = card.title.op
    if op == "gain_rations_each" and not perimeter_forces(cards, table, card.side):
        return " (changes nothing: no own Force is in a Perimeter Area)"
    if op == "steal_rations" and target in table.pieces and not rations(table, target):
        return " (changes nothing: there is no Ration to take)"
    if op != "deny_location_draws":
        return ""
    if NO_LOCATION_CARDS.of(table):
        return " (changes nothing: cards for Locations are denied already)"
    return "" if controlled(cards, table, enemy(card.side)) else " (changes nothing: the enemy Controls no Location)"


def takes(table: Table, card: ActionCard, target: PieceId) -> str:
    """Return how many Rations a card takes from a Force, with a space before; empty for one that takes none. Source: card.supply-raid."""
    taken = min(card.title.amount, rations(table, target)) if card.title.op == "steal_rations" else 0
    return f" and take {counted(taken, 'Ration')}" if taken else ""


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
