"""The ids of this game on the table: sides, seats, Areas, piles, markers, phases and points.

How the game lies on the table:

* A Location has four Areas: `gumrak-airfield/german/control`, `…/german/perimeter` and the same two for the Russian.
  Rubble is the marker `rubble`; a fallen Location bears `destroyed`.
* Forces are pieces under their ids; Rations and Heroic Service counters are markers on them. A Force that is not on the map
  is the open top card (`top/german`), lies in the shuffled part of the Force deck (the pile `forces/german`, whose order
  does not exist yet), or lies Destroyed beneath it in order (the place `bottom/german`).
* Action cards lie in `deck/…`, `hand/…`, `discard/…`; a card being played in `played/…`; Firefight cards and flips in
  `firefight/…`; cards set aside face down as a cost in `escrow/…`; Operation Uranus cards in play in `uranus/russian`;
  Snipers on Forces in `sniper/…`. Deck orders do not exist either: a card is chosen when it is drawn.
* What the rules remember besides, such as the Locations in play or who takes part in a battle, are attributes (`memory`).
"""

from collections.abc import Callable

from events.ids import MarkerId, PileId, PlaceId, Seat, Side, TrackId

PACKAGE = __package__
"""The package that holds the game's rules and data, wherever it is installed."""

GERMAN = Side("german")
RUSSIAN = Side("russian")
SIDES = (RUSSIAN, GERMAN)
GERMAN_SEAT = Seat("german")
RUSSIAN_SEAT = Seat("russian")
SEATS = (RUSSIAN_SEAT, GERMAN_SEAT)
"""Each plays the side of its name."""
SIDE_NAMES = {GERMAN: "German", RUSSIAN: "Russian"}
"""What the sides are called."""

CONTROL = "control"
PERIMETER = "perimeter"
LOCATION_AREAS = ((GERMAN, PERIMETER), (GERMAN, CONTROL), (RUSSIAN, CONTROL), (RUSSIAN, PERIMETER))
"""Every Area of a Location, from the German edge of the table to the Russian one: whose it is, and which."""

RUBBLE = MarkerId("rubble")
DESTROYED = MarkerId("destroyed")
RATION = MarkerId("ration")
HEROIC_SERVICE = MarkerId("heroic_service")

POINTS = TrackId("points")
"""Points of Reinforcements cards that can still be spent on Forces."""
SETUP = "setup"
SUPPLY = "supply"
ACTIONS = "actions"
DRAW = "draw"


UNUSED = PileId("locations")
"""The Locations that are not in play."""


def area(location: str, side: Side, which: str) -> PlaceId:
    """Return an Area's id; `which` is `control` or `perimeter`."""
    return PlaceId(f"{location}/{side}/{which}")


def enemy(side: Side) -> Side:
    """Return the other side."""
    return RUSSIAN if side == GERMAN else GERMAN


OfSide = Callable[[Side], PileId]
"""Returns a side's pile of one kind."""


def _pile(kind: str) -> OfSide:
    return {side: PileId(f"{kind}/{side}") for side in SIDES}.__getitem__


def _box(kind: str) -> Callable[[Side], PlaceId]:
    return {side: PlaceId(f"{kind}/{side}") for side in SIDES}.__getitem__


deck = _pile("deck")
hand = _pile("hand")
discards = _pile("discard")
played = _pile("played")
firefight = _pile("firefight")
escrow = _pile("escrow")
snipers = _pile("sniper")
force_pool = _pile("forces")
URANUS_IN_PLAY = PileId("uranus/russian")
top = _box("top")
bottom = _box("bottom")

OFF_MAP = frozenset(box(side) for box in (top, bottom) for side in SIDES)
"""Where Forces are that are in no Area."""

PILE_NAMES: dict[str, tuple[str, Side]] = {
    **{
        pile(side): (name, side)
        for pile, name in (
            (deck, "Action deck"),
            (hand, "hand"),
            (discards, "discards"),
            (played, "cards being played"),
            (firefight, "Firefight cards"),
            (escrow, "cards set aside face down"),
            (snipers, "Snipers on Forces"),
            (force_pool, "Force deck"),
            (top, "top of the Force deck"),
            (bottom, "Destroyed Forces beneath the Force deck"),
        )
        for side in SIDES
    },
    URANUS_IN_PLAY: ("Operation Uranus cards in play", RUSSIAN),
}
"""What each pile, and each place of Forces beside the map, is called, and whose it is."""
