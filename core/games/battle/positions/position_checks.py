"""What can be wrong with a position file of this game; every defect is named, one sentence each.

A position lists the Locations in play, in their order, in `attributes` (`table = { locations_in_play = [...] }`), what lies on them in
`markers` (`rubble`, `destroyed`), the Forces with their Areas (Rations and Heroic Service counters are markers on them; without a marker `ration` a Force has its
Starting Rations), and in `piles` the hands, discards, Operation Uranus cards in play, and, if they matter, the decks
(`deck/german`: all cards not named elsewhere unless it says otherwise). Forces not named form the shuffled part of their
Force deck; `top/german` and `bottom/german` are places like any other. `turn` names the Acting Player, `phase` is `supply` or
`actions`.
"""

from core.attributes import wrong_attributes
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import (
    ACTIONS,
    DESTROYED,
    HEROIC_SERVICE,
    RATION,
    RUBBLE,
    SIDES,
    SUPPLY,
    URANUS_IN_PLAY,
    bottom,
    deck,
    discards,
    hand,
    top,
)
from core.games.battle.memory import LOCATIONS
from core.games.battle.positions.position_set_up import locations_named
from core.position import Position
from events.ids import TABLE, CardId, PieceId, PlaceId

PHASES = (SUPPLY, ACTIONS)
FORCE_MARKERS = (RATION, HEROIC_SERVICE)
LOCATION_MARKERS = (RUBBLE, DESTROYED)


def check(cards: Cards, position: Position) -> tuple[str, ...]:
    """Name every defect of a position; empty if it can be played."""
    return (
        *_check_locations(cards, position),
        *_check_forces(cards, position),
        *_check_piles(cards, position),
        *_check_sequence(position),
    )


def _check_locations(cards: Cards, position: Position) -> list[str]:
    """Source: RuleId("setup.locations.draw"), RuleId("location.rubble-chart"), RuleId("location.destroyed.takes-no-rubble")."""
    defects = wrong_attributes(position.attributes, lambda on: (LOCATIONS,) if on == TABLE else None)
    in_play = locations_named(position)
    for on, there in position.markers.items():
        location = cards.locations.get(on)
        if location is None:
            if PieceId(on) not in cards.forces:
                defects.append(f"markers lie on {on!r}, which is neither a Location nor a Force")
            continue
        if on not in in_play:
            defects.append(f"markers lie on {on}, which is not one of the Locations in play")
        defects += [f"no marker {name!r} lies on a Location" for name in there if name not in LOCATION_MARKERS]
        if there.get(DESTROYED) and there.get(RUBBLE):
            defects.append(f"{on} is Destroyed and takes no Rubble")
        if not 0 <= there.get(RUBBLE, 0) < location.destroyed_at:
            defects.append(f"{on} has {there.get(RUBBLE)} Rubble; it is Destroyed by its {location.destroyed_at}th")
    wanted = cards.figures.locations_in_play
    defects += [f"there is no Location {name!r}" for name in in_play if name not in cards.locations]
    if len(in_play) != wanted:
        defects.append(
            f"{wanted} Locations must be in play: attributes = {{ {TABLE} = {{ {LOCATIONS.key} = [...] }} }}"
        )
    return defects


def _check_forces(cards: Cards, position: Position) -> list[str]:
    """Source: RuleId("area.limit"), RuleId("area.own-side-only"), RuleId("force.conserved")."""
    defects: list[str] = []
    in_play = locations_named(position)
    areas = {
        side: {
            *[place for place, area in cards.areas.items() if area.side == side and area.location in in_play],
            top(side),
            bottom(side),
        }
        for side in SIDES
    }
    held: dict[PlaceId, int] = {}
    seen: set[PieceId] = set()
    for piece in position.pieces:
        force = cards.forces.get(piece.id)
        if force is None:
            defects.append(f"there is no Force {piece.id!r}")
            continue
        if piece.id in seen:
            defects.append(f"Force {piece.id} is in two places")
        seen.add(piece.id)
        held[piece.place] = held.get(piece.place, 0) + 1
        if piece.place not in areas[force.side]:
            defects.append(f"Force {piece.id} cannot be in {piece.place!r}")
    for place, count in held.items():
        if place in cards.areas and count > cards.figures.area_limit:
            defects.append(f"{place} holds {count} Forces; {cards.figures.area_limit} is the most")
        if place in map(top, SIDES) and count > 1:
            defects.append(f"{place} holds {count} Forces; one is the most")
    on_map = {piece.id for piece in position.pieces if piece.place in cards.areas}
    for on, there in position.markers.items():
        if PieceId(on) in cards.forces:
            if on not in on_map:
                defects.append(f"counters lie on {on}, which is in no Area")
            defects += [f"no marker {name!r} lies on a Force" for name in there if name not in FORCE_MARKERS]
            defects += [f"{on} has {count} markers {name}" for name, count in there.items() if count < 0]
    return defects


def _check_piles(cards: Cards, position: Position) -> list[str]:
    """Source: RuleId("card.own-deck-own-discards"), RuleId("setup.action-decks"), RuleId("uranus.deck")."""
    defects: list[str] = []
    seen: set[CardId] = set()
    allowed = {pile(side): side for pile in (hand, discards, deck) for side in SIDES} | {URANUS_IN_PLAY: SIDES[0]}
    for pile, listed in position.piles.items():
        side = allowed.get(pile)
        if side is None:
            defects.append(f"there is no pile {pile!r}; there are {', '.join(allowed)}")
            continue
        for card in listed:
            known = cards.cards.get(card)
            if known is None:
                defects.append(f"there is no card {card!r}")
            elif known.side != side:
                defects.append(f"card {card} is not the {side}'s and cannot be in {pile}")
            elif pile == URANUS_IN_PLAY and not known.title.is_uranus:
                defects.append(f"card {card} does not stay in play")
            if card in seen:
                defects.append(f"card {card} is in two places")
            seen.add(card)
    return defects


def _check_sequence(position: Position) -> list[str]:
    """Source: RuleId("turn.steps"), RuleId("turn.alternate")."""
    defects: list[str] = []
    if position.turn not in SIDES:
        defects.append(f"turn must name the Acting Player, {' or '.join(SIDES)}, not {position.turn!r}")
    if position.turn_seat not in ("", str(position.turn)):
        defects.append(f"turn_seat must be that of side {position.turn}, not {position.turn_seat!r}")
    if position.phase not in PHASES:
        defects.append(f"phase must be {' or '.join(PHASES)}, not {position.phase!r}")
    if position.decision is not None:
        defects.append("a position of this game opens with its phase; it names no decision")
    if position.control:
        defects.append("control follows from the Forces and is not stated")
    return defects
