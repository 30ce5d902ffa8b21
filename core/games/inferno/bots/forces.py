"""Expectations of units by what a seat knows of them, and of the results of a combat between them."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from math import erf, sqrt

from core.bots.board_lookups import once_a_board
from core.games.inferno.components.board_model import Block, Board
from core.games.inferno.components.board_records import Edge
from core.games.inferno.ids import EDGES, GERMAN, RUBBLE, SOVIET, SOVIET_SEAT, hand
from core.games.inferno.memory import POOL
from core.games.inferno.rules.cards import CHUIKOV, VON_RICHTHOFEN, has_leader
from core.games.inferno.rules.fire import SINGLE_FIRE, bonuses
from core.games.inferno.rules.queries import side_in, stack
from core.geometry.paths import distances
from events.codec import Struct
from events.ids import CardId, PieceId, PlaceId, Side
from projections.state.table import Table

CARD_STEPS, CARD_HITS = 0.5, 0.6
"""What the card that the Soviets must play adds on average to the Strength of defenders, and to the hits on Germans."""
LEAST = 0.5
"""The least Strength that is expected of defenders."""
EVEN = 0.5
"""By how much the expected hits may fall short of the Strength for an even chance, because hits are whole numbers."""
SPREAD, DOUBT = 0.7, 1.1
"""The variance of the hits for each that is expected, and of the Strength of each hidden defender."""
SURE = 0.3
"""How many hidden defenders count for the doubt where all are known."""
WORN = 0.15
"""The share of a unit that a hit on fresh units costs, because they wear down."""

KEPT = 100
"""For how many sets of places distances are kept."""


class Unit(Struct, frozen=True):
    """Expectation of a unit: its Strength, the chance of each of its dice to hit, and its points once lost."""

    steps: float
    chance: float
    points: float = 1.0


class Clash(Struct, frozen=True):
    """Expectation of a combat for the attacker: the chance to clear the hex, Steps dealt and suffered."""

    chance: float
    dealt: float
    suffered: float


class Defense(Struct, frozen=True):
    """Expectation of the defenders of a hex, whoever attacks them.

    Attributes:
        is_soviet: Whether they are Soviets.
        factor: The share of hits on them that counts.
        more: What is added to the chance of each Soviet die.
        against: Their Strength, with what a card may add.
        fire: The hits of their dice.
        opening: The hits of their card.
        hidden: How many are not known.
    """

    is_soviet: bool
    factor: float
    more: float
    against: float
    fire: float
    opening: float
    hidden: int


class Lookups:
    """Expectations of the blocks of a board, and distances on it, kept for all tables.

    Args:
        board: The board.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._units: dict[tuple[str, str], Unit] = {}
        self._average: dict[tuple[Side, str], Unit] = {}
        self.away = lru_cache(maxsize=KEPT)(self._away)

    def _away(self, places: frozenset[PlaceId]) -> dict[PlaceId, int]:
        """Return how far each hex is from the nearest of some places; not to be changed."""
        return distances(places, lambda place: self.board.hexes[place].near)

    def known(self, kind: str, face: str) -> Unit:
        """Return what a block is that shows a face."""
        if (kind, face) not in self._units:
            block = self.board.blocks[CardId(kind)]
            points = float(self.board.victory.r_unit_points) if block.is_r_unit else 1.0
            edge = _edge(block, face)
            self._units[kind, face] = Unit(float(edge.strength), self.chance(edge.firepower), points)
        return self._units[kind, face]

    def hidden(self, side: Side, arm: str) -> Unit:
        """Return what a unit of an arm is like on average, of any arm if it is empty; Soviet ones lie on random edges."""
        if (side, arm) not in self._average:
            faces = EDGES[:1] if side == GERMAN else EDGES
            blocks = [block for block in self.board.blocks_of(side) if arm in ("", block.pool)]
            edges = [_edge(block, face) for block in blocks for face in faces]
            steps = sum([edge.strength for edge in edges]) / len(edges)
            chance = sum([self.chance(edge.firepower) for edge in edges]) / len(edges)
            self._average[side, arm] = Unit(steps, chance)
        return self._average[side, arm]

    def chance(self, firepower: str) -> float:
        """Return the chance of a die to hit."""
        return (7 - self.board.hits_from.get(firepower, 7)) / 6


lookups_of: Callable[[Board], Lookups] = once_a_board(Lookups)
"""Returns the look-ups of a board."""


class Forces:
    """The units of one table, as one seat sees it.

    Args:
        board: The board.
        table: The table.
    """

    def __init__(self, board: Board, table: Table) -> None:
        self.board = board
        self.table = table
        self.lookups = lookups_of(board)
        self._units: dict[PieceId, Unit] = {}
        self._defenses: dict[PlaceId, Defense] = {}

    def unit(self, piece: PieceId) -> Unit:
        """Return what a unit is as far as the seat knows: a hidden one is an average one of its arm."""
        found = self._units.get(piece)
        if found is None:
            there = self.table.pieces[piece]
            if there.kind:
                found = self.lookups.known(there.kind, there.face)
            else:
                found = self.lookups.hidden(there.side, POOL.of(self.table, piece) or "")
            self._units[piece] = found
        return found

    def units(self, pieces: Sequence[PieceId]) -> list[Unit]:
        """Return what units are."""
        return [self.unit(piece) for piece in pieces]

    def clash(self, attackers: Sequence[PieceId], place: PlaceId, card_hits: float = 0.0) -> Clash:
        """Return what an attack on a hex may bring.

        Args:
            attackers: The units; not empty.
            place: The hex, with a Stack.
            card_hits: The expected hits of the attacker's card.
        """
        mine, at = self.units(attackers), self._defense(place)
        ready = sum([unit.steps for unit in mine])
        opening = at.opening + (self._opportunity(attackers, at.more) if at.is_soviet else 0.0)
        left = max(0.0, 1 - card_hits * at.factor / at.against)
        fire = left * at.fire
        first = opening + (fire if self.board.terrain_of(place).defender_first else 0.0)
        able = max(0.0, 1 - first / ready)
        more = 0.0 if at.is_soviet else at.more
        dealt = (card_hits + able * sum([u.steps * (u.chance + more) for u in mine])) * at.factor
        variance = SPREAD * dealt * at.factor + DOUBT * (at.hidden or SURE)
        chance = (1 + erf((dealt - at.against + EVEN) / sqrt(2 * variance))) / 2
        return Clash(chance, min(dealt, at.against), min(opening + fire, ready))

    def _defense(self, place: PlaceId) -> Defense:
        """Return what a Stack puts against any attack on it."""
        if place not in self._defenses:
            self._defenses[place] = self._look(place)
        return self._defenses[place]

    def _look(self, place: PlaceId) -> Defense:
        table, board = self.table, self.board
        defenders, is_soviet = stack(table, place), side_in(table, place) == SOVIET
        theirs = self.units(defenders)
        factor = 1 / board.rubble.hits_per_step if is_soviet and table.marker(place, RUBBLE) else 1.0
        more = sum([part.amount for part in bonuses(table, board, SOVIET, place, is_attacking=not is_soviet)]) / 6
        has_card = is_soviet and bool(table.pile(hand(SOVIET_SEAT)).count)
        against = max(LEAST, sum([unit.steps for unit in theirs])) + CARD_STEPS * has_card
        fire = sum([unit.steps * (unit.chance + (more if is_soviet else 0.0)) for unit in theirs])
        hidden = sum([not table.pieces[unit].kind for unit in defenders])
        return Defense(is_soviet, factor, more, against, fire, CARD_HITS * has_card, hidden)

    def points_lost(self, pieces: Sequence[PieceId], hits: float) -> float:
        """Return how many points the units are worth that so many hits destroy; they fall on the strongest first."""
        force = self.units(pieces)
        slack = sum([unit.steps - 1 for unit in force])
        each = sum([unit.points for unit in force]) / len(force)
        return max(WORN * hits / len(force), min(len(force), hits - slack)) * each

    def card_hits(self, card: CardId) -> float:
        """Return the hits that a card is expected to bring."""
        title = self.board.cards[card].title
        factor = 1
        if title.is_airstrike and has_leader(self.table, self.board, VON_RICHTHOFEN):
            factor = self.board.leaders.von_richthofen_factor
        return title.dice * self.lookups.chance(title.firepower) * factor + title.steps

    def loss(self, piece: PieceId, side: Side) -> float:
        """Return how much a side likes that a unit loses a Step rather than another one: the worst of its own, the best of the enemy."""
        unit = self.unit(piece)
        matters = unit.chance + unit.points
        return -matters if self.table.pieces[piece].side == side else matters

    @cached_property
    def _has_chuikov(self) -> bool:
        return has_leader(self.table, self.board, CHUIKOV)

    def _opportunity(self, attackers: Sequence[PieceId], more: float) -> float:
        """Return the expected hits of Opportunity Fire."""
        table, board = self.table, self.board
        if not self._has_chuikov:
            return 0.0
        places = dict.fromkeys([near for unit in attackers for near in board.hexes[table.pieces[unit].place].near])
        firing = sum([len(stack(table, place)) for place in places if side_in(table, place) == SOVIET])
        return firing * board.leaders.opportunity_dice * (self.lookups.chance(SINGLE_FIRE) + more)


def _edge(block: Block, face: str) -> Edge:
    """Return the edge with which a block fights: of one Step instead of none. Source: ai.adjust-no-dot."""
    edge = block.edge(face)
    return edge if edge.strength else block.edge(block.lowest_face)
