"""The words of this game on the table: seats, areas, piles, markers, phases and points.

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


def deck(side: Side) -> PileId:
    """Return a side's Action deck."""
    return PileId(f"deck/{side}")


def hand(side: Side) -> PileId:
    """Return a side's hand."""
    return PileId(f"hand/{side}")


def discards(side: Side) -> PileId:
    """Return a side's discards."""
    return PileId(f"discard/{side}")


def played(side: Side) -> PileId:
    """Return where a side's cards lie while they are being carried out."""
    return PileId(f"played/{side}")


def firefight(side: Side) -> PileId:
    """Return where a side's Firefight cards and flip lie."""
    return PileId(f"firefight/{side}")


def escrow(side: Side) -> PileId:
    """Return where a side's cards lie that are set aside face down as a cost."""
    return PileId(f"escrow/{side}")


URANUS_IN_PLAY = PileId("uranus/russian")


def snipers(side: Side) -> PileId:
    """Return where a side's Snipers lie that are on Forces of the enemy."""
    return PileId(f"sniper/{side}")


def force_pool(side: Side) -> PileId:
    """Return the shuffled part of a side's Force deck."""
    return PileId(f"forces/{side}")


def top(side: Side) -> PlaceId:
    """Return the place of a side's open top Force card."""
    return PlaceId(f"top/{side}")


def bottom(side: Side) -> PlaceId:
    """Return the place of a side's Destroyed Forces beneath its Force deck, in the order in which they went there."""
    return PlaceId(f"bottom/{side}")


OFF_MAP = frozenset(box(side) for box in (top, bottom) for side in SIDES)
"""Where Forces are that are in no Area."""

PILES: dict[str, tuple[str, Side]] = {
    **{
        pile(side): (kind, side)
        for kind, pile in {
            "deck": deck,
            "hand": hand,
            "discard": discards,
            "played": played,
            "firefight": firefight,
            "escrow": escrow,
            "sniper": snipers,
            "forces": force_pool,
            "top": top,
            "bottom": bottom,
        }.items()
        for side in SIDES
    },
    URANUS_IN_PLAY: ("uranus", RUSSIAN),
}
"""Each pile, and each place of Forces beside the map: what it is, and whose."""
