"""The words of this game on the table: sides, seats, places besides zones, markers, piles, tracks, phases.

How the game lies on the table:

* Each unit is a piece; its kind is its unit type. A unit that is not on the table is in its owner's pool, so that a unit which arrives gets
  the lowest number of its type that is free (`unit`). Aircraft show the face `air` while they fly.
* Supply tokens are pieces as well. They never leave the table: those in a player's resource pool lie in the box `pool/SIDE`, and a
  captured token changes sides in its place.
* Zones, Volga Crossings and Ambush Sites are places, called as on the board. Aircraft that attack a crossing are in the place above it; what a
  bomber carries lies on the bomber.
* Ferries and ice bridges, Combat, Frozen, Unsupplied and Winter Storm Markers and the factories are markers; RPCs are tracks.
* Order Cards and Operation Uranus cards are cards in piles.
"""

from collections.abc import Callable

from core.engine.id_families import id_family
from events.ids import CardId, MarkerId, PieceId, PileId, PlaceId, Seat, Side, TrackId

PACKAGE = __package__
"""The package that holds the game's rules and data, wherever it is installed."""

AXIS = Side("axis")
ALLIES = Side("allies")
SIDES = (AXIS, ALLIES)
SIDE_NAMES = {AXIS: "Axis", ALLIES: "Allies"}
"""What the sides are called."""

AXIS_SEAT = Seat("axis")
ALLIES_SEAT = Seat("allies")
FIRST_SEAT = Seat("first")
SECOND_SEAT = Seat("second")

STANDARD = "standard"
AUCTION = "auction"
PLAYS: dict[str, dict[Seat, Side]] = {
    STANDARD: {AXIS_SEAT: AXIS, ALLIES_SEAT: ALLIES},
    AUCTION: {FIRST_SEAT: Side(""), SECOND_SEAT: Side("")},
}
"""The seats of each mode with their sides; an auction settles these. Source: components.seats, optional.bidding.auction."""

RACE = "race"
URANUS = "uranus"

GROUND = "ground"
FLYING = "air"
AIR_FACES = {GROUND: "on the ground", FLYING: "in the air"}
"""The faces of an air unit."""

SUPPLY = "supply"
FERRY_ITEM = "ferry"
"""What is bought besides units; the first is the kind of a supply token, too."""

ASSAULT = MarkerId("assault")
BATTLE = MarkerId("battle")
"""The faces of a Combat Marker. Source: components.combat-markers."""
FERRY = MarkerId("ferry")
ICE_BRIDGE = MarkerId("ice_bridge")
FROZEN = MarkerId("frozen")
WINTER_STORM = MarkerId("winter_storm")
UNSUPPLIED = {AXIS: MarkerId("unsupplied/axis"), ALLIES: MarkerId("unsupplied/allies")}

TANK_FACTORY = "tank"
ARTILLERY_FACTORY = "artillery"
FACTORY = {name: MarkerId(f"factory/{name}") for name in (TANK_FACTORY, ARTILLERY_FACTORY)}
CAPTURED_FACTORY = {name: MarkerId(f"captured_factory/{name}") for name in FACTORY}

POOL = {side: PlaceId(f"pool/{side}") for side in SIDES}
"""The supply tokens in front of each player."""
DON = PlaceId("don")
"""Where the Frozen Marker lies that reminds of the Don."""
STALINGRAD = PlaceId("stalingrad")
"""The rectangle of the Region Board that stands for the City Board; no zone. Source: components.boards."""

RPC = {side: TrackId(f"rpc/{side}") for side in SIDES}

ORDER_DECK = PileId("order_deck")
ORDER_DISCARDS = PileId("order_discards")
ORDER_BOX = PileId("order_box")
"""The Order Cards still to come in the round with the current one, those carried out, and those out of the game."""
URANUS_DECK = PileId("uranus_deck")
URANUS_DRAWN = PileId("uranus_drawn")
URANUS_FRONT = {front: PileId(f"uranus_{front}") for front in ("northwest", "southeast")}
URANUS_DEPLOYED = PileId("uranus_deployed")
"""The Operation Uranus cards: undrawn, drawn and not placed yet, placed by front, and carried out."""

PHASES = {
    1: "weather",
    2: "axis_reinforcement",
    3: "axis_movement",
    4: "allies_reaction",
    5: "axis_attack",
    6: "axis_landing",
    7: "counter_offensive",
    8: "heroic_workers",
    9: "allies_reinforcement",
    10: "allies_movement",
    11: "axis_reaction",
    12: "allies_attack",
    13: "allies_landing",
    14: "end_of_round",
}
"""The phase of each Order Card. Source: sequence.card-order."""


def enemy(side: Side) -> Side:
    """Return the other side."""
    return ALLIES if side == AXIS else AXIS


unit: Callable[[str, int], PieceId] = id_family("{}/{}", PieceId)
"""Returns the id of a unit of a type, counted from 1."""
token: Callable[[int], PieceId] = id_family("token/{}", PieceId)
"""Returns the id of a supply token, counted from 1."""
above: Callable[[PlaceId], PlaceId] = id_family("above/{}", PlaceId)
"""Returns the place of the aircraft that attack a Volga Crossing."""
round_space: Callable[[int], PlaceId] = id_family("round/{}", PlaceId)
"""Returns the space of a round on the Round Track."""
order_card: Callable[[int], CardId] = id_family("order/{}", CardId)
"""Returns an Order Card by its number."""
