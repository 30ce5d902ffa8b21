"""Inventory of this game with a set of cards: the one declaration of what can be on the table, and where."""

from core.components.inventory import Cards, Counters, Inventory, Memory, Pieces, Piles, Places, Track
from core.games.battle import ids
from core.games.battle.components import card_model
from events.ids import NO_SIDE, CardId, PileId, PlaceId, Side


def inventory(cards: card_model.Cards, memory: Memory) -> Inventory:
    """Declare what is in the box; all of it is in play, whatever the options.

    Args:
        cards: Has the Locations, Forces, cards and figures.
        memory: What the rules remember.

    Source: counter.not-a-limit, area.limit, area.own-side-only, force.conserved,
    card.own-deck-own-discards.
    """
    locations = {CardId(id_): location.name for id_, location in cards.locations.items()}
    return Inventory(
        sides=ids.SIDE_NAMES,
        places=(
            Places(
                what="Location",
                names={PlaceId(id_): name for id_, name in locations.items()},
                control=(*ids.SIDES, NO_SIDE),
            ),
            *[group for side in ids.SIDES for group in _places(cards, side)],
        ),
        pieces=[_forces(cards, side) for side in ids.SIDES],
        counters=(
            *[
                Counters(faces={marker: name}, on={_of(side, "Force"): None for side in ids.SIDES})
                for marker, name in ((ids.RATION, "Rations"), (ids.HEROIC_SERVICE, "Heroic Service"))
            ],
            Counters(faces={ids.RUBBLE: "Rubble"}, on={"Location": None}),
            Counters(faces={ids.DESTROYED: "Destroyed"}, on={"Location": 1}),
        ),
        tracks=(Track(id=ids.POINTS, name="Points of Reinforcements"),),
        cards=(
            Cards(what="Location card", names=locations),
            *[group for side in ids.SIDES for group in _cards(cards, side)],
        ),
        piles=piles(cards),
        memory=memory,
        phases=(ids.SETUP, ids.SUPPLY, ids.ACTIONS, ids.DRAW),
    )


def piles(cards: card_model.Cards) -> list[Piles]:
    """Declare the piles: the Action cards of a side go from one of its piles to another, and to no others."""
    uranus = frozenset([card.id for card in cards.cards.values() if card.title.price is not None])
    return [
        Piles(names={ids.UNUSED: "Locations not in play"}, holds="Location card"),
        *[
            Piles(
                names={PileId(pile): _of(side, name)},
                holds=_of(side, "Force card" if pile == ids.force_pool(side) else "Action card"),
                only=uranus if pile == ids.URANUS_IN_PLAY else None,
            )
            for pile, (name, side) in ids.PILE_NAMES.items()
            if pile not in ids.OFF_MAP
        ],
    ]


def _of(side: Side, what: str) -> str:
    return f"{ids.SIDE_NAMES[side]} {what}"


def _places(cards: card_model.Cards, side: Side) -> list[Places]:
    areas = {
        place: f"{cards.locations[area.location].name} ({ids.SIDE_NAMES[side]} {'Control' if area.is_control else 'Perimeter'})"
        for place, area in cards.areas.items()
        if area.side == side
    }
    return [
        Places(what=_of(side, "Area"), names=areas),
        Places(what=_of(side, "top card"), names={ids.top(side): _of(side, ids.PILE_NAMES[ids.top(side)][0])}),
        Places(what=_of(side, "bottom card"), names={ids.bottom(side): _of(side, ids.PILE_NAMES[ids.bottom(side)][0])}),
    ]


def _forces(cards: card_model.Cards, side: Side) -> Pieces:
    return Pieces(
        what=_of(side, "Force"),
        names={force: cards.forces[force].name for force in cards.piles[side]},
        where={_of(side, "Area"): cards.figures.area_limit, _of(side, "top card"): 1, _of(side, "bottom card"): None},
        sides=(side,),
    )


def _cards(cards: card_model.Cards, side: Side) -> list[Cards]:
    names = {card: f"{cards.cards[card].title.name} ({cards.cards[card].value:+d})" for card in cards.decks[side]}
    forces = {CardId(force): cards.forces[force].name for force in cards.piles[side]}
    return [
        Cards(what=_of(side, "Action card"), names=names, are_all_out=True),
        Cards(what=_of(side, "Force card"), names=forces, are_all_out=True),
    ]
