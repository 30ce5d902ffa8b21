"""Model of map, counters and tables for the rules: the records of a component file, put together and quick to look up.

Where an event depends on the scenario it is in `Scenario`.
"""

from core.components.component_file import Source
from core.games.advance.components.board_records import (
    AreaRow,
    BloodyStreetsRow,
    CombatFigures,
    GermanUnit,
    Markers,
    MoraleFigures,
    MovementFigures,
    ReinforcementRow,
    ScenarioRow,
    SovietCounter,
    SupplyFigures,
)
from core.geometry.adjacency import Adjacency
from events.codec import Struct
from events.ids import CardId, PieceId, PlaceId


class Area(AreaRow, frozen=True, kw_only=True):
    """One Area of the map.

    `x` grows from 0 to 1000 to the east and `y` to the south; both are for drawing only.
    """

    is_urban: bool
    is_german_at_start: bool


class Reinforcement(ReinforcementRow, frozen=True, kw_only=True):
    """A group of reinforcements with its units."""

    units: tuple[PieceId, ...]


class Scenario(ScenarioRow, frozen=True, kw_only=True):
    """A scenario with its units.

    `german_setup` gives each unit's Area, `out_of_action` the units that begin in that box, `groups` the reinforcements in order
    of arrival, `pool` the counters that Unrevealed Soviet units are drawn from.
    """

    key: str
    german_setup: dict[PieceId, PlaceId]
    out_of_action: tuple[PieceId, ...]
    groups: tuple[Reinforcement, ...]
    pool: tuple[CardId, ...]

    def units(self) -> tuple[PieceId, ...]:
        """Return every German unit of the scenario: set up, Out of Action, and reinforcements in order of arrival."""
        arriving = [unit for group in self.groups for unit in group.units]
        return (*self.german_setup, *self.out_of_action, *arriving)


class Board(Struct, frozen=True):
    """Everything printed on map, counters and player aid, quick to look up.

    Dictionaries are in printed order (Areas by number) and never changed. `adjacency` has each Area's neighbours in
    the order of their numbers (3.1). `northern_setup_areas` are 48, 49 and 50, `northern_areas` these and all that touch them (12.2).
    """

    source: Source
    markers: Markers
    morale: MoraleFigures
    movement: MovementFigures
    combat: CombatFigures
    supply: SupplyFigures
    bloody_streets: tuple[BloodyStreetsRow, ...]
    areas: dict[PlaceId, Area]
    adjacency: Adjacency
    volga: frozenset[PlaceId]
    units: dict[PieceId, GermanUnit]
    divisions: dict[str, str]
    counters: dict[CardId, SovietCounter]
    pavlovs_house: SovietCounter
    isolation: dict[int, int]
    scenarios: dict[str, Scenario]
    northern_setup_areas: frozenset[PlaceId]
    northern_areas: frozenset[PlaceId]

    def counter(self, counter_id: CardId) -> SovietCounter:
        """Return a Soviet counter by its id, Pavlov's House included; the id must exist."""
        return self.pavlovs_house if counter_id == self.pavlovs_house.id else self.counters[counter_id]

    def streets(self, result: int) -> BloodyStreetsRow:
        """Return what a roll for Bloody Streets does; more than the highest number counts as that."""
        least = min(result, max(row.high for row in self.bloody_streets))
        return next(row for row in self.bloody_streets if row.low <= least <= row.high)
