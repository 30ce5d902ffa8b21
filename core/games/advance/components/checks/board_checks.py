"""Checks of what several places of a board file say together.

Some find what keeps a match from being played. The others find what contradicts the rulebook's text about sums, places or names of
rows that are reconstructed, which the shipped file cannot show figure by figure; a variant may contradict these.
"""

import itertools
from collections import Counter
from collections.abc import Iterable

from core.file_checks.shared_checks import (
    Near,
    check_centres,
    check_chart,
    check_ids,
    check_names,
    check_pairs,
    in_number_order,
)
from core.games.advance.components.board_records import (
    FACTORY,
    MAIN,
    NO_TERRAIN,
    OUT_OF_ACTION,
    BoardFile,
    EventChart,
    GermanUnit,
    ScenarioRow,
)
from core.geometry.paths import distances
from core.toml.findings import Findings, plain_name, same_name, shown
from core.toml.toml_lines import Path
from events.ids import PlaceId

AREAS: Path = ("areas", "rows")
PAIRS: Path = ("adjacency", "pairs")
UNITS: Path = ("german_units", "rows")
COUNTERS: Path = ("soviet_units", "rows")

NORTHERN_NEIGHBOURS = frozenset(map(PlaceId, ("42", "43", "44", "45", "46", "47")))
"""Source: 12.2."""

TEM_EXCEPTIONS = {
    "Stalingradski Airfield": ("clear", 2),
    "Mamayev Kurgan": ("elevated", 4),
    "Central Rail Station": ("light_urban", 4),
}
"""Source: 9.5.3B."""

PLACES = {
    MAIN: ("1", "2", "3", "4", "5", "6", "48", "49", "50", "T2", "T7"),
    FACTORY: ("14", "21", "23", "24", "28", "29", "34", "45", "50", OUT_OF_ACTION, "T12"),
}
"""Where units begin. Source: 5.3.1, 5.3.2, 14.3.1, 14.4."""

ASSAULT_GUNS = ("177", "244A", "244B", "244C", "245A", "245B")
"""Source: 12.4."""

GROUPS = (("T2", "389", "245A", 3, "6.1.1, 13.1"), ("T7", "100", "245B", 0, "6.1.1"), ("T12", "79", "244C", 0, "14.4"))
"""Tag, division, assault gun, how many units of the division (0 where the text does not say), source."""

ROLLS = range(3, 19)
WAYS = Counter(sum(faces) for faces in itertools.product(range(1, 7), repeat=3))
"""How many of the 216 throws of three dice give each sum."""

SHELL_SHORTAGES = "Artillery Shell Shortages"
MOST_COMMON = ("Commissars", SHELL_SHORTAGES, "Logistical Pause")
"""Source: 16.1."""


def check_board(file: BoardFile, findings: Findings) -> None:
    """Record all that keeps a board from being played on, and all that contradicts the text.

    Source: 3.1, 3.1.2, 6.2, 6.4.1, 11.1.
    """
    rows = file.areas.rows
    pairs = {("adjacency", "printed_pairs"): file.adjacency.printed_pairs, PAIRS: file.adjacency.pairs}
    near = check_pairs(findings, pairs, [row.id for row in rows])
    check_names(findings, AREAS, {row.id: row.name for row in rows})
    ranges = {"x": file.map.x_range, "y": file.map.y_range}
    check_centres(findings, AREAS, {row.id: (row.x, row.y) for row in rows}, ranges)
    units: list[tuple[Path, str]] = [((*UNITS, index), unit.id) for index, unit in enumerate(file.german_units.rows)]
    units += [((*COUNTERS, index), counter.id) for index, counter in enumerate(file.soviet_units.rows)]
    check_ids(findings, [*units, (("soviet_units", "pavlovs_house"), file.soviet_units.pavlovs_house.id)])
    check_chart(findings, ("bloody_streets",), [(row.low, row.high) for row in file.bloody_streets], range(1, 7))
    _check_terrain(file, findings)
    _check_north(near, findings)
    _check_example_of_play(file, near, findings)
    _check_units(file, findings)
    _check_groups(file, findings)
    _check_named_divisions(file, findings)
    for key, scenario in ((MAIN, file.scenarios.main), (FACTORY, file.scenarios.factory)):
        _check_scenario(file, key, scenario, findings)
        _check_soviet_setup(file, key, scenario, findings)
        _check_events(("scenarios", key, "events", "rows"), scenario.events, findings)
    _check_main_chart(file, findings)


def _check_terrain(file: BoardFile, findings: Findings) -> None:
    """Check the TEM of each terrain and of the three exceptions. Source: 3.1.2, 9.5.3B."""
    tem = {name: getattr(file.terrain, name).tem for name in file.terrain.__struct_fields__}
    exceptions = {plain_name(name): value for name, value in TEM_EXCEPTIONS.items()}
    for index, row in enumerate(file.areas.rows):
        path = (*AREAS, index)
        if (row.terrain == NO_TERRAIN) != (row.id in file.scenarios.main.german_control):
            wanted = f'"{NO_TERRAIN}" for each Area that begins German, and for no other (rulebook 3.1.2)'
            findings.add((*path, "terrain"), f"is {shown(row.terrain)}", wanted)
        terrain, value = exceptions.pop(plain_name(row.name), (row.terrain, tem[row.terrain]))
        if (row.terrain, row.tem) != (terrain, value):
            problem = f"is {row.tem}, and the terrain {row.terrain}"
            findings.contradict((*path, "tem"), problem, f"{value} and {terrain} for {row.name} (rulebook 9.5.3B)")
    for name, (terrain, value) in TEM_EXCEPTIONS.items():
        if plain_name(name) in exceptions:
            findings.contradict(AREAS, f"no Area is named {name}", f"one, {terrain} with TEM {value} (rulebook 9.5.3B)")


def _check_north(near: Near, findings: Findings) -> None:
    """Check that 48, 49 and 50 touch exactly 42 to 47 between them. Source: 12.2."""
    north = {PlaceId("48"), PlaceId("49"), PlaceId("50")}
    found = {other for one in north for other in near[one]} - north
    if found != NORTHERN_NEIGHBOURS:
        wanted = f"{in_number_order(NORTHERN_NEIGHBOURS)}, no others (rulebook 12.2)"
        findings.contradict(PAIRS, f"48, 49 and 50 touch {in_number_order(found)}", wanted)


def _check_example_of_play(file: BoardFile, near: Near, findings: Findings) -> None:
    """Check that the example of play can happen: the 29th is in 8 on turn 2. Source: 13.4.

    Its units have had one turn to get there. The last step costs at least 2 because of the Soviet unit in 10, every other at least
    1, so that a unit comes from at most its Movement Factor less one Areas away.
    """
    for name, number in (("artillery", 6), ("engineer", 2)):
        if getattr(file.markers, name) < number:
            problem = f"is {getattr(file.markers, name)}"
            findings.contradict(("markers", name), problem, f"{number} at least (rulebook 13.4)")
    steps = distances((PlaceId("8"),), near.__getitem__)
    for index, unit in enumerate(file.german_units.rows):
        start = PlaceId(unit.place(MAIN))
        if unit.division == "29" and start in near and steps.get(start, 99) >= unit.movement_factor:
            problem = f"is {shown(start)}, too far from Area 8 for one turn"
            findings.contradict(
                (*UNITS, index, "setup"), problem, f"at most {unit.movement_factor - 1} Areas from 8 (rulebook 13.4)"
            )


def _check_units(file: BoardFile, findings: Findings) -> None:
    """Check that units have places that exist, not too many in each, and the figures and places of the text.

    Source: 4.2.1.armor, 4.2.2.infantry, 5.3.1, 5.3.2, 7.1, 14.3.1, 14.4.
    """
    areas = {row.id for row in file.areas.rows}
    for index, unit in enumerate(file.german_units.rows):
        path = (*UNITS, index)
        if not unit.main_place and not unit.factory_place:
            findings.add(path, "the unit is in neither scenario", "setup or factory (rulebook 4.3)")
        movement, source = (6, "4.2.1") if unit.kind == "armor" else (4, "4.2.2")
        if unit.movement_factor != movement:
            wanted = f"{movement} for {unit.kind} (rulebook {source})"
            findings.contradict((*path, "movement"), f"is {unit.movement_factor}", wanted)
    for name, key, scenario in (("setup", MAIN, file.scenarios.main), ("factory", FACTORY, file.scenarios.factory)):
        known = {
            *areas,
            *(group.tag for group in scenario.reinforcements),
            *((OUT_OF_ACTION,) if key == FACTORY else ()),
        }
        found = Counter(unit.place(key) for unit in file.german_units.rows)
        for index, unit in enumerate(file.german_units.rows):
            place = unit.place(key)
            if place and place not in known:
                wanted = "an Area, or the tag of a group of the scenario"
                findings.add((*UNITS, index, name), f"is {shown(place)}", wanted)
            elif place and place not in PLACES[key]:
                wanted = f"one of {', '.join(PLACES[key])} (rulebook 5.3, 14.3)"
                findings.contradict((*UNITS, index, name), f"is {shown(place)}", wanted)
        for place in sorted({*found, *PLACES[key]} - {"", OUT_OF_ACTION}):
            if found[place] > file.movement.stacking_german:
                problem = f'{found[place]} units have {name} = "{place}"'
                findings.add(UNITS, problem, f"{file.movement.stacking_german} at most, as stacking_german says")
            if not found[place]:
                findings.contradict(UNITS, f'no unit has {name} = "{place}"', "at least one (rulebook 5.3, 14.3)")


def _check_groups(file: BoardFile, findings: Findings) -> None:
    """Check the units of each group of reinforcements. Source: 6.1.1, 13.1, 14.4."""
    for tag, division, gun, number, source in GROUPS:
        key = FACTORY if tag == "T12" else MAIN
        units = [unit for unit in file.german_units.rows if unit.place(key) == tag]
        of_division = _of_division(units, division)
        is_whole = len(of_division) == number if number else bool(of_division)
        others = [unit for unit in units if unit.division != division and unit.id != gun]
        if not is_whole or others or not any(unit.id == gun for unit in units):
            wanted = f"{gun} and {number or 'the'} units of the {division}th (rulebook {source})"
            findings.contradict(
                UNITS, f"{tag} brings {in_number_order(unit.id for unit in units) or 'no unit'}", wanted
            )
        if tag == "T12" and any(unit.main_place for unit in units):
            findings.contradict(UNITS, f"units of {tag} are in the main game", "none of them (rulebook 14.4)")


def _check_named_divisions(file: BoardFile, findings: Findings) -> None:
    """Check the units of the divisions whose number the text gives; assault guns alone have none. Source: 6.1.2, 12.4, 13.4, 14.6.1."""
    for index, unit in enumerate(file.german_units.rows):
        if unit.division is None and unit.id not in ASSAULT_GUNS:
            findings.contradict((*UNITS, index), "belongs to no division", "a division (rulebook 12.4)")
    motorized = _of_division(file.german_units.rows, "29")
    if len(motorized) != 4 or any(unit.place(MAIN) not in PLACES[MAIN][:9] for unit in motorized):
        problem = (
            f"the 29th has {len(motorized)} units, in {in_number_order(unit.place(MAIN) or '-' for unit in motorized)}"
        )
        findings.contradict(UNITS, problem, "4, on the map from the start (rulebook 6.1.2, 13.4)")
    panzer = [unit for unit in _of_division(file.german_units.rows, "14") if unit.factory_place]
    if len(panzer) != 3:
        problem = f"the 14th has {len(panzer)} units in the Factory District Scenario"
        findings.contradict(UNITS, problem, "3 (rulebook 14.6.1)")


def _of_division(units: Iterable[GermanUnit], division: str) -> list[GermanUnit]:
    return [unit for unit in units if unit.division == division]


def _check_scenario(file: BoardFile, key: str, scenario: ScenarioRow, findings: Findings) -> None:
    """Check that the figures of a scenario are within bounds, and that its groups can arrive. Source: 5.2, 6.1, 11.2."""
    path: Path = ("scenarios", key)
    if file.morale.max < scenario.morale:
        findings.add((*path, "morale"), f"is {scenario.morale}", f"{file.morale.max} at most, as morale.max says")
    if key == MAIN and scenario.victory is None:
        findings.add((*path, "victory"), "is missing", "what the final check asks for (rulebook 11.2)")
    for index, group in enumerate(scenario.reinforcements):
        if not scenario.first_turn <= group.turn <= scenario.last_turn:
            findings.add((*path, "reinforcements", index, "turn"), f"is {group.turn}", "a turn of the scenario")
        if not group.areas and not group.is_anywhere:
            findings.add((*path, "reinforcements", index, "areas"), "is empty", "Areas, or is_anywhere")


def _check_soviet_setup(file: BoardFile, key: str, scenario: ScenarioRow, findings: Findings) -> None:
    """Check that each Soviet Area has a Soviet unit of its terrain, and that there is a counter for each. Source: 5.4, 14.5.1."""
    path: Path = ("scenarios", key)
    terrain: dict[str, str] = {row.id: row.terrain for row in file.areas.rows}
    counters = {counter.id: counter for counter in file.soviet_units.rows}
    german = set(map(str, scenario.german_control))
    begins = {str(row.area) for row in scenario.soviet_setup} or terrain.keys() - german
    if begins & german or terrain.keys() - begins - german:
        problem = f"Area {in_number_order((begins & german) | (terrain.keys() - begins - german))} begins on both sides or none"
        findings.add((*path, "german_control"), problem, "German control, or else a Soviet unit in soviet_setup")
    needed = Counter(terrain[area] for area in begins)
    revealed: set[str] = set()
    for index, row in enumerate(scenario.soviet_setup):
        counter = None if row.counter is None else counters[row.counter]
        if row.terrain != terrain[row.area] or (counter is not None and counter.terrain != row.terrain):
            wanted = f'"{terrain[row.area]}", as of its Area, and a counter of it'
            findings.add((*path, "soviet_setup", index, "terrain"), f"is {shown(row.terrain)}", wanted)
        if counter is not None:
            needed[row.terrain] -= 1
            if counter.is_in_factory_pool or counter.id in revealed:
                wanted = "a counter that is neither in the pool nor elsewhere"
                findings.add((*path, "soviet_setup", index, "counter"), f"is {shown(row.counter)}", wanted)
            revealed.add(counter.id)
    have = Counter(str(counter.terrain) for counter in counters.values() if counter.is_in_factory_pool or key == MAIN)
    for name, number in (needed - have).items():
        if name != NO_TERRAIN:
            problem = f"{number} Areas more are {name} than there are counters"
            findings.add(COUNTERS, problem, f"a counter for each Area of {scenario.name} (rulebook 5.4)")


def _check_events(path: Path, chart: EventChart, findings: Findings) -> None:
    """Check that there is exactly one row for each roll of three dice, and what repeated rolls do. Source: 6.2, 6.2.1, 14.6.1."""
    check_chart(findings, path, [(row.low, row.high) for row in chart.rows], ROLLS)
    for index, row in enumerate(chart.rows):
        if row.repeat_as is not None and row.low <= row.repeat_as <= row.high:
            findings.add((*path, index, "repeat_as"), f"is {row.repeat_as}", "a roll of another row")


def _check_main_chart(file: BoardFile, findings: Findings) -> None:
    """Check what the text says about the main game's chart. Source: 6.2.1, 10.1, 13.2, 16.1."""
    path: Path = ("scenarios", MAIN, "events", "rows")
    chart = file.scenarios.main.events
    at = {roll: row for row in chart.rows for roll in range(row.low, row.high + 1)}
    if at.keys() != set(ROLLS):
        return
    if at[3].name == at[4].name:
        findings.contradict(path, f"a roll of 4 is {shown(at[4].name)}", "another event than on a 3 (rulebook 6.2.1)")
    if not same_name(at[15].name, SHELL_SHORTAGES) or at[15].artillery_bonus != 1:
        wanted = f"{SHELL_SHORTAGES}: an Artillery marker adds 1 (rulebook 13.2)"
        findings.contradict(
            path, f"a roll of 15 is {shown(at[15].name)}, and an Artillery marker adds {at[15].artillery_bonus}", wanted
        )
    ways: Counter[str] = Counter()
    for roll, row in at.items():
        ways[row.name] += WAYS[roll]
    for name, source in (
        *((name, "10.1") for name in chart.no_result_on_turn_1),
        *((name, "16.1") for name in MOST_COMMON),
    ):
        if not ways[name]:
            findings.contradict(path, f"no row is {name}", f"one (rulebook {source})")
    if ways.most_common(1)[0][0] not in MOST_COMMON:
        problem = f"the most common event is {shown(ways.most_common(1)[0][0])}"
        findings.contradict(path, problem, f"one of {', '.join(MOST_COMMON)} (rulebook 16.1)")
    in_play = {unit.division for unit in file.german_units.rows if unit.main_place} - {None}
    for index, row in enumerate(chart.rows):
        if in_play <= set(row.paused_divisions):
            findings.contradict((*path, index), "pauses every division", "a part of the force (rulebook 16.1)")
