"""What the rules know about map, counters and tables: immutable, typed, and quick to look up.

Areas are named by their number as text (`"10"`), German units as their counters are (`"29/RCN"`). Where a fact depends on
the scenario it is in `Scenario`.
"""

from core.geometry.adjacency import Adjacency
from events.codec import Struct
from events.ids import CardId, Digest, PieceId, PlaceId

CLEAR = "clear"
ELEVATED = "elevated"
LIGHT_URBAN = "light_urban"
HEAVY_URBAN = "heavy_urban"
TERRAINS = (CLEAR, ELEVATED, LIGHT_URBAN, HEAVY_URBAN)
NO_TERRAIN = "none"
"""What a file has for the terrain of an Area without any."""

ARMOR = "armor"
INFANTRY = "infantry"

HEROES = "heroes"
AMBUSH = "ambush"
BARRAGE = "barrage"
FANATIC = "fanatic"
GUARDS = "guards"

MAIN = "main"
FACTORY = "factory"


class Area(Struct, frozen=True):
    """One Area of the map.

    `terrain` is one of the four terrain types, or empty where the game begins under German control; there `tem` is 0,
    elsewhere 1 to 4. `x` grows from 0 to 1000 to the east and `y` to the
    south; both are for drawing only.

    Source: 3.1.fifty-areas, 3.1.adjacency, 3.1.volga-areas, 3.1.1.identifier, 3.1.1.shape, 3.1.2.tem, 9.5.3.b-tem.
    """

    id: PlaceId
    number: int
    name: str
    terrain: str
    is_urban: bool
    tem: int
    is_volga: bool
    is_german_at_start: bool
    x: int
    y: int


class GermanUnit(Struct, frozen=True):
    """One German counter.

    `kind` is `ARMOR` or `INFANTRY`; `division` is None for the attached assault guns (12.4). `setup_area` is the Area
    printed for the main game, None for units that arrive later or belong to the Factory District Scenario alone.

    Source: 4.2.types, 4.3.1.factors, 4.3.2.parent-organization; sizes play no part (4.3.3.unit-size).
    """

    id: PieceId
    division: str | None
    kind: str
    attack_factor: int
    movement_factor: int
    setup_area: PlaceId | None


class SovietCounter(Struct, frozen=True):
    """One Soviet counter. With `is_always_guards` its strategy works in every Action Round (12.6). Source: 4.4.soviet-unit."""

    id: CardId
    terrain: str
    defence_factor: int
    strategy: str
    is_always_guards: bool = False


class Markers(Struct, frozen=True):
    """How many markers there are. Source: 4.5.marker-totals; artillery and engineer counts are the board's."""

    air: int
    artillery: int
    engineer: int
    isolation: int


class MoraleFigures(Struct, frozen=True):
    """German Morale: its bounds, states and changes. Source: 5.2, 6.2.1, 6.5, 9.4, 9.5.2E, 9.5.3C, 9.5.5, 9.5.7."""

    min: int
    max: int
    strong_at_least: int
    shaken_at_most: int
    strong_attack_bonus: int
    shaken_defence_bonus: int
    end_phase_change: int
    repulse_change: int
    capture_tem4_change: int
    heroes_change: int
    withdrawal_unavailable_unit_change: int


class MovementFigures(Struct, frozen=True):
    """What entering an Area costs, in Movement Factors, and how many units fit. Source: 4.2.1, 4.2.2, 7.1, 8.2."""

    armor_factor: int
    infantry_factor: int
    cost_vacant: int
    cost_vacant_adjacent_to_soviet: int
    cost_revealed_soviet: int
    cost_unrevealed_soviet: int
    stacking_german: int
    stacking_soviet: int


class CombatFigures(Struct, frozen=True):
    """Dice and bonuses of a combat. Source: 9.5.1 to 9.5.4."""

    german_dice: int
    soviet_dice: int
    extra_unit_bonus: int
    artillery_bonus: int
    engineer_bonus: int
    divisional_integrity_bonus: int
    divisional_integrity_min_units: int
    air_reduction_dice: int
    air_max_per_combat: int
    defence_value_min: int


class SupplyFigures(Struct, frozen=True):
    """The supply roll and what its points buy, by name. Source: 6.3, 10.2, 14.6.2."""

    dice: int
    opening_turn_minimum: int
    costs: dict[str, int]
    return_areas: tuple[PlaceId, ...]
    northern_areas: tuple[PlaceId, ...]


class BloodyStreetsRow(Struct, frozen=True):
    """What a modified roll from `low` to `high` does to an Area's units and to Morale. Source: 6.4.1."""

    low: int
    high: int
    morale: int
    flip_spent: bool


class WithdrawDivision(Struct, frozen=True, tag_field="op", tag="withdraw_division"):
    """A division leaves the map and comes back after some turns.

    `return_areas` are where it may come back; none means any Vacant Area. Source: 6.2.1, 14.6.1.
    """

    division: str
    return_areas: tuple[PlaceId, ...]
    return_after: int
    morale_per_unavailable_unit: int


class NoAirPlacement(Struct, frozen=True, tag_field="op", tag="no_air_placement"):
    """No Air Support marker may be placed this turn."""


class ArtilleryBonus(Struct, frozen=True, tag_field="op", tag="artillery_bonus"):
    """An Artillery Support marker adds this much this turn."""

    value: int


class PauseDivisions(Struct, frozen=True, tag_field="op", tag="pause_divisions"):
    """Units of these divisions neither move nor attack this turn."""

    divisions: tuple[str, ...]


class SovietDefence(Struct, frozen=True, tag_field="op", tag="soviet_defence"):
    """Soviet Defense Values are higher by this much this turn."""

    value: int


class SupplyDice(Struct, frozen=True, tag_field="op", tag="supply_dice"):
    """The supply roll of this turn has so many dice."""

    value: int


class MovementCap(Struct, frozen=True, tag_field="op", tag="movement_cap"):
    """No unit has more Movement Factors than this, this turn."""

    value: int


Effect = WithdrawDivision | NoAirPlacement | ArtilleryBonus | PauseDivisions | SovietDefence | SupplyDice | MovementCap


class EventRow(Struct, frozen=True):
    """One row of a Random Event Chart, for 3d6 from `low` to `high`.

    `repeat_as` is the roll that counts instead once the row's division has been withdrawn (6.2.1), or None.
    """

    low: int
    high: int
    name: str
    effects: tuple[Effect, ...]
    repeat_as: int | None = None


class EventChart(Struct, frozen=True):
    """A Random Event Chart, by the roll from 3 to 18, and when it is used.

    `no_result_on_turn_1` names events without result on turn 1 (10.1). Source: 6.2, 14.6.1.
    """

    first_turn: int
    last_turn: int
    by_roll: dict[int, EventRow]
    no_result_on_turn_1: tuple[str, ...]


class Reinforcement(Struct, frozen=True):
    """A group that enters one Area, whole: one of `areas`, or of the others if these are German-controlled.

    With `is_anywhere` any German-controlled Area will do. Source: 6.1.1, 14.4.
    """

    turn: int
    tag: str
    units: tuple[PieceId, ...]
    areas: tuple[PlaceId, ...]
    areas_if_german_controlled: tuple[PlaceId, ...]
    is_anywhere: bool


class Withdrawal(Struct, frozen=True):
    """A division that leaves for good. Source: 6.1.2."""

    turn: int
    division: str
    morale_per_unavailable_unit: int


class SovietSetup(Struct, frozen=True):
    """A Soviet unit at the start: a given counter, Revealed, or an Unrevealed one to be drawn (`counter` is None)."""

    area: PlaceId
    terrain: str
    counter: CardId | None = None


class Scenario(Struct, frozen=True):
    """One of the two ways to play.

    `turn_labels` are the printed dates by turn number. `german_setup` gives each unit's Area, `out_of_action` the units
    that begin in that box, `pool` the counters that Unrevealed Soviet units are drawn from. `counts_control` says
    whether the number of German-controlled Areas is recorded; `victory_areas` and `victory_heavy_urban` are what the
    final check asks for, 0 where there is none.

    Source: 5.0, 11.2, 14.0.
    """

    key: str
    name: str
    first_turn: int
    last_turn: int
    turn_labels: dict[int, str]
    morale: int
    supply: int
    german_control: tuple[PlaceId, ...]
    counts_control: bool
    german_setup: dict[PieceId, PlaceId]
    out_of_action: tuple[PieceId, ...]
    reinforcements: tuple[Reinforcement, ...]
    withdrawals: tuple[Withdrawal, ...]
    soviet_setup: tuple[SovietSetup, ...]
    pool: tuple[CardId, ...]
    events: EventChart
    free_air: int
    victory_areas: int
    victory_heavy_urban: int

    def units(self) -> tuple[PieceId, ...]:
        """Return every German unit of the scenario: set up, Out of Action, and reinforcements in order of arrival."""
        arriving = [unit for group in self.reinforcements for unit in group.units]
        return (*self.german_setup, *self.out_of_action, *arriving)


class OptionalRule(Struct, frozen=True):
    """One of the rules 12.1 to 12.8."""

    id: str
    name: str


class Board(Struct, frozen=True):
    """Everything printed on map, counters and player aid.

    Dictionaries are in printed order (Areas by number) and never changed. `adjacency` has each Area's neighbours in the order of
    their numbers (3.1). `northern_setup_areas` are 48, 49 and 50, `northern_areas` these and all that touch them (12.2). `digest` is the SHA-256 of the file's exact bytes; `is_packaged` tells our own file from an owner's.
    """

    digest: Digest
    is_packaged: bool
    areas: dict[PlaceId, Area]
    adjacency: Adjacency
    volga: frozenset[PlaceId]
    units: dict[PieceId, GermanUnit]
    divisions: dict[str, str]
    counters: dict[CardId, SovietCounter]
    pavlovs_house: SovietCounter
    markers: Markers
    morale: MoraleFigures
    movement: MovementFigures
    combat: CombatFigures
    supply: SupplyFigures
    bloody_streets: tuple[BloodyStreetsRow, ...]
    isolation: dict[int, int]
    scenarios: dict[str, Scenario]
    optional_rules: dict[str, OptionalRule]
    northern_setup_areas: frozenset[PlaceId]
    northern_areas: frozenset[PlaceId]

    def counter(self, counter_id: CardId) -> SovietCounter:
        """Return a Soviet counter by its id, Pavlov's House included; the id must exist."""
        return self.pavlovs_house if counter_id == self.pavlovs_house.id else self.counters[counter_id]
