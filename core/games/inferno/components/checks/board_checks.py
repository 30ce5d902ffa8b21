"""Consistency of several places of a board file.

Each demand is either one without which no match can be played, or a statement of the rulebook's text that the shipped file cannot
show figure by figure, because it is about sums, places or names of rows that are reconstructed. Only a variant may contradict
the latter.
"""

from collections import Counter

from core.file_checks.shared_checks import in_number_order
from core.games.inferno.components.board_records import (
    DIRECTIONS,
    DIVISION,
    GUARDS,
    INFANTRY,
    TANK,
    URBAN,
    WHITE,
    BoardFile,
    GermanRow,
    SpawnTable,
)
from core.games.inferno.components.checks.card_checks import check_cards
from core.games.inferno.components.checks.unit_checks import GERMANS, HEXES, check_units
from core.geometry.hexes import Hex, HexMap, neighbours
from core.geometry.paths import distances
from core.toml.findings import Findings, shown
from core.toml.toml_lines import Path
from events.ids import PlaceId

TABLES: Path = ("spawn", "tables")

URBAN_IN_TEXT = ("7", "9", "26", "32")
NOT_URBAN_IN_TEXT = ("4", "21", "28")
"""Source: components.urban-hexes, designer.fortification.rubble-too."""

COMPASS_IN_TEXT = (("7", 6, "6"), ("25", 5, "24"))
"""From a hex, with a die, to a hex. Source: ai.compass."""


def check_board(file: BoardFile, findings: Findings) -> None:
    """Note all that keeps a board from being played on, and all that contradicts the text."""
    _check_hexes(file, findings)
    _check_set_up(file, findings)
    _check_track(file, findings)
    _check_spawn(file, findings)
    check_units(file, findings)
    check_cards(file, findings)


def _check_hexes(file: BoardFile, findings: Findings) -> None:
    """Ask for a grid: a place of its own for each hex, all connected, the river beside the coast, six directions.

    Source: components.playing-area, ai.compass.
    """
    at: dict[Hex, PlaceId] = {}
    for index, row in enumerate(file.hexes.rows):
        other = at.setdefault(Hex(row.q, row.r), row.id)
        if other != row.id:
            findings.add((*HEXES, index, "q"), f"q and r are those of hex {other}", "a place of its own")
    directions = file.compass.directions
    for direction in DIRECTIONS:
        if directions.count(direction) != 1:
            problem = f"{direction} is there {directions.count(direction)} times"
            findings.add(("compass", "directions"), problem, "each direction once")
    water = {Hex(*hex_) for hex_ in file.river.hexes}
    for index, hex_ in enumerate(file.river.hexes):
        if Hex(*hex_) in at:
            findings.add(("river", "hexes", index), f"is hex {at[Hex(*hex_)]} of the game", "a place off the map")
    for index, row in enumerate(file.hexes.rows):
        if row.is_coastal and not water.intersection(neighbours(Hex(row.q, row.r))):
            findings.add((*HEXES, index, "coast"), "touches no hex of the river", "one of river.hexes beside it")
    if findings.has_any(HEXES) or findings.has_any(("compass",)):
        return
    grid = HexMap({row.id: Hex(row.q, row.r) for row in file.hexes.rows})
    near = grid.adjacency().neighbours
    lost = near.keys() - distances((file.hexes.rows[0].id,), near.__getitem__).keys()
    if lost:
        problem = f"no way leads from hex {file.hexes.rows[0].id} to {in_number_order(lost)}"
        findings.add(HEXES, problem, "a connected map")
    _check_places_of_the_text(file, grid, findings)


def _check_places_of_the_text(file: BoardFile, grid: HexMap, findings: Findings) -> None:
    """Ask for the neighbours, directions and terrains that the text's examples show.

    Source: ai.compass, components.orientation, components.urban-hexes,
    designer.fortification.rubble-too.
    """
    ways = [DIRECTIONS.index(direction) for direction in file.compass.directions]
    if file.compass.directions[0] != "east":
        problem = f"1 leads {file.compass.directions[0]}"
        findings.contradict(("compass", "directions"), problem, "east, toward the Volga (rulebook: direction 1)")
    for start, die, end in COMPASS_IN_TEXT:
        found = grid.neighbour(PlaceId(start), ways[die - 1])
        if found != end:
            findings.contradict(
                HEXES, f"a {die} leads from {start} to {found or 'no hex'}", f"{end} (rulebook: Move Action)"
            )
    near = {place: set(grid.places(neighbours(hex_))) for place, hex_ in grid.hexes.items()}
    around = near[PlaceId("24")]
    if not {"7", "8", "25"} <= around or "9" in around:
        problem = f"24 touches {in_number_order(around)}"
        findings.contradict(HEXES, problem, "7, 8 and 25, and not 9 (rulebook: Chuikov)")
    seven, nine, opposite = (grid.hexes[PlaceId(place)] for place in ("7", "9", "25"))
    if not (seven.q < nine.q == opposite.q and nine.r < opposite.r):
        wanted = "7 north of both, 9 and 25 level, 9 nearer the Volga (rulebook: order of the dice)"
        findings.contradict(HEXES, "7, 9 and 25 are not in the order of the example", wanted)
    if len(near[PlaceId("9")]) != 4:
        problem = f"9 touches {in_number_order(near[PlaceId('9')])}"
        findings.contradict(HEXES, problem, "four hexes (rulebook: Deliberate Attack)")
    for index, row in enumerate(file.hexes.rows):
        if row.id in URBAN_IN_TEXT and row.terrain != URBAN:
            findings.contradict((*HEXES, index, "terrain"), f"is {shown(row.terrain)}", f"{URBAN} (rulebook)")
        if row.id in NOT_URBAN_IN_TEXT and row.terrain == URBAN:
            wanted = "clear or rough (rulebook: only 26 and 32 of the fortified hexes are Urban)"
            findings.contradict((*HEXES, index, "terrain"), f"is {shown(row.terrain)}", wanted)


def _check_set_up(file: BoardFile, findings: Findings) -> None:
    """Ask for a set-up that can be carried out: room, control, and blocks enough. Source: setup.step-3 to "step-9"."""
    german = set(file.setup.german_control)
    for index, row in enumerate(file.hexes.rows):
        if row.is_setup and row.id in german:
            findings.add((*HEXES, index, "setup"), "a Setup hex is German-controlled", "a Soviet-controlled hex")
    there: Counter[str] = Counter()
    for index, block in enumerate(file.german_blocks.rows):
        if block.start is None:
            continue
        there[block.start] += 1
        if block.start not in german or block.is_axe:
            wanted = "a hex of setup.german_control, for a block without an axe"
            findings.add((*GERMANS, index, "start"), f"is {shown(block.start)}", wanted)
    for index, drawn in enumerate(file.setup.random_infantry):
        path: Path = ("setup", "random_infantry", index)
        there[drawn.hex] += drawn.number
        if drawn.hex not in german:
            findings.add((*path, "hex"), f"is {shown(drawn.hex)}", "a hex of setup.german_control")
        rest = len(_infantry(file, drawn.colour))
        needed = sum(one.number for one in file.setup.random_infantry if one.colour == drawn.colour)
        if needed > rest:
            findings.add(
                (*path, "number"), f"asks for {needed} {drawn.colour} Infantry in all", f"{rest} at most, as there are"
            )
    for place, number in there.items():
        if number > file.limits.stack:
            findings.add(
                GERMANS, f"{number} units begin in {place}", f"{file.limits.stack} at most, as limits.stack says"
            )
    _check_pools(file, findings)


def _check_pools(file: BoardFile, findings: Findings) -> None:
    """Ask that the blocks left over from the pools fill the Setup hexes. Source: setup.step-4, setup.step-6."""
    pools = Counter[str](row.pool for row in file.soviet_blocks.rows)
    guards = sum(row.kind == GUARDS for row in file.soviet_blocks.rows)
    left = pools[TANK] - file.setup.tank_pool + pools[INFANTRY] - file.setup.infantry_pool
    hexes = sum(row.is_setup for row in file.hexes.rows)
    if left != hexes:
        problem = f"{left} Tanks and Infantry are left over from the pools"
        findings.add(("setup", "infantry_pool"), problem, f"{hexes}, one for each Setup hex")
    for name, pool in (("tank_pool", TANK), ("infantry_pool", INFANTRY)):
        if getattr(file.setup, name) > pools[pool]:
            findings.add(("setup", name), f"is {getattr(file.setup, name)}", f"{pools[pool]} at most, as there are")
    if guards > file.setup.infantry_pool:
        findings.add(("setup", "infantry_pool"), f"is {file.setup.infantry_pool}", f"{guards} or more, for the Guards")
    needed = file.setup.infantry_pool - guards
    late = sum(row.kind == DIVISION and row.steps[0].strength == 4 for row in file.soviet_blocks.rows)
    if file.designers_way.late_divisions != needed or late < needed:
        problem = f"is {file.designers_way.late_divisions}, and {late} divisions have four dots"
        wanted = f"{needed}, as many as the Infantry pool holds besides the Guards, and no more than there are"
        findings.add(("designers_way", "late_divisions"), problem, wanted)


def _check_track(file: BoardFile, findings: Findings) -> None:
    """Ask that the blocks fill the Reinforcement Track, and for a row of its own for each R unit.

    Source: setup.step-9, components.reinforcement-track, components.r-units.
    """
    track = file.track
    base = sum(not row.is_axe and row.start is None for row in file.german_blocks.rows)
    left = base - sum(drawn.number for drawn in file.setup.random_infantry)
    if left != track.rows * track.boxes:
        problem = f"has {track.rows * track.boxes} boxes"
        findings.add(("track", "boxes"), problem, f"{left}, one for each block that is not set up on the map")
    taken = sum(drawn.number for drawn in file.setup.random_infantry if drawn.colour == WHITE)
    white = len(_infantry(file, WHITE)) - taken
    if track.white_boxes > track.boxes or track.white_boxes * track.rows > white:
        wanted = f"{track.boxes} at most, and White Infantry for each row, of which there are {white}"
        findings.add(("track", "white_boxes"), f"is {track.white_boxes}", wanted)
    r_units = {row.id for row in file.german_blocks.rows if row.is_r_unit}
    named = Counter(row.unit for row in track.removed_units)
    for index, removed in enumerate(track.removed_units):
        path: Path = ("track", "removed_units", index)
        if removed.row > track.rows:
            findings.add((*path, "row"), f"is {removed.row}", f"1 to {track.rows}")
        if named[removed.unit] > 1:
            findings.add((*path, "unit"), f"{shown(removed.unit)} is there twice", "each unit once")
        if removed.unit not in r_units:
            findings.contradict(
                (*path, "unit"), f"is {shown(removed.unit)}", "a unit marked R (rulebook: Removed units)"
            )
    for missing in sorted(r_units - named.keys()):
        findings.contradict(("track", "removed_units"), f"no row Removes {missing}", "a row for each R unit")
    if track.raus_row > track.rows:
        findings.add(("track", "raus_row"), f"is {track.raus_row}", f"1 to {track.rows}")


def _check_spawn(file: BoardFile, findings: Findings) -> None:
    """Ask for the six Soviet Spawn Hexes in the order and in each table, and for what the text says of the icons.

    Source: soviet.spawn.order, soviet.spawn.table, soviet.spawn.max-nine.
    """
    order = file.spawn.order
    spawn = {row.id for row in file.hexes.rows if row.spawn == "soviet"}
    if len(set(order)) != len(order) or set(order) != spawn:
        wanted = f"each Soviet Spawn Hex once: {in_number_order(spawn)}"
        findings.add(("spawn", "order"), f"names {in_number_order(order) or 'no hex'}", wanted)
    for index, table in enumerate(file.spawn.tables):
        path = (*TABLES, index, "units")
        named = {units.hex for units in table.units}
        if named != set(order):
            findings.add(
                path, f"is for {in_number_order(named)}", f"a row for each hex of spawn.order: {in_number_order(order)}"
            )
            continue
        infantry, tanks = (sum(getattr(units, name) for units in table.units) for name in ("infantry", "tanks"))
        if (infantry, tanks) != (6, 3):
            problem = f"spawns {infantry} Infantry and {tanks} Tanks"
            findings.contradict(path, problem, "6 and 3 (rulebook: Spawn Action)")
        for hex_ in _wrong_hexes(table):
            wanted = (
                "a Tank in 3 and 19; two units, one of them Infantry, in 3, 13 and 19 alone (rulebook: Spawn Action)"
            )
            findings.contradict(path, f"hex {hex_} is due what the text excludes", wanted)


def _wrong_hexes(table: SpawnTable) -> list[str]:
    """Return the hexes that are due what the text's examples exclude; table C reads 7 for 13 in one of them."""
    pairs = ("3", "7", "19") if table.id == "C" else ("3", "13", "19")
    return [
        units.hex
        for units in table.units
        if (units.hex in ("3", "19") and not units.tanks)
        or (units.number == 2) != (units.hex in pairs)
        or (units.hex in pairs and not units.infantry)
    ]


def _infantry(file: BoardFile, colour: str) -> list[GermanRow]:
    """Return the plain Infantry of a colour that is not set up in a hex of its own."""
    return [
        row
        for row in file.german_blocks.rows
        if row.kind == INFANTRY and row.colour == colour and row.start is None and not row.is_axe
    ]
