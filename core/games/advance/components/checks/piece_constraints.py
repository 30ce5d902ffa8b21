"""What the rulebook's text demands of the counters of any board: German units, Soviet units, set-up.

Attack and Defense Factors, regiment names and places that the text leaves open may differ from the packaged board.
"""

from collections import Counter
from collections.abc import Mapping

from core.board_file import Findings, shown
from core.board_rows import at_path
from core.games.advance.components.board_model import TERRAINS
from core.games.advance.components.board_rows import (
    COUNTERS,
    DIVISIONS,
    FACTORY_SETUP,
    UNITS,
    BoardRows,
    CounterRow,
    SetupRow,
    UnitRow,
)
from core.games.advance.components.checks.board_schema import (
    FACTORY_CONTROL_MARKERS,
    GERMAN_START,
    STRATEGIES,
)
from core.games.advance.components.checks.map_constraints import FACTORY_TERRAIN
from core.toml_lines import Path

GUNS = ("177", "244A", "244B", "244C", "245A", "245B")
"""The assault guns. Source: 12.4."""

MAIN_PLACES = (*(str(number) for number in GERMAN_START), "T2", "T7")
"""Source: 5.3.1, 5.3.2."""

FACTORY_PLACES = ("14", "21", "23", "24", "28", "29", "34", "45", "50", "OOA", "T12")
"""Source: 14.3.1, 14.4."""

STACK_MAX = 4

COUNTER_MIX = {"clear": 6, "elevated": 8, "light_urban": 32, "heavy_urban": 9}
"""Source: the rulebook's unit checklist."""

_POOL_LISTS = {
    "elevated": "6 ambush, 6 barrage, 7 heroes, 7 fanatic, 8 ambush, 8 barrage",
    "light_urban": "7 barrage, 7 fanatic, 7 guards, 8 ambush, 8 barrage, 8 guards, 8 heroes, 8 ambush, 9 barrage, "
    "9 guards, 9 heroes, 9 ambush",
    "heavy_urban": "7 ambush, 7 barrage, 8 guards, 9 ambush, 9 barrage, 10 fanatic, 10 guards, 10 ambush",
}

FACTORY_POOL = Counter(
    (terrain, int(face.split()[0]), face.split()[1])
    for terrain, faces in _POOL_LISTS.items()
    for face in faces.split(", ")
)
"""Source: 14.5.1."""

REVEALED_AT_SETUP = {14: ("heavy_urban", 8, "fanatic"), 21: ("elevated", 9, "fanatic"), 44: ("clear", 5, "barrage")}
"""Source: 14.5.1."""


def strategy_mix(terrain: str) -> Counter[str]:
    """Return how often each Defense Strategy occurs among the counters of a terrain.

    The checklist's columns run through the strategies again and again: without Guards for Clear and Elevated, without
    Heroes for Heavy Urban. Source: the rulebook's unit checklist.
    """
    cycle = STRATEGIES[:4] if terrain in ("clear", "elevated") else STRATEGIES
    cycle = STRATEGIES[1:] if terrain == "heavy_urban" else cycle
    return Counter(cycle[place % len(cycle)] for place in range(COUNTER_MIX[terrain]))


def check_pieces(plain: dict[str, object], rows: BoardRows, findings: Findings) -> None:
    """Note everything about counters and set-up that contradicts the text."""
    _check_ids(plain, rows, findings)
    for unit in rows.units:
        _check_unit(unit, findings)
    if rows.are_whole(DIVISIONS):
        _check_divisions(rows, findings)
    if rows.are_whole(UNITS):
        _check_places(rows, findings)
        _check_guns(rows, findings)
        _check_groups(rows, findings)
        _check_named_divisions(rows, findings)
    if rows.are_whole(COUNTERS):
        _check_mix(rows, findings)
        _check_pool(rows, findings)
    counters = {counter.id: counter for counter in reversed(rows.counters)} if rows.are_whole(COUNTERS) else None
    for setup in rows.factory_setup:
        _check_setup_row(setup, counters, findings)
    if rows.are_whole(FACTORY_SETUP):
        _check_setup(rows, findings)


def _check_ids(plain: dict[str, object], rows: BoardRows, findings: Findings) -> None:
    """Ask for an id of its own for every counter, whatever its side."""
    seen: set[str] = set()
    house: Path = ("soviet_units", "pavlovs_house", "id")
    house_id = at_path(plain, house)
    listed: list[tuple[Path, str]] = [((*UNITS, unit.at, "id"), unit.id) for unit in rows.units]
    listed += [((*COUNTERS, counter.at, "id"), counter.id) for counter in rows.counters]
    listed += [(house, house_id)] if isinstance(house_id, str) else []
    for path, piece_id in listed:
        if piece_id in seen:
            findings.add(path, f"{shown(piece_id)} is there twice", "an id of its own for every counter")
        seen.add(piece_id)
    divisions: set[str] = set()
    for division in rows.divisions:
        if division.id in divisions:
            findings.add((*DIVISIONS, division.at, "id"), f"{shown(division.id)} is there twice", "each division once")
        divisions.add(division.id)


def _check_unit(unit: UnitRow, findings: Findings) -> None:
    """Ask for a Movement Factor of the unit's type, and places that exist. Source: 4.2.1.armor, 4.2.2.infantry, 5.3, 13.4."""
    path = (*UNITS, unit.at)
    movement, source = (6, "4.2.1") if unit.kind == "armor" else (4, "4.2.2")
    if unit.movement != movement:
        findings.add((*path, "movement"), f"is {unit.movement}", f"{movement} for {unit.kind} (rulebook {source})")
    if unit.setup != "-" and unit.setup not in MAIN_PLACES:
        wanted = f'one of {", ".join(MAIN_PLACES)} or "-" (rulebook 5.3.1, 5.3.2)'
        findings.add((*path, "setup"), f"is {shown(unit.setup)}", wanted)
    if unit.factory != "-" and unit.factory not in FACTORY_PLACES:
        wanted = f'one of {", ".join(FACTORY_PLACES)} or "-" (rulebook 14.3.1, 14.4)'
        findings.add((*path, "factory"), f"is {shown(unit.factory)}", wanted)
    if unit.setup == "-" and unit.factory == "-":
        findings.add((*path, "setup"), "the unit is in neither scenario", "a place in one of them (rulebook 4.3)")
    if unit.id == "29/RCN" and (unit.division, unit.attack) != ("29", 6):
        findings.add(
            path, f"is of division {shown(unit.division)} with attack {unit.attack}", "29 and 6 (rulebook 13.4)"
        )


def _check_divisions(rows: BoardRows, findings: Findings) -> None:
    """Ask for a description of every unit's division. Source: 4.3.2."""
    described = {division.id for division in rows.divisions}
    for unit in rows.units:
        if unit.division != "-" and unit.division not in described:
            problem = f"is {shown(unit.division)}, which german_divisions lacks"
            findings.add((*UNITS, unit.at, "division"), problem, 'a division described there, or "-"')


def _check_places(rows: BoardRows, findings: Findings) -> None:
    """Ask for units in every set-up place of the text, four at most in each. Source: 5.3.1, 5.3.2, 7.1, 14.3.1."""
    scenarios = (
        ("setup", MAIN_PLACES, Counter(unit.setup for unit in rows.units), "5.3.1, 5.3.2"),
        ("factory", FACTORY_PLACES, Counter(unit.factory for unit in rows.units), "14.3.1, 14.4"),
    )
    for name, places, units, source in scenarios:
        for place in places:
            if not units[place]:
                findings.add(UNITS, f'no unit has {name} = "{place}"', f"at least one (rulebook {source})")
            if units[place] > STACK_MAX and place != "OOA":
                problem = f'{units[place]} units have {name} = "{place}"'
                findings.add(UNITS, problem, f"{STACK_MAX} at most (rulebook 7.1)")


def _check_guns(rows: BoardRows, findings: Findings) -> None:
    """Ask for the six assault guns, which alone belong to no division. Source: 12.4."""
    for unit in rows.units:
        if (unit.division == "-") != (unit.id in GUNS):
            wanted = (
                '"-": assault guns have no division' if unit.id in GUNS else "a division: only assault guns have none"
            )
            findings.add((*UNITS, unit.at, "division"), f"is {shown(unit.division)}", f"{wanted} (rulebook 12.4)")
    missing = [gun for gun in GUNS if not any(unit.id == gun for unit in rows.units)]
    if missing:
        findings.add(UNITS, f"assault gun {', '.join(missing)} is missing", f"{', '.join(GUNS)} (rulebook 12.4)")


def _check_groups(rows: BoardRows, findings: Findings) -> None:
    """Ask for the units of each reinforcement group. Source: 6.1.1, 13.1, 14.4."""
    groups = (("setup", "T2", "389", "245A", 3), ("setup", "T7", "100", "245B", 0), ("factory", "T12", "79", "244C", 0))
    for name, tag, division, gun, number in groups:
        units = [unit for unit in rows.units if (unit.setup if name == "setup" else unit.factory) == tag]
        source = "14.4" if tag == "T12" else "6.1.1, 13.1"
        wanted = f"{gun} and {number or 'the'} units of the {division}th (rulebook {source})"
        for unit in units:
            if unit.division != division and unit.id != gun:
                findings.add((*UNITS, unit.at, name), f'is "{tag}"', f"only {wanted}")
            elif tag == "T12" and unit.setup != "-":
                findings.add((*UNITS, unit.at, "setup"), f"is {shown(unit.setup)}", f'"-" for {wanted}')
        if units and not any(unit.id == gun for unit in units):
            findings.add(UNITS, f'{gun} has no {name} = "{tag}"', wanted)
        of_division = sum(unit.division == division for unit in units)
        if units and (of_division != number if number else not of_division):
            findings.add(UNITS, f'{of_division} units of division {division} have {name} = "{tag}"', wanted)


def _check_named_divisions(rows: BoardRows, findings: Findings) -> None:
    """Ask for the units of the two divisions whose number the text gives. Source: 6.1.2, 13.4, 14.6.1."""
    motorized = [unit for unit in rows.units if unit.division == "29"]
    if len(motorized) != 4:
        findings.add(UNITS, f"the 29th has {len(motorized)} units", "4 (rulebook 6.1.2)")
    for unit in motorized:
        if unit.setup in ("-", "T2", "T7"):
            wanted = "an Area: the 29th is on the map from the start (rulebook 13.4)"
            findings.add((*UNITS, unit.at, "setup"), f"is {shown(unit.setup)}", wanted)
    if not any(unit.id == "29/RCN" for unit in rows.units):
        findings.add(UNITS, "29/RCN is missing", "29/RCN with attack 6 (rulebook 13.4)")
    panzer = sum(unit.division == "14" and unit.factory != "-" for unit in rows.units)
    if panzer != 3:
        findings.add(UNITS, f"the 14th has {panzer} units in the Factory District Scenario", "3 (rulebook 14.6.1)")


def _check_mix(rows: BoardRows, findings: Findings) -> None:
    """Ask for the counters of each terrain and strategy. Source: the rulebook's unit checklist."""
    for terrain in TERRAINS:
        found = Counter(row.strategy for row in rows.counters if row.terrain == terrain)
        wanted = strategy_mix(terrain)
        if found.total() != wanted.total():
            problem = f"{found.total()} counters are {terrain}"
            findings.add(COUNTERS, problem, f"{wanted.total()} (rulebook, unit checklist)")
        elif found != wanted:
            listed = ", ".join(f"{number} {strategy}" for strategy, number in sorted(wanted.items()))
            problem = f"the {terrain} counters have " + ", ".join(
                f"{number} {strategy}" for strategy, number in sorted(found.items())
            )
            findings.add(COUNTERS, problem, f"{listed} (rulebook, unit checklist)")


def _check_pool(rows: BoardRows, findings: Findings) -> None:
    """Ask for the 26 counters of the Factory District Scenario and the three Revealed ones. Source: 14.5.1."""
    found = Counter(_face(row) for row in rows.counters if row.factory == "pool")
    for terrain, defence, strategy in sorted((found - FACTORY_POOL).keys() | (FACTORY_POOL - found).keys()):
        face = (terrain, defence, strategy)
        problem = f'{found[face]} counters {terrain} {defence} {strategy} have factory = "pool"'
        findings.add(COUNTERS, problem, f"{FACTORY_POOL[face]} (rulebook 14.5.1)")
    for area, face in REVEALED_AT_SETUP.items():
        faces = [_face(row) for row in rows.counters if row.factory == str(area)]
        if faces != [face]:
            problem = f'{faces.count(face)} of {len(faces)} counters with factory = "{area}" are {_named(face)}'
            findings.add(COUNTERS, problem, f"one counter there, {_named(face)} (rulebook 14.5.1)")


def _check_setup_row(setup: SetupRow, counters: Mapping[str, CounterRow] | None, findings: Findings) -> None:
    """Ask for the right terrain and side of one Soviet unit of the Factory District Scenario; None: counters have defects.

    Source: 14.5.1.
    """
    path = (*FACTORY_SETUP, setup.at)
    if setup.area not in FACTORY_TERRAIN:
        problem = f"is {setup.area}, " + ("German-controlled" if setup.area in FACTORY_CONTROL_MARKERS else "German")
        findings.add(
            (*path, "area"), problem, f"one of {', '.join(map(str, sorted(FACTORY_TERRAIN)))} (rulebook 14.5.1)"
        )
        return
    terrain = FACTORY_TERRAIN[setup.area]
    if setup.terrain != terrain:
        findings.add((*path, "terrain"), f"is {shown(setup.terrain)}", f'"{terrain}" (rulebook 14.5.1)')
    revealed = REVEALED_AT_SETUP.get(setup.area)
    if setup.revealed != (revealed is not None):
        findings.add(
            (*path, "revealed"), f"is {shown(setup.revealed)}", f"{shown(not setup.revealed)} (rulebook 14.5.1)"
        )
    elif revealed is None:
        if setup.counter != "random":
            findings.add((*path, "counter"), f"is {shown(setup.counter)}", '"random" (rulebook 14.5.1)')
    elif counters is not None:
        counter = counters.get(setup.counter)
        if counter is None or _face(counter) != revealed or counter.factory != str(setup.area):
            wanted = f'the id of {_named(revealed)} with factory = "{setup.area}" (rulebook 14.5.1)'
            findings.add((*path, "counter"), f"is {shown(setup.counter)}", wanted)


def _check_setup(rows: BoardRows, findings: Findings) -> None:
    """Ask for one Soviet unit in each of the fifteen Areas. Source: 7.1, 14.5.1."""
    found = Counter(setup.area for setup in rows.factory_setup)
    for area in FACTORY_TERRAIN:
        if found[area] != 1:
            findings.add(FACTORY_SETUP, f"Area {area} is there {found[area]} times", "once (rulebook 14.5.1)")


def _face(row: CounterRow) -> tuple[str, int, str]:
    return (row.terrain, row.defence, row.strategy)


def _named(face: tuple[str, int, str]) -> str:
    terrain, defence, strategy = face
    return f"{terrain} {strategy} {defence}"
