"""The words of this game on the table: seats, areas, piles, markers, phases, decisions and procedures.

How the game lies on the table:

* A Location has four Areas: `gumrak-airfield/german/control`, `…/german/perimeter` and the same two for the Russian.
  Locations in play are listed by the marker `in_play` on their ids; Rubble is the marker `rubble`, a fallen Location bears
  `destroyed`.
* Forces are pieces under their ids; Rations and Heroic Service counters are markers on them. A Force that is not on the map
  is the open top card (`top/german`), lies in the shuffled part of the Force deck (the pile `forces/german`, whose order
  does not exist yet), or lies Destroyed beneath it in order (the place `bottom/german`).
* Action cards lie in `deck/…`, `hand/…`, `discard/…`; a card being played in `played/…`; Firefight cards and flips in
  `firefight/…`; cards set aside face down as a cost in `escrow/…`; Operation Uranus cards in play in `uranus/russian`;
  Snipers on Forces in `sniper/…`. Deck orders do not exist either: a card is chosen when it is drawn.
* What lasts until the turn ends are markers on `turn`; what a battle has to remember are markers on its Location, on its
  Forces and on `battle`; points of Reinforcements are the track `points`.
"""

from events.ids import CardId, MarkerId, PileId, PlaceId, Seat, TrackId

GERMAN = Seat("german")
RUSSIAN = Seat("russian")
SEATS = (RUSSIAN, GERMAN)
SIDES = {GERMAN: "German", RUSSIAN: "Russian"}
"""What the sides are called."""

CONTROL = "control"
PERIMETER = "perimeter"
LOCATION_AREAS = ((GERMAN, PERIMETER), (GERMAN, CONTROL), (RUSSIAN, CONTROL), (RUSSIAN, PERIMETER))
"""Every Area of a Location, from the German edge of the table to the Russian one: whose it is, and which."""

IN_PLAY = MarkerId("in_play")
RUBBLE = MarkerId("rubble")
DESTROYED = MarkerId("destroyed")
RATION = MarkerId("ration")
HEROIC_SERVICE = MarkerId("heroic_service")

POINTS = TrackId("points")
"""Points of Reinforcements cards that can still be spent on Forces."""
POINTS_LAPSED = MarkerId("points_lapsed")
"""On `turn`: points that were forfeited."""
ACTIONS_TAKEN = TrackId("actions_taken")
"""Actions of this Actions step, for the safety limit."""

TURN = "turn"
"""Where what lasts until the Acting Player's turn ends lies."""
BIG_PUSH = "big_push/"
"""Prefix of a marker on `turn`: how many Big Push cards a side has in force, `big_push/german`."""
LOCKED = MarkerId("locked")
"""On a Force under a Sniper."""
FREE_MOVE_USED = MarkerId("free_move_used")
"""On `turn`: the free Move of a Location's note has been used."""
RESHUFFLED = "reshuffled/"
"""Prefix of a marker on `turn`: a side's Action deck has been formed anew in this turn."""
VISITED = "visited/"
"""Prefix of a marker on a Force: an Area it has been in since the last Action that was no note-free Move."""
NO_LOCATION_CARDS = MarkerId("no_location_cards")
"""On `turn`: Propaganda War keeps the Acting Player from drawing for Locations."""

BATTLE = "battle"
"""Where what one battle or card attack has to remember lies, besides its Location and its Forces."""
ATTACKING = MarkerId("attacking")
DEFENDING = MarkerId("defending")
"""On a Force that takes part."""
DOUBLED = MarkerId("doubled")
"""On a Force: Heavy Weapons."""
NO_RETREAT = "no_retreat/"
"""Prefix of a marker on `battle`: a side's Forces may not Retreat (Tanks)."""
NO_FIREFIGHT = MarkerId("no_firefight")
"""On `battle`: Sewer Warfare."""
IGNORED = MarkerId("ignored")
"""On a Force: how many Hits its note has swallowed in this battle or card attack."""
HITS = "hits/"
"""Prefix of a track: Hits that a side still has to absorb, `hits/german`."""
TOTAL = "total/"
"""Prefix of a track: a side's total while a battle runs; it may stand below 0."""
LOST = "lost/"
"""Prefix of a marker on `battle`: how many Forces of a side were Destroyed since the last moment for Recover Wounded."""

PASSED = MarkerId("passed")
"""On `battle`: how many passes followed each other directly."""

SETUP = "setup"
SUPPLY = "supply"
ACTIONS = "actions"
DRAW = "draw"


def area(location: str, side: Seat, which: str) -> PlaceId:
    """Return an Area's id; `which` is `control` or `perimeter`."""
    return PlaceId(f"{location}/{side}/{which}")


def location_of(place: PlaceId) -> str:
    """Return the Location that an Area belongs to."""
    return place.partition("/")[0]


def is_control(place: PlaceId) -> bool:
    """Whether a place is a Control Area."""
    return place.endswith("/control")


def enemy(side: Seat) -> Seat:
    """Return the other side."""
    return RUSSIAN if side == GERMAN else GERMAN


def deck(side: Seat) -> PileId:
    """Return a side's Action deck."""
    return PileId(f"deck/{side}")


def hand(side: Seat) -> PileId:
    """Return a side's hand."""
    return PileId(f"hand/{side}")


def discards(side: Seat) -> PileId:
    """Return a side's discards."""
    return PileId(f"discard/{side}")


def played(side: Seat) -> PileId:
    """Return where a side's cards lie while they are being carried out."""
    return PileId(f"played/{side}")


def firefight(side: Seat) -> PileId:
    """Return where a side's Firefight cards and flip lie."""
    return PileId(f"firefight/{side}")


def escrow(side: Seat) -> PileId:
    """Return where a side's cards lie that are set aside face down as a cost."""
    return PileId(f"escrow/{side}")


URANUS_IN_PLAY = PileId("uranus/russian")


def snipers(side: Seat) -> PileId:
    """Return where a side's Snipers lie that are on Forces of the enemy."""
    return PileId(f"sniper/{side}")


def force_pool(side: Seat) -> PileId:
    """Return the shuffled part of a side's Force deck."""
    return PileId(f"forces/{side}")


def top(side: Seat) -> PlaceId:
    """Return the place of a side's open top Force card."""
    return PlaceId(f"top/{side}")


def bottom(side: Seat) -> PlaceId:
    """Return the place of a side's Destroyed Forces beneath its Force deck, in the order in which they went there."""
    return PlaceId(f"bottom/{side}")


def owner(card: CardId) -> Seat:
    """Return the side that owns a card: the part of its id before the slash."""
    return Seat(card.partition("/")[0])
