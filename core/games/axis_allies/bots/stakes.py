"""What zones are worth: what is printed in them, and the supply that hangs on them."""

from collections.abc import Mapping

from core.games.axis_allies.components.board_model import Board, Zone
from core.games.axis_allies.ids import ALLIES, SIDES
from core.games.axis_allies.rules.queries import has_crossing
from core.geometry.paths import distances
from events.ids import Digest, PlaceId, Side
from projections.table import Table

RP, KEY, EXIT, ARRIVALS, AIRFIELD, LANDING = 2.0, 4.0, 1.5, 1.0, 1.0, 1.0
"""What a Reinforcement Point, a zone of the victory conditions, and what else is printed add to the worth of any zone, which is 1."""
CUT = 0.25
"""How much of the worth of the zones counts that a zone supplies."""
CUT_MAX = 6.0
"""The most that supply adds to the worth of a zone."""
KEPT = 4
"""For how many states of control worths are kept: those of the latest tables."""

Worths = Mapping[PlaceId, float]


class Stakes:
    """What zones are worth on a board, and how far they are from each other.

    Args:
        board: The board.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.printed = {place: self._print(zone) for place, zone in board.zones.items()}
        self.away = {place: distances((place,), self.near) for place in (*board.zones, *board.crossings)}
        self._kept: list[tuple[Mapping[PlaceId, Side], list[PlaceId], Worths]] = []

    def near(self, place: PlaceId) -> list[PlaceId]:
        """Return where land units go from a zone or a crossing, whoever they are."""
        board = self.board
        if place in board.crossings:
            return [board.crossings[place].landing]
        if place == board.east_bank:
            return list(board.crossings)
        return [near for near in board.zones[place].near if board.zones[near].base is None]

    def _print(self, zone: Zone) -> float:
        board = self.board
        is_key = (
            (zone.id in board.victory.key_zones) + (zone.id == board.victory.minor_zone) + (zone.is_city and zone.rp)
        )
        is_arrival = bool(zone.entry or zone.front) + zone.takes_storm
        is_landing = any(zone.id == row.landing for row in board.crossings.values())
        parts = (RP * zone.rp, KEY * (is_key > 0), EXIT * (zone.exit is not None), ARRIVALS * is_arrival)
        return 1.0 + sum(parts) + AIRFIELD * zone.has_airfield + LANDING * is_landing

    def worths(self, table: Table) -> Worths:
        """Return what each zone is worth to both sides, with the supply that its owner would lose with it."""
        crossings = [row.landing for row in self.board.crossings.values() if has_crossing(table, row.id)]
        for control, ways, found in self._kept:
            if control is table.control and ways == crossings:
                return found
        worths = dict(self.printed)
        for side in SIDES:
            exits = [*self.board.exits[side], *(crossings if side == ALLIES else ())]
            self._add_supply(worths, {zone for zone in worths if table.control.get(zone) == side}, exits)
        self._kept = [(table.control, crossings, worths), *self._kept[: KEPT - 1]]
        return worths

    def _add_supply(self, worths: dict[PlaceId, float], friendly: set[PlaceId], exits: list[PlaceId]) -> None:
        """Add to the worth of a side's zones that of the zones that only they supply."""
        before = self._supplied(friendly, exits)
        total = sum([self.printed[zone] for zone in before])
        for zone in before:
            lost = (
                total - self.printed[zone] - sum([self.printed[at] for at in self._supplied(friendly - {zone}, exits)])
            )
            worths[zone] += min(CUT_MAX, CUT * lost)

    def _supplied(self, friendly: set[PlaceId], exits: list[PlaceId]) -> set[PlaceId]:
        zones, found = self.board.zones, {exit_ for exit_ in exits if exit_ in friendly}
        left = list(found)
        while left:
            fresh = {near for near in zones[left.pop()].near if near in friendly and near not in found}
            found |= fresh
            left += fresh
        return found


_STAKES: dict[Digest, Stakes] = {}


def stakes_of(board: Board) -> Stakes:
    """Return the stakes of a board; they are made once."""
    if board.source.digest not in _STAKES:
        _STAKES[board.source.digest] = Stakes(board)
    return _STAKES[board.source.digest]
