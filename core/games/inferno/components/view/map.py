"""The hex map for people: hexes to draw, how they look before a game begins, and a sketch and a list for the terminal."""

from collections.abc import Iterable, Mapping, Sequence

from core.drawing.board_report import MapReporter, columns, source_remark
from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.components.board_model import Board, Hex
from core.games.inferno.components.board_records import CLEAR, INFANTRY, ROUGH, TANK, URBAN, SpawnUnits
from core.games.inferno.components.words.map_words import DIRECTIONS, TERRAIN_NAMES
from core.games.inferno.ids import RUBBLE, SIDES, SOVIET
from core.geometry import hexes
from core.narration.render_model import MapPlace
from core.narration.sheet import Backdrop, Badge, Ground, Land, Mark, Sheet
from core.shapes.hex_text import draw_hexes
from core.shapes.outlines import HexLayout, Point
from core.svg.badges import PLATE
from core.svg.scenery import COMPASS, LETTERS, WAY
from core.wording import joined
from events.ids import PlaceId

TITLE = "Stalingrad: Inferno on the Volga"
SIDE = 80
"""The length of an edge of a hex in pixels."""

VOLGA = "volga"
COMPASS_ROOM = 96
"""How far the middle of the Soviet Compass lies from what is beside it, in the units of the layout."""
FROM_RIM = 30
"""How far words lie from the rim of the map, in the units of the layout."""
SIGNS = {CLEAR: " ", ROUGH: "^", URBAN: "#"}
SPAWN_NAMES = {
    "soviet": "Soviet Spawn Hex",
    "yellow": "Yellow German Spawn Hex",
    "blue": "Blue German Spawn Hex",
}
SPAWN_SIGNS = {"": " ", "soviet": "S", "yellow": "Y", "blue": "B"}
WATER = ("~~~", "~~~")

GROUNDS = (
    Ground(CLEAR, "Clear: Long Movement; Combined Force Bonus and Blitz under Hoth", "clear", "grass"),
    Ground(ROUGH, "Rough", "rough", "hachures"),
    Ground(URBAN, "Urban: the defender fires first, Rubble is possible", "heavy", "brick"),
    Ground(VOLGA, "the Volga, east", "water", "waves"),
)
RIMS = {"first": "German Spawn Hex", "second": "Soviet Spawn Hex"}
BADGES = {
    "setup": "Setup hex",
    "fort": "Fortification of the hard Designer's level: B brown, R red",
    "rubble": "Rubble",
    "infantry": "beside a number: Infantry that a Spawn Action brings there",
    "armour": "beside a number: a Tank that a Spawn Action brings there",
}
SPAWN_BADGES = {INFANTRY: "infantry", TANK: "armour"}
"""What shows the units that a Spawn Action brings, by their arm."""
SYMBOLS = {
    "infantry": "Infantry of any kind",
    "mechanized": "Motorized, Panzer Grenadier",
    "armour": "Panzer, Tank",
    "assault-gun": "Tank Destroyer",
    "artillery": "Anti-Aircraft",
    "marine": "Marine",
}
PRINTS = {
    "4 DF": "4 dice of Double Fire, hits on 5 or more; SF on 6, TF on 4 or more",
    "Y B W": "Yellow, Blue or White: where it enters",
    "?": "the back of a block",
    "R": "R unit: counts twice in the Death Pool; a row of the track may Remove it",
}
MARKERS = {RUBBLE: Badge("rubble", title="Rubble")}
KEY = (
    "Upper line: the number. Lower line: ^ Rough, # Urban; S Soviet, Y Yellow, B Blue Spawn Hex;",
    "* Setup hex, F Fortification of the hard Designer's level. East is up, north is left; ~ is the Volga.",
)


def map_places(board: Board) -> tuple[MapPlace, ...]:
    """Return every hex as it is drawn, in the order of the file."""
    layout = _layout(board)
    return tuple(
        _place(layout, hex_.id, hex_.position, name=hex_.name, neighbours=hex_.near) for hex_ in board.hexes.values()
    )


def sheet(board: Board, spawn_table: str = "") -> Sheet:
    """Return the printed map: the hexes of the game and those of the river beside them.

    Args:
        board: The board.
        spawn_table: Which reading of the icons in the Soviet Spawn Hexes a match follows, the first one if it is not said.
            Source: ruling.spawn-icons.
    """
    layout = _layout(board)
    due = _due(board, spawn_table)
    water = [
        _place(layout, PlaceId(f"river/{number}"), hexes.Hex(*hex_), label="")
        for number, hex_ in enumerate(board.river, start=1)
    ]
    river = Land(VOLGA, title="the Volga")
    land = {hex_.id: _land(hex_, due.get(hex_.id)) for hex_ in board.hexes.values()}
    places = (*water, *map_places(board))
    return Sheet(
        title=TITLE,
        places=places,
        land={**land, **{place.id: river for place in water}},
        grounds=GROUNDS,
        rims=RIMS,
        backdrops=tuple(_open_water(water)),
        marks=tuple(_marks(board, places, water)),
        markers=MARKERS,
        badges=BADGES,
        symbols=SYMBOLS,
        prints=PRINTS,
        sides=SIDES,
        remark=map_remark(board),
        is_large_print=True,
        near_cell=150,
        own_stacks="Your stacks",
    )


def _layout(board: Board) -> HexLayout:
    """Return the layout in which every hex, those of the river included, lies at 0 or more both ways."""
    layout = HexLayout(SIDE)
    every = [*[hex_.position for hex_ in board.hexes.values()], *[hexes.Hex(*hex_) for hex_ in board.river]]
    corners = [corner for hex_ in every for corner in layout.outline(hex_)]
    return HexLayout(SIDE, x=-min(x for x, _ in corners), y=-min(y for _, y in corners))


def _place(
    layout: HexLayout,
    id_: PlaceId,
    hex_: hexes.Hex,
    *,
    name: str = "",
    label: str | None = None,
    neighbours: tuple[PlaceId, ...] = (),
) -> MapPlace:
    x, y = layout.centre(hex_)
    shown = id_ if label is None else label
    return MapPlace(id_, name, shown, x, y, neighbours=neighbours, outline=layout.outline(hex_))


def _open_water(water: Sequence[MapPlace]) -> Iterable[Backdrop]:
    """Yield the river above its hexes, as far as it reaches beside the highest of them."""
    if not water:
        return
    corners = [corner for place in water for corner in place.outline]
    left, right = min(corners), max(corners)
    top = min(y for _, y in corners)
    yield Backdrop((left, (left[0], top), (right[0], top), right), "water", "waves")


def _marks(board: Board, places: Sequence[MapPlace], water: Sequence[MapPlace]) -> Iterable[Mark]:
    """Yield the name of the river, the four directions, and the Soviet Compass."""
    corners = [corner for place in places for corner in place.outline]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    middle = (left + right) // 2
    river = sorted(water, key=lambda place: place.x)
    for place in (river[len(river) // 4], river[3 * len(river) // 4]) if river else ():
        yield Mark(LETTERS, (place.x, (top + max(y for _, y in place.outline)) // 2), VOLGA.upper())
    yield Mark(WAY, (left + 2 * FROM_RIM, top + FROM_RIM), "← NORTH")
    yield Mark(WAY, (middle, top + FROM_RIM), "EAST ↑")
    yield Mark(WAY, (right - 2 * FROM_RIM, top + FROM_RIM), "SOUTH →")
    yield Mark(WAY, (middle, bottom + FROM_RIM), "WEST ↓")
    compass = _free_corner(corners)
    faces = " ".join(str(board.compass.index(way) + 1) for way in range(len(DIRECTIONS)))
    ways = ", ".join(f"{face} {DIRECTIONS[way]}" for face, way in enumerate(board.compass, start=1))
    yield Mark(WAY, (compass[0], compass[1] - COMPASS_ROOM), "Soviet Compass")
    yield Mark(COMPASS, compass, faces, f"Soviet Compass: {ways}")


def _free_corner(corners: Sequence[Point]) -> Point:
    """Return where the Soviet Compass lies: at the lower left, below the hexes there."""
    left, bottom = min(x for x, _ in corners), max(y for _, y in corners)
    lowest = max(y for x, y in corners if x <= left + 2 * COMPASS_ROOM)
    return (left + COMPASS_ROOM, max(lowest + 2 * COMPASS_ROOM, bottom - COMPASS_ROOM))


def _land(hex_: Hex, due: SpawnUnits | None) -> Land:
    """Return what is printed in a hex: terrain, Spawn and Setup hexes with what comes there, Fortifications, whatever the table."""
    return Land(
        ground=hex_.terrain,
        badges=(
            *_badges(hex_),
            *[Badge(SPAWN_BADGES[arm], "", f"{arm.capitalize()} in a Spawn Action") for arm in _arms(due)],
        ),
        rim=("second" if hex_.spawn == SOVIET else "first") if hex_.spawn else "",
        title=", ".join((f"{hex_.id} {hex_.name}".rstrip(), TERRAIN_NAMES[hex_.terrain], *_features(hex_, due))),
    )


def _due(board: Board, spawn_table: str = "") -> dict[PlaceId, SpawnUnits]:
    """Return what each Soviet Spawn Hex receives by a reading, or by the first one."""
    return {units.hex: units for units in board.spawn_tables[spawn_table or next(iter(board.spawn_tables))]}


def _arms(due: SpawnUnits | None) -> tuple[str, ...]:
    """Return the arm of each unit that a Spawn Action brings to a hex."""
    return () if due is None else (*[INFANTRY] * due.infantry, *[TANK] * due.tanks)


def _features(hex_: Hex, due: SpawnUnits | None) -> tuple[str, ...]:
    """Name what a hex is besides its terrain."""
    comes = f" of {joined([arm.capitalize() for arm in _arms(due)])}" if due is not None else ""
    found = [f"{SPAWN_NAMES[hex_.spawn]}{comes}"] if hex_.spawn else []
    if hex_.is_setup:
        found.append("Setup hex")
    if hex_.fortification:
        found.append(f"{hex_.fortification} Fortification")
    if hex_.is_coastal:
        found.append("coast")
    return tuple(found)


def _badges(hex_: Hex) -> tuple[Badge, ...]:
    """Return what is printed beside the number of a hex."""
    found = [Badge("setup")] if hex_.is_setup else []
    if hex_.fortification:
        found.append(Badge("fort", hex_.fortification[0].upper()))
    if hex_.spawn and hex_.spawn != SOVIET:
        found.append(Badge(PLATE, hex_.spawn.capitalize()))
    return tuple(found)


def sketch(board: Board, signs: Mapping[PlaceId, str]) -> tuple[str, ...]:
    """Draw the hexes and the river as text, with up to three characters below the number of each hex."""
    cells = {hex_.position: (str(hex_.id), signs.get(hex_.id, "")) for hex_ in board.hexes.values()}
    return draw_hexes({**cells, **{hexes.Hex(*hex_): WATER for hex_ in board.river}})


def map_lines(board: Board) -> tuple[str, ...]:
    """Sketch the hexes for a terminal, and list them with the hexes around them by the faces of the compass."""
    header = ("Hex", "Name", "Terrain", "", "Next to, by the faces of the compass")
    due = _due(board)
    rows = [
        (
            hex_.id,
            hex_.name,
            TERRAIN_NAMES[hex_.terrain],
            ", ".join(_features(hex_, due.get(hex_.id))),
            " ".join(f"{face}:{place}" for face, place in enumerate(hex_.toward, start=1) if place is not None),
        )
        for hex_ in board.hexes.values()
    ]
    sketched = sketch(board, {hex_.id: _signs(hex_) for hex_ in board.hexes.values()})
    return (*sketched, "", *KEY, "", *columns(header, rows, right=(0,)))


def _signs(hex_: Hex) -> str:
    setup = "F" if hex_.fortification else "*" if hex_.is_setup else " "
    return f"{SIGNS[hex_.terrain]}{SPAWN_SIGNS[hex_.spawn]}{setup}"


def map_remark(board: Board) -> str:
    """Return in one line how far the map can be trusted."""
    return source_remark(
        board.source,
        "The printed map was not available: inland numbers, most terrain, names and Setup hexes are reconstructed, and marked "
        "so field by field.",
    )


make_report = MapReporter(BOARD_FILE, map_lines, sheet)
"""Shows the shipped board, or an owner's."""
