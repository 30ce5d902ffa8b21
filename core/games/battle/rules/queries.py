"""Queries of the table: Control, Areas, Rations, Combat. Derived anew each time and never stored."""

from core.games.battle import ids
from core.games.battle.components.card_model import ActionCard, Cards, Location
from core.games.battle.memory import BIG_PUSH, DOUBLED, LOCATIONS, LOCKED, is_attacking, takes_part
from events.ids import CardId, PieceId, PlaceId, RuleId, Side
from events.vocabulary import Modifier
from projections.state.table import Table

COMBAT = RuleId("force.combat")
MEDAL_COMBAT = RuleId("heroic.combat")
PUSH = RuleId("card.big-push")
ATTACK_NOTE = RuleId("force.note.attack-bonus")
DOUBLING = RuleId("card.heavy-weapons")
RETREAT = RuleId("retreat.absorbs")
RETREAT_NOTE = RuleId("force.note.retreat-bonus")
MEDAL_RETREAT = RuleId("heroic.retreat")


def locations_in_play(cards: Cards, table: Table) -> list[Location]:
    """Return the Locations of this match, in the order in which they were laid out. Source: setup.locations.draw."""
    return [cards.locations[name] for name in LOCATIONS.of(table) or ()]


def controller(table: Table, location: str) -> Side | None:
    """Return who Controls a Location: the side that alone has Forces in its Control Area; None if neither does.

    Source: control.own, control.both, control.neither, control.perimeter-irrelevant, control.immediate.
    """
    german = bool(table.pieces_at(ids.area(location, ids.GERMAN, ids.CONTROL)))
    russian = bool(table.pieces_at(ids.area(location, ids.RUSSIAN, ids.CONTROL)))
    return None if german == russian else ids.GERMAN if german else ids.RUSSIAN


def controlled(cards: Cards, table: Table, side: Side) -> list[Location]:
    """Return the Locations that a side Controls, in their order."""
    return [location for location in locations_in_play(cards, table) if controller(table, location.id) == side]


def note_holders(cards: Cards, table: Table, side: Side, op: str) -> list[Location]:
    """Return the Locations whose note of this kind works for a side now.

    Source: location.note-needs-control, location.destroyed.note, control.uncontrolled-gives-nothing.
    """
    return [
        location
        for location in controlled(cards, table, side)
        if location.note.op == op and (location.note_survives or not is_destroyed(table, location.id))
    ]


def note_amount(cards: Cards, table: Table, side: Side, op: str) -> int:
    """Return the sum of a side's notes of one kind, 0 or more."""
    return sum(location.note.amount for location in note_holders(cards, table, side, op))


def is_destroyed(table: Table, location: str) -> bool:
    """Return whether a Location is Destroyed."""
    return table.marker(location, ids.DESTROYED) > 0


def rubble(table: Table, location: str) -> int:
    """Return the Rubble on a Location, 0 or more."""
    return table.marker(location, ids.RUBBLE)


def forces_of(cards: Cards, table: Table, side: Side) -> list[PieceId]:
    """Return a side's Forces on the map, Location by Location, the Control Area first."""
    return [force for place in own_areas(cards, table, side) for force in table.pieces_at(place)]


def perimeter_forces(cards: Cards, table: Table, side: Side) -> list[PieceId]:
    """Return a side's Forces in Perimeter Areas, Location by Location."""
    return [force for force in forces_of(cards, table, side) if not cards.is_control(table.pieces[force].place)]


def is_on_map(table: Table, force: PieceId) -> bool:
    """Return whether a Force is in an Area."""
    piece = table.pieces.get(force)
    return piece is not None and piece.place not in ids.OFF_MAP


def own_areas(cards: Cards, table: Table, side: Side) -> list[PlaceId]:
    """Return a side's Areas, Location by Location, the Control Area first. Source: setup.areas, area.own-side-only."""
    return [
        ids.area(location.id, side, which)
        for location in locations_in_play(cards, table)
        for which in (ids.CONTROL, ids.PERIMETER)
    ]


def owner_of(cards: Cards, table: Table, place: PlaceId) -> Side | None:
    """Return whose Area a place is; None if it is not an Area of a Location in play."""
    found = cards.areas.get(place)
    return found.side if found is not None and found.location in (LOCATIONS.of(table) or ()) else None


def has_room(cards: Cards, table: Table, place: PlaceId) -> bool:
    """Return whether another Force may come into an Area. Source: area.limit."""
    return len(table.pieces_at(place)) < cards.figures.area_limit


def rations(table: Table, force: PieceId) -> int:
    """Return the Rations on a Force, 0 or more."""
    return table.marker(force, ids.RATION)


def medals(table: Table, force: PieceId) -> int:
    """Return the Heroic Service counters on a Force, 0 or more."""
    return table.marker(force, ids.HEROIC_SERVICE)


def is_locked(table: Table, force: PieceId) -> bool:
    """Return whether a Sniper keeps a Force from moving. Source: card.sniper.lock."""
    return LOCKED.of(table, force) is not None


def is_open_to(cards: Cards, table: Table, side: Side, place: PlaceId) -> bool:
    """Return whether a Force may be bought or moved from elsewhere into an Area, room aside. Source: move.control, buy.place."""
    return not cards.is_control(place) or controller(table, cards.location_of(place)) != ids.enemy(side)


def combat(cards: Cards, table: Table, force: PieceId) -> int:
    """Return the Hits that a Force inflicts in the present battle, or would outside one."""
    return sum([part.amount for part in combat_parts(cards, table, force)])


def combat_parts(cards: Cards, table: Table, force: PieceId) -> list[Modifier]:
    """Return what makes up the Combat of a Force.

    What counts in a battle counts no more for a Force that has Retreated from it.

    Source: force.combat; force.note.attack-bonus counts for a Force that is attacking, card.heavy-weapons doubles all.
    """
    card, piece = cards.forces[force], table.pieces.get(force)
    is_there = piece is not None and cards.is_control(piece.place)
    parts = [Modifier(COMBAT, f"Combat of {force}", card.combat)]
    if there := medals(table, force):
        parts.append(Modifier(MEDAL_COMBAT, f"Heroic Service of {force}", there * cards.figures.medal_combat))
    if push := BIG_PUSH.of(table, card.side):
        parts.append(Modifier(PUSH, f"Big Push of {force}", push))
    if is_there and card.attack_bonus and is_attacking(table, force):
        parts.append(Modifier(ATTACK_NOTE, f"attack bonus of {force}", card.attack_bonus))
    if is_there and DOUBLED.of(table, force):
        parts.append(Modifier(DOUBLING, f"Heavy Weapons of {force}", sum([part.amount for part in parts])))
    return parts


def retreat_worth(cards: Cards, table: Table, force: PieceId) -> int:
    """Return how many Hits a Force stops when it Retreats."""
    return sum([part.amount for part in retreat_parts(cards, table, force)])


def retreat_parts(cards: Cards, table: Table, force: PieceId) -> list[Modifier]:
    """Return what makes up the Hits that a Force stops when it Retreats. Source: retreat.absorbs."""
    card = cards.forces[force]
    parts = [Modifier(RETREAT, "Retreat", cards.figures.per_retreat)]
    if card.retreat_bonus:
        parts.append(Modifier(RETREAT_NOTE, f"retreat note of {force}", card.retreat_bonus))
    if there := medals(table, force):
        parts.append(Modifier(MEDAL_RETREAT, f"Heroic Service of {force}", there * cards.figures.medal_retreat))
    return parts


def uranus_amount(cards: Cards, table: Table, op: str) -> int:
    """Return the sum of the Operation Uranus cards of one effect in play. Source: uranus.several."""
    return sum(cards.cards[card].title.amount for card in uranus_in_play(cards, table, op))


def uranus_in_play(cards: Cards, table: Table, op: str = "") -> list[CardId]:
    """Return the Operation Uranus cards in play, all or those of one effect."""
    return [card for card in table.pile(ids.URANUS_IN_PLAY).cards if op in ("", cards.cards[card].title.op)]


def cards_in_hand(cards: Cards, table: Table, side: Side) -> list[ActionCard]:
    """Return the cards that a side is known to hold, in a stable order."""
    return [cards.cards[card] for card in sorted(table.pile(ids.hand(side)).cards)]


def hand_size(table: Table, side: Side) -> int:
    """Return how many cards a side holds; that is open. Source: secrecy.hands."""
    return table.pile(ids.hand(side)).count


def able_to_attack(cards: Cards, table: Table, side: Side, location: str) -> list[PieceId]:
    """Return the Forces of a Control Area that can pay for an Attack, by name."""
    there = table.pieces_at(ids.area(location, side, ids.CONTROL))
    return sorted(force for force in there if rations(table, force) >= cards.figures.attack_cost)


def participants(cards: Cards, table: Table, side: Side) -> list[PieceId]:
    """Return a side's Forces on the map that take part in the present battle or card attack, Retreated ones included.

    Source: attack.hits.participants-only, retreat.still-participant.
    """
    return [force for force in forces_of(cards, table, side) if takes_part(table, force)]
