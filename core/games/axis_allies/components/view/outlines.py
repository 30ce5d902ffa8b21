"""The edges of both boards, the Volga and the place of the city: for drawing only, reconstructed as all of the boards' shapes.

Coordinates are those of the component file; what lies east of the river is beside its zones.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import BOARDS, CITY, REGION
from core.geometry.cells import cells
from core.geometry.outlines import Outline, Point
from core.geometry.relaxed import relaxed
from events.ids import PlaceId

LEFT, TOP, BOTTOM = -30, -10, 1010
RIGHT: Mapping[str, int] = {REGION: 1240, CITY: 1080}
ROOM: Mapping[str, Point] = {REGION: (180, 130), CITY: (215, 130)}
"""How much room the centre of a zone has at best."""

WEST_BANKS: Mapping[str, Outline] = {
    REGION: (
        (1018, TOP),
        (1030, 110),
        (1018, 240),
        (1000, 340),
        (990, 440),
        (992, 590),
        (1012, 650),
        (1070, 692),
        (1160, 706),
        (1240, 704),
    ),
    CITY: ((812, TOP), (826, 150), (834, 300), (824, 450), (812, 600), (790, 740), (762, 880), (730, BOTTOM)),
}
EAST_BANKS: Mapping[str, Outline] = {
    REGION: (
        (1088, TOP),
        (1098, 110),
        (1086, 240),
        (1070, 340),
        (1060, 440),
        (1066, 540),
        (1092, 600),
        (1160, 628),
        (1240, 628),
    ),
    CITY: ((942, TOP), (956, 150), (962, 300), (952, 450), (940, 600), (918, 740), (890, 880), (860, BOTTOM)),
}
"""The banks of the Volga, from north to south."""
TOWN: Outline = ((868, 440), (990, 440), (992, 590), (868, 590))
"""Where the City Board lies in the Region Board, clockwise."""
EAST: Mapping[str, Point] = {REGION: (1165, 300), CITY: (1000, 520)}
"""The middle of the land east of the Volga."""


@lru_cache(maxsize=8)
def centres(board: Board) -> Mapping[PlaceId, Point]:
    """Return where each zone is drawn: near its place in the file, with room for its name and units."""
    found: dict[PlaceId, Point] = {}
    for name in BOARDS:
        zones = [zone for zone in board.zones.values() if zone.board == name]
        linked = {zone.id: [other for other in zone.near if board.zones[other].board == name] for zone in zones}
        linked = {place: near for place, near in linked.items() if near}
        wishes = {place: (board.zones[place].x, board.zones[place].y) for place in linked}
        found |= {zone.id: EAST[name] for zone in zones} | relaxed(wishes, linked, land(name), ROOM[name])
    return found


@lru_cache(maxsize=8)
def outlines(board: Board) -> Mapping[PlaceId, Outline]:
    """Return the outline of each zone; two of them touch exactly if the zones are linked."""
    found: dict[PlaceId, Outline] = {}
    for name in BOARDS:
        zones = [zone.id for zone in board.zones.values() if zone.board == name]
        linked = {place: [other for other in board.zones[place].near if other in zones] for place in zones}
        there = {place: centres(board)[place] for place in zones if linked[place]}
        found |= {place: east_land(name) for place in zones if not linked[place]}
        found |= cells(there, {place: linked[place] for place in there}, 0, land(name))
    return found


def land(name: str) -> Outline:
    """Return the land of a board west of the Volga, clockwise, without the place of the city."""
    bank = WEST_BANKS[name]
    if name == CITY:
        return ((LEFT, TOP), *bank, (LEFT, BOTTOM))
    at = bank.index(TOWN[1])
    around = (*bank[: at + 1], TOWN[0], TOWN[3], *bank[at + 1 :])
    return ((LEFT, TOP), *around, (RIGHT[name], BOTTOM), (LEFT, BOTTOM))


def east_land(name: str) -> Outline:
    """Return the land of a board east of the Volga."""
    ends = [] if name == REGION else [(RIGHT[name], BOTTOM)]
    return ((RIGHT[name], TOP), *ends, *reversed(EAST_BANKS[name]))


def afloat(y: int) -> Point:
    """Return the middle of the Volga on the City Board at a height."""
    ends = [_at(bank[CITY], y) for bank in (WEST_BANKS, EAST_BANKS)]
    return (sum(ends) // 2, y)


def _at(bank: Outline, y: int) -> int:
    """Return where a bank of the City Board is at a height."""
    (x, top), (right, below) = next(side for side in pairwise(bank) if y <= side[1][1] or side[1] == bank[-1])
    return x + (right - x) * (y - top) // (below - top)


def river(name: str) -> Outline:
    """Return the Volga of a board."""
    return (*WEST_BANKS[name], *reversed(EAST_BANKS[name]))
