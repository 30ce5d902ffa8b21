"""The two boards for people: places to draw, how they look before a match begins, and a list for the terminal."""

from core.components.board_report import MapReporter, columns, source_remark
from core.drawing.palette import RANKS
from core.drawing.sheet import Feature, Ground, Land, Sheet
from core.games.axis_allies.components.board_model import BOARD_FILE, DON_BORDER, ROAD, Board, Zone
from core.games.axis_allies.components.map_records import BOARDS, BROWN, CITY, GRAY, LIMITED, REGION, UNLIMITED, WHITE
from core.games.axis_allies.ids import SIDE_NAMES, SIDES
from core.geometry.cells import cells
from core.geometry.outlines import Outline
from core.render_model import MapBorder, MapPlace
from events.codec import replace
from events.ids import PlaceId

WEST = "west"
EAST = "east"
CROSSING, SITE, OPEN = "crossing", "ambush site", "open"
CELL_MARGIN = 45
"""How far the cells reach beyond the outermost centres, in pixels."""

TITLE = "Axis & Allies: Stalingrad"
GROUNDS = (
    Ground(WEST, "Region Board, west of the Don", "west", "grass"),
    Ground(EAST, "Region Board, the rest", "clear"),
    Ground(GRAY, "gray sector", "gray", "dots"),
    Ground(BROWN, "brown sector", "brown", "stripes"),
    Ground(WHITE, "white sector", "white"),
    Ground(OPEN, "east of the Volga", "light"),
    Ground(CROSSING, "Volga Crossing", "water"),
    Ground(SITE, "Ambush Site", "gold"),
)
FEATURES = (
    Feature(DON_BORDER, "the Don", "water", 9, edge="bank"),
    Feature(ROAD, "road", "road", 3, "10 4", edge="paper", is_across=True),
)
RIMS = {"first": "Axis supply line exit zone", "second": "Allied supply line exit zone"}
ENTRY_NAMES = {LIMITED: "one bought unit arrives", UNLIMITED: "bought units arrive"}
KEY = (
    "~ before a neighbour: the Don lies between; = before it: a road leads there. Neighbours on the other board are marked with *.",
)
REMARK = (
    "The printed boards were not available: most borders, the courses of roads, Reinforcement Points and the Ambush Sites' zones are "
    "reconstructed, and marked so field by field."
)


def map_places(board: Board) -> tuple[MapPlace, ...]:
    """Return every zone, Volga Crossing and Ambush Site as it is drawn, by board in the order of the file."""
    outlines, found = _outlines(board), list[MapPlace]()
    for zone in board.zones.values():
        place = MapPlace(zone.id, zone.name, "", zone.x, zone.y, map=zone.board, borders=_borders(board, zone))
        near = tuple(other for other in zone.near if board.zones[other].board == zone.board)
        found.append(replace(place, neighbours=near, outline=outlines.get(zone.id, ())))
    for row in board.crossings.values():
        banks = (row.landing, board.east_bank)
        found.append(MapPlace(row.id, row.name, "", row.x, row.y, neighbours=banks, map=CITY, kind="crossing"))
    for site in board.sites.values():
        found.append(MapPlace(site.id, site.name, "*", site.x, site.y, map=CITY, kind="ambush site"))
    return tuple(found)


def _outlines(board: Board) -> dict[PlaceId, Outline]:
    """Return the cells of both boards; zones east of the Volga have no links, and no cells."""
    found: dict[PlaceId, Outline] = {}
    for name in BOARDS:
        zones = {zone.id: zone for zone in board.zones.values() if zone.board == name}
        near = {place: [other for other in zone.near if other in zones] for place, zone in zones.items()}
        found |= cells({place: (zone.x, zone.y) for place, zone in zones.items()}, near, CELL_MARGIN)
    return found


def _borders(board: Board, zone: Zone) -> tuple[MapBorder, ...]:
    found = [(other, board.links.border(zone.id, other)) for other in zone.near]
    return tuple(MapBorder(other, border.features) for other, border in found if border is not None and border.features)


def sheet(board: Board) -> Sheet:
    """Return the printed boards, whatever the table."""
    names, land = {place: zone.name for place, zone in board.zones.items()}, dict[PlaceId, Land]()
    for zone in board.zones.values():
        rim, title = RANKS[SIDES.index(zone.exit)] if zone.exit else "", ", ".join((zone.name, *_features(board, zone)))
        land[zone.id] = Land(_area(zone) or OPEN, words=_marks(zone), rim=rim, title=title)
    for crossing in board.crossings.values():
        land[crossing.id] = Land(CROSSING, title=f"{crossing.name} to {names[crossing.landing]}")
    for site in board.sites.values():
        zones_of = ", ".join([names[place] for place in site.zones])
        land[site.id] = Land(SITE, title=f"{site.name}: {zones_of}", is_small=True)
    return Sheet(
        title=TITLE,
        places=map_places(board),
        land=land,
        grounds=GROUNDS,
        features=FEATURES,
        maps=BOARDS,
        rims=RIMS,
        sides=SIDES,
        remark=source_remark(board.source, REMARK),
    )


def _area(zone: Zone) -> str:
    if zone.board == REGION:
        return WEST if zone.is_west else EAST
    return zone.sector


def _marks(zone: Zone) -> tuple[str, ...]:
    """Return what is written below the name of a zone."""
    marks = [
        (zone.rp > 0, f"{zone.rp} RP"),
        (zone.base is not None, "base"),
        (zone.is_fortified, "fortified"),
        (zone.has_airfield, "airfield"),
        (bool(zone.front), f"Uranus {zone.opens}{'' if zone.opens == 7 else '+'}"),
        (bool(zone.entry) or zone.takes_free_infantry or zone.takes_storm, "entry"),
    ]
    return tuple(text for is_there, text in marks if is_there)


def _features(board: Board, zone: Zone) -> tuple[str, ...]:
    """Name what a zone is and has."""
    found = [
        (bool(zone.sector), f"{zone.sector} sector"),
        (zone.is_west, "west of the Don"),
        (zone.base is not None, f"base zone of the {SIDE_NAMES[zone.base]}" if zone.base else ""),
        (zone.rp > 0, f"{zone.rp} RP"),
        (zone.is_fortified, "fortified"),
        (zone.has_airfield, "airfield"),
        (zone.exit is not None, f"{SIDE_NAMES[zone.exit]} exit {zone.edge}" if zone.exit else ""),
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
