"""What several places of a board file say together.

Each demand is either one without which no match can be played, or a statement of the rulebook's text that the shipped file cannot
show figure by figure, because it is about sums, places or names of rows that are reconstructed. Only a variant may contradict
the latter.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping

from core.components.findings import Findings, plain_name, same_name, shown
from core.games.advance.components.board_records import (
    FACTORY,
    MAIN,
    NO_TERRAIN,
    OUT_OF_ACTION,
    ArtilleryBonus,
    BoardFile,
    EventChart,
    GermanUnit,
    PauseDivisions,
    ScenarioRow,
    WithdrawDivision,
)
from core.geometry.paths import distances, neighbourhood
from core.toml_lines import Path
from events.ids import PlaceId

Near = Mapping[PlaceId, tuple[PlaceId, ...]]
"""The neighbours of each Area."""

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

GROUPS = (("T2", "389", "245A", 3, "6.1.1, 13.1"), ("T7", "100", "245B", 0, "6.1.1"), ("T12", "79", "244C", 0, "14.4"))
"""Tag, division, assault gun, how many units of the division (0 where the text does not say), source."""

ROLLS = range(3, 19)
WAYS = Counter(sum(faces) for faces in itertools.product(range(1, 7), repeat=3))
"""How many of the 216 throws of three dice give each sum."""

SHELL_SHORTAGES = "Artillery Shell Shortages"
MOST_COMMON = ("Commissars", SHELL_SHORTAGES, "Logistical Pause")
"""Source: 16.1."""


def check_board(file: BoardFile, findings: Findings) -> None:
    """Note all that keeps a board from being played on, and all that contradicts the text."""
    near = _check_pairs(file, findings)
    _check_areas(file, findings)
    _check_centres(file, findings)
    _check_north(near, findings)
    _check_example_of_play(file, near, findings)
    _check_units(file, findings)
    _check_guns(file, findings)
    _check_groups(file, findings)
    _check_named_divisions(file, findings)
    _check_ids(file, findings)
    for key, scenario in ((MAIN, file.scenarios.main), (FACTORY, file.scenarios.factory)):
        _check_scenario(file, key, scenario, findings)
        _check_soviet_setup(file, key, scenario, findings)
        _check_chart(("scenarios", key, "events"), scenario.events, findings)
    _check_main_chart(file, findings)
    _check_tables(file, findings)


def _check_pairs(file: BoardFile, findings: Findings) -> Near:
    """Ask for pairs of different Areas, each pair once, and a way from every Area to every other. Source: 3.1, 11.1."""
    every = (*file.adjacency.printed_pairs, *file.adjacency.pairs)
    near = neighbourhood(every, [row.id for row in file.areas.rows])
    seen: set[frozenset[PlaceId]] = set()
    for name, pairs in (("printed_pairs", file.adjacency.printed_pairs), ("pairs", file.adjacency.pairs)):
        for index, (one, other) in enumerate(pairs):
            path: Path = ("adjacency", name, index)
            if one == other:
                findings.add(path, f"pairs Area {one} with itself", "two different Areas (rulebook 3.1)")
            elif {one, other} in seen:
                findings.add(path, f"{one} and {other} are paired twice", "each pair once, in either order")
            seen.add(frozenset((one, other)))
    lost = near.keys() - distances((file.areas.rows[0].id,), near.__getitem__).keys()
    if lost:
        problem = f"no way leads from Area {file.areas.rows[0].id} to {_listed(lost)}"
        findings.add(PAIRS, problem, "a connected map")
    return near


def _check_areas(file: BoardFile, findings: Findings) -> None:
    """Ask for a name of its own for each Area, and for the TEM of its terrain. Source: 3.1.2, 9.5.3B."""
    names: dict[str, str] = {}
    tem = {name: getattr(file.terrain, name).tem for name in file.terrain.__struct_fields__}
    exceptions = {plain_name(name): value for name, value in TEM_EXCEPTIONS.items()}
    for index, row in enumerate(file.areas.rows):
        path = (*AREAS, index)
        other = names.setdefault(plain_name(row.name), row.id)
        if other != row.id:
            findings.add((*path, "name"), f"is {shown(row.name)}, as of Area {other}", "a name of its own")
        if (row.terrain == NO_TERRAIN) != (row.id in file.scenarios.main.german_control):
            wanted = f'"{NO_TERRAIN}" for each Area that begins German, and for no other (rulebook 3.1.2)'
            findings.add((*path, "terrain"), f"is {shown(row.terrain)}", wanted)
        terrain, value = exceptions.get(plain_name(row.name), (row.terrain, tem[row.terrain]))
        if (row.terrain, row.tem) != (terrain, value):
            problem = f"is {row.tem}, and the terrain {row.terrain}"
            findings.contradict((*path, "tem"), problem, f"{value} and {terrain} for {row.name} (rulebook 9.5.3B)")
    for name, (terrain, value) in TEM_EXCEPTIONS.items():
        if plain_name(name) not in names:
            findings.contradict(AREAS, f"no Area is named {name}", f"one, {terrain} with TEM {value} (rulebook 9.5.3B)")


def _check_centres(file: BoardFile, findings: Findings) -> None:
    """Ask for a spot of its own for each Area within the map's ranges, so that the map can be drawn."""
    for axis, (low, high) in (("x", file.map.x_range), ("y", file.map.y_range)):
        if low >= high:
            findings.add(("map", f"{axis}_range"), f"is [{low}, {high}]", "the lower end first")
        for index, row in enumerate(file.areas.rows):
            value = row.x if axis == "x" else row.y
            if low < high and not low <= value <= high:
                findings.add((*AREAS, index, axis), f"is {value}", f"{low} to {high}, as {axis}_range says")
    seen: dict[tuple[int, int], str] = {}
    for index, row in enumerate(file.areas.rows):
        other = seen.setdefault((row.x, row.y), row.id)
        if other != row.id:
            findings.add((*AREAS, index, "x"), f"x and y are those of Area {other}", "a spot of its own")


def _check_north(near: Near, findings: Findings) -> None:
    """Ask for the neighbours of 48, 49 and 50: exactly 42 to 47 between them. Source: 12.2."""
    north = {PlaceId("48"), PlaceId("49"), PlaceId("50")}
    found = {other for one in north for other in near[one]} - north
    if found != NORTHERN_NEIGHBOURS:
        wanted = f"{_listed(NORTHERN_NEIGHBOURS)}, no others (rulebook 12.2)"
        findings.contradict(PAIRS, f"48, 49 and 50 touch {_listed(found)}", wanted)


def _check_example_of_play(file: BoardFile, near: Near, findings: Findings) -> None:
    """Ask that the example of play can happen: the 29th is in 8 on turn 2. Source: 13.4.

    Its units have had one turn to get there. The last step costs at least 2 because of the Soviet unit in 10, every other at least
    1, so that a unit comes from at most its Movement Factor less one Areas away.
    """
    steps = distances((PlaceId("8"),), near.__getitem__)
    for index, unit in enumerate(file.german_units.rows):
        start = PlaceId(unit.place(MAIN))
        if unit.division == "29" and start in near and steps.get(start, 99) >= unit.movement_factor:
            problem = f"is {shown(start)}, too far from Area 8 for one turn"
            findings.contradict(
                (*UNITS, index, "setup"), problem, f"at most {unit.movement_factor - 1} Areas from 8 (rulebook 13.4)"
            )


def _check_units(file: BoardFile, findings: Findings) -> None:
    """Ask for places that exist, four units at most in each, and for the figures and places of the text.

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


def _check_guns(file: BoardFile, findings: Findings) -> None:
    """Ask that the six assault guns alone belong to no division. Source: 12.4."""
    guns = ("177", "244A", "244B", "244C", "245A", "245B")
    for index, unit in enumerate(file.german_units.rows):
        if unit.division is None and unit.id not in guns:
            findings.contradict((*UNITS, index), "belongs to no division", "a division (rulebook 12.4)")


def _check_groups(file: BoardFile, findings: Findings) -> None:
    """Ask for the units of each group of reinforcements. Source: 6.1.1, 13.1, 14.4."""
    for tag, division, gun, number, source in GROUPS:
        key = FACTORY if tag == "T12" else MAIN
        units = [unit for unit in file.german_units.rows if unit.place(key) == tag]
        of_division = _of_division(units, division)
        is_whole = len(of_division) == number if number else bool(of_division)
        others = [unit for unit in units if unit.division != division and unit.id != gun]
        if not is_whole or others or not any(unit.id == gun for unit in units):
            wanted = f"{gun} and {number or 'the'} units of the {division}th (rulebook {source})"
            findings.contradict(UNITS, f"{tag} brings {_listed(unit.id for unit in units) or 'no unit'}", wanted)
        if tag == "T12" and any(unit.main_place for unit in units):
            findings.contradict(UNITS, f"units of {tag} are in the main game", "none of them (rulebook 14.4)")


def _check_named_divisions(file: BoardFile, findings: Findings) -> None:
    """Ask for the units of the two divisions whose number the text gives. Source: 6.1.2, 13.4, 14.6.1."""
    motorized = _of_division(file.german_units.rows, "29")
    if len(motorized) != 4 or any(unit.place(MAIN) not in PLACES[MAIN][:9] for unit in motorized):
        problem = f"the 29th has {len(motorized)} units, in {_listed(unit.place(MAIN) or '-' for unit in motorized)}"
        findings.contradict(UNITS, problem, "4, on the map from the start (rulebook 6.1.2, 13.4)")
    panzer = [unit for unit in _of_division(file.german_units.rows, "14") if unit.factory_place]
    if len(panzer) != 3:
        problem = f"the 14th has {len(panzer)} units in the Factory District Scenario"
        findings.contradict(UNITS, problem, "3 (rulebook 14.6.1)")


def _of_division(units: Iterable[GermanUnit], division: str) -> list[GermanUnit]:
    return [unit for unit in units if unit.division == division]


def _check_ids(file: BoardFile, findings: Findings) -> None:
    """Ask for an id of its own for every counter, whatever its side."""
    units = {str(unit.id) for unit in file.german_units.rows}
    counters = [((*COUNTERS, index), counter) for index, counter in enumerate(file.soviet_units.rows)]
    house: Path = ("soviet_units", "pavlovs_house")
    for path, counter in [*counters, (house, file.soviet_units.pavlovs_house)]:
        is_twice = path == house and any(counter.id == other.id for _, other in counters)
        if str(counter.id) in units or is_twice:
            findings.add((*path, "id"), f"{shown(counter.id)} is there twice", "an id of its own for every counter")


def _check_scenario(file: BoardFile, key: str, scenario: ScenarioRow, findings: Findings) -> None:
    """Ask for bounds that hold the figures of a scenario, and groups that can arrive. Source: 5.2, 6.1, 11.2."""
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
    """Ask for a Soviet unit in each Soviet Area, of its terrain, and a counter for each. Source: 5.4, 14.5.1."""
    path: Path = ("scenarios", key)
    terrain: dict[str, str] = {row.id: row.terrain for row in file.areas.rows}
    counters = {counter.id: counter for counter in file.soviet_units.rows}
    german = set(map(str, scenario.german_control))
    begins = {str(row.area) for row in scenario.soviet_setup} or terrain.keys() - german
    if begins & german or terrain.keys() - begins - german:
        problem = f"Area {_listed((begins & german) | (terrain.keys() - begins - german))} begins on both sides or none"
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


def _check_chart(path: Path, chart: EventChart, findings: Findings) -> None:
    """Ask for exactly one row for each roll of three dice. Source: 6.2, 6.2.1, 14.6.1."""
    covered: Counter[int] = Counter()
    for index, row in enumerate(chart.rows):
        covered.update(range(row.low, row.high + 1))
        if row.low > row.high:
            findings.add((*path, "rows", index, "high"), f"is {row.high}", f"{row.low} or more, as low says")
        withdraws = [effect for effect in row.effects if isinstance(effect, WithdrawDivision)]
        if len(withdraws) > 1:
            findings.add((*path, "rows", index, "effects"), "withdraw several divisions", "one division at most")
        if row.repeat_as is not None and row.low <= row.repeat_as <= row.high:
            findings.add((*path, "rows", index, "repeat_as"), f"is {row.repeat_as}", "a roll of another row")
    for roll in ROLLS:
        if covered[roll] != 1:
            findings.add(path, f"{covered[roll]} rows are for a roll of {roll}", "one row for each roll from 3 to 18")


def _check_main_chart(file: BoardFile, findings: Findings) -> None:
    """Ask for what the text says about the main game's chart. Source: 6.2.1, 10.1, 13.2, 16.1."""
    path: Path = ("scenarios", MAIN, "events", "rows")
    chart = file.scenarios.main.events
    at = {roll: row for row in chart.rows for roll in range(row.low, row.high + 1)}
    if at.keys() != set(ROLLS):
        return
    if at[3].name == at[4].name:
        findings.contradict(path, f"a roll of 4 is {shown(at[4].name)}", "another event than on a 3 (rulebook 6.2.1)")
    if not same_name(at[15].name, SHELL_SHORTAGES) or at[15].effects != (ArtilleryBonus(1),):
        wanted = f"{SHELL_SHORTAGES}: an Artillery marker adds 1 (rulebook 13.2)"
        findings.contradict(path, f"a roll of 15 is {shown(at[15].name)} with other effects", wanted)
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
        for effect in row.effects:
            if isinstance(effect, PauseDivisions) and in_play <= set(effect.divisions):
                findings.contradict((*path, index), "pauses every division", "a part of the force (rulebook 16.1)")


def _check_tables(file: BoardFile, findings: Findings) -> None:
    """Ask for the markers of the example of play, and for tables that cover the die. Source: 6.4.1, 13.4."""
    for name, number in (("artillery", 6), ("engineer", 2)):
        if getattr(file.markers, name) < number:
            problem = f"is {getattr(file.markers, name)}"
            findings.contradict(("markers", name), problem, f"{number} at least (rulebook 13.4)")
    covered = Counter(roll for row in file.bloody_streets for roll in range(row.low, row.high + 1))
    for roll in range(1, 7):
        if covered[roll] != 1:
            findings.add(("bloody_streets",), f"{covered[roll]} rows are for a roll of {roll}", "one row for each roll")


def _listed(names: Iterable[str]) -> str:
    """List names in the order of their numbers."""
    return ", ".join(sorted(names, key=lambda name: (len(name), name)))
