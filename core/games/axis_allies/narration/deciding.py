"""The rules that decide an event besides the one that it cites: of what a force needs to be supplied."""

from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, STALINGRAD, UNSUPPLIED
from events.ids import PlaceId, RuleId, Side
from events.vocabulary import Event, MarkerPlaced, MarkerRemoved
from projections.state.table import Table

REGION = (RuleId("supply.region.trace"), RuleId("supply.region.exit-zones"))
CITY = {
    AXIS: (RuleId("supply.city.via-region"), RuleId("supply.city.axis-exits")),
    ALLIES: (RuleId("supply.city.via-region"), RuleId("supply.city.volga-crossing")),
}
"""What says where the supply line of a force leads, on each board."""
OUT_OF_HOSTILE = RuleId("supply.region.out-of-hostile")


def deciding(table: Table, board: Board, event: Event) -> tuple[RuleId, ...]:
    """Return the rules of the supply line by which a force becomes unsupplied or supplied again.

    Args:
        table: The table before the event.
        board: The board.
        event: The event.
    """
    if not isinstance(event, MarkerPlaced | MarkerRemoved):
        return ()
    sides = [side for side, marker in UNSUPPLIED.items() if marker == event.marker]
    return _line(table, board, PlaceId(event.on), sides[0]) if sides else ()


def _line(table: Table, board: Board, place: PlaceId, side: Side) -> tuple[RuleId, ...]:
    """Return the rules of the supply line out of a zone, or out of the city."""
    is_hostile = table.control.get(place, side) != side
    line = CITY[side] if place == STALINGRAD or board.zones[place].is_city else REGION
    return (*line, OUT_OF_HOSTILE) if is_hostile else line
