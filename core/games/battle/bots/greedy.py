"""A bot that plays sensibly for either side, by rules of thumb and by what its own seat can see.

It values what wins: Locations Controlled, then Forces and Rations. It attacks where its Hits are likely to beat what the
defenders can absorb, brings Forces to Control Areas that the enemy or neither side holds, keeps one Force at home, and spends
cards that would otherwise lie idle.
"""

from collections.abc import Iterable, Mapping, Sequence

from core.bots.bot_port import Answer, Asked, Policy
from core.bots.choices import best_choice
from core.bots.evaluation import Evaluation
from core.bots.search import Search, Style
from core.engine.command import Command
from core.engine.selection import Done, Pick
from core.games.battle.bots.evaluation import WEIGHTS, features
from core.games.battle.components.card_model import ActionCard, Cards
from core.games.battle.ids import CONTROL, PERIMETER, area, enemy, top
from core.games.battle.memory import HITS, TOTAL
from core.games.battle.rules import commands, queries
from core.games.battle.rules.battle_rules import BattleRules
from events.ids import CardId, PieceId, PlaceId, Side
from projections.state.table import Table


def greedy(asked: Asked) -> Answer:
    """Choose the option of the highest worth; among equals by chance."""
    assert isinstance(asked.rules, BattleRules), "the rules of another game"
    cards, side = asked.rules.cards, asked.table.side_of(asked.seat)
    return best_choice(asked, lambda ahead: _Mind(cards, ahead, side).worth)


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
            case Done() | commands.Pass():
                return 0.0
            case commands.Attack(location=location):
                return self._best_attack(location)
            case Pick(item=item):
                return self._pick(PieceId(item))
            case commands.Move():
                return self._move(command)
            case commands.PlayCard():
                return self._play(command)
            case commands.ChooseForce():
                return self._choose(command)
            case commands.BuyForce(to=to):
                return 6.0 + self._area_worth(to)
            case commands.Absorb():
                return self._absorb(command)
            case _:
                return self._minor(command)

    def _minor(self, command: Command) -> float:
        match command:
            case commands.FireCard(card=card):
                return self._fire(self.cards.cards[card])
            case commands.Resupply(card=card):
                return self._resupply(card)
            case commands.TakeCard(card=card):
                return self._missed(card)
            case commands.RemoveUranus():
                return 3.0 if self._hand_size() > 5 else -1.0
            case commands.Award(force=force):
                return float(self.cards.forces[force].combat)
            case _:
                return 1.0

    def _missed(self, card: str) -> float:
        """Return how much a card in the hand is missed."""
        return CARD_WORTH.get(self.cards.cards[CardId(card)].title.op, 2.0)

    def _pick(self, item: PieceId) -> float:
        """Judge one more item for the answer to the open question; being done is worth 0."""
        asked = self.table.stack[-1]
        picked = asked.picked.count(item)
        match asked.kind:
            case "attackers":
                forces = [PieceId(force) for force in asked.picked]
                before = self._attack(asked.text("location"), forces) if forces else NO_ATTACK
                return self._attack(asked.text("location"), [*forces, item]) - before
            case "distribute":
                return self._need(item) - float(queries.rations(self.table, item) + picked)
            case "pay_cards":
                return -self._missed(item)
            case "pay_forces":
                return -float(self.cards.forces[item].cost)
            case "pay_rations":
                return float(queries.rations(self.table, item) - picked)
            case _:
                return 1.0

    def _count(self, location: str, side: Side, which: str) -> int:
        return len(self.table.pieces_at(area(location, side, which)))

    def _combat(self, forces: Iterable[PieceId]) -> int:
        return sum(queries.combat(self.cards, self.table, force) for force in forces)

    def _best_attack(self, location: str) -> float:
        """Judge the Attack that picking the best Forces one by one comes to."""
        left = queries.able_to_attack(self.cards, self.table, self.side, location)
        forces: list[PieceId] = []
        best = NO_ATTACK
        while left:
            worth, force = max((self._attack(location, [*forces, force]), force) for force in left)
            if worth <= best:
                break
            best = worth
            forces.append(force)
            left.remove(force)
        return best

    def _attack(self, location: str, forces: Sequence[PieceId]) -> float:
        """Compare the Hits of both sides with what each can absorb; a Location won counts most."""
        mine = self._combat(forces) + sum(self.cards.forces[force].attack_bonus for force in forces)
        defenders = self.table.pieces_at(area(location, self.foe, CONTROL))
        theirs = self._combat(defenders)
        cleared = mine + 1 - sum(self._endurance(force) for force in defenders)
        suffered = theirs - sum(self._endurance(force) - 1 for force in forces)
        left = self._count(location, self.side, CONTROL) - len(forces)
        is_sound = cleared > -2 and mine >= theirs - 1
        return 8.0 + cleared * 2.0 - max(0, suffered) * 2.0 - left if is_sound else -5.0

    def _endurance(self, force: PieceId) -> int:
        """Return how many Hits it takes to clear a Force out of a Control Area, by Retreat at the cheapest."""
        by_rations = queries.rations(self.table, force) + 1 + self.cards.forces[force].ignore_hits
        return min(queries.retreat_worth(self.cards, self.table, force), by_rations)

    def _resupply(self, card: str) -> float:
        """Resupply only with a full hand and Forces without Rations."""
        forces = queries.forces_of(self.cards, self.table, self.side)
        is_needed = any(queries.rations(self.table, force) == 0 for force in forces)
        return 3.0 - self._missed(card) if is_needed and self._hand_size() > 4 else -1.0

    def _hand_size(self) -> int:
        return queries.hand_size(self.table, self.side)

    def _choose(self, command: commands.ChooseForce) -> float:
        """Spread strong Forces over the Locations, in Control Areas where those are open."""
        force, location = self.cards.forces[command.force], self.cards.location_of(command.to)
        here = self._count(location, self.side, CONTROL) + self._count(location, self.side, PERIMETER)
        strength = (force.combat + force.rations / 2 + force.attack_bonus / 2) / force.cost
        return strength - 4.0 * here + self.cards.is_control(command.to)

    def _need(self, force: PieceId) -> float:
        """Return how much a Force needs Rations: those in Control Areas that can fight need more."""
        return self.cards.forces[force].combat / 2 + self.cards.is_control(self.table.pieces[force].place)

    def _area_worth(self, place: PlaceId) -> float:
        """Return how useful one more Force would be in an Area."""
        location = self.cards.location_of(place)
        mine, foes = self._count(location, self.side, CONTROL), self._count(location, self.foe, CONTROL)
        if not self.cards.is_control(place):
            return 1.5 - self._count(location, self.side, PERIMETER) if foes and not mine else -1.0
        if mine == 0:
            return 6.0 if foes == 0 else 3.5
        return (2.0 if foes else 0.5) - mine

    def _move(self, command: commands.Move) -> float:
        """Compare the Area the Force goes to with the one it leaves."""
        source = self.table.pieces[command.force].place
        gain = self._area_worth(command.to)
        if self.cards.is_control(source):
            gain -= 7.0 if len(self.table.pieces_at(source)) == 1 else 2.0
        elif self.cards.location_of(source) == self.cards.location_of(command.to) or not self.cards.is_control(
            command.to
        ):
            gain -= 0.5
        is_free = command.free or self.cards.forces[command.force].has_free_move
        return gain if is_free else gain - 0.8

    def _play(self, command: commands.PlayCard) -> float:
        """Play what helps now: answers at once, attacks on what stands in Control, the rest while it is of use."""
        title = self.cards.cards[command.card].title
        match title.op:
            case "card_attack":
                return 7.0 + title.hits - self._endurance(command.force)
            case "move_and_attack":
                return self._attack(self.cards.location_of(command.to), (command.force,)) - 3.0
            case "join_battle" | "multiply_combat":
                return 2.0 + self._combat([command.force]) / 2
            case "steal_rations":
                taken = min(2.0, float(queries.rations(self.table, command.force)))
                return taken + self._need(command.other) / 4 - 0.5
            case "stop_hits":
                return 1.5 if HITS.of(self.table, self.side) >= title.amount else -1.0
            case "no_firefight":
                return 1.0 if self._leads() else -1.0
            case "force_points":
                return 2.0 if self.table.pieces_at(top(self.side)) else -1.0
            case "search_deck" | "combat_bonus_all":
                return 1.0 if self.table.turn == self.side else -1.0
            case op:
                return CARD_NOW.get(op, 1.0)

    def _leads(self) -> bool:
        """Return whether this side's Forces outweigh the other's in the battle."""
        mine, theirs = [
            self._combat(queries.participants(self.cards, self.table, side)) for side in (self.side, self.foe)
        ]
        return mine > theirs

    def _fire(self, card: ActionCard) -> float:
        """Spend a value while the totals are close, and the cards that are missed least."""
        is_close = abs(TOTAL.of(self.table, self.side) - TOTAL.of(self.table, self.foe)) <= 5
        return abs(card.value) - self._missed(card.id) / 2 if is_close and self._hand_size() > 2 else -1.0

    def _absorb(self, command: commands.Absorb) -> float:
        """Ignore first, then Retreat where it stops much, then Rations, then the cheapest Force."""
        left = HITS.of(self.table, self.side)
        match command.by:
            case "ignored":
                return 10.0
            case "retreat":
                worth = queries.retreat_worth(self.cards, self.table, command.force)
                return 1.0 + min(left, worth) if left > 1 else 0.5
            case "ration":
                return 2.5 if left <= queries.rations(self.table, command.force) else 1.5
            case _:
                return -float(self.cards.forces[command.force].cost)


NO_ATTACK = -20.0
"""The worth of an Attack by no Force."""

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

POLICIES: Mapping[str, Policy] = {
    "greedy": greedy,
    "search": Search(greedy, Evaluation(features, WEIGHTS), Style()),
}
"""The bots that know this game, by name, from the weaker to the stronger."""
