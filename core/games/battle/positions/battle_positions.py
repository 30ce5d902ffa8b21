"""The position files of this game: what can be wrong with one besides what its inventory says.

A position lists the Locations in play, in their order, in `attributes` (`table = { locations_in_play = [...] }`), what lies on them in
`markers` (`rubble`, `destroyed`), the Forces with their Areas (Rations and Heroic Service counters are markers on them; without a
marker `ration` a Force has its Starting Rations), and in `piles` the hands, discards, Operation Uranus cards in play, and, if
they matter, the decks (`deck/german`: by default all cards not named elsewhere). Forces not named form the shuffled part of their
Force deck; `top/german` and `bottom/german` are places like any other. `turn` names the Acting Player, `phase` is `supply` or
`actions`.
"""

from collections.abc import Iterator

from core.components.inventory import Inventory, Memory
from core.engine.draft import Draft
from core.games.battle import ids
from core.games.battle.components.card_model import Cards
from core.games.battle.components.inventory import inventory
from core.games.battle.memory import LOCATIONS, REMEMBERED
from core.games.battle.positions.position_set_up import locations_named, set_up_position
from core.games.battle.rules.changes import Chapter
from core.positions.inventory_checks import position_defects
from core.positions.position import Defect, Position
from core.suggestions import unknown
from events.codec import replace
from events.ids import TABLE, PieceId, PlaceId

PHASES = (ids.SUPPLY, ids.ACTIONS)
STATED = frozenset(
    (ids.URANUS_IN_PLAY, *(pile(side) for pile in (ids.deck, ids.hand, ids.discards) for side in ids.SIDES))
)
"""The piles that a position can state: between two Actions no card is being played."""


class BattlePositions(Chapter):
    """Checks positions and sets them up; see `core.game.bound_game.Positions`."""

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        """Return every defect of a position; empty if it can be played."""
        return (
            *position_defects(stated(self.cards), position),
            *_locations(self.cards, position),
            *_forces(self.cards, position),
            *_sequence(position),
        )

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Set the table up as a valid position says, and go on to its first decision."""
        set_up_position(draft, self.cards, position)


def stated(cards: Cards) -> Inventory:
    """Return what a position can state: Control follows the Forces; no points are left, and no card is being played."""
    full = inventory(cards, Memory({TABLE: (LOCATIONS,)}, REMEMBERED.refers))
    places = tuple([replace(group, control=()) for group in full.places])
    piles = [group for group in full.piles if STATED.issuperset(group.names)]
    return replace(full, places=places, tracks=(), piles=piles)


def _locations(cards: Cards, position: Position) -> Iterator[Defect]:
    """Source: setup.locations.draw, location.rubble-chart, location.destroyed.takes-no-rubble."""
    in_play = locations_named(position)
    for on, there in position.markers.items():
        location = cards.locations.get(on)
        if location is None:
            continue
        path = ("markers", on)
        if on not in in_play and any(there.values()):
            yield Defect(path, f"markers lie on {on}, which is not one of the Locations in play")
        if there.get(ids.DESTROYED) and there.get(ids.RUBBLE):
            yield Defect(path, f"{on} is Destroyed and takes no Rubble")
        if there.get(ids.RUBBLE, 0) >= location.destroyed_at:
            problem = f"{on} has {there[ids.RUBBLE]} Rubble; it is Destroyed by its {location.destroyed_at}th"
            yield Defect((*path, ids.RUBBLE), problem)
    wanted = cards.figures.locations_in_play
    if len(in_play) != wanted:
        needed = f"{wanted} Locations must be in play: attributes = {{ {TABLE} = {{ {LOCATIONS.key} = [...] }} }}"
        yield Defect(("attributes", TABLE, LOCATIONS.key), needed)


def _forces(cards: Cards, position: Position) -> Iterator[Defect]:
    """Source: setup.locations.draw, force.destroyed-loses-counters."""
    in_play = locations_named(position)
    for index, piece in enumerate(position.pieces):
        area = cards.areas.get(piece.place)
        if area is not None and area.location not in in_play:
            problem = f"{piece.place} is not an Area of the Locations in play"
            yield Defect(("pieces", index, "place"), problem)
    on_map = {piece.id for piece in position.pieces if PlaceId(piece.place) in cards.areas}
    for on, there in position.markers.items():
        if PieceId(on) in cards.forces and on not in on_map and any(there.values()):
            yield Defect(("markers", on), f"counters lie on {on}, which is in no Area")


def _sequence(position: Position) -> Iterator[Defect]:
    """Source: turn.steps, turn.alternate."""
    if position.turn not in ids.SIDES:
        problem = f"turn must name the Acting Player, {' or '.join(ids.SIDES)}, not {position.turn!r}"
        yield Defect(("turn",), problem)
    if position.turn_seat not in ("", str(position.turn)):
        problem = f"turn_seat must be that of side {position.turn}, not {position.turn_seat!r}"
        yield Defect(("turn_seat",), problem)
    if position.phase not in PHASES:
        yield Defect(("phase",), unknown("phase in which a position can open", position.phase, list(PHASES)))
    if position.decision is not None:
        yield Defect(("decision",), "a position of this game opens with its phase; it names no decision")
