"""What is in the box: the ids on the table, the map, and what may lie where."""

from collections.abc import Mapping

from wardiary.game import (
    NO_SIDE,
    Attribute,
    CardId,
    Cards,
    Inventory,
    Memory,
    PieceId,
    Pieces,
    PileId,
    Piles,
    PlaceId,
    Places,
    Seat,
    Side,
    Value,
)

RED, BLUE = Seat("red"), Seat("blue")
REDS, BLUES = Side("red"), Side("blue")
SIDES = {RED: REDS, BLUE: BLUES}

RED_CAMP, BLUE_CAMP = PlaceId("red-camp"), PlaceId("blue-camp")
FORD, HILL, WOOD = PlaceId("ford"), PlaceId("hill"), PlaceId("wood")
CAMPS = {REDS: RED_CAMP, BLUES: BLUE_CAMP}
CAMP_NAMES = {RED_CAMP: "Red Camp", BLUE_CAMP: "Blue Camp"}
FIELD_NAMES = {FORD: "Ford", HILL: "Hill", WOOD: "Wood"}
NEIGHBOURS = {
    RED_CAMP: (FORD, WOOD),
    FORD: (RED_CAMP, BLUE_CAMP, HILL),
    HILL: (FORD, WOOD),
    WOOD: (RED_CAMP, BLUE_CAMP, HILL),
    BLUE_CAMP: (FORD, WOOD),
}

SQUAD_NAMES = {
    REDS: {PieceId(f"red-{number}"): f"Red Squad {number}" for number in (1, 2, 3)},
    BLUES: {PieceId(f"blue-{number}"): f"Blue Squad {number}" for number in (1, 2, 3)},
}
FRESH = 2
"""The steps of a fresh squad; with one step it is spent."""

RALLIED = {CardId("whistle"): 1, CardId("bugle"): 1, CardId("drum"): 2, CardId("flag"): 2, CardId("rations"): 3}
"""How many squads each card rallies at most."""

DECK, DISCARDS = PileId("deck"), PileId("discards")
HANDS = {RED: PileId("hand/red"), BLUE: PileId("hand/blue")}

MARCHED: Attribute[bool] = Attribute("marched", bool, until="turn")
"""Which squads have marched this turn; forgotten when the next one begins."""


def inventory(scenario: str, options: Mapping[str, Value]) -> Inventory:
    """Declare what can be on the table; positions and every table of a match are checked with it."""
    squads = [
        Pieces(
            what=f"{side} squad",
            names=names,
            where={f"{side} camp": None, "field": 1},
            sides=(side,),
            kinds=dict.fromkeys(names, ("squad",)),
            steps=FRESH,
        )
        for side, names in SQUAD_NAMES.items()
    ]
    hands = {HANDS[RED]: "Red Hand", HANDS[BLUE]: "Blue Hand"}
    return Inventory(
        sides={REDS: "Red", BLUES: "Blue"},
        places=(
            Places(what="field", names=FIELD_NAMES, control=(NO_SIDE, REDS, BLUES)),
            *[Places(what=f"{side} camp", names={camp: CAMP_NAMES[camp]}) for side, camp in CAMPS.items()],
        ),
        pieces=squads,
        cards=(Cards(what="card", names={card: card.title() for card in RALLIED}, are_all_out=True),),
        piles=(Piles(names={DECK: "Deck", DISCARDS: "Discards", **hands}, holds="card"),),
        memory=Memory({f"{side} squad": (MARCHED,) for side in CAMPS}),
    )
