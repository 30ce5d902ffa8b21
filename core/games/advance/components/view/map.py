"""The drawn map: places, how they look before a match begins, and a list for the terminal."""

from core.drawing.board_report import MapReporter, columns, source_remark
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.board_model import Area, Board
from core.games.advance.components.board_records import CLEAR, ELEVATED, HEAVY_URBAN, LIGHT_URBAN, NO_TERRAIN, TERRAINS
from core.games.advance.components.inventory import TERRAIN_NAMES
from core.games.advance.ids import AREA, GERMAN, SOVIET
from core.narration.render_model import MapPlace
from core.narration.sheet import Badge, Ground, Land, Sheet
from core.shapes.cells import cells
from core.svg.badges import WORD
from core.svg.counter_svg import PALE, TURNED

TITLE = "Stalingrad: Advance to the Volga, 1942"
REMARK = (
    "The printed map was not available: most boundaries, many names and some terrain are reconstructed from the rulebook's text, and "
    "marked so field by field."
)
"""How far the shipped map can be trusted."""

NAMES = {**TERRAIN_NAMES, NO_TERRAIN: "German"}
"""What is printed for each terrain, and for Areas without any."""

_LOOKS = {
    CLEAR: ("clear", "grass"),
    ELEVATED: ("elevated", "hachures"),
    LIGHT_URBAN: ("light", "blocks"),
    HEAVY_URBAN: ("heavy", "brick"),
}
GROUNDS = (
    *[
        Ground(terrain, f"{NAMES[terrain]}, TEM +{tem}", *_LOOKS[terrain])
        for tem, terrain in enumerate(TERRAINS, start=1)
    ],
    Ground(NO_TERRAIN, "German from the start", "none"),
)
CELL_MARGIN = 45
"""How far the Areas reach beyond the outermost centres, in pixels."""

SYMBOLS = {"infantry": "Infantry", "armour": "Armor"}
PRINTS = {
    "5-6": "Attack Factor and Movement Factor",
    "64": "regiment; without a number, with its division: 16PZ",
    PALE: "Spent: white, without factors",
    TURNED: "hatched: Fresh, but may not move or attack this turn because of a Logistical Pause",
    "?": "Soviet unit, not Revealed",
}


def map_places(board: Board) -> tuple[MapPlace, ...]:
    """Return every Area as it is drawn, by number."""
    outlines = cells(
        {area.id: (area.x, area.y) for area in board.areas.values()},
        {area.id: board.adjacency.near(area.id) for area in board.areas.values()},
        CELL_MARGIN,
    )
    return tuple(
        MapPlace(
            id=area.id,
            name=area.name,
            label=area.id,
            x=area.x,
            y=area.y,
            neighbours=board.adjacency.near(area.id),
            outline=outlines.get(area.id, ()),
            noun=AREA,
        )
        for area in board.areas.values()
    )


def sheet(board: Board) -> Sheet:
    """Return the printed map: terrain, TEM and the Volga, whatever the table."""
    land = {
        area.id: Land(
            ground=area.terrain,
            badges=(Badge(WORD, f"+{area.tem}"),) if area.tem else (),
            title=f"{AREA} {area.id} ({area.name}): {_terrain(area)}",
            is_coast=area.is_volga,
        )
        for area in board.areas.values()
    }
    remark = source_remark(board.source, REMARK)
    return Sheet(
        TITLE,
        map_places(board),
        land,
        grounds=GROUNDS,
        sides=(GERMAN, SOVIET),
        remark=remark,
        symbols=SYMBOLS,
        prints=PRINTS,
        is_large_print=True,
    )


def map_lines(board: Board) -> tuple[str, ...]:
    """List the Areas for a terminal: number, name, terrain, TEM, the Volga and neighbours, in aligned columns."""
    rows = [
        (
            area.id,
            area.name,
            NAMES[area.terrain],
            f"+{area.tem}" if area.tem else "-",
            "Volga" if area.is_volga else "",
            " ".join(board.adjacency.near(area.id)),
        )
        for area in board.areas.values()
    ]
    return columns(("Area", "Name", "Terrain", "TEM", "River", "Adjacent to"), rows, right=(0,))


def _terrain(area: Area) -> str:
    """Return an Area's terrain in full."""
    river = ", Adjacent to the Volga" if area.is_volga else ""
    return f"{NAMES[area.terrain]}{f', TEM +{area.tem}' if area.tem else ''}{river}"


make_report = MapReporter(BOARD_FILE, map_lines, sheet)
"""Shows the shipped board, or an owner's."""
