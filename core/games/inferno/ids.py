"""The words of this game on the table: seats, hexes, boxes, pools, piles, markers, faces.

How the game lies on the table:

* A block on the map is a piece with a token for an id (`german/17`); its kind is the block. Its face is the edge on top, `edge-1` at
  full strength, and its steps are its Strength. A hidden block has a kind only for the seats that know it; if nobody does it has none.
* Blocks on the Reinforcement Track are pieces in boxes, `track/ROW/BOX`, from left to right; a Removed unit lies in `removed/ROW`,
  destroyed German units in `death_pool`.
* Units that nobody has seen yet are in a pile: the Soviet pools, and those on the track. Decks, hands and discards are piles; a card of a combat lies in `…_card`, Leaders in play in `…_leaders`.
* Rubble, Fortifications and the two leader blocks are markers.
"""

from collections.abc import Callable

from core.engine.id_families import id_family
from events.ids import CardId, MarkerId, PieceId, PileId, PlaceId, Seat, Side

PACKAGE = __package__
"""The package that holds the game's rules and data, wherever it is installed."""

GERMAN = Side("german")
SOVIET = Side("soviet")
SIDES = (GERMAN, SOVIET)
SIDE_NAMES = {GERMAN: "German", SOVIET: "Soviet"}
"""What the sides are called."""

GERMAN_SEAT = Seat("german")
YELLOW_SEAT = Seat("yellow")
BLUE_SEAT = Seat("blue")
SOVIET_SEAT = Seat("soviet")
"""The Soviet side has a seat in two modes only."""
GERMAN_SEATS = (GERMAN_SEAT, YELLOW_SEAT, BLUE_SEAT)
SEATS = (*GERMAN_SEATS, SOVIET_SEAT)

SOLO = "solo"
CO_OP = "co_op"
ONE_VS_ONE = "one_vs_one"
TWO_VS_ONE = "two_vs_one"
PLAYS: dict[str, dict[Seat, Side]] = {
    SOLO: {GERMAN_SEAT: GERMAN},
    CO_OP: {YELLOW_SEAT: GERMAN, BLUE_SEAT: GERMAN},
    ONE_VS_ONE: {GERMAN_SEAT: GERMAN, SOVIET_SEAT: SOVIET},
    TWO_VS_ONE: {YELLOW_SEAT: GERMAN, BLUE_SEAT: GERMAN, SOVIET_SEAT: SOVIET},
}
"""The seats of each mode with their sides. Source: mode.list."""

EDGES = ("edge-1", "edge-2", "edge-3", "edge-4")
"""The faces of a block, full strength first."""

DEATH_POOL = PlaceId("death_pool")
CALLED = PlaceId("called")
"""Where units lie that a Call for Reinforcements has picked up, until they are deployed or go back to the track."""

RUBBLE = MarkerId("rubble")
FORTIFICATIONS = {"brown": MarkerId("fortification/brown"), "red": MarkerId("fortification/red")}
"""The disc of each colour."""
RAUS = MarkerId("raus")
HEADQUARTERS = MarkerId("headquarters")
"""The leader blocks of the Designer's Way; the headquarters is Chuikov's. Source: components.uberblocks."""

POOL_PILES = {
    "infantry": PileId("infantry_pool"),
    "tank": PileId("tank_pool"),
    "marine": PileId("marine_pool"),
}
"""The Soviet pools by what they hold."""


GERMAN_POOL = PileId("german_pool")
"""The German units that lie face down on the Reinforcement Track, as long as nobody knows in which box each lies."""
SETUP_UNITS = PileId("setup_units")
"""The Soviet units that are mixed in step 6 of the set-up, where a seat plays the Soviets."""
SETUP_MIX = PileId("setup_mix")
"""What is mixed in their place where nobody may know them: a token of the arm of each."""

MIX_ARMS = {CardId(f"{arm}/{number}"): arm for arm in ("tank", "infantry") for number in range(1, 110)}
"""The arms of the tokens in the mix, one at most for each hex of the board."""


def enemy(side: Side) -> Side:
    """Return the other side."""
    return SOVIET if side == GERMAN else GERMAN


token: Callable[[Side, int], PieceId] = id_family("{}/{}", PieceId)
"""Returns the id under which a block is on the table, counted from 1."""
track_box: Callable[[int, int], PlaceId] = id_family("track/{}/{}", PlaceId)
"""Returns a box of the Reinforcement Track, both counted from 1; boxes from left to right."""
removed_box: Callable[[int], PlaceId] = id_family("removed/{}", PlaceId)
"""Returns the box at the right end of a row of the Reinforcement Track. Source: ruling.removed-box."""
deck: Callable[[Side], PileId] = id_family("{}_deck", PileId)
"""Returns a side's deck."""
deck_top: Callable[[Side], PileId] = id_family("{}_deck_top", PileId)
"""Returns the cards that were put on top of a side's deck."""
deck_bottom: Callable[[Side], PileId] = id_family("{}_deck_bottom", PileId)
"""Returns the cards that were put beneath a side's deck."""
advantages: Callable[[Side], PileId] = id_family("{}_advantages", PileId)
"""Returns the Advantages of the Designer's Way that a side does not have."""
hand: Callable[[Seat], PileId] = id_family("{}_hand", PileId)
"""Returns a seat's hand; the Soviet side has one without a seat as well."""
discards: Callable[[Side], PileId] = id_family("{}_discards", PileId)
"""Returns a side's discards."""
combat_card: Callable[[Side], PileId] = id_family("{}_card", PileId)
"""Returns where a side's cards of a combat lie, face down until the Showdown."""
leaders: Callable[[Side], PileId] = id_family("{}_leaders", PileId)
"""Returns where a side's Leaders in play lie."""
