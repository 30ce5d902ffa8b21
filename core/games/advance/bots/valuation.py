"""Values of attacks and places for the bot `greedy`; the rules do not use it.

Worth is measured in Supply Points.
"""

from core.games.advance import options
from core.games.advance.bots.odds import AIR_DICE, LIMITED_AIR_DICE, NO_AIR, Defense, Prospect, Suspect, odds_of
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import ARMOR, BARRAGE, GUARDS, HEAVY_URBAN
from core.games.advance.ids import mix
from core.games.advance.memory import COMMISSARS, EVENT, has_strategy_in_force, was_attacked
from core.games.advance.rules.combat import most_support
from core.games.advance.rules.combat_values import divisions
from core.games.advance.rules.ending import is_last_turn
from core.games.advance.rules.movement import Movement
from core.games.advance.rules.queries import (
    artillery_bonus,
    counter_at,
    is_strong,
    is_vacant,
    morale,
)
from core.geometry.paths import distances
from events.codec import Struct
from events.ids import CardId, PieceId, PlaceId
from projections.state.table import Table

AREA = 20.0
"""What a captured Area is worth."""

FIRST_HEAVY_URBAN = 4.0
"""What the first Heavy Urban Area is worth besides, which the final check asks for."""

MORALE_POINT = 2.0
PRICES = (2.5, 3.0, 4.0)
"""What an Artillery, an Engineer and an Air marker are worth if they are kept."""

STEP = 3.0
"""What it is worth to be one step nearer to the front."""

SOME_SUPPORT = 2
"""What support is expected to add to an attack of the next turn."""

NOWHERE = 99


class Bid(Struct, frozen=True):
    """An attack that could be made: its worth, who takes part, who leads, and the markers to place."""

    worth: float
    units: tuple[PieceId, ...] = ()
    lead: PieceId = PieceId("")
    markers: tuple[int, int, int] = (0, 0, 0)


class Stakes(Struct, frozen=True):
    """Stakes of an attack: what the Area, a point of Morale and a lost unit are worth."""

    prize: float
    point: float
    loss: float

    def worth(self, outlook: Prospect) -> float:
        """Return the worth of what an attack may bring."""
        return outlook.capture * self.prize + outlook.morale * self.point - outlook.losses * self.loss


class Adviser:
    """Judges attacks and places on one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.movement = Movement(board)
        self._suspects: dict[tuple[CardId, ...], tuple[tuple[int, int, str], ...]] = {}

    # What is known of a defense

    def defense(self, table: Table, area: PlaceId) -> Defense:
        """Return what is known of the defense of an Area that holds a Soviet unit."""
        place = self.board.areas[area]
        added = place.tem + COMMISSARS.of(table, EVENT)
        if not is_strong(table, self.board):
            added += self.board.morale.shaken_defence_bonus
        return Defense(self._suspected(table, area), added, place.tem == 4, options.OVERRUN_AGAINST.chosen(table))

    def _suspected(self, table: Table, area: PlaceId) -> tuple[Suspect, ...]:
        """Return what the Soviet unit of an Area may be: a Revealed one is what it is."""
        guards = 4 if self.board.areas[area].is_volga else 3
        counter = counter_at(table, self.board, area)
        if counter is not None:
            is_in_force = has_strategy_in_force(table, area)
            # A Barrage that is answered in the attack under way is not met again.
            is_met = counter.strategy == BARRAGE and was_attacked(table, area)
            strategy = counter.strategy if is_in_force and not is_met else ""
            dice = guards if counter.is_always_guards or strategy == GUARDS else 2
            return ((1, counter.defence_factor, strategy, dice),)
        kinds = self._kinds(table.pile(mix(self.board.areas[area].terrain)).cards)
        return tuple([(n, factor, strategy, guards if strategy == GUARDS else 2) for n, factor, strategy in kinds])

    def _kinds(self, cards: tuple[CardId, ...]) -> tuple[tuple[int, int, str], ...]:
        """Count the different counters of a mix."""
        if cards not in self._suspects:
            counts: dict[tuple[int, str], int] = {}
            for card in cards:
                counter = self.board.counter(card)
                kind = (counter.defence_factor, counter.strategy)
                counts[kind] = counts.get(kind, 0) + 1
            self._suspects[cards] = tuple([(count, *kind) for kind, count in counts.items()])
        return self._suspects[cards]

    # What an attack is worth

    def stakes(self, table: Table, area: PlaceId, lead: PieceId) -> Stakes:
        """Return what is at stake in an attack. On the last turn nothing is kept for later."""
        prize = AREA
        if self.board.areas[area].terrain == HEAVY_URBAN:
            prize += FIRST_HEAVY_URBAN
        point = MORALE_POINT if not is_last_turn(table, self.board) or morale(table) <= 4 else 0.5
        if morale(table) <= 4:
            point += 2.0
        return Stakes(prize, point, self.loss(table, lead))

    def loss(self, table: Table, unit: PieceId) -> float:
        """Return what the loss of a unit costs: its return, and its way back to the front."""
        if is_last_turn(table, self.board):
            return 0.3
        return 2.6 if self.board.units[unit].kind == ARMOR else 1.6

    def strength(self, table: Table, area: PlaceId, units: tuple[PieceId, ...], lead: PieceId, engineers: int) -> int:
        """Return the Attack Value of units without what markers add. Source: 9.5.2, 12.1, 12.4."""
        figures = self.board.combat
        value = self.board.units[lead].attack_factor + (len(units) - 1) * figures.extra_unit_bonus
        if is_strong(table, self.board):
            value += self.board.morale.strong_attack_bonus
        counts = divisions(self.board, units)
        if max(counts.values(), default=0) >= figures.divisional_integrity_min_units and not (
            options.RUBBLE.is_on(table) and self.board.areas[area].is_urban and not engineers
        ):
            value += figures.divisional_integrity_bonus
        if options.PARENT_ORGANIZATION.is_on(table) and counts:
            value -= len(counts) - (options.PARENT_ORGANIZATION_COUNTS.chosen(table) == "beyond-the-first")
        return value

    def bid(self, table: Table, area: PlaceId, units: tuple[PieceId, ...]) -> Bid:
        """Return the best way for these units to attack an Area: the best Lead with the best support."""
        best = Bid(-1000.0)
        for factor_and_cost in sorted({self.lead_kind(unit) for unit in units}, reverse=True):
            lead = next(unit for unit in units if self.lead_kind(unit) == factor_and_cost)
            offer = self.supported(table, area, units, lead)
            if offer.worth > best.worth:
                best = offer
        return best

    def lead_kind(self, unit: PieceId) -> tuple[int, bool]:
        """Return what matters of a unit as a Lead: its strength, and whether it is cheap to lose."""
        printed = self.board.units[unit]
        return printed.attack_factor, printed.kind != ARMOR

    def supported(
        self,
        table: Table,
        area: PlaceId,
        units: tuple[PieceId, ...],
        lead: PieceId,
        least: tuple[int, int, int] = (0, 0, 0),
    ) -> Bid:
        """Return the best support for an attack with this Lead; artillery, engineers and planes at least as many as were placed."""
        artillery, engineer, air = most_support(table, self.board, area)
        defense = self.defense(table, area)
        is_limited = options.LIMITED_AIR_POWER.is_on(table) and self.board.areas[area].terrain == HEAVY_URBAN
        dice = LIMITED_AIR_DICE if is_limited else AIR_DICE
        each, stakes, odds = artillery_bonus(table, self.board), self.stakes(table, area, lead), odds_of(defense)
        best = Bid(-1000.0)
        for engineers in range(least[1], min(engineer, len(units)) + 1):
            base = self.strength(table, area, units, lead, engineers) + engineers * self.board.combat.engineer_bonus
            for planes in range(least[2], min(air, len(units) - engineers) + 1):
                for guns in range(least[0], min(artillery, len(units) - engineers - planes) + 1):
                    outlook = odds.prospect(base + guns * each, dice if planes else NO_AIR)
                    worth = stakes.worth(outlook) - guns * PRICES[0] - engineers * PRICES[1] - planes * PRICES[2]
                    if worth > best.worth:
                        best = Bid(worth, units, lead, (guns, engineers, planes))
        return best

    def groups(self, units: tuple[PieceId, ...]) -> list[tuple[PieceId, ...]]:
        """List the groups worth a thought: the strongest unit first, then those of its division, then the others."""
        if not units:
            return []
        units_by_strength = sorted(units, key=lambda unit: (-self.board.units[unit].attack_factor, unit))
        first = units_by_strength[0]
        own = self.board.units[first].division
        rest = sorted(
            units_by_strength[1:],
            key=lambda unit: (self.board.units[unit].division != own, self.board.units[unit].attack_factor, unit),
        )
        order = (first, *rest)
        return [tuple(sorted(order[: count + 1])) for count in range(len(order))]

    # What a place is worth

    def distances(self, occupied: frozenset[PlaceId], bounds: frozenset[PlaceId] | None) -> dict[PlaceId, int]:
        """Return how many steps each Area is from the nearest one that is occupied by a Soviet unit, of those that a unit may go against."""
        held = occupied if bounds is None else occupied & bounds
        return distances(held, self.board.adjacency.near)

    def standing(self, table: Table, near: dict[PlaceId, int], unit: PieceId, area: PlaceId) -> float:
        """Return the worth of a Vacant Area as a place for a unit: near the front, and where it makes a stack stronger."""
        distance = near.get(area, NOWHERE)
        if distance > 1:
            return -STEP * distance
        others = tuple(sorted([PieceId(at) for at in table.pieces_at(area) if at in self.board.units and at != unit]))
        gain = self.promise(table, area, tuple(sorted((*others, unit)))) - self.promise(table, area, others)
        return gain - STEP * distance

    def promise(self, table: Table, area: PlaceId, units: tuple[PieceId, ...]) -> float:
        """Return the worth of the best attack of a stack next turn with some support; 0 if there is none."""
        best = 0.0
        for target in self.board.adjacency.near(area):
            if units and not is_vacant(table, target):
                odds = odds_of(self.defense(table, target))
                for group in self.groups(units):
                    lead = max(group, key=self.lead_kind)
                    attack = self.strength(table, target, group, lead, 1) + SOME_SUPPORT
                    best = max(best, self.stakes(table, target, lead).worth(odds.prospect(attack, NO_AIR)))
        return best
