"""The component file of this game, and how a board is made of it."""

from core.components.component_file import ComponentFile, Source
from core.games.advance.components.board_model import Area, Board, Reinforcement, Scenario
from core.games.advance.components.board_records import (
    FACTORY,
    MAIN,
    OUT_OF_ACTION,
    BoardFile,
    ScenarioRow,
    SovietSetup,
)
from core.games.advance.ids import PACKAGE
from core.geometry.adjacency import Adjacency, Border
from core.toml.findings import Findings
from events.codec import extended, replace
from events.ids import PlaceId

MAP_SIZE = 1000
"""Maps are drawn on a square of this size, whatever the scale of the file."""


def _build(file: BoardFile, source: Source) -> Board:
    areas = _areas(file)
    scenarios = {MAIN: file.scenarios.main, FACTORY: file.scenarios.factory}
    north = file.northern_shoulder
    return Board(
        source=source,
        markers=file.markers,
        morale=file.morale,
        movement=file.movement,
        combat=file.combat,
        supply=file.supply,
        bloody_streets=file.bloody_streets,
        areas=areas,
        adjacency=Adjacency((Border(*pair) for pair in (*file.adjacency.printed_pairs, *file.adjacency.pairs)), areas),
        volga=frozenset(area.id for area in areas.values() if area.is_volga),
        units={unit.id: unit for unit in file.german_units.rows},
        divisions={division.id: division.name for division in file.german_divisions.rows},
        counters={counter.id: counter for counter in file.soviet_units.rows},
        pavlovs_house=file.soviet_units.pavlovs_house,
        isolation=dict(enumerate(file.isolation.defence, start=1)),
        scenarios={key: _scenario(file, areas, key, row) for key, row in scenarios.items()},
        northern_setup_areas=frozenset(north.setup_areas),
        northern_areas=frozenset((*north.setup_areas, *north.allowed)),
    )


def _areas(file: BoardFile) -> dict[PlaceId, Area]:
    """Return the Areas by number."""
    (west, east), (north, south) = file.map.x_range, file.map.y_range
    terrains = {name: getattr(file.terrain, name) for name in file.terrain.__struct_fields__}
    return {
        row.id: extended(
            replace(row, x=(row.x - west) * MAP_SIZE // (east - west), y=(row.y - north) * MAP_SIZE // (south - north)),
            Area,
            is_urban=terrains[row.terrain].urban,
            is_german_at_start=row.id in file.scenarios.main.german_control,
        )
        for row in sorted(file.areas.rows, key=lambda row: int(row.id))
    }


def _scenario(file: BoardFile, areas: dict[PlaceId, Area], key: str, row: ScenarioRow) -> Scenario:
    units = file.german_units.rows
    counters = file.soviet_units.rows
    own_terrain = [SovietSetup(area.id, area.terrain) for area in areas.values() if area.terrain != "none"]
    return extended(
        replace(row, soviet_setup=row.soviet_setup or tuple(own_terrain)),
        Scenario,
        key=key,
        german_setup={unit.id: PlaceId(unit.place(key)) for unit in units if PlaceId(unit.place(key)) in areas},
        out_of_action=tuple(unit.id for unit in units if unit.place(key) == OUT_OF_ACTION),
        groups=tuple(
            extended(group, Reinforcement, units=tuple(unit.id for unit in units if unit.place(key) == group.tag))
            for group in row.reinforcements
        ),
        pool=tuple(counter.id for counter in counters if counter.is_in_factory_pool or key == MAIN),
    )


def _check(file: BoardFile, findings: Findings) -> None:
    from core.games.advance.components.checks.board_checks import check_board

    check_board(file, findings)


BOARD_FILE = ComponentFile(PACKAGE, BoardFile, _build, _check)
"""The board, as the shipped file or an owner's has it."""
