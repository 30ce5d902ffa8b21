"""The sentences about counters, and about what the rules remember."""

from collections.abc import Callable, Sequence

from core.games.battle import ids, memory
from core.games.battle.components.card_model import Cards
from core.games.battle.rules import queries
from core.games.battle.rules.supply import location_rations, printed_rations
from core.wording import counted, joined
from events.ids import PieceId, Side
from events.vocabulary import AttributeSet, MarkerPlaced, MarkerRemoved
from projections.state.table import Table

Name = Callable[[str], str]
"""Returns what an id is called."""

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
    "card.reinforcements": "by Reinforcements",
}
"""Why there are more or fewer Rations, Rubble, cards or points, by the rule."""

NOTES = {
    "location.note.rations-anywhere": "rations_anywhere",
    "location.note.buy-ration-bonus": "buy_ration_bonus",
    "location.note.repair-rubble": "repair_rubble",
    "location.note.extra-draw": "extra_draw",
    "location.note.reinforcements-bonus": "reinforcements_bonus",
}
"""The kind of a Location's note that does so, by the rule."""

GONE = ("force.destroyed-loses-counters", "location.destroyed.threshold")
"""The rules under which counters go with what is Destroyed, which has its own sentence."""

REMEMBERED = {
    memory.DOUBLED.key: "The Combat of {on} is doubled.",
    memory.LOCKED.key: "{on} may not Move any more this turn: locked by a Sniper.",
    memory.PLEDGED.key: "Set aside as a cost: {on}.",
    memory.NO_LOCATION_CARDS.key: "In force until the turn ends: No cards for Locations.",
    memory.BIG_PUSH.key: "In force until the turn ends: {on} Big Push{more}.",
    memory.NO_FIREFIGHT.key: "In this battle: No Firefight.",
    memory.NO_RETREAT.key: "{on} Forces cannot Retreat in this battle (Tanks).",
    memory.FREE_MOVES_LEFT.key: "Free Moves left: {value}{before}.",
    memory.TOTAL.key: "{on} total: {value}.",
    memory.IGNORED.key: "{on} ignores a Hit by its note.",
}
"""The sentences of what the rules remember, by its key; `_remembered` has those that need more."""

# Counters


STARTING = ("buy.starting-rations", "setup.starting-rations")
"""The rules under which a Force gets its first Rations."""

BACK = ("secrecy.cancelled-payment", "action.cancelled-costs-nothing")
"""The rules under which Rations come back that were given already."""

STOPPED = {
    "attack.hits.ration": "a Ration",
    "retreat.absorbs": "the Retreat",
    "attack.hits.destroyed": "the loss",
    "force.note.ignore-hits": "the note",
    "card.rubble": "the card Rubble",
}
"""What stops Hits, by the rule."""


def cause(rule: str, cards: Cards) -> str:
    """Return why there are more or fewer Rations, Rubble, cards or points, with a space before; empty if the event tells that itself."""
    if rule in CAUSES:
        return f" {CAUSES[rule]}"
    noted = [location.name for location in cards.locations.values() if location.note.op == NOTES.get(rule)]
    return f" by the note of {' or '.join(noted)}" if noted else ""


def counters(table: Table, run: Sequence[MarkerPlaced | MarkerRemoved], name: Name, cards: Cards) -> str | None:
    """Return how many counters lie there now; None for those that go with what is Destroyed."""
    first, where = run[0], joined([name(event.on) for event in run])
    has, is_, each = ("has", "is", "") if len(run) == 1 else ("have", "are", " each")
    why = cause(first.rule, cards)
    if first.rule in GONE and first.marker != ids.DESTROYED:
        return None
    if first.marker == ids.RATION and why:
        return _rations(table, run, name, cards)
    if isinstance(first, MarkerRemoved):
        gone = {ids.RATION: "Rations", ids.RUBBLE: "Rubble", ids.HEROIC_SERVICE: "Heroic Service counters"}.get(
            first.marker
        )
        return f"{where}: no {gone} any more{why}." if gone else ""
    before = f" (before: {first.was})" if first.was else ""
    return {
        ids.RATION: f"{where}: {counted(first.count, 'Ration')}{each}{before}.",
        ids.RUBBLE: f"{where} {has} {first.count} Rubble{each}{why}{before}.",
        ids.DESTROYED: f"{where} {is_} Destroyed.",
        ids.HEROIC_SERVICE: f"{where} {has} {counted(first.count, 'Heroic Service counter')}{each}{before}.",
    }.get(first.marker, "")


def _rations(table: Table, run: Sequence[MarkerPlaced | MarkerRemoved], name: Name, cards: Cards) -> str:
    """Return how many Rations Forces get or lose, and why; those that Locations give, Location by Location."""
    by_source: dict[str, list[str]] = {}
    for event in run:
        by_source.setdefault(_given_by(table, event, cards), []).append(name(event.on))
    first = run[0]
    now = first.count if isinstance(first, MarkerPlaced) else 0
    count, each = counted(abs(now - first.was), "Ration"), " each" if len(run) > 1 else ""
    if not first.was and first.rule in STARTING:
        return f"{joined([name(event.on) for event in run])}: {count}{each} to start with."
    if first.rule not in BACK:
        count = f"{count} {'more' if now > first.was else 'less'}"
    return " ".join(
        f"{joined(on)}: {count}{' each' if len(on) > 1 else ''}{source}, {now or 'none'} now."
        for source, on in by_source.items()
    )


def _given_by(table: Table, event: MarkerPlaced | MarkerRemoved, cards: Cards) -> str:
    """Return why a Force has more or fewer Rations: if a Location gives them, which one, and what it gives by its Rubble."""
    piece = table.pieces.get(PieceId(event.on))
    if event.rule != "supply.location-rations" or piece is None or piece.place in ids.OFF_MAP:
        return cause(event.rule, cards)
    location = cards.location_of(piece.place)
    printed, gives = cards.locations[location], location_rations(cards, table, piece.side, location)
    of_chart = printed_rations(table, printed)
    less = f", {gives} by Operation: Uranus" if gives < of_chart else ""
    return f" from {printed.name}, which gives {of_chart} with {queries.rubble(table, location)} Rubble{less}"


# What the rules remember


def remembered(table: Table, first: AttributeSet, on: Sequence[str], name: Name, cards: Cards) -> str:
    """Return what the rules remember, as far as players have a word for it."""
    value, was = first.value, first.was
    if value is None:
        return ""
    if first.key in (memory.ATTACKING.key, memory.DEFENDING.key):
        return _fighting(first, name)
    where, each = joined([*map(name, on)]), "" if len(on) == 1 else " each"
    before = f" (before: {was})" if was is not None else ""
    number = value if isinstance(value, int) else 0
    if first.key == memory.HITS.key:
        return _hits(first, where, number, is_each=len(on) > 1)
    if first.key == memory.FREE_MOVES_USED.key:
        return f"The free Move of {free_move_of(table, table.turn, name, cards)} is used."
    if first.key == memory.PLEDGED_RATIONS.key:
        return f"{where}: {counted(number, 'Ration')}{each} set aside as a cost{before}."
    if first.key == memory.LOCATIONS.key and isinstance(value, tuple):
        return f"In play, in this order: {joined([*map(name, value)])}."
    more = f" ({value})" if number > 1 else ""
    return REMEMBERED.get(first.key, "").format(on=where, value=value, before=before, more=more)


def _hits(event: AttributeSet, side: str, left: int, *, is_each: bool) -> str:
    """Return how many Hits a side has to absorb, and how many were stopped just now, by what."""
    was = event.was if isinstance(event.was, int) else 0
    if event.rule == "attack.hits.excess-lost":
        return f"{counted(was, 'Hit')} left over: lost, since no {side} Force takes part any more."
    if event.rule in STOPPED and was > left:
        worth = -sum([part.amount for part in event.parts or ()])
        could = f" (it could stop {worth})" if worth > was - left else ""
        return f"{side}: {counted(was - left, 'Hit')} stopped by {STOPPED[event.rule]}{could}, {left or 'none'} left."
    if not left:
        return f"{side} has no more Hits to absorb." if was else ""
    # The same words fit while they are absorbed and afterwards.
    return f"{counted(left, 'Hit')}{' each' if is_each else ''} for {side} to absorb."


def free_move_of(table: Table, side: Side, name: Name, cards: Cards) -> str:
    """Return which Locations give a side its free Moves."""
    holders = queries.note_holders(cards, table, side, "free_moves_per_turn")
    return " or ".join(name(location.id) for location in holders) or "a Location"


def _fighting(event: AttributeSet, name: Name) -> str:
    """Return which Forces take part, and which of them have just joined a battle."""
    if (event.key == memory.ATTACKING.key and event.was is None) or not isinstance(event.value, tuple):
        return ""
    known = event.was if isinstance(event.was, tuple) else ()
    new = [name(force) for force in event.value if force not in known] if known else []
    word = "Attacking" if event.key == memory.ATTACKING.key else "Defending"
    word = "Target" if event.rule == "card-attack.target" else word
    joins = f" {joined(new)} {'joins' if len(new) == 1 else 'join'} the battle." if new else ""
    return f"{word}: {joined([*map(name, event.value)])}.{joins}" if event.value else ""
