"""From a board file without defects to the board that the rules use."""

from typing import TypeVar

from core.board_rows import at_path
from core.games.advance.components.board_model import (
    FACTORY,
    MAIN,
    NO_TERRAIN,
    TERRAINS,
    Area,
    BloodyStreetsRow,
    Board,
    CombatFigures,
    EventChart,
    EventRow,
    GermanUnit,
    Markers,
    MoraleFigures,
    MovementFigures,
    OptionalRule,
    Reinforcement,
    Scenario,
    SovietCounter,
    SovietSetup,
    SupplyFigures,
    Withdrawal,
)
from core.games.advance.components.board_rows import BoardRows, ChartRow, read_rows
from core.geometry.adjacency import Adjacency, Border
from core.toml_lines import Path
from events.codec import convert
from events.ids import CardId, Digest, PieceId, PlaceId

_Value = TypeVar("_Value")

_Plain = dict[str, object]

MAP_SIZE = 1000
"""Maps are drawn on a square of this size, whatever the scale of the file."""


def build_board(plain: _Plain, digest: Digest, *, is_packaged: bool) -> Board:
    """Make a board of a file's data, in which no check has found a defect.

    Args:
        plain: The whole file.
        digest: The SHA-256 of the file's bytes.
        is_packaged: The file is the one that ships with the game.
    """
    rows = read_rows(plain, [])
    areas = _areas(plain, rows)
    optional_rules = _listed(plain, ("optional_rule",))
    northern = next(rule for rule in optional_rules if rule["id"] == "12.2")
    return Board(
        digest=digest,
        is_packaged=is_packaged,
        areas=areas,
        adjacency=Adjacency((Border(PlaceId(str(pair.one)), PlaceId(str(pair.other))) for pair in rows.pairs), areas),
        volga=frozenset(area.id for area in areas.values() if area.is_volga),
        units=_units(rows),
        divisions={division.id: division.name for division in rows.divisions},
        counters=_counters(rows),
        pavlovs_house=_pavlovs_house(plain),
        markers=_at(plain, ("markers",), Markers),
        morale=_at(plain, ("morale",), MoraleFigures),
        movement=_at(plain, ("movement",), MovementFigures),
        combat=_at(plain, ("combat",), CombatFigures),
        supply=_supply(plain),
        bloody_streets=_bloody_streets(plain),
        isolation={
            convert(row["roll"], int): convert(row["defence"], int) for row in _listed(plain, ("isolation", "rows"))
        },
        scenarios={key: _scenario(plain, rows, areas, key) for key in (MAIN, FACTORY)},
        optional_rules={str(rule["id"]): OptionalRule(str(rule["id"]), str(rule["name"])) for rule in optional_rules},
        northern_setup_areas=frozenset(_places(northern["setup_areas"])),
        northern_areas=frozenset((*_places(northern["setup_areas"]), *_places(northern["allowed"]))),
    )


def _at(plain: _Plain, path: Path, type_: type[_Value]) -> _Value:
    """Return what stands at a path, as a type."""
    return convert(at_path(plain, path), type_)


def _listed(plain: _Plain, path: Path) -> list[_Plain]:
    """Return the tables of an array."""
    return _at(plain, path, list[dict[str, object]])


def _places(numbers: object) -> tuple[PlaceId, ...]:
    """Turn Area numbers into their ids."""
    return tuple(PlaceId(str(number)) for number in convert(numbers, list[int]))


def _areas(plain: _Plain, rows: BoardRows) -> dict[PlaceId, Area]:
    """Build the Areas by number."""
    west, east = _at(plain, ("map", "x_range"), tuple[int, int])
    north, south = _at(plain, ("map", "y_range"), tuple[int, int])
    areas: dict[PlaceId, Area] = {}
    for row in sorted(rows.areas, key=lambda row: row.id):
        area_id = PlaceId(str(row.id))
        areas[area_id] = Area(
            id=area_id,
            number=row.id,
            name=row.name,
            terrain="" if row.terrain == NO_TERRAIN else row.terrain,
            is_urban=_at(plain, ("terrain", row.terrain, "urban"), bool),
            tem=row.tem,
            is_volga=row.volga,
            is_german_at_start=row.control == "german",
            x=(row.x - west) * MAP_SIZE // (east - west),
            y=(row.y - north) * MAP_SIZE // (south - north),
        )
    return areas


def _units(rows: BoardRows) -> dict[PieceId, GermanUnit]:
    """Build the German units, in the order of the file."""
    return {
        PieceId(row.id): GermanUnit(
            id=PieceId(row.id),
            division=None if row.division == "-" else row.division,
            kind=row.kind,
            attack_factor=row.attack,
            movement_factor=row.movement,
            setup_area=PlaceId(row.setup) if row.setup.isdecimal() else None,
        )
        for row in rows.units
    }


def _counters(rows: BoardRows) -> dict[CardId, SovietCounter]:
    """Build the Soviet counters, in the order of the file."""
    return {
        CardId(row.id): SovietCounter(
            id=CardId(row.id), terrain=row.terrain, defence_factor=row.defence, strategy=row.strategy
        )
        for row in rows.counters
    }


def _pavlovs_house(plain: _Plain) -> SovietCounter:
    """Build the unit of optional rule 12.6."""
    row = _at(plain, ("soviet_units", "pavlovs_house"), dict[str, object])
    return SovietCounter(
        id=CardId(str(row["id"])),
        terrain=str(row["terrain"]),
        defence_factor=convert(row["defence"], int),
        strategy=str(row["strategy"]),
        is_always_guards=True,
    )


def _supply(plain: _Plain) -> SupplyFigures:
    """Build the supply roll and its costs."""
    return SupplyFigures(
        dice=_at(plain, ("supply", "dice"), int),
        opening_turn_minimum=_at(plain, ("supply", "opening_turn_minimum"), int),
        costs={str(row["id"]): convert(row["points"], int) for row in _listed(plain, ("supply", "costs"))},
        return_areas=_places(at_path(plain, ("supply", "return_areas", "opening_setup"))),
        northern_areas=_places(at_path(plain, ("supply", "return_areas", "northern_areas"))),
    )


def _bloody_streets(plain: _Plain) -> tuple[BloodyStreetsRow, ...]:
    """Build the Bloody Streets table."""
    rows: list[BloodyStreetsRow] = []
    for row in _listed(plain, ("bloody_streets", "rows")):
        low, high = convert(row["roll"], tuple[int, int])
        morale, flip_spent = convert(row["morale"], int), convert(row["flip_spent"], bool)
        rows.append(BloodyStreetsRow(low=low, high=high, morale=morale, flip_spent=flip_spent))
    return tuple(rows)


def _scenario(plain: _Plain, rows: BoardRows, areas: dict[PlaceId, Area], key: str) -> Scenario:
    """Build one of the two scenarios."""
    table: Path = ("scenarios", key)
    places = {PieceId(unit.id): unit.setup if key == MAIN else unit.factory for unit in rows.units}
    first, last = _at(plain, (*table, "turns"), tuple[int, int])
    labels = _at(plain, ("turns", key, "labels"), list[str])
    victory = at_path(plain, (*table, "operational_victory"))
    needed = victory if isinstance(victory, dict) else {"areas": 0, "heavy_urban": 0}
    pool = [row for row in rows.counters if key == MAIN or row.factory == "pool"]
    return Scenario(
        key=key,
        name=str(at_path(plain, (*table, "name")) or key),
        first_turn=first,
        last_turn=last,
        turn_labels=dict(zip(range(first, last + 1), labels, strict=True)),
        morale=_at(plain, (*table, "morale"), int),
        supply=_at(plain, (*table, "supply"), int),
        german_control=_places(at_path(plain, (*table, "german_control"))),
        counts_control=key == MAIN,
        german_setup={unit: PlaceId(place) for unit, place in places.items() if place.isdecimal()},
        out_of_action=tuple(unit for unit, place in places.items() if place == "OOA"),
        reinforcements=_reinforcements(plain, places, key),
        withdrawals=_withdrawals(plain, key),
        soviet_setup=_main_setup(areas) if key == MAIN else _factory_setup(rows),
        pool=tuple(CardId(row.id) for row in pool),
        events=_chart(plain, rows.main_chart if key == MAIN else rows.factory_chart, key),
        free_air=_at(plain, ("supply", "free_air_per_turn", key), int),
        victory_areas=convert(needed["areas"], int),
        victory_heavy_urban=convert(needed["heavy_urban"], int),
    )


def _reinforcements(plain: _Plain, places: dict[PieceId, str], scenario: str) -> tuple[Reinforcement, ...]:
    """Build a scenario's groups of reinforcements, in order of arrival."""
    groups: list[Reinforcement] = []
    for row in _listed(plain, ("schedule", "reinforcements")):
        if row["scenario"] == scenario:
            conditional = row["if_german_controlled"]
            groups.append(
                Reinforcement(
                    turn=convert(row["turn"], int),
                    tag=str(row["tag"]),
                    units=tuple(unit for unit, place in places.items() if place == row["tag"]),
                    areas=_places(row["areas"]),
                    areas_if_german_controlled=() if conditional == "any" else _places(conditional),
                    is_anywhere=conditional == "any",
                )
            )
    return tuple(groups)


def _withdrawals(plain: _Plain, scenario: str) -> tuple[Withdrawal, ...]:
    """Build a scenario's withdrawals."""
    rows = _listed(plain, ("schedule", "withdrawals"))
    return tuple(convert(row, Withdrawal) for row in rows if row["scenario"] == scenario)


def _main_setup(areas: dict[PlaceId, Area]) -> tuple[SovietSetup, ...]:
    """Give every Area that begins Soviet an Unrevealed unit of its terrain. Source: 5.4."""
    return tuple(SovietSetup(area.id, area.terrain) for area in areas.values() if area.terrain in TERRAINS)


def _factory_setup(rows: BoardRows) -> tuple[SovietSetup, ...]:
    """Set up the Soviet units of the Factory District Scenario, by Area. Source: 14.5.1."""
    return tuple(
        SovietSetup(PlaceId(str(row.area)), row.terrain, CardId(row.counter) if row.revealed else None)
        for row in sorted(rows.factory_setup, key=lambda row: row.area)
    )


def _chart(plain: _Plain, rows: tuple[ChartRow, ...], scenario: str) -> EventChart:
    """Build a Random Event Chart."""
    table: Path = ("random_events", scenario)
    by_roll: dict[int, EventRow] = {}
    for row in rows:
        low, high = row.roll
        event = EventRow(low=low, high=high, name=row.event, effects=row.effects, repeat_as=row.repeat_as)
        by_roll.update(dict.fromkeys(range(low, high + 1), event))
    return EventChart(
        first_turn=_at(plain, (*table, "first_turn"), int),
        last_turn=_at(plain, (*table, "last_turn"), int),
        by_roll=dict(sorted(by_roll.items())),
        no_result_on_turn_1=tuple(convert(at_path(plain, (*table, "no_result_on_turn_1")) or [], list[str])),
    )
