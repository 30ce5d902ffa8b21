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


PILE_NAMES: dict[str, tuple[str, Side]] = {}
"""What each pile, and each place of Forces beside the map, is called, and whose it is."""


def _named(kind: str, name: str) -> dict[Side, str]:
    """Return each side's id of one kind, and note what they are called."""
    ids = {side: f"{kind}/{side}" for side in SIDES}
    PILE_NAMES.update({id_: (name, side) for side, id_ in ids.items()})
    return ids


def _pile(kind: str, name: str) -> Callable[[Side], PileId]:
    return {side: PileId(id_) for side, id_ in _named(kind, name).items()}.__getitem__


def _box(kind: str, name: str) -> Callable[[Side], PlaceId]:
    return {side: PlaceId(id_) for side, id_ in _named(kind, name).items()}.__getitem__


deck = _pile("deck", "Action deck")
hand = _pile("hand", "hand")
discards = _pile("discard", "discards")
played = _pile("played", "cards being played")
firefight = _pile("firefight", "Firefight cards")
escrow = _pile("escrow", "cards set aside face down")
snipers = _pile("sniper", "Snipers on Forces")
force_pool = _pile("forces", "Force deck")
top = _box("top", "top of the Force deck")
bottom = _box("bottom", "Destroyed Forces beneath the Force deck")
URANUS_IN_PLAY = PileId("uranus/russian")
PILE_NAMES[URANUS_IN_PLAY] = ("Operation Uranus cards in play", RUSSIAN)

TOPS = frozenset(map(top, SIDES))
"""Where the open top cards of the Force decks lie."""
OFF_MAP = TOPS | frozenset(map(bottom, SIDES))
"""Where Forces are that are in no Area."""
