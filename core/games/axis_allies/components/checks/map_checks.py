"""Constraints of the two maps: links, the Don, roads, exits, crossings and Ambush Sites, without which no match can be played."""

from collections.abc import Iterator

from core.components.findings import Findings, shown
from core.components.shared_checks import check_pairs, listed
from core.games.axis_allies.components.board_records import BoardFile
from core.games.axis_allies.components.map_records import CITY, REGION, SECTORS, Pair, RoadRow, ZoneRow
from core.games.axis_allies.ids import ALLIES, AXIS, SIDES
from core.toml_lines import Path
from events.ids import PlaceId

ZONES: Path = ("zones", "rows")
ROADS: Path = ("roads", "rows")
EDGES = {AXIS: ("west", "south"), ALLIES: ("north", "east")}
"""The edges over which each side's supply lines leave the Region Board. Source: RuleId("supply.region.exit-zones")."""

FIRST_ROLL = 6
"""The first round with a Weather Roll. Source: RuleId("order.1.rounds-1-5")."""


def check_map(file: BoardFile, findings: Findings) -> None:
    """Ask for two maps that can be played on."""
    zones = {row.id: row for row in file.zones.rows}
    _check_zones(file, findings)
    _check_links(file, zones, findings)
    _check_roads(file, zones, findings)
    _check_crossings(file, zones, findings)
    for index, site in enumerate(file.ambush_sites.rows):
        outside = [place for place in site.zones if not zones[place].sector]
        if outside or len(set(site.zones)) < len(site.zones):
            wanted = "different zones of the city's sectors"
            findings.add(("ambush_sites", "rows", index, "zones"), f"connects {listed(site.zones)}", wanted)


def _check_zones(file: BoardFile, findings: Findings) -> None:
    """Ask for fields that go together, a spot of its own for each zone, and one base for each side with an airfield."""
    spots: dict[tuple[str, int, int], PlaceId] = {}
    for index, row in enumerate(file.zones.rows):
        for field, problem, wanted in _zone_defects(row):
            findings.add((*ZONES, index, field), problem, wanted)
        other = spots.setdefault((row.board, row.x, row.y), row.id)
        if other != row.id:
            findings.add((*ZONES, index, "x"), f"x and y are those of {other}", "a spot of its own")
    for side in SIDES:
        bases = [row.id for row in file.zones.rows if row.base == side]
        if len(bases) != 1:
            findings.add(ZONES, f"{listed(bases) or 'no zone'} is the base of {side}", "one base zone of each side")


def _zone_defects(row: ZoneRow) -> Iterator[tuple[str, str, str]]:
    """Yield the fields of a zone that contradict others of it, with problem and expectation."""
    if (row.board == REGION) and row.sector:
        yield "sector", f"is {shown(row.sector)}", "none on the Region Board"
    if row.board == CITY and (row.is_west or row.exit or row.base):
        yield "board", "is city, of a zone with west, base or exit", "region (these are printed there only)"
    if row.base and not row.has_airfield:
        yield "airfield", "is missing in a base zone", "true"
    if row.exit and row.edge not in EDGES[row.exit]:
        yield "edge", f"is {shown(row.edge)}", f"{' or '.join(EDGES[row.exit])}, over which {row.exit} lines leave"
    if bool(row.front) != bool(row.opens):
        yield "opens", f"is {row.opens}, with front {shown(row.front)}", "a round where there is a front, else none"


def _check_links(file: BoardFile, zones: dict[PlaceId, ZoneRow], findings: Findings) -> None:
    """Ask for links of one board or between both, a connected map west of the Volga, and a Don that parts the tan area.

    Source: RuleId("zone.adjacency"), RuleId("zone.volga.not-adjacent"), RuleId("zone.don.crossing"), RuleId("components.boards").
    """
    every: dict[str, tuple[Pair, ...]] = {**file.links.on_one_board, **file.links.between_boards}
    east = {file.crossings.start, *[row.id for row in zones.values() if row.base == ALLIES]}
    check_pairs(
        findings,
        {("links", name): pairs for name, pairs in every.items()},
        [place for place in zones if place not in east],
    )
    for name, pairs in every.items():
        joined = (CITY, REGION) if name in file.links.between_boards else None
        for index, (one, other) in enumerate(pairs):
            boards = (zones[one].board, zones[other].board)
            if boards != joined if joined else boards[0] != boards[1]:
                wanted = "a city zone, then a region zone" if joined else "two zones of one board"
                findings.add(("links", name, index), f"pairs {one} with {other}", wanted)
            if east & {one, other}:
                findings.add(("links", name, index), f"pairs {one} with {other}", "no link of a zone east of the Volga")
    linked = {frozenset(pair): pair for pairs in file.links.on_one_board.values() for pair in pairs}
    don = {frozenset(pair) for pair in file.links.don}
    for index, (one, other) in enumerate(file.links.don):
        if frozenset((one, other)) not in linked or zones[one].is_west == zones[other].is_west:
            wanted = "adjacent zones, one of them west of the Don"
            findings.add(("links", "don", index), f"pairs {one} with {other}", wanted)
    for pair, (one, other) in linked.items():
        if zones[one].is_west != zones[other].is_west and pair not in don:
            findings.add(("links", "don"), f"lacks {one} and {other}", "every border of the tan area with the rest")


def _check_roads(file: BoardFile, zones: dict[PlaceId, ZoneRow], findings: Findings) -> None:
    """Ask for roads that lead from zone to adjacent zone, exits at their ends, and junctions of roads that are there.

    Source: RuleId("zone.roads"), RuleId("supply.region.exit-zones"), RuleId("movement.road.contiguous").
    """
    linked = {
        frozenset(pair)
        for pairs in (*file.links.on_one_board.values(), *file.links.between_boards.values())
        for pair in pairs
    }
    exits: set[PlaceId] = set()
    for index, road in enumerate(file.roads.rows):
        exits.update(road.exits)
        for path, problem, wanted in _road_defects(road, linked, zones):
            findings.add((*ROADS, index, *path), problem, wanted)
    for index, row in enumerate(file.zones.rows):
        if row.exit and row.id not in exits:
            findings.add((*ZONES, index, "exit"), "no road leaves the board here", "the exit of a road, or no exit")
    roads = {road.id: road for road in file.roads.rows}
    for index, junction in enumerate(file.roads.junctions):
        for road_id in junction.roads:
            if junction.zone not in roads[road_id].zones:
                problem = f"{road_id} does not come to {junction.zone}"
                findings.add(("roads", "junctions", index, "roads"), problem, "roads of the zone")


def _road_defects(
    road: RoadRow, linked: set[frozenset[PlaceId]], zones: dict[PlaceId, ZoneRow]
) -> Iterator[tuple[Path, str, str]]:
    """Yield the places of a road's row that are wrong, with problem and expectation."""
    if len(set(road.zones)) < len(road.zones) or not road.zones:
        yield ("zones",), f"is {shown(list(road.zones))}", "zones, each once"
    for step, (one, other) in enumerate(zip(road.zones, road.zones[1:], strict=False)):
        if {one, other} not in linked:
            yield (
                ("zones", step + 1),
                f"leads from {one} to {other}, which do not touch",
                "a zone next to the one before",
            )
    for number, place in enumerate(road.exits):
        if place not in (road.zones[0], road.zones[-1]) or zones[place].exit is None:
            yield ("exits", number), f"is {place}", "an end of the road in a zone with an exit"


def _check_crossings(file: BoardFile, zones: dict[PlaceId, ZoneRow], findings: Findings) -> None:
    """Ask for a crossing of each sector that lands in it, from a zone of the city without a sector.

    Source: RuleId("zone.sectors"), RuleId("zone.krasnaya-sloboda").
    """
    start = zones[file.crossings.start]
    if start.board != CITY or start.sector or start.rp:
        wanted = "a city zone without sector and Reinforcement Points"
        findings.add(("crossings", "start"), f"is {start.id}", wanted)
    for index, row in enumerate(file.crossings.rows):
        if zones[row.landing].sector != row.sector:
            findings.add(("crossings", "rows", index, "landing"), f"is {row.landing}", f"a zone of sector {row.sector}")
    colours = [row.sector for row in file.crossings.rows]
    if sorted(colours) != sorted(SECTORS):
        findings.add(("crossings", "rows"), f"are of {', '.join(colours)}", "one crossing of each sector")
    for index, zone in enumerate(file.zones.rows):
        if zone.board == CITY and not zone.sector and zone.id != start.id:
            findings.add((*ZONES, index, "sector"), "is missing", f"one of {', '.join(SECTORS)}")
