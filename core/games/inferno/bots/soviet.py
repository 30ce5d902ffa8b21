"""Values of a Soviet seat's commands for the bot.

It keeps units in the Soviet Spawn Hexes that Germans are near, takes lost ones back, pins German Stacks that could move on, attacks weak
ones, and draws when no movement is worth more: the end of the deck wins.
"""

from collections.abc import Sequence
from functools import cached_property

from core.engine.command import Command
from core.engine.selection import Pick
from core.games.inferno.bots.forces import Forces
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import CANCEL_AIRSTRIKE, DEPLOY, FLOTILLA, LEADER
from core.games.inferno.ids import GERMAN, SOVIET
from core.games.inferno.rules import commands
from core.games.inferno.rules.cards import deck_size
from core.games.inferno.rules.losses import attacker, combat, counts_as, target
from core.games.inferno.rules.queries import has_room, is_next_to, side_in, stack, stacks
from core.games.inferno.rules.soviet_cards import soviet_hex
from events.ids import CardId, PieceId, PlaceId
from projections.state.table import Table

RETAKEN = 4.0
"""What a Spawn Hex is worth that is taken from the Germans."""
POINT = 2.0
"""What a point in the Death Pool is worth."""
STEP_DEALT = 0.4
STEP_LOST = 0.3
HELD = 2.0
"""What it is worth to guard a Spawn Hex against German Stacks next to it with the first unit; less with each further one."""
PINNED = 1.0
"""What it is worth to pin a German Stack that no Soviet Stack is next to."""
EXPOSED = 0.3
"""What it costs to stand next to Germans anywhere else."""
REGAINED = 3.0
"""What it is worth to come to a lost Spawn Hex, before it is taken back."""
FULL = 12
"""The Steps of a German Stack that makes a whole threat."""
FADES, CLOSER = 0.6, 0.6
"""How much less a German Stack threatens a hex, and a Soviet unit helps there, for each hex that it is farther away."""
DRAWN = 0.5
"""What a drawn card is worth, with a full deck; twice as much with an empty one."""
CARD = 0.5
"""What a card is worth besides its expected hits."""
LEADER_PLAYED, UNIT_ADDED, AIRSTRIKE_CANCELLED = 3.0, 2.0, 0.8


class SovietMind:
    """One look at the table by the Soviet seat.

    Args:
        board: The board.
        table: The table as the seat sees it.
        options: All legal commands.
    """

    def __init__(self, board: Board, table: Table, options: Sequence[Command]) -> None:
        self.board = board
        self.table = table
        self.options = options
        self.forces = Forces(board, table)
        self._uses: dict[tuple[PlaceId, bool], float] = {}
        self._moves: dict[tuple[PlaceId, PlaceId], float] = {}

    def worth(self, command: Command) -> float:
        """Return how good a command looks; doing nothing is worth 0."""
        match command:
            case commands.SovietMove() | commands.SovietAttack():
                # Every Top Stacked Hex must act, the others by their best orders.
                place = self._origin(command)
                return self._order(command) + sum([best for other, best in self._best.items() if other != place])
            case commands.SovietDraw():
                return DRAWN * (2 - deck_size(self.table, SOVIET) / len(self.board.deck(SOVIET)))
            case commands.CommitCards(cards=cards):
                return sum(map(self._card, cards))
            case Pick(item=item):
                return self.forces.loss(PieceId(item), SOVIET)
            case _:
                return 0.0

    # Orders

    def _origin(self, order: commands.SovietMove | commands.SovietAttack) -> PlaceId:
        """Return the Top Stacked Hex that acts."""
        return order.hex if isinstance(order, commands.SovietAttack) else self.table.pieces[order.units[0]].place

    @cached_property
    def _best(self) -> dict[PlaceId, float]:
        """What the best order of each Top Stacked Hex is worth."""
        found: dict[PlaceId, float] = {}
        for order in self.options:
            if isinstance(order, commands.SovietMove | commands.SovietAttack):
                place = self._origin(order)
                found[place] = max(found.get(place, -100.0), self._order(order))
        return found

    def _order(self, order: commands.SovietMove | commands.SovietAttack) -> float:
        if isinstance(order, commands.SovietAttack):
            return self._attack(order.hex, order.target)
        place, to = self.table.pieces[order.units[0]].place, order.to
        found = self._moves.get((place, to))
        if found is None:
            taken = RETAKEN if to in self._lost else 0.0
            found = taken + self._use(to, joins=True) - self._use(place, joins=False) + self._contact(to)
            self._moves[place, to] = found
        return found

    def _attack(self, place: PlaceId, aim: PlaceId) -> float:
        """Weigh what an attack may win and destroy against the Steps that it costs; only one unit leaves the hex if it wins."""
        attackers, defenders = stack(self.table, place), stack(self.table, aim)
        clash = self.forces.clash(attackers, aim)
        points = self.forces.points_lost(defenders, clash.dealt)
        gain = clash.chance * (RETAKEN if aim in self._lost else 0.0)
        return gain + points * POINT + clash.dealt * STEP_DEALT - clash.suffered * STEP_LOST

    # Places

    @cached_property
    def _lost(self) -> set[PlaceId]:
        places = (*self.board.soviet_spawn, *self.board.german_spawn)
        return {place for place in places if self.table.control.get(place) == GERMAN}

    @cached_property
    def _away(self) -> dict[PlaceId, dict[PlaceId, int]]:
        """How far each hex is from each Soviet Spawn Hex."""
        return {spawn: self.forces.lookups.away(frozenset((spawn,))) for spawn in self.board.soviet_spawn}

    @cached_property
    def _wanted(self) -> dict[PlaceId, float]:
        """How much each Soviet Spawn Hex needs units: a lost one, and a held one by the Germans near it for each unit in it."""
        steps = {
            place: sum([unit.steps for unit in self.forces.units(stack(self.table, place))])
            for place in stacks(self.table, self.board, GERMAN)
        }
        wanted = dict.fromkeys(self._away, REGAINED)
        for spawn, away in self._away.items():
            if spawn not in self._lost:
                wanted[spawn] = HELD * sum([steps[place] / FULL * FADES ** (away[place] - 1) for place in steps])
        return wanted

    def _use(self, place: PlaceId, *, joins: bool) -> float:
        """Return how useful a unit is in a hex, which it joins or is in: the most useful of guarding it and being on the way to others."""
        found = self._uses.get((place, joins))
        if found is None:
            uses: list[float] = []
            for spawn, away in self._away.items():
                guards = 0 if spawn in self._lost else len(stack(self.table, spawn))
                uses.append(self._wanted[spawn] * CLOSER ** away[place] / (guards + (joins or spawn != place)))
            found = self._uses[place, joins] = max(uses)
        return found

    def _contact(self, to: PlaceId) -> float:
        """Return what it is worth to come next to Germans: a new pin, or a target for them."""
        if to in self._away:
            return 0.0
        near = [place for place in self.board.hexes[to].near if side_in(self.table, place) == GERMAN]
        free = [place for place in near if not is_next_to(self.table, self.board, place, SOVIET)]
        return PINNED * len(free) - (EXPOSED if near else 0.0)

    # Cards

    def _card(self, card: CardId) -> float:
        """Return what a card is worth in the combat that is being fought."""
        at, title = combat(self.table), self.board.cards[card].title
        if title.op == LEADER:
            return LEADER_PLAYED
        if title.op == DEPLOY:
            return UNIT_ADDED if has_room(self.table, self.board, soviet_hex(at)) else -CARD
        if title.op == CANCEL_AIRSTRIKE:
            return AIRSTRIKE_CANCELLED if at.number("is_deliberate") else -CARD
        if title.op == FLOTILLA and not self.board.hexes[soviet_hex(at)].is_coastal:
            return CARD
        return (CARD + self.forces.card_hits(card)) * (self._chance_of(title.target) if title.target else 1.0)

    def _chance_of(self, arm: str) -> float:
        """Return the chance that a unit of an arm is among the Germans of the combat, whom the seat does not see."""
        at = combat(self.table)
        places = at.texts("hexes") if attacker(at) == GERMAN else (target(at),)
        number = sum([len(stack(self.table, PlaceId(place))) for place in places])
        blocks = self.board.blocks_of(GERMAN)
        share = sum([counts_as(block, arm) for block in blocks]) / len(blocks)
        return 1 - (1 - share) ** number
