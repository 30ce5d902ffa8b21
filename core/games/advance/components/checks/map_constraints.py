"""What the rulebook's text demands of any map of this game: Areas, terrain, the Volga, adjacency.

Only what the text forces is asked for. Names, terrain and boundaries that the text leaves open may differ from the
packaged board, which reconstructs them.
"""

from collections import Counter

from core.board_file import Findings, plain_name, same_name, shown
from core.board_rows import at_path
from core.games.advance.components.board_model import NO_TERRAIN, TERRAINS
from core.games.advance.components.board_rows import AREAS, COUNTERS, PAIRS, UNITS, AreaRow, BoardRows, UnitRow
from core.games.advance.components.checks.board_schema import GERMAN_START
from core.geometry.paths import distances, neighbourhood
from core.toml_lines import Path

AREA_NUMBERS = range(1, 51)
NORTHERN = frozenset({48, 49, 50})
NORTHERN_NEIGHBOURS = frozenset({42, 43, 44, 45, 46, 47})
VOLGA = frozenset({8, 10, 12, 13, 14, 22, 25, 26, 37, 41, 42})

NAMES = {
    1: ("Hill 126.3", "5.3.1"),
    2: ("Hill 144.5", "5.3.1"),
    3: ("Dubovaya Woods", "5.3.1"),
    4: ("Tsaritsa Woods", "5.3.1"),
    5: ("Leather Factory", "5.3.1"),
    6: ("Hill 120.0", "5.3.1"),
    8: ("Sawmill", "13.4"),
    10: ("Grain Elevator", "13.4"),
    14: ("9 January Square", "14.3.1"),
    21: ("Mamayev Kurgan", "14.3.1"),
    23: ("Banny Gully", "14.3.1"),
    24: ("Red October Worker's Settlement", "14.3.1"),
    28: ("Hill 107.5", "14.3.1"),
    29: ("Hill 98.9", "14.3.1"),
    34: ("Mechetka Ravine", "14.3.1"),
    45: ("Hill 135.4", "14.3.1"),
    48: ("Yerzovka", "5.3.1"),
    49: ("Vinnovka", "5.3.1"),
    50: ("Latashanka", "5.3.1"),
}
"""Areas that the text gives by number and name together."""

FACTORY_TERRAIN = {
    **dict.fromkeys((14, 22, 25, 26, 41), "heavy_urban"),
    **dict.fromkeys((35, 36, 37, 38, 39, 40, 42), "light_urban"),
    **dict.fromkeys((21, 43), "elevated"),
    44: "clear",
}
"""Source: 14.5.1."""

TERRAIN_OF = {**FACTORY_TERRAIN, 10: "heavy_urban"}
"""Areas whose terrain the text gives: those of 14.5.1 and the Grain Elevator (13.4)."""

TEM = {"clear": 1, "elevated": 2, "light_urban": 3, "heavy_urban": 4}
TEM_EXCEPTIONS = {
    "Stalingradski Airfield": ("clear", 2),
    "Mamayev Kurgan": ("elevated", 4),
    "Central Rail Station": ("light_urban", 4),
}
"""Source: 9.5.3B."""


def check_map(plain: dict[str, object], rows: BoardRows, findings: Findings) -> None:
    """Note everything about the map that contradicts the text."""
    _check_numbers(rows, findings)
    for row in rows.areas:
        _check_start(row, findings)
        _check_terrain(row, findings)
        _check_name(row, findings)
    _check_names_unique(rows, findings)
    _check_exceptions_present(rows, findings)
    _check_enough_counters(rows, findings)
    _check_centres(rows, findings)
    _check_range(plain, rows, findings)
    _check_pairs(rows, findings)
    if rows.are_whole(PAIRS):
        near = neighbours(rows)
        _check_northern(rows, findings)
        _check_connected(near, findings)
        _check_example_of_play(rows, near, findings)


def neighbours(rows: BoardRows) -> dict[int, tuple[int, ...]]:
    """Return the neighbours of each of the fifty Areas, both ways."""
    return neighbourhood(((pair.one, pair.other) for pair in rows.pairs), AREA_NUMBERS)


def _check_numbers(rows: BoardRows, findings: Findings) -> None:
    """Ask for fifty Areas, numbered 1 to 50. Source: 3.1, 3.1.1."""
    seen: set[int] = set()
    for row in rows.areas:
        if row.id in seen:
            findings.add((*AREAS, row.at, "id"), f"Area {row.id} is there twice", "each number once (rulebook 3.1.1)")
        seen.add(row.id)
    missing = [str(number) for number in AREA_NUMBERS if number not in seen]
    if missing and rows.are_whole(AREAS):
        findings.add(AREAS, f"Area {', '.join(missing)} is missing", "the Areas 1 to 50 (rulebook 3.1)")


def _check_start(row: AreaRow, findings: Findings) -> None:
    """Ask for the Volga Areas and the control at the start. Source: 3.1, 3.1.1, 5.2, 5.3.1, 14.2, 14.5.1."""
    path = (*AREAS, row.at)
    is_volga = row.id in VOLGA
    if row.volga != is_volga:
        listed = ", ".join(map(str, sorted(VOLGA)))
        wanted = "true" if is_volga else "false"
        findings.add((*path, "volga"), f"is {shown(row.volga)}", f"{wanted}: at the Volga are {listed} (rulebook 3.1)")
    side = "german" if row.id in GERMAN_START else "soviet"
    if row.control != side:
        source = "rulebook 5.3.1" if side == "german" else "rulebook 14.2, 14.5.1"
        findings.add((*path, "control"), f"is {shown(row.control)}", f'"{side}" for Area {row.id} ({source})')


def _check_terrain(row: AreaRow, findings: Findings) -> None:
    """Ask for the terrain the text gives, and for the TEM of the terrain. Source: 3.1.2, 9.5.3B, 13.4, 14.5.1."""
    path = (*AREAS, row.at)
    if row.id in GERMAN_START:
        if row.terrain != NO_TERRAIN:
            wanted = f'"{NO_TERRAIN}": Areas that begin German have no terrain type (rulebook 3.1.2)'
            findings.add((*path, "terrain"), f"is {shown(row.terrain)}", wanted)
        if row.tem != 0:
            findings.add((*path, "tem"), f"is {row.tem}", "0: Areas that begin German have no TEM (rulebook 3.1.2)")
        return
    exception = next((value for name, value in TEM_EXCEPTIONS.items() if same_name(name, row.name)), None)
    terrain = TERRAIN_OF.get(row.id) or (exception[0] if exception else None)
    if terrain is not None and row.terrain != terrain:
        source = "9.5.3B" if row.id not in TERRAIN_OF else "13.4" if row.id == 10 else "14.5.1"
        findings.add((*path, "terrain"), f"is {shown(row.terrain)}", f'"{terrain}" (rulebook {source})')
    elif row.terrain == NO_TERRAIN:
        wanted = f"one of {', '.join(TERRAINS)}: Area {row.id} begins Soviet (rulebook 3.1.2)"
        findings.add((*path, "terrain"), f"is {shown(row.terrain)}", wanted)
    else:
        tem = exception[1] if exception else TEM[row.terrain]
        if row.tem != tem:
            findings.add((*path, "tem"), f"is {row.tem}", f"{tem} for {row.name}, {row.terrain} (rulebook 9.5.3B)")


def _check_name(row: AreaRow, findings: Findings) -> None:
    """Ask for the names the text gives. Source: 5.3.1, 13.4, 14.3.1."""
    name, source = NAMES.get(row.id, (row.name, ""))
    if not same_name(name, row.name):
        findings.add((*AREAS, row.at, "name"), f"is {shown(row.name)}", f'"{name}" (rulebook {source})')


def _check_names_unique(rows: BoardRows, findings: Findings) -> None:
    """Ask for different names, so that people know which Area is meant."""
    seen: dict[str, int] = {}
    for row in rows.areas:
        other = seen.setdefault(plain_name(row.name), row.id)
        if other != row.id:
            findings.add((*AREAS, row.at, "name"), f"is {shown(row.name)}, as of Area {other}", "a name of its own")


def _check_exceptions_present(rows: BoardRows, findings: Findings) -> None:
    """Ask for the three Areas whose TEM the text gives by name. Source: 9.5.3B."""
    if not rows.are_whole(AREAS):
        return
    for name, (terrain, tem) in TEM_EXCEPTIONS.items():
        if not any(same_name(name, row.name) for row in rows.areas):
            findings.add(AREAS, f"no Area is named {name}", f"one, {terrain} with TEM {tem} (rulebook 9.5.3B)")


def _check_enough_counters(rows: BoardRows, findings: Findings) -> None:
    """Ask for no more Areas of a terrain than there are Soviet counters for it. Source: 5.4."""
    if not rows.are_whole(AREAS, COUNTERS):
        return
    have = Counter(row.terrain for row in rows.counters)
    need = Counter(row.terrain for row in rows.areas if row.id not in GERMAN_START)
    for terrain in TERRAINS:
        if need[terrain] > have[terrain]:
            problem = f"{need[terrain]} Areas are {terrain}, but only {have[terrain]} counters"
            findings.add(AREAS, problem, "a counter for each Area (rulebook 5.4)")


def _check_centres(rows: BoardRows, findings: Findings) -> None:
    """Ask for a spot of its own for each Area, so that the map can be drawn."""
    seen: dict[tuple[int, int], int] = {}
    for row in rows.areas:
        other = seen.setdefault((row.x, row.y), row.id)
        if other != row.id:
            findings.add((*AREAS, row.at, "x"), f"x and y are those of Area {other}", "a spot of its own")


def _check_range(plain: dict[str, object], rows: BoardRows, findings: Findings) -> None:
    """Ask that every Area lies within the map's ranges."""
    for axis in ("x", "y"):
        path: Path = ("map", f"{axis}_range")
        ends = at_path(plain, path)
        if findings.has_any(path) or not isinstance(ends, list):
            continue
        low, high = ends
        if low >= high:
            findings.add(path, f"is {shown(ends)}", "the lower end first")
            continue
        for row in rows.areas:
            value = row.x if axis == "x" else row.y
            if not low <= value <= high:
                findings.add((*AREAS, row.at, axis), f"is {value}", f"{low} to {high}, as {axis}_range says")


def _check_pairs(rows: BoardRows, findings: Findings) -> None:
    """Ask for pairs of different Areas, each pair once. Source: 3.1."""
    seen: set[tuple[int, int]] = set()
    for pair in rows.pairs:
        path = (*PAIRS, pair.at)
        normal = (min(pair.one, pair.other), max(pair.one, pair.other))
        if pair.one == pair.other:
            findings.add(path, f"pairs Area {pair.one} with itself", "two different Areas (rulebook 3.1)")
        elif normal in seen:
            findings.add(path, f"{normal[0]} and {normal[1]} are paired twice", "each pair once, in either order")
        seen.add(normal)


def _check_northern(rows: BoardRows, findings: Findings) -> None:
    """Ask for the neighbours of 48, 49 and 50: exactly 42 to 47 between them. Source: 12.2."""
    expected = "48, 49 and 50 to touch 42, 43, 44, 45, 46 and 47, no others (rulebook 12.2)"
    found: set[int] = set()
    for pair in rows.pairs:
        ends = {pair.one, pair.other}
        outside = ends - NORTHERN
        if len(outside) == 1 and len(ends) == 2:
            found |= outside
            if not outside <= NORTHERN_NEIGHBOURS:
                findings.add((*PAIRS, pair.at), f"pairs {pair.one} with {pair.other}", expected)
    for number in sorted(NORTHERN_NEIGHBOURS - found):
        findings.add(PAIRS, f"Area {number} is next to none of 48, 49 and 50", expected)


def _check_connected(near: dict[int, tuple[int, ...]], findings: Findings) -> None:
    """Ask for a way from every Area to every other: a map without one cannot be won. Source: 11.1."""
    reached = distances((1,), near.__getitem__)
    lost = [str(number) for number in AREA_NUMBERS if number not in reached]
    if lost:
        findings.add(PAIRS, f"no way leads from Area 1 to {', '.join(lost)}", "a connected map")


def _check_example_of_play(rows: BoardRows, near: dict[int, tuple[int, ...]], findings: Findings) -> None:
    """Ask that the example of play can happen: the 29th is in 8 on turn 2 and goes to 10. Source: 13.4.

    Its units have had one turn to get to 8. The last step costs at least 2 because of the Soviet unit in 10, every
    other at least 1, so that a unit comes from at most its Movement Factor less one Areas away.
    """
    if 10 not in near[8]:
        findings.add(PAIRS, "8 and 10 are not adjacent", "the pair [8, 10] (rulebook 13.4)")
    steps = distances((8,), near.__getitem__)
    for unit in rows.units:
        if unit.division == "29" and unit.setup.isdecimal() and not _comes_to_8(unit, steps):
            findings.add(
                (*UNITS, unit.at, "setup"),
                f"is {shown(unit.setup)}, too far from Area 8 for one turn",
                f"at most {unit.movement - 1} Areas from 8 (rulebook 13.4)",
            )


def _comes_to_8(unit: UnitRow, steps: dict[int, int]) -> bool:
    distance = steps.get(int(unit.setup))
    return distance is not None and distance < unit.movement
