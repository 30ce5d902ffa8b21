"""Places at which the supply line of a force is cut."""

from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.supply_lines import has_crossing, has_line, lines, parts_near
from core.games.axis_allies.ids import ALLIES
from events.ids import PlaceId, Side
from projections.state.table import Table


def cut_at(table: Table, board: Board, zone: PlaceId, side: Side) -> list[PlaceId]:
    """Return the hostile zones each of which alone cuts the line of an unsupplied force, and a Volga Crossing without ferry that does.

    There is none if no single zone would join the force to a supply line.
    """
    there = lines(table, board, side)
    mine = parts_near(board, there.part, zone)
    reached = {zone, *[at for at, number in there.part.items() if number in mine]}
    edge = {near for at in reached for near in board.zones[at].near} - reached
    found = [at for at in board.zones if at in edge and has_line(table, board, at, side)]
    crossing = board.crossing_of(zone)
    if side != ALLIES or crossing is None:
        return found
    if not has_crossing(table, crossing.id):
        return [*found, crossing.id] if crossing.landing in reached else found
    return found if crossing.landing not in edge else list(dict.fromkeys([*found, crossing.landing]))
