"""The words in which people read this game: names of things, and commands as sentences."""

from core.command import Command
from core.game import MapPlace
from core.games.battle.card_model import Cards
from core.games.battle.commands import (
    Absorb,
    Attack,
    Award,
    BattleCommand,
    BuyForce,
    ChooseForce,
    Done,
    FireCard,
    GiveRation,
    JoinAttack,
    LookAt,
    Move,
    Pass,
    PayCard,
    PayForce,
    PayRation,
    PlayCard,
    RemoveUranus,
    RepairRubble,
    Resupply,
    TakeCard,
)
from core.games.battle.set_up import UNUSED
from core.games.battle.uranus import PLEDGED, PLEDGED_RATIONS
from core.games.battle.words import (
    ACTIONS,
    ACTIONS_TAKEN,
    ATTACKING,
    BATTLE,
    BIG_PUSH,
    CONTROL,
    DEFENDING,
    DESTROYED,
    DOUBLED,
    DRAW,
    GERMAN,
    HEROIC_SERVICE,
    HITS,
    IGNORED,
    LOCKED,
    NO_FIREFIGHT,
    NO_LOCATION_CARDS,
    NO_RETREAT,
    PERIMETER,
    POINTS,
    RATION,
    RUBBLE,
    RUSSIAN,
    SEATS,
    SETUP,
    SUPPLY,
    TOTAL,
    TURN,
    area,
    bottom,
    top,
)
from events.ids import CardId, PieceId
from projections.table import Table

SIDES = {GERMAN: "German", RUSSIAN: "Russian"}
PILES = {
    "deck": "Action deck",
    "hand": "hand",
    "discard": "discards",
    "played": "cards being played",
    "firefight": "Firefight cards",
    "escrow": "cards set aside face down",
    "uranus": "Operation Uranus cards in play",
    "sniper": "Snipers on Forces",
    "forces": "Force deck",
    "top": "top of the Force deck",
    "bottom": "Destroyed Forces beneath the Force deck",
}
"""The first part of a pile's or box's id to its name."""

WORDS: dict[str, str] = {
    GERMAN: SIDES[GERMAN],
    RUSSIAN: SIDES[RUSSIAN],
    SETUP: "Set-Up",
    SUPPLY: "Supply Step",
    ACTIONS: "Actions Step",
    DRAW: "Draw Cards Step",
    RATION: "Rations",
    HEROIC_SERVICE: "Heroic Service",
    RUBBLE: "Rubble",
    DESTROYED: "Destroyed",
    LOCKED: "Locked by a Sniper",
    ATTACKING: "Attacking",
    DEFENDING: "Defending",
    DOUBLED: "Combat doubled",
    IGNORED: "Hits ignored",
    NO_FIREFIGHT: "No Firefight",
    NO_LOCATION_CARDS: "No cards for Locations",
    PLEDGED: "Set aside as a cost",
    PLEDGED_RATIONS: "Rations set aside",
    POINTS: "Reinforcement points",
    ACTIONS_TAKEN: "Actions taken",
    TURN: "this turn",
    BATTLE: "this battle",
    UNUSED: "Locations not in play",
    **{f"{HITS}{side}": f"{name} Hits to absorb" for side, name in SIDES.items()},
    **{f"{TOTAL}{side}": f"{name} total" for side, name in SIDES.items()},
    **{f"{BIG_PUSH}{side}": f"{name} Big Push" for side, name in SIDES.items()},
    **{f"{NO_RETREAT}{side}": f"No {name} Retreat" for side, name in SIDES.items()},
}
"""What the words on the table are called in print; what the rules merely remember is nothing there."""


def _initials(name: str) -> str:
    """Return the first letters of a name's words, for the map: Gumrak Airfield is GA."""
    return "".join(word[0] for word in name.replace("'s", "").split() if word[0].isupper())


class Names:
    """Names and sentences, bound to the cards."""

    def __init__(self, cards: Cards) -> None:
        """Keep the cards."""
        self.cards = cards

    def name(self, id_: str) -> str:
        """Return the printed name of anything on the table; else the id itself."""
        if id_ in WORDS:
            return WORDS[id_]
        if id_ in self.cards.locations:
            return self.cards.locations[id_].name
        force = self.cards.forces.get(PieceId(id_))
        if force is not None:
            return f"{force.name} ({SIDES[force.side]}, {force.combat} Combat)"
        card = self.cards.cards.get(CardId(id_))
        if card is not None:
            return f"{card.title.name} ({card.value:+d})"
        parts = id_.split("/")
        if len(parts) == 3 and parts[0] in self.cards.locations:
            return f"{self.cards.locations[parts[0]].name}, {parts[1].capitalize()} {parts[2].capitalize()} Area"
        if len(parts) == 2 and parts[0] in PILES:
            return f"{parts[1].capitalize()} {PILES[parts[0]]}"
        return id_

    def places(self) -> tuple[MapPlace, ...]:
        """List each Location's Areas, the German ones in the west; then the boxes."""
        found: list[MapPlace] = []
        for row, location in enumerate(self.cards.locations.values()):
            for column, (side, which) in enumerate(
                ((GERMAN, PERIMETER), (GERMAN, CONTROL), (RUSSIAN, CONTROL), (RUSSIAN, PERIMETER))
            ):
                place = area(location.id, side, which)
                label = f"{_initials(location.name)}-{side[0]}{which[0]}"
                found.append(MapPlace(place, self.name(place), label, 125 + 250 * column, 50 + 100 * row))
        for side in SEATS:
            found += [MapPlace(box, self.name(box), "", 0, 1000, is_box=True) for box in (top(side), bottom(side))]
        return tuple(found)

    def describe(self, table: Table, command: BattleCommand) -> str:
        """Say in words what a command would do."""
        match command:
            case ChooseForce() | Move() | BuyForce():
                return self._to_place(command)
            case PlayCard():
                return self._play(command)
            case Attack() | JoinAttack():
                return self._attack(command)
            case Resupply() | PayCard() | FireCard() | TakeCard() | RemoveUranus():
                return f"{CARD_WORDS[type(command)]} {self.name(command.card)}"
            case GiveRation() | PayRation() | PayForce() | Award():
                return FORCE_WORDS[type(command)].format(self.name(command.force))
            case Absorb():
                return ABSORB_WORDS.get(command.by, "{} (" + command.by + ")").format(self.name(command.force))
            case RepairRubble():
                return f"Take one Rubble off {self.name(command.location)}"
            case Pass():
                return "Pass"
            case Done():
                return "Done"
            case LookAt():
                return f"Look at {self.name(command.pile)}"

    def _to_place(self, command: ChooseForce | Move | BuyForce) -> str:
        verb = {ChooseForce: "Choose", Move: "Move", BuyForce: "Buy"}[type(command)]
        free = " with the free Move of a Location" if isinstance(command, Move) and command.free else ""
        return f"{verb} {self.name(command.force)} to {self.name(command.to)}{free}"

    def _play(self, command: PlayCard) -> str:
        words = f"Play {self.name(command.card)}"
        if command.force:
            words += f" on {self.name(command.force)}"
        if command.other:
            words += f" for {self.name(command.other)}"
        return words + (f" to {self.name(command.to)}" if command.to else "")

    def _attack(self, command: Attack | JoinAttack) -> str:
        forces = ", ".join(self.name(force) for force in command.forces) or "nobody"
        if isinstance(command, JoinAttack):
            return f"Join the Attack with {forces}"
        return f"Attack at {self.name(command.location)} with {forces}"


CARD_WORDS: dict[type[Command], str] = {
    Resupply: "Resupply, discarding",
    PayCard: "Pay with",
    FireCard: "Firefight:",
    TakeCard: "Take",
    RemoveUranus: "Pay to remove",
}
FORCE_WORDS: dict[type[Command], str] = {
    GiveRation: "Put a Ration on {}",
    PayRation: "Pay with a Ration of {}",
    PayForce: "Give up {}",
    Award: "Give the Heroic Service counter to {}",
}
ABSORB_WORDS = {
    "ignored": "{} ignores the Hit by its note",
    "ration": "{} stops the Hit with a Ration",
    "retreat": "{} Retreats",
    "destroyed": "{} is Destroyed",
}
