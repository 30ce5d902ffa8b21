"""What is drawn of roads, ways out and gates on both boards. Only what joins what is in the file; the courses are reconstructed."""

from collections.abc import Iterable

from core.drawing.palette import RANKS
from core.drawing.scenery import DOT, EXIT, GATE, LETTERS, STRIP, TOWN
from core.drawing.sheet import Course, Feature, Mark
from core.games.axis_allies.components.board_model import ROAD, Board, Zone
from core.games.axis_allies.components.map_records import CITY, REGION, RoadRow
from core.games.axis_allies.components.view import outlines
from core.games.axis_allies.components.view.outlines import BOTTOM, LEFT, RIGHT, TOP
from core.games.axis_allies.components.view.outlines import TOWN as CITY_SPOT
from core.games.axis_allies.ids import SIDE_NAMES, SIDES
from core.geometry.outlines import Point
from events.ids import PlaceId

RED_LINE = Feature(ROAD, "road", "road", 3, "10 4", edge="paper", is_across=True)
BANK = Feature("bank", "", "bank", 4)
MARKED = {
    DOT: "roads that meet",
    EXIT: "supply exit: cross of the Axis, dot of the Allies",
    GATE: "gate between the boards",
}
ASIDE = 26
"""How far a road that meets no other of its zone lies beside it."""
BESIDE = 24
"""How far a gate's strip lies outside the City Board."""


def gates(board: Board) -> dict[PlaceId, str]:
    """Return the zones of the Region Board that lead into the city, each with the number of its gate."""
    found = [zone.id for zone in board.zones.values() if zone.board == REGION and _beyond(board, zone)]
    return {place: str(number) for number, place in enumerate(found, start=1)}


def courses(board: Board) -> tuple[Course, ...]:
    """Return the banks of the Volga and the roads of both boards."""
    banks = [Course(BANK, bank, name, is_straight=True) for name, bank in outlines.WEST_BANKS.items()]
    return (*banks, *[part for road in board.file.roads.rows for part in _road(board, road)])


def marks(board: Board) -> tuple[Mark, ...]:
    """Return junctions, ways out, gates and lettering."""
    spots = outlines.centres(board)
    names = {road.id: road.name for road in board.file.roads.rows}
    found = [
        Mark(
            DOT,
            spots[one.zone],
            title=f"{board.zones[one.zone].name}: {', '.join(names[road] for road in one.roads)}",
            tone="road",
            map=board.zones[one.zone].board,
        )
        for one in board.file.roads.junctions
    ]
    for zone in board.zones.values():
        if zone.exit is not None:
            title = f"{zone.name}: exit of the {SIDE_NAMES[zone.exit]}"
            tone = RANKS[SIDES.index(zone.exit)]
            found.append(Mark(EXIT, _way_out(board, zone), "", title, TURNS[zone.edge], tone, map=REGION))
    (x, y), (right, below) = CITY_SPOT[0], CITY_SPOT[2]
    found += [
        Mark(
            TOWN, ((x + right) // 2, (y + below) // 2), "Stalingrad\nCity Board", wide=(right - x) * 4 // 5, map=REGION
        ),
        Mark(LETTERS, (1055, 215), "VOLGA", turn=95, map=REGION),
        Mark(LETTERS, (890, 170), "VOLGA", turn=88, map=CITY),
    ]
    return (*found, *_gate_marks(board))


TURNS = {"north": -90, "south": 90, "west": 180, "east": 0, "": 0}


def _road(board: Board, road: RoadRow) -> Iterable[Course]:
    """Yield a road in parts, one for each stretch on one board; its ends lead to the gates and to the edge."""
    spots = [_spot(board, road, zone) for zone in road.zones]
    points: list[Point] = []
    if road.zones[0] in road.exits:
        points.append(_way_out(board, board.zones[road.zones[0]]))
    for number, zone in enumerate(road.zones):
        name = board.zones[zone].board
        before = road.zones[number - 1] if number else zone
        if board.zones[before].board != name:
            region, town = (before, zone) if name == CITY else (zone, before)
            ends = {REGION: _region_gate(board, region), CITY: _city_gate(board, region, town)}
            yield Course(RED_LINE, (*points, ends[board.zones[before].board]), board.zones[before].board)
            points = [ends[name]]
        points.append(spots[number])
    last = board.zones[road.zones[-1]]
    if last.id in road.exits and (len(road.zones) > 1):
        points.append(_way_out(board, last))
    if len(points) > 1:
        yield Course(RED_LINE, tuple(points), last.board)


def _spot(board: Board, road: RoadRow, zone: PlaceId) -> Point:
    """Return where a road leads through a zone: its middle, or beside it if it does not meet the first road there."""
    first = next(one for one in board.file.roads.rows if zone in one.zones)
    joined = [one.roads for one in board.file.roads.junctions if one.zone == zone and road.id in one.roads]
    x, y = outlines.centres(board)[zone]
    return (x, y) if road == first or joined else (x - ASIDE // 2, y + ASIDE)


def _way_out(board: Board, zone: Zone) -> Point:
    """Return where a road leaves the board in a zone."""
    x, y = outlines.centres(board)[zone.id]
    return {
        "north": (x, TOP),
        "south": (x, BOTTOM),
        "west": (LEFT, y),
        "east": (RIGHT[zone.board], y),
    }.get(zone.edge, (x, y))


def _beyond(board: Board, zone: Zone) -> list[PlaceId]:
    return [other for other in zone.near if board.zones[other].board != zone.board]


def _region_gate(board: Board, zone: PlaceId) -> Point:
    """Return where a zone of the Region Board leads into the city: the nearest place at its edge."""
    x, y = outlines.centres(board)[zone]
    (left, top), (right, below) = CITY_SPOT[0], CITY_SPOT[2]
    return (min(max(x, left), right - 20), min(max(y, top), below - 20))


def _stretch(board: Board, zone: PlaceId) -> tuple[bool, int, int]:
    """Return at which edge of the City Board a gate is, whether at the north or at the west, and from where to where it reaches."""
    shapes = [outlines.outlines(board)[other] for other in _beyond(board, board.zones[zone])]
    west = [found for shape in shapes if (found := [y for x, y in shape if x == LEFT])]
    north = [found for shape in shapes if (found := [x for x, y in shape if y == TOP])]
    is_north = len(north) > len(west)
    ends = [end for found in (north if is_north else west) for end in found]
    return is_north, min(ends, default=TOP), max(ends, default=BOTTOM)


def _city_gate(board: Board, gate: PlaceId, zone: PlaceId) -> Point:
    """Return where a road from a gate enters a zone of the City Board."""
    is_north, start, end = _stretch(board, gate)
    x, y = outlines.centres(board)[zone]
    return (min(max(x, start + 20), end), TOP) if is_north else (LEFT, min(max(y, start + 20), end - 20))


def _gate_marks(board: Board) -> Iterable[Mark]:
    for place, number in gates(board).items():
        zone = board.zones[place]
        is_north, start, end = _stretch(board, place)
        into = ", ".join(board.zones[other].name for other in _beyond(board, zone))
        yield Mark(GATE, _region_gate(board, place), number, f"gate {number}: {zone.name} to {into}", map=REGION)
        middle = (start + end) // 2
        at = (middle, TOP - BESIDE) if is_north else (LEFT - BESIDE, middle)
        text, wide = f"to and from {zone.name}", end - start - 8
        yield Mark(STRIP, at, text, f"{zone.name} to {into}", 0 if is_north else -90, wide=wide, map=CITY)
        near = (start + BESIDE, at[1]) if is_north else (at[0], end - BESIDE)
        yield Mark(GATE, near, number, f"gate {number}: {zone.name} to {into}", map=CITY)
