"""A bot that plays sensibly for either side, by rules of thumb and by what its own seat can see.

It values what wins: Locations Controlled, then Forces and Rations. It attacks where its Hits are likely to beat what the
defenders can absorb, brings Forces to Control Areas that nobody or the enemy holds, keeps one Force at home, and spends
cards that would otherwise lie idle.
"""

from collections.abc import Callable, Sequence

from core.command import Command
from core.decision import Rules
from core.games.battle.components.card_model import ActionCard, Cards
from core.games.battle.ids import CONTROL, PERIMETER, area, enemy, top
from core.games.battle.memory import hits, total
from core.games.battle.rules.battle_rules import BattleRules
from core.games.battle.rules.commands import (
    Absorb,
    Attack,
    Award,
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
from core.games.battle.rules.queries import (
    combat,
    controller,
    forces_of,
    hand_size,
    participants,
    rations,
    retreat_worth,
)
from core.selection import Done, Pick, whole_choice
from events.ids import CardId, PieceId, Seat, Side
from projections.table import Table

Number = Callable[[int], int]


def greedy(rules: Rules, table: Table, seat: Seat, options: list[Command], pick: Number) -> Command:
    """Choose the option of the highest worth; among equals by chance. See `core.game.Policy`."""
    assert isinstance(rules, BattleRules)
    cards = rules.cards

    def best(ahead: Table, found: list[Command]) -> Command:
        mind = _Mind(cards, ahead, ahead.side_of(seat))
        worths = [mind.worth(option) for option in found]
        highest = max(worths)
        chosen = [option for option, worth in zip(found, worths, strict=True) if worth == highest]
        return chosen[pick(len(chosen))]

    return whole_choice(rules, table, options, best)


class _Mind:
    """One look at the table by one side."""

    def __init__(self, cards: Cards, table: Table, side: Side) -> None:
        self.cards = cards
        self.table = table
        self.side = side
        self.foe = enemy(side)

    def worth(self, command: Command) -> float:
        """Return how good a command looks; passing and ending the step are worth 0."""
        match command:
            case Done() | Pass():
                return 0.0
            case Attack():
                return self.best_attack(command.location)
            case Pick():
                return self.pick(PieceId(command.item))
            case Move():
                return self.move(command)
            case PlayCard():
                return self.card(command)
            case ChooseForce():
                return self.choose(command)
            case BuyForce():
                return 6.0 + self.area_worth(
                    self.cards.location_of(command.to), is_in_control=self.cards.is_control(command.to)
                )
            case Absorb():
                return self.absorb(command)
            case _:
                return self.small(command)

    def small(self, command: Command) -> float:
        """Judge the lesser questions."""
        match command:
            case FireCard():
                return self.fire(self.cards.cards[command.card])
            case Resupply():
                return self.resupply(command)
            case TakeCard():
                return CARD_WORTH.get(self.cards.cards[command.card].title.op, 2.0)
            case RemoveUranus():
                return 3.0 if hand_size(self.table, self.side) > 5 else -1.0
            case RepairRubble():
                return 1.0
            case Award():
                return float(self.cards.forces[command.force].combat)
            case _:
                return -100.0

    def pick(self, item: PieceId) -> float:
        """Judge one more item for the answer to the open question; being done is worth 0."""
        asked = self.table.stack[-1]
        match asked.kind:
            case "attackers":
                forces = [PieceId(force) for force in asked.picked]
                before = self.attack(asked.text("location"), forces) if forces else -20.0
                return self.attack(asked.text("location"), [*forces, item]) - before
            case "distribute":
                return self.need(item) - float(rations(self.table, item) + asked.picked.count(item))
            case "pay_cards":
                return -CARD_WORTH.get(self.cards.cards[CardId(item)].title.op, 2.0)
            case "pay_forces":
                return -float(self.cards.forces[item].cost)
            case "pay_rations":
                return float(rations(self.table, item) - asked.picked.count(item))
            case _:
                return 1.0

    def best_attack(self, location: str) -> float:
        """Judge the Attack that picking the best Forces one by one comes to."""
        there = self.table.pieces_at(area(location, self.side, CONTROL))
        left = [force for force in there if rations(self.table, force) >= self.cards.figures.attack_cost]
        forces: list[PieceId] = []
        best = -20.0
        while left:
            worth, force = max((self.attack(location, [*forces, force]), force) for force in left)
            if worth <= best:
                break
            best = worth
            forces.append(force)
            left.remove(force)
        return best

    def resupply(self, command: Resupply) -> float:
        """Resupply only with a full hand and hungry Forces."""
        keep = CARD_WORTH.get(self.cards.cards[command.card].title.op, 2.0)
        hungry = sum(1 for force in forces_of(self.cards, self.table, self.side) if rations(self.table, force) == 0)
        return 3.0 - keep if hungry and hand_size(self.table, self.side) > 4 else -1.0

    def choose(self, command: ChooseForce) -> float:
        """Spread strong Forces over the Locations, in Control Areas where that is open."""
        force = self.cards.forces[command.force]
        location = self.cards.location_of(command.to)
        here = len(self.table.pieces_at(area(location, self.side, CONTROL)))
        here += len(self.table.pieces_at(area(location, self.side, PERIMETER)))
        strength = (force.combat + force.rations / 2 + force.attack_bonus / 2) / force.cost
        return strength - 4.0 * here + (1.0 if self.cards.is_control(command.to) else 0.0)

    def need(self, force: PieceId) -> float:
        """Return how much a Force wants Rations: those in Control Areas that can fight want more."""
        return self.cards.forces[force].combat / 2 + (
            1.0 if self.cards.is_control(self.table.pieces[force].place) else 0.0
        )

    def attack(self, location: str, forces: Sequence[PieceId]) -> float:
        """Compare the Hits of both sides with what each can absorb; a Location won counts most."""
        mine = sum(combat(self.cards, self.table, force) + self.cards.forces[force].attack_bonus for force in forces)
        defenders = self.table.pieces_at(area(location, self.foe, CONTROL))
        theirs = sum(combat(self.cards, self.table, force) for force in defenders)
        cleared = mine + 1 - sum(self.endurance(force) for force in defenders)
        suffered = theirs - sum(self.endurance(force) - 1 for force in forces)
        left = len(self.table.pieces_at(area(location, self.side, CONTROL))) - len(forces)
        return 8.0 + cleared * 2.0 - max(0.0, suffered) * 2.0 - left if cleared > -2 and mine >= theirs - 1 else -5.0

    def endurance(self, force: PieceId) -> float:
        """Return how many Hits it takes to clear a Force out of a Control Area, by Retreat at the cheapest."""
        return min(
            float(retreat_worth(self.cards, self.table, force)),
            float(rations(self.table, force) + 1 + self.cards.forces[force].ignore_hits),
        )

    def area_worth(self, location: str, *, is_in_control: bool) -> float:
        """Return how useful one more Force would be at a Location."""
        holder = controller(self.table, location)
        mine = len(self.table.pieces_at(area(location, self.side, CONTROL)))
        foes = len(self.table.pieces_at(area(location, self.foe, CONTROL)))
        if not is_in_control:
            near = len(self.table.pieces_at(area(location, self.side, PERIMETER)))
            return 1.5 - near if foes and holder == self.foe and not mine else -1.0
        if mine == 0:
            return 6.0 if foes == 0 else 3.5
        return 2.0 - mine if foes else 0.5 - mine

    def move(self, command: Move) -> float:
        """Weigh the place the Force goes to against the one it leaves."""
        source = self.table.pieces[command.force].place
        location = self.cards.location_of(source)
        gain = self.area_worth(self.cards.location_of(command.to), is_in_control=self.cards.is_control(command.to))
        if self.cards.is_control(source):
            alone = len(self.table.pieces_at(source)) == 1
            gain -= 7.0 if alone else 2.0
        elif location == self.cards.location_of(command.to) or not self.cards.is_control(command.to):
            gain -= 0.5
        free = command.free or self.cards.forces[command.force].has_free_move
        return gain - (0.0 if free else 0.8)

    def card(self, command: PlayCard) -> float:
        """Play what helps now: answers at once, attacks on what stands in Control, the rest while it is of use."""
        card = self.cards.cards[command.card]
        match card.title.op:
            case "card_attack":
                return 7.0 + card.title.hits - self.endurance(command.force)
            case "move_and_attack":
                return self.attack(self.cards.location_of(command.to), (command.force,)) - 3.0
            case "join_battle" | "multiply_combat":
                return 2.0 + combat(self.cards, self.table, command.force) / 2
            case "steal_rations":
                return min(2.0, float(rations(self.table, command.force))) + self.need(command.other) / 4 - 0.5
            case "stop_hits":
                return 1.5 if hits(self.table, self.side) >= card.title.amount else -1.0
            case "no_firefight":
                return 1.0 if self.leads() else -1.0
            case "force_points":
                return 2.0 if self.table.pieces_at(top(self.side)) else -1.0
            case "search_deck" | "combat_bonus_all":
                return -1.0 if self.table.turn != self.side else 1.0
            case op:
                return CARD_NOW.get(op, 1.0)

    def leads(self) -> bool:
        """Whether this side's Forces outweigh the other's in the battle."""
        mine = sum(combat(self.cards, self.table, force) for force in participants(self.cards, self.table, self.side))
        theirs = sum(combat(self.cards, self.table, force) for force in participants(self.cards, self.table, self.foe))
        return mine > theirs

    def fire(self, card: ActionCard) -> float:
        """Spend a value while the totals are close, and the cards that are missed least."""
        mine, theirs = total(self.table, self.side), total(self.table, self.foe)
        if abs(mine - theirs) > 5 or hand_size(self.table, self.side) <= 2:
            return -1.0
        return abs(card.value) - CARD_WORTH.get(card.title.op, 2.0) / 2

    def absorb(self, command: Absorb) -> float:
        """Ignore first, then Retreat where it stops much, then Rations, then the cheapest Force."""
        force = self.cards.forces[command.force]
        left = hits(self.table, self.side)
        if command.by == "ignored":
            return 10.0
        if command.by == "retreat":
            return 1.0 + min(left, retreat_worth(self.cards, self.table, command.force)) if left > 1 else 0.5
        if command.by == "ration":
            return 2.5 if left <= rations(self.table, command.force) else 1.5
        return -float(force.cost)


CARD_WORTH = {
    "card_attack": 4.0,
    "move_and_attack": 4.0,
    "multiply_combat": 3.5,
    "lasting": 3.0,
    "free_moves": 3.5,
    "cancel_card": 3.0,
    "cancel_move": 2.5,
    "draw_cards": 3.5,
    "stop_hits": 2.5,
    "force_points": 3.0,
    "distribute_rations": 2.5,
    "gain_rations_each": 2.0,
    "combat_bonus_all": 2.5,
}
"""How much a card in the hand is missed, by its effect; others count 2."""

CARD_NOW = {
    "cancel_card": 4.0,
    "cancel_move": 1.0,
    "deny_location_draws": 3.0,
    "draw_cards": 9.0,
    "free_moves": 2.0,
    "distribute_rations": 2.0,
    "gain_rations_each": 2.0,
    "no_enemy_retreat": 1.0,
    "enemy_force_cost": 0.5,
    "enemy_draw": 1.5,
    "own_draw": 1.5,
    "enemy_location_rations": 1.0,
    "own_initiated_battle_bonus": 1.0,
    "enemy_no_perimeter_ration": -1.0,
}
"""How good it is to play a card now, by its effect; others count 1."""
