"""The words in which people read this game: names of things, and commands as sentences."""

from collections.abc import Callable, Sequence

from core.command import Command
from core.components.inventory import Memory
from core.games.battle.components.card_model import Cards
from core.games.battle.components.inventory import inventory
from core.games.battle.components.view.card_words import counted
from core.games.battle.ids import (
    CONTROL,
    GERMAN,
    LOCATION_AREAS,
    PACKAGE,
    RUSSIAN,
    SIDES,
    area,
    bottom,
    top,
)
from core.games.battle.rules.buy import to_pay
from core.games.battle.rules.commands import (
    Absorb,
    Attack,
    Award,
    BattleCommand,
    BuyForce,
    ChooseForce,
    FireCard,
    Move,
    Pass,
    PlayCard,
    RemoveUranus,
    RepairRubble,
    Resupply,
    TakeCard,
)
from core.games.battle.rules.move import Moves
from core.games.battle.rules.queries import combat, own_areas, retreat_worth
from core.ports import MapPlace
from core.printed_names import printed_words
from core.selection import Choose, Done, Pick, Unpick
from events.ids import PieceId
from projections.table import Table


class Names:
    """Names and sentences, bound to the cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.moves = Moves(cards)
        self.names = {
            **printed_words(PACKAGE),
            "standard": "Standard game",
            **inventory(cards, Memory()).names,
        }

    def name(self, id_: str) -> str:
        """Return the printed name of anything on the table; else the id itself."""
        return self.names.get(id_, id_)

    def places(self) -> tuple[MapPlace, ...]:
        """List each Location's Areas, the German ones in the west; then the boxes."""
        found: list[MapPlace] = []
        for row, location in enumerate(self.cards.locations.values()):
            for column, (side, which) in enumerate(LOCATION_AREAS):
                place = area(location.id, side, which)
                found.append(MapPlace(place, self.name(place), "", 125 + 250 * column, 50 + 100 * row))
        for side in SIDES:
            found += [MapPlace(box, self.name(box), "", 0, 1000, is_box=True) for box in (top(side), bottom(side))]
        return tuple(found)

    def describe(self, table: Table, command: BattleCommand) -> str:
        """Say in words what a command would do."""
        match command:
            case ChooseForce() | Move() | BuyForce():
                return self._to_place(table, command)
            case PlayCard():
                return self._play(command)
            case Attack():
                return self._attack(table, command)
            case Resupply() | FireCard() | TakeCard() | RemoveUranus():
                return f"{CARD_WORDS[type(command)]} {self.name(command.card)}"
            case Award():
                return f"Give the Heroic Service counter to {self.name(command.force)}"
            case Pick() | Unpick() | Choose():
                return self._pick(table, command)
            case Absorb():
                return self._absorb(table, command)
            case RepairRubble():
                return f"Take one Rubble off {self.name(command.location)}"
            case Pass():
                return "Pass"
            case Done():
                return self._done(table)

    def _to_place(self, table: Table, command: ChooseForce | Move | BuyForce) -> str:
        force, to = self.name(command.force), self.name(command.to)
        if isinstance(command, Move):
            return f"Move {force} to {to}{self._fare(table, command)}"
        card = self.cards.forces.get(command.force)
        if card is None:
            return f"Take {force} to {to}"
        printed = f"Combat {card.combat}, {counted(card.rations, 'Ration')}"
        if isinstance(command, BuyForce):
            cost = counted(to_pay(self.cards, table, card.side, card.id), "card")
            return f"Buy {force} ({printed}) for {cost} and place it at {to}"
        return f"Take {force} (Cost {card.cost}, {printed}) and place it at {to}"

    def _fare(self, table: Table, command: Move) -> str:
        """Return what a Move costs, where it is one that could be."""
        if command.free:
            return " with the free Move of a Location"
        card = self.cards.forces.get(command.force)
        if card is None or command.to not in own_areas(self.cards, table, card.side):
            return ""
        is_series = table.top is not None and table.top.kind == "free_move"
        cost = self.moves.cost(table, command.force, command.to, free=is_series)
        return f" for {counted(cost, 'Ration')}" if cost else " for no Ration"

    def _play(self, command: PlayCard) -> str:
        words = f"Play {self.name(command.card)}"
        if command.force:
            words += f" on {self.name(command.force)}"
        if command.other:
            words += f" for {self.name(command.other)}"
        return words + (f" to {self.name(command.to)}" if command.to else "")

    def _pick(self, table: Table, command: Pick | Unpick | Choose) -> str:
        """Word a step of a selection, or a whole one."""
        words = PICK_WORDS.get("" if table.top is None else table.top.kind, "Choose {}")
        if isinstance(command, Unpick):
            return f"Take back: {words.format(self.name(command.item))}"
        items = command.items if isinstance(command, Choose) else (command.item,)
        shown = [
            listed_with(self.cards, table, [PieceId(item)], self.name) if words in WITH_COMBAT else self.name(item)
            for item in items
        ]
        return words.format(", ".join(shown) or "nobody")

    def _attack(self, table: Table, command: Attack) -> str:
        forces = listed_with(self.cards, table, command.forces, self.name)
        if not forces:
            return f"Attack at {self.name(command.location)}"
        enemies = (GERMAN, RUSSIAN)
        there = [force for side in enemies for force in table.pieces_at(area(command.location, side, CONTROL))]
        against = [force for force in there if self._is_enemy(force, command.forces)]
        versus = listed_with(self.cards, table, against, self.name)
        return f"Attack at {self.name(command.location)} with {forces}{f' against {versus}' if versus else ''}"

    def _is_enemy(self, force: PieceId, attackers: Sequence[PieceId]) -> bool:
        known = [self.cards.forces[one].side for one in attackers if one in self.cards.forces]
        return bool(known) and self.cards.forces[force].side != known[0]

    def _absorb(self, table: Table, command: Absorb) -> str:
        """Return how a Hit is met; a Retreat with the Hits that it stops."""
        force = self.name(command.force)
        if command.by == "retreat" and command.force in self.cards.forces:
            worth = retreat_worth(self.cards, table, command.force)
            return f"{force} Retreats and stops {counted(worth, 'Hit')}"
        return ABSORB_WORDS.get(command.by, "{} absorbs the Hit").format(force)

    def _done(self, table: Table) -> str:
        kind = "" if table.top is None else table.top.kind
        return DONE_WORDS.get(kind, "Done")


def listed_with(cards: Cards, table: Table, forces: Sequence[PieceId], name: Callable[[str], str]) -> str:
    """Name Forces with their Combat as things are."""
    return ", ".join(
        f"{name(force)} (Combat {combat(cards, table, force)})" if force in cards.forces else name(force)
        for force in forces
    )


DONE_WORDS = {
    "action": "End the Actions step",
    "free_move": "Make no more free Moves",
    "repair": "Take no Rubble off",
    "attackers": "Begin the Attack",
    "join_attack": "Begin the Attack",
    "pay_cards": "Pay the cost",
    "pay_rations": "Pay the cost",
    "pay_forces": "Pay the cost",
    "distribute": "Hand the Rations out",
}
"""What is ended, by the kind of the question."""

CARD_WORDS: dict[type[Command], str] = {
    Resupply: "Resupply, discarding",
    FireCard: "Play in the Firefight:",
    TakeCard: "Take",
    RemoveUranus: "Pay to remove",
}
WITH_COMBAT = ("Attack with {}", "Join the Attack with {}")
PICK_WORDS = {
    "attackers": WITH_COMBAT[0],
    "join_attack": WITH_COMBAT[1],
    "pay_cards": "Pay with {}",
    "distribute": "Put a Ration on {}",
    "pay_rations": "Pay with a Ration of {}",
    "pay_forces": "Have {} Destroyed as the cost",
}
"""What picking comes to, by the kind of the question."""

ABSORB_WORDS = {
    "ignored": "{} ignores the Hit by its note",
    "ration": "{} stops the Hit with a Ration",
    "destroyed": "{} is Destroyed",
}
