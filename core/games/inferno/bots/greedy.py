"""A bot that plays sensibly for any seat, by rules of thumb and by what its own seat can see.

The Germans go for the nearest hexes that they still need, attack where they expect to clear a hex without losing units, and call for
Reinforcements while the track has many. The Soviets draw, because the end of their deck wins, unless a combat or a Spawn Hex is worth
more. A hidden block counts as the average of the blocks that it may be.
"""

from collections.abc import Callable, Mapping, Sequence
from math import erf, sqrt

from core.bot_choices import best_choice
from core.command import Command
from core.decision import Rules
from core.games.inferno.components.board_model import Block, Board
from core.games.inferno.components.board_records import Edge
from core.games.inferno.ids import EDGES, GERMAN, RUBBLE, SOVIET, hand
from core.games.inferno.memory import COMBAT, POOL
from core.games.inferno.rules import commands
from core.games.inferno.rules.cards import OKH, VON_RICHTHOFEN, has_leader
from core.games.inferno.rules.ending import german_losses
from core.games.inferno.rules.inferno_rules import InfernoRules
from core.games.inferno.rules.losses import target
from core.games.inferno.rules.queries import stack, units
from core.games.inferno.rules.reinforcement import row_units
from core.geometry.paths import distances
from core.ports import Policy
from core.selection import Pick
from events.codec import Struct
from events.ids import CardId, PieceId, PlaceId, Seat, Side
from projections.table import Table

GOAL = 16.0
"""What a hex that the side still needs is worth; other worths are compared with it."""
CLEARED = 0.5
"""What any other hex is worth that is cleared, besides the way that it opens."""
STEP_DEALT = 0.3
STEP_LOST = 0.25
POINT_LOST = 2.0
"""What a lost point of the Death Pool costs at first; twice as much when the last one is at stake."""
NEAR, DECAY, FAR = 1.0, 0.7, 0.1
"""How strongly a goal draws each step of a unit: NEAR at the goal, less by DECAY with each hex, and FAR for each hex in addition."""
REINFORCED = 0.8
"""What a unit is worth that a Call for Reinforcements brings while eight are on the map."""
CARD_KEPT = 1.0
GUARD = 4.0
"""What it costs to leave a Soviet Spawn Hex empty."""
DRAW = 1.0
OTHER_CARD = 0.5
"""What a Soviet card without dice and Steps is worth."""
UNREACHED = 30
"""The distance of a hex where there is no goal."""


def greedy(rules: Rules, table: Table, seat: Seat, options: list[Command], pick: Callable[[int], int]) -> Command:
    """Choose the option of the highest worth; among equals by chance. See `core.game.Policy`."""
    assert isinstance(rules, InfernoRules)
    board, side = rules.board, table.side_of(seat)
    return best_choice(rules, table, options, lambda ahead: _Mind(board, ahead, side).worth, pick)


class Unit(Struct, frozen=True):
    """What a unit is expected to be: its Strength, the chance of each of its dice to hit, and its points once lost."""

    steps: float
    chance: float
    points: float = 1.0


class _Mind:
    """One look at the table by one side."""

    def __init__(self, board: Board, table: Table, side: Side) -> None:
        self.board = board
        self.table = table
        self.side = side
        self.expected: dict[str, Unit] = {}
        wanted = board.victory.okh_hexes if has_leader(table, board, OKH) else board.soviet_spawn
        if side == SOVIET:
            wanted = (*board.soviet_spawn, *board.german_spawn)
        self.goals = {place for place in wanted if table.control.get(place) != side}
        self.near = distances(sorted(self.goals), lambda place: board.hexes[place].near)
        lost = german_losses(table, board) / board.victory.german_losses
        self.despair = 1.0 + lost if side == GERMAN else 1.0

    def worth(self, command: Command) -> float:
        """Return how good a command looks; doing nothing is worth 0."""
        match command:
            case commands.Reinforce():
                return self._reinforce()
            case (
                commands.LongMove(units=moved, path=(*_, to))
                | commands.ShortMove(units=moved, to=to)
                | commands.SovietMove(units=moved, to=to)
            ):
                return self._progress(moved, to)
            case commands.HastyAttack(units=moved, to=to, targets=(place,)):
                return self._progress(moved, to) + self._attack((*moved, *stack(self.table, to)), place)
            case commands.DeliberateAttack(targets=(place,), hexes=hexes):
                return self._attack(self._units(hexes), place, max(map(self._hits, self._held()), default=0.0))
            case commands.SovietAttack(hex=place, target=to):
                return self._attack(stack(self.table, place), to)
            case commands.Deploy(unit=unit, to=to):
                return self._unit(unit).steps - self._distance(to) + len(stack(self.table, to)) / 10
            case commands.CommitCards(cards=cards):
                return self._cards(cards)
            case commands.Blitz(unit=unit, to=to):
                return self._progress((unit,), to)
            case commands.SovietDraw():
                return DRAW
            case Pick(item=item):
                return self._pick(PieceId(item))
            case commands.ExtraTurn(play=is_wanted) | commands.JoinAttack(join=is_wanted):
                return float(is_wanted)
            case _:
                return 0.0

    # Units

    def _unit(self, piece: PieceId) -> Unit:
        """Return what a unit is as far as the side knows."""
        there = self.table.pieces[piece]
        if not there.kind:
            return self._average(there.side, POOL.of(self.table, piece) or "")
        block = self.board.blocks[CardId(there.kind)]
        points = float(self.board.victory.r_unit_points) if block.is_r_unit else 1.0
        edge = _edge(block, there.face)
        return Unit(float(edge.strength), self._chance(edge.firepower), points)

    def _average(self, side: Side, arm: str) -> Unit:
        """Return what a unit of an arm is like on average, of any arm if it is empty; Soviet ones lie on random edges."""
        if side + arm not in self.expected:
            faces = EDGES if side == SOVIET else EDGES[:1]
            blocks = [block for block in self.board.blocks_of(side) if arm in ("", block.pool)]
            edges = [_edge(block, face) for block in blocks for face in faces]
            steps = sum([edge.strength for edge in edges]) / len(edges)
            chance = sum([self._chance(edge.firepower) for edge in edges]) / len(edges)
            self.expected[side + arm] = Unit(steps, chance)
        return self.expected[side + arm]

    def _chance(self, firepower: str) -> float:
        return (7 - self.board.hits_from.get(firepower, 7)) / 6

    def _units(self, places: Sequence[str]) -> list[PieceId]:
        return [unit for place in places for unit in stack(self.table, PlaceId(place))]

    # Combat

    def _attack(self, attackers: Sequence[PieceId], place: PlaceId, help_: float = 0.0) -> float:
        """Judge an attack with the expected hits of cards: the chance to clear the hex, and the Steps and units that it costs."""
        mine, theirs = list(map(self._unit, attackers)), list(map(self._unit, stack(self.table, place)))
        factor = 1 / self.board.rubble.hits_per_step if self.table.marker(place, RUBBLE) else 1.0
        ready, against = sum([unit.steps for unit in mine]), max(0.5, sum([unit.steps for unit in theirs]))
        left = max(0.0, 1 - help_ * factor / against)
        suffered = left * sum([unit.steps * unit.chance for unit in theirs])
        firing = max(0.0, 1 - suffered / ready) if self.board.terrain_of(place).defender_first else 1.0
        dealt = (help_ + firing * sum([unit.steps * unit.chance for unit in mine])) * factor
        chance = (1 + erf((dealt - against + 0.3) / sqrt(2 * (0.6 * dealt * factor + 0.4)))) / 2
        gain = CLEARED + (GOAL if place in self.goals else self._advance(attackers, place))
        cost = suffered * STEP_LOST + self._points_lost(mine, suffered) * POINT_LOST * self.despair
        return chance * gain + min(dealt, against) * STEP_DEALT - cost

    def _points_lost(self, force: Sequence[Unit], hits: float) -> float:
        """Return what the units are worth that so many hits destroy; they fall on the strongest first."""
        slack = sum([unit.steps - 1 for unit in force])
        each = sum([unit.points for unit in force]) / len(force)
        return max(0.15 * hits / len(force), min(len(force), hits - slack)) * each

    # Cards

    def _held(self) -> list[CardId]:
        seats = self.table.seats_of(self.side)
        return [card for seat in seats for card in self.table.pile(hand(seat)).cards]

    def _hits(self, card: CardId) -> float:
        """Return the hits that a card is expected to bring."""
        title = self.board.cards[card].title
        factor = 2 if title.is_airstrike and has_leader(self.table, self.board, VON_RICHTHOFEN) else 1
        return title.dice * self._chance(title.firepower) * factor + title.steps

    def _cards(self, cards: tuple[CardId, ...]) -> float:
        """Compare the combat with and without cards."""
        at = self.table.topmost(COMBAT)
        assert at is not None
        if self.side == SOVIET:
            return sum([self._hits(card) or OTHER_CARD for card in cards])
        hits = sum(map(self._hits, cards))
        return self._attack(self._units(at.texts("hexes")), target(at), hits) - CARD_KEPT * len(cards)

    # Places

    def _distance(self, place: PlaceId) -> int:
        return self.near.get(place, UNREACHED)

    def _advance(self, moved: Sequence[PieceId], to: PlaceId) -> float:
        """Return how much nearer to their goals units come."""
        pull, pieces = self._pull(to), self.table.pieces
        gains = [self._unit(unit).steps * (pull - self._pull(pieces[unit].place)) for unit in moved]
        return sum(sorted(gains, reverse=True)[: self.board.limits.stack])

    def _pull(self, place: PlaceId) -> float:
        return NEAR * DECAY ** self._distance(place) - FAR * self._distance(place)

    def _progress(self, moved: Sequence[PieceId], to: PlaceId) -> float:
        """Return how much nearer units come to what their side needs, and what they capture or leave open."""
        source = self.table.pieces[moved[0]].place
        gain = self._advance(moved, to)
        if to in self.goals:
            gain += GOAL
        if source in self.board.soviet_spawn and len(moved) == len(stack(self.table, source)):
            gain -= GUARD
        return gain

    def _reinforce(self) -> float:
        """Return the worth of the units that a call is expected to bring, as far as there is room."""
        rows = [len(row_units(self.table, self.board, row)) for row in range(1, self.board.track.rows + 1)]
        room = sum(
            self.board.limits.stack - len(stack(self.table, place))
            for place in self.board.german_spawn
            if self.table.control.get(place) == GERMAN
        )
        expected = sum(min(1.0, number) for number in rows)
        on_map = len(units(self.table, self.board, GERMAN))
        return REINFORCED * min(expected, room) * 12 / (4 + on_map)

    def _pick(self, item: PieceId) -> float:
        """Advance with all that may go; lose the least of the own units and the most of the others."""
        at = self.table.stack[-1]
        unit = self._unit(item)
        if at.kind in ("advance", "soviet_advance"):
            return unit.steps
        worth = unit.chance + unit.points
        return 4.0 - worth if self.table.pieces[item].side == self.side else worth


def _edge(block: Block, face: str) -> Edge:
    """Return the edge with which a block fights: of one Step instead of none. Source: RuleId("ai.adjust-no-dot")."""
    edge = block.edge(face)
    return edge if edge.strength else block.edge(block.lowest_face)


POLICIES: Mapping[str, Policy] = {"greedy": greedy}
"""The bots that know this game, by name."""
