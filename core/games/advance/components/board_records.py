"""The component file of this game, record by record.

Structs named `…Row` are what a file says of a thing; where the rules know more of it, a struct of `board_model` extends them. Areas
are named by their number as text (`"10"`), German units as their counters are (`"29/RCN"`).
"""

from typing import Annotated, ClassVar, Literal

from core.components.fields import ProvenanceSections, Text, row_of
from core.games.advance.ids import AIR, ARTILLERY, ENGINEER
from events.codec import Meta, Struct
from events.ids import CardId, MarkerId, PieceId, PlaceId

CLEAR = "clear"
ELEVATED = "elevated"
LIGHT_URBAN = "light_urban"
HEAVY_URBAN = "heavy_urban"
TERRAINS = (CLEAR, ELEVATED, LIGHT_URBAN, HEAVY_URBAN)
NO_TERRAIN = "none"

ARMOR = "armor"
INFANTRY = "infantry"

HEROES = "heroes"
AMBUSH = "ambush"
BARRAGE = "barrage"
FANATIC = "fanatic"
GUARDS = "guards"

MAIN = "main"
FACTORY = "factory"
OUT_OF_ACTION = "OOA"
"""Where a unit of the Factory District Scenario begins that is in no Area."""

AreaId = Annotated[
    PlaceId, Meta(pattern="^([1-9]|[1-4][0-9]|50)$", extra={"expected": 'the number of an Area, "1" to "50"'})
]
Areas = Annotated[tuple[AreaId, ...], Meta(max_length=50)]
Terrain = Literal["clear", "elevated", "light_urban", "heavy_urban"]
Division = Annotated[str, row_of("german_divisions.rows")]
Factor = Annotated[int, Meta(ge=1, le=20)]
Bonus = Annotated[int, Meta(ge=0, le=20)]
Change = Annotated[int, Meta(ge=-20, le=20)]
Dice = Annotated[int, Meta(ge=1, le=10)]
Count = Annotated[int, Meta(ge=0, le=100)]
Turn = Annotated[int, Meta(ge=1, le=99)]
Coordinate = Annotated[int, Meta(ge=0, le=100_000)]


class MapRange(Struct, frozen=True):
    """The ranges of the coordinates of Areas, west to east and north to south."""

    x_range: tuple[Coordinate, Coordinate]
    y_range: tuple[Coordinate, Coordinate]


class TerrainRow(Struct, frozen=True):
    """A terrain: the TEM of its Areas, and whether it is Urban. Source: 3.1.2, 9.5.3.b-tem."""

    tem: Annotated[int, Meta(ge=0, le=10)]
    urban: bool


class Terrains(Struct, frozen=True):
    """The four types of terrain, and that of Areas without any: those that begin under German control."""

    clear: TerrainRow
    elevated: TerrainRow
    light_urban: TerrainRow
    heavy_urban: TerrainRow
    none: TerrainRow


class AreaRow(Struct, frozen=True, rename={"is_volga": "volga"}):
    """One Area: its name, terrain, TEM, whether it lies at the Volga, and its centre on a schematic map.

    Source: 3.1.fifty-areas, 3.1.volga-areas, 3.1.1.identifier, 3.1.1.shape, 3.1.2.tem, 9.5.3.b-tem.
    """

    id: AreaId
    name: Text
    terrain: Literal["clear", "elevated", "light_urban", "heavy_urban", "none"]
    tem: Annotated[int, Meta(ge=0, le=10)]
    is_volga: bool
    x: Coordinate
    y: Coordinate


class AreaTable(Struct, frozen=True):
    """The fifty Areas."""

    rows: Annotated[tuple[AreaRow, ...], Meta(min_length=50, max_length=50)]


class AdjacencyTable(Struct, frozen=True):
    """Areas that share a boundary: pairs in either order, each pair once. `printed_pairs` are those of the rulebook's text.

    Source: 3.1.adjacency.
    """

    printed_pairs: Annotated[tuple[tuple[AreaId, AreaId], ...], Meta(max_length=1_000)]
    pairs: Annotated[tuple[tuple[AreaId, AreaId], ...], Meta(max_length=1_000)]


class GermanUnit(
    Struct,
    frozen=True,
    rename={
        "attack_factor": "attack",
        "movement_factor": "movement",
        "main_place": "setup",
        "factory_place": "factory",
    },
):
    """One German counter.

    `division` is left out for the attached assault guns (12.4). `setup` and `factory` are where it begins in the main game and in
    the Factory District Scenario: an Area, the tag of a group of reinforcements, or, in the latter, the Out of Action Box;
    left out where it has no part.

    Source: 4.2.types, 4.3.1.factors, 4.3.2.parent-organization; sizes play no part (4.3.3.unit-size).
    """

    id: Annotated[PieceId, Meta(min_length=1, max_length=60)]
    kind: Literal["armor", "infantry"]
    attack_factor: Factor
    movement_factor: Factor
    division: Division | None = None
    main_place: Text | None = None
    factory_place: Text | None = None

    def place(self, scenario: str) -> str:
        """Return where it begins in a scenario; empty if it has no part in it."""
        return (self.main_place if scenario == MAIN else self.factory_place) or ""


class UnitTable(Struct, frozen=True):
    """All German units."""

    rows: Annotated[tuple[GermanUnit, ...], Meta(min_length=1, max_length=200)]


class DivisionRow(Struct, frozen=True):
    """A division and its printed name. Source: 4.3.2.parent-organization."""

    id: Annotated[str, Meta(min_length=1, max_length=20)]
    name: Text


class DivisionTable(Struct, frozen=True):
    """All divisions."""

    rows: Annotated[tuple[DivisionRow, ...], Meta(max_length=100)]


class SovietCounter(Struct, frozen=True, rename={"defence_factor": "defence", "is_in_factory_pool": "pool"}):
    """One Soviet counter.

    `pool` tells the counters that the Factory District Scenario draws from. With `is_always_guards` its strategy works in every
    Action Round (12.6). Source: 4.4.soviet-unit.
    """

    id: Annotated[CardId, Meta(min_length=1, max_length=60)]
    terrain: Terrain
    defence_factor: Factor
    strategy: Literal["heroes", "ambush", "barrage", "fanatic", "guards"]
    is_in_factory_pool: bool = False
    is_always_guards: bool = False


class CounterTable(Struct, frozen=True):
    """All Soviet counters; `pavlovs_house` is that of optional rule 12.6, apart from the mix."""

    rows: Annotated[tuple[SovietCounter, ...], Meta(min_length=1, max_length=200)]
    pavlovs_house: SovietCounter


class Markers(Struct, frozen=True):
    """Numbers of markers. Source: 4.5.marker-totals; artillery and engineer counts are the board's."""

    air: Count
    artillery: Count
    engineer: Count
    isolation: Count

    def of(self, support: MarkerId) -> int:
        """Return how many support markers of a type there are."""
        return {AIR: self.air, ARTILLERY: self.artillery, ENGINEER: self.engineer}[support]


class MoraleFigures(Struct, frozen=True):
    """German Morale: its bounds, states and changes. Source: 5.2, 6.5, 9.4, 9.5.2E, 9.5.3C, 9.5.5, 9.5.7."""

    min: Literal[0]
    max: Annotated[int, Meta(ge=1, le=99)]
    strong_at_least: Count
    strong_attack_bonus: Bonus
    shaken_defence_bonus: Bonus
    end_phase_change: Change
    repulse_change: Change
    capture_tem4_change: Change
    heroes_change: Change


class MovementFigures(Struct, frozen=True):
    """Costs of entering an Area, in Movement Factors, and the number of units that fit. Source: 7.1, 8.2."""

    cost_vacant: Factor
    cost_vacant_adjacent_to_soviet: Factor
    cost_revealed_soviet: Factor
    cost_unrevealed_soviet: Factor
    stacking_german: Annotated[int, Meta(ge=1, le=10)]


class CombatFigures(Struct, frozen=True):
    """Dice and bonuses of a combat. Source: 9.5.1 to 9.5.4."""

    german_dice: Dice
    soviet_dice: Dice
    extra_unit_bonus: Bonus
    artillery_bonus: Bonus
    engineer_bonus: Bonus
    divisional_integrity_bonus: Bonus
    divisional_integrity_min_units: Factor
    air_max_per_combat: Count
    defence_value_min: Count


class SupplyCosts(Struct, frozen=True):
    """Prices in Supply Points. Source: 6.3."""

    artillery: Bonus
    engineer: Bonus
    air: Bonus
    return_infantry: Bonus
    return_armor: Bonus
    morale: Bonus


class SupplyFigures(Struct, frozen=True):
    """The supply roll, what its points buy, and where units return without another unit. Source: 6.3, 10.2, 14.6.2."""

    dice: Dice
    opening_turn_minimum: Count
    costs: SupplyCosts
    return_areas: Areas


class BloodyStreetsRow(Struct, frozen=True):
    """Effect of a modified roll from `low` to `high` on an Area's units and on Morale. Source: 6.4.1."""

    ROW_KEY: ClassVar[str] = "low"

    low: Annotated[int, Meta(ge=1, le=6)]
    high: Annotated[int, Meta(ge=1, le=6)]
    morale: Change
    flip_spent: bool


class IsolationTable(Struct, frozen=True):
    """Addition to the Defense Factor by a modified roll of 1 to 6. Source: 12.3."""

    defence: tuple[Change, Change, Change, Change, Change, Change]


class NorthernShoulder(Struct, frozen=True):
    """The northern set-up Areas, and what their units may enter besides. Source: 6.3, 12.2."""

    setup_areas: Areas
    allowed: Areas


class WithdrawDivision(Struct, frozen=True):
    """A division that leaves the map and comes back after some turns.

    `return_areas` are where it may come back; none means any Vacant Area. Source: 6.2.1, 14.6.1.
    """

    division: Division
    return_after: Annotated[int, Meta(ge=1, le=20)]
    morale_per_unavailable_unit: Change
    return_areas: Areas = ()


Roll = Annotated[int, Meta(ge=3, le=18)]


class EventRow(Struct, frozen=True):
    """One row of a Random Event Chart, for 3d6 from `low` to `high`, and what it does for one turn.

    `withdraws` is a division that leaves the map, and `repeat_as` the roll that counts instead once it has done so (6.2.1).
    `supply_dice` are those of the supply roll. With `no_air_placement` no Air Support marker may be placed. `artillery_bonus` is
    what an Artillery marker adds. Units of `paused_divisions` neither move nor attack. `soviet_defence` is added to Soviet Defense
    Values. `movement_cap` is the most Movement Factors of any unit. What is left out is as in other turns.
    """

    ROW_KEY: ClassVar[str] = "low"

    low: Roll
    high: Roll
    name: Text
    withdraws: WithdrawDivision | None = None
    supply_dice: Dice | None = None
    no_air_placement: bool = False
    artillery_bonus: Bonus | None = None
    paused_divisions: Annotated[tuple[Division, ...], Meta(max_length=50)] = ()
    soviet_defence: Factor | None = None
    movement_cap: Factor | None = None
    repeat_as: Roll | None = None


class EventChart(Struct, frozen=True):
    """A Random Event Chart, and when it is used.

    `no_result_on_turn_1` names events without result on turn 1 (10.1). Source: 6.2, 14.6.1.
    """

    first_turn: Turn
    last_turn: Turn
    rows: Annotated[tuple[EventRow, ...], Meta(min_length=1, max_length=16)]
    no_result_on_turn_1: Annotated[tuple[Text, ...], Meta(max_length=16)] = ()

    def row(self, roll: int) -> EventRow:
        """Return the row for a roll from 3 to 18."""
        return next(row for row in self.rows if row.low <= roll <= row.high)


class ReinforcementRow(Struct, frozen=True):
    """A group that enters one Area, whole: one of `areas`, or of the others if these are German-controlled.

    With `is_anywhere` any German-controlled Area will do. Source: 6.1.1, 14.4.
    """

    ROW_KEY: ClassVar[str] = "tag"

    tag: Annotated[str, Meta(pattern="^T[0-9]{1,2}$", extra={"expected": 'T and a number, as in "T2"'})]
    turn: Turn
    areas: Areas
    areas_if_german_controlled: Areas = ()
    is_anywhere: bool = False


class Withdrawal(Struct, frozen=True):
    """A division that leaves for good. Source: 6.1.2."""

    ROW_KEY: ClassVar[str] = "division"

    division: Division
    turn: Turn
    morale_per_unavailable_unit: Change


class SovietSetup(Struct, frozen=True):
    """A Soviet unit at the start: a given counter, Revealed, or an Unrevealed one to be drawn (`counter` is left out)."""

    ROW_KEY: ClassVar[str] = "area"

    area: AreaId
    terrain: Terrain
    counter: Annotated[CardId, row_of("soviet_units.rows")] | None = None


class Victory(Struct, frozen=True):
    """Requirements of the final check: German-controlled Areas, and how many of these are Heavy Urban. Source: 11.2."""

    areas: Count
    heavy_urban: Count


class ScenarioRow(Struct, frozen=True):
    """One of the two ways to play.

    `turn_labels` are the printed dates from `first_turn` on, one for each turn. With `counts_control` the number of
    German-controlled Areas is recorded. Without `soviet_setup` every Area that begins Soviet has an Unrevealed unit of its terrain
    (5.4). Without `victory` there is no final check.

    Source: 5.0, 11.2, 14.0.
    """

    name: Text
    first_turn: Turn
    turn_labels: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=50)]
    morale: Count
    supply: Count
    free_air: Count
    counts_control: bool
    german_control: Areas
    reinforcements: Annotated[tuple[ReinforcementRow, ...], Meta(max_length=20)]
    events: EventChart
    withdrawals: Annotated[tuple[Withdrawal, ...], Meta(max_length=20)] = ()
    soviet_setup: Annotated[tuple[SovietSetup, ...], Meta(max_length=50)] = ()
    victory: Victory | None = None

    @property
    def last_turn(self) -> int:
        """The number of the last turn."""
        return self.first_turn + len(self.turn_labels) - 1

    def turn_label(self, turn: int) -> str:
        """Return the printed date of a turn; empty for one that the scenario has not."""
        return self.turn_labels[turn - self.first_turn] if self.first_turn <= turn <= self.last_turn else ""


class Scenarios(Struct, frozen=True):
    """The two scenarios."""

    main: ScenarioRow
    factory: ScenarioRow


class BoardFile(ProvenanceSections, frozen=True, kw_only=True):
    """A whole component file of this game: map, counters, tables, set-up."""

    schema: Literal["advance-to-the-volga/1"]
    map: MapRange
    terrain: Terrains
    areas: AreaTable
    adjacency: AdjacencyTable
    german_units: UnitTable
    german_divisions: DivisionTable
    soviet_units: CounterTable
    markers: Markers
    morale: MoraleFigures
    movement: MovementFigures
    combat: CombatFigures
    supply: SupplyFigures
    bloody_streets: Annotated[tuple[BloodyStreetsRow, ...], Meta(min_length=1, max_length=6)]
    isolation: IsolationTable
    northern_shoulder: NorthernShoulder
    scenarios: Scenarios
