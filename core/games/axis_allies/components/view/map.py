"""The two boards for people: places to draw, how they look before a match begins, and a list for the terminal."""

from functools import lru_cache

from core.drawing.board_plans import load_plans
from core.drawing.board_report import MapReporter, columns, source_remark
from core.drawing.frozen_rivers import frozen
from core.drawing.linked_boards import Area, LinkedBoards
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_file import BOARD_FILE
from core.games.axis_allies.components.board_model import DON_BORDER, ROAD, Board, Zone
from core.games.axis_allies.components.map_records import BOARDS, BROWN, CITY, GRAY, LIMITED, REGION, UNLIMITED, WHITE
from core.narration.render_model import MapPlace
from core.narration.sheet import Badge, Feature, Ground, Land, Sheet
from core.svg.badges import HEXAGON
from core.svg.badges import PLATE as BASE
from core.svg.scenery import DOT, EXIT, GATE
from events.ids import PlaceId

WEST = "west"
EAST = "east"
CROSSING, SITE, OPEN = "crossing", "ambush site", "open"
PLATE = ((-50, -52), (56, -52), (56, 52), (-50, 52), (-72, 0))
"""The corners of a Volga Crossing around its middle; it points to the city."""

TITLE = "Axis & Allies: Stalingrad"
GROUNDS = (
    Ground(WEST, "Region Board, west of the Don", "west", "grass"),
    Ground(EAST, "Region Board, the rest", "clear"),
    Ground(GRAY, "gray sector", "gray", "dots"),
    Ground(BROWN, "brown sector", "brown", "stripes"),
    Ground(WHITE, "white sector", "white"),
    Ground(OPEN, "east of the Volga", "light"),
    Ground(CROSSING, "Volga Crossing", "panel"),
    Ground(SITE, "Ambush Site: its points lead to its zones", "ink"),
)
RED_LINE = Feature(ROAD, "road", "road", 3, "10 4", edge="paper", is_across=True)
FEATURES = (Feature(DON_BORDER, "the Don", "water", 9, edge="bank"),)
RIVERS = {"Don": DON_BORDER, "Volga": "volga"}
"""What each river is on the drawn boards."""
SYMBOLS = {
    "infantry": "Infantry",
    "mechanized": "Mechanized Infantry",
    "artillery": "Artillery",
    "armour": "Tank",
    "assault-gun": "Assault Gun",
    "rocket": "Rocket Launcher",
    "fighter": "Fighter",
    "bomber": "Bomber",
    "supply": "supply token",
}
PRINTS = {
    "3/2": "attack value and defense value; – none",
    "×2": "so many of a kind",
    "minor": "Minor Axis",
    "air": "in the air",
    "Ax Al": "Axis, Allies; no supply: their units there are unsupplied",
}
CONTROL = {ids.AXIS: Badge("cross", title="Axis Control Marker")}
"""The Allies have no Control Markers."""
BADGES = {
    "cross": "Axis Control Marker; zones without one are the Allies'",
    HEXAGON: "Reinforcement Points of a zone",
    "fort": "fortified",
    "airfield": "airfield",
    "factory": "Factory token: T Tank, A Artillery; ! captured",
    "burst": "Combat Marker: A Assault, B Battle",
    "ship": "Ferry",
    "star": "Operation Uranus, from which round",
    "entry": "units enter here",
    DOT: "roads that meet",
    EXIT: "supply exit: cross of the Axis, dot of the Allies",
    GATE: "gate between the boards",
}
MARKERS = {
    ids.ASSAULT: Badge("burst", "A", "Combat Marker (Assault)"),
    ids.FERRY: Badge("ship", "", "Ferry"),
    ids.ICE_BRIDGE: Badge(BASE, "ICE", "Ice Bridge"),
    **{
        marker: Badge(BASE, f"{side[:2].capitalize()} no supply", f"{ids.SIDE_NAMES[side]} unsupplied")
        for side, marker in ids.UNSUPPLIED.items()
    },
    ids.BATTLE: Badge("burst", "B", "Combat Marker (Battle)"),
    **{marker: Badge("factory", name[0].upper(), f"{name} factory") for name, marker in ids.FACTORY.items()},
    **{
        marker: Badge("factory", f"{name[0].upper()}!", f"captured {name} factory")
        for name, marker in ids.CAPTURED_FACTORY.items()
    },
}
ENTRY_NAMES = {LIMITED: "one bought unit arrives", UNLIMITED: "bought units arrive"}
KEY = (
    "~ before a neighbour: the Don lies between; = before it: a road leads there. Neighbours on the other board are marked with *.",
)
REMARK = (
    "The printed boards were not available: all shapes, most borders, the courses of roads and of the Volga, Reinforcement Points and the Ambush Sites' zones are "
    "reconstructed, and marked so field by field."
)


@lru_cache(maxsize=8)
def drawn_boards(board: Board) -> LinkedBoards:
    """Return both boards as they are drawn."""
    areas = [
        Area(zone.id, zone.name, zone.board, (zone.x, zone.y), zone.edge, zone.exit) for zone in board.zones.values()
    ]
    roads, plans = board.file.roads, load_plans(ids.PACKAGE)
    return LinkedBoards(plans, areas, board.links, roads=roads.rows, junctions=roads.junctions, sides=ids.SIDE_NAMES)


def map_places(board: Board) -> tuple[MapPlace, ...]:
    """Return every zone, Volga Crossing and Ambush Site as it is drawn, by board in the order of the file."""
    drawn = drawn_boards(board)
    found = drawn.places()
    for row in board.crossings.values():
        spot = drawn.plans[CITY].midstream(row.y)
        shape = tuple((spot[0] + x, spot[1] + y) for x, y in PLATE)
        found.append(MapPlace(row.id, row.name, "", *spot, (), map=CITY, kind="crossing", outline=shape))
    for site in board.sites.values():
        there = [drawn.centres[place] for place in site.zones]
        middle = (sum(x for x, _ in there) // len(there), sum(y for _, y in there) // len(there))
        found.append(MapPlace(site.id, site.name, "*", *middle, map=CITY, kind="ambush site"))
    return tuple(found)


@lru_cache(maxsize=8)
def sheet(board: Board) -> Sheet:
    """Return the printed boards, whatever the table."""
    names, land = {place: zone.name for place, zone in board.zones.items()}, dict[PlaceId, Land]()
    for zone in board.zones.values():
        title = ", ".join((zone.name, *_features(board, zone)))
        land[zone.id] = Land(_area(board, zone), badges=_badges(zone), title=title)
    for crossing in board.crossings.values():
        land[crossing.id] = Land(CROSSING, title=f"{crossing.name} to {names[crossing.landing]}")
    for site in board.sites.values():
        zones_of = ", ".join([names[place] for place in site.zones])
        land[site.id] = Land(SITE, points=site.zones, title=f"{site.name}: {zones_of}", is_small=True)
    drawn = drawn_boards(board)
    return Sheet(
        title=TITLE,
        places=map_places(board),
        land=land,
        grounds=GROUNDS,
        features=FEATURES,
        maps=BOARDS,
        sides=ids.SIDES,
        remark=source_remark(board.source, REMARK),
        backdrops=drawn.backdrops(),
        courses=drawn.courses(RED_LINE),
        marks=drawn.marks(),
        markers=MARKERS,
        holders=CONTROL,
        badges=BADGES,
        symbols=SYMBOLS,
        prints=PRINTS,
        near_cell=235,
        over={place: ids.above(place) for place in (*board.crossings, *board.sites)},
    )


@lru_cache(maxsize=16)
def sheet_in_play(board: Board, rivers: tuple[str, ...]) -> Sheet:
    """Return the printed boards with some rivers, by their names, under ice."""
    return frozen(sheet(board), {RIVERS[river]: f"the {river}, frozen" for river in rivers})


def _area(board: Board, zone: Zone) -> str:
    if not zone.sector and not drawn_boards(board).near(zone.id):
        return OPEN
    if zone.board == REGION:
        return WEST if zone.is_west else EAST
    return zone.sector


def _badges(zone: Zone) -> tuple[Badge, ...]:
    """Return what is printed below the name of a zone."""
    enters = bool(zone.entry) or zone.takes_free_infantry or zone.takes_storm
    badges = [
        (zone.base is not None, Badge(BASE, "BASE")),
        (zone.rp > 0, Badge(HEXAGON, str(zone.rp))),
        (zone.is_fortified, Badge("fort")),
        (zone.has_airfield, Badge("airfield")),
        (bool(zone.front), Badge("star", f"{zone.opens}{'' if zone.opens == 7 else '+'}")),
        (enters, Badge("entry")),
    ]
    return tuple(badge for is_there, badge in badges if is_there)


def _features(board: Board, zone: Zone) -> tuple[str, ...]:
    """Name what a zone is and has."""
    found = [
        (bool(zone.sector), f"{zone.sector} sector"),
        (zone.is_west, "west of the Don"),
        (zone.base is not None, f"base zone of the {ids.SIDE_NAMES[zone.base]}" if zone.base else ""),
        (zone.rp > 0, f"{zone.rp} RP"),
        (zone.is_fortified, "fortified"),
        (zone.has_airfield, "airfield"),
        (zone.exit is not None, f"{ids.SIDE_NAMES[zone.exit]} exit {zone.edge}" if zone.exit else ""),
        (bool(zone.entry), ENTRY_NAMES.get(zone.entry, "")),
        (zone.takes_free_infantry, "free Axis infantry"),
        (zone.takes_storm, "Operation Winter Storm"),
        (bool(zone.front), f"Operation Uranus {zone.front} from round {zone.opens}"),
        (any(row.landing == zone.id for row in board.crossings.values()), "landing zone"),
    ]
    return tuple(text for is_there, text in found if is_there)


def map_lines(board: Board) -> tuple[str, ...]:
    """List the zones of both boards for a terminal, then the Volga Crossings and the Ambush Sites."""
    lines: list[str] = []
    for name, title in BOARDS.items():
        zones = [zone for zone in board.zones.values() if zone.board == name]
        rows = [(zone.id, zone.name, ", ".join(_features(board, zone)), _near(board, zone)) for zone in zones]
        lines += [title, "", *columns(("Zone", "Name", "Features", "Adjacent to"), rows), ""]
    crossings = [(row.id, row.name, f"lands in {board.zones[row.landing].name}") for row in board.crossings.values()]
    sites = [(row.id, row.name, f"connected to {', '.join(row.zones)}") for row in board.sites.values()]
    return (*KEY, "", *lines, *columns(("Place", "Name", ""), [*crossings, *sites]))


def _near(board: Board, zone: Zone) -> str:
    """List the neighbours of a zone with the signs of `KEY`."""
    found = []
    for other in zone.near:
        border = board.links.border(zone.id, other)
        features = () if border is None else border.features
        signs = f"{'~' if DON_BORDER in features else ''}{'=' if ROAD in features else ''}"
        found.append(f"{signs}{other}{'' if board.zones[other].board == zone.board else '*'}")
    return " ".join(found)


make_report = MapReporter(BOARD_FILE, map_lines, sheet)
"""Shows the shipped board, or an owner's."""
