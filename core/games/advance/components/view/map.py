"""The drawn map: places, how they look before a match begins, and a list for the terminal."""

from core.board_svg import INK, LegendEntry, PlaceLook
from core.components.board_report import columns
from core.games.advance.components.board_model import Area, Board
from core.games.advance.components.board_records import CLEAR, ELEVATED, HEAVY_URBAN, LIGHT_URBAN, NO_TERRAIN, TERRAINS
from core.games.advance.components.inventory import TERRAIN_NAMES
from core.ports import MapPlace
from events.ids import PlaceId

REMARK = (
    "The printed map was not available: most boundaries, many names and some terrain are reconstructed from the rulebook's text, and "
    "marked so field by field."
)
"""How far the shipped map can be trusted."""

VOLGA_RING = "#2f6fb3"

FILLS = {
    CLEAR: "#dfe8b0",
    ELEVATED: "#d9b382",
    LIGHT_URBAN: "#d4d0cf",
    HEAVY_URBAN: "#9b9797",
    NO_TERRAIN: "#c9cfc4",
}
"""The colour of each terrain; Areas that begin German have none."""

NAMES = {**TERRAIN_NAMES, NO_TERRAIN: "German"}
"""What is printed for each terrain, and for Areas without any."""

LEGEND = (
    *[LegendEntry(FILLS[terrain], f"{NAMES[terrain]}, TEM +{tem}") for tem, terrain in enumerate(TERRAINS, start=1)],
    LegendEntry(FILLS[NO_TERRAIN], "German from the start"),
    LegendEntry("#ffffff", "blue outline: Adjacent to the Volga", VOLGA_RING),
)


def map_places(board: Board) -> tuple[MapPlace, ...]:
    """Return every Area as it is drawn, by number."""
    return tuple(
        MapPlace(
            id=area.id,
            name=area.name,
            label=area.id,
            x=area.x,
            y=area.y,
            neighbours=board.adjacency.near(area.id),
        )
        for area in board.areas.values()
    )


def printed_looks(board: Board) -> dict[PlaceId, PlaceLook]:
    """Return how each Area looks on the printed map: terrain, TEM and the Volga, whatever the table."""
    return {
        area.id: PlaceLook(
            fill=FILLS[area.terrain],
            ring=VOLGA_RING if area.is_volga else INK,
            lines=(f"TEM +{area.tem}",) if area.tem else (),
            title=f"{area.id} {area.name}: {_terrain(area)}",
        )
        for area in board.areas.values()
    }


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
