"""A bot that plays sensibly for any seat, by rules of thumb and by what its own seat can see."""

from collections.abc import Callable, Mapping

from core.bot_choices import best_choice
from core.command import Command
from core.decision import Rules
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES
from core.games.axis_allies.rules import commands
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.games.axis_allies.rules.queries import is_friendly, is_occupied, land
from core.ports import Policy
from core.selection import Pick
from events.ids import PlaceId, Seat, Side
from projections.table import Table

AIRCRAFT = 8
"""What an air unit is worth, which cannot be bought."""


def greedy(rules: Rules, table: Table, seat: Seat, options: list[Command], number: Callable[[int], int]) -> Command:
    """Choose the option of the highest worth; among equals by chance. See `core.ports.Policy`."""
    assert isinstance(rules, AxisAlliesRules), "the rules of another game"
    mind = Mind(rules.board, table, table.side_of(seat))
    return best_choice(rules, table, options, lambda _: mind.worth, number)


POLICIES: Mapping[str, Policy] = {"greedy": greedy}
"""The bots that know this game, by name."""


class Mind:
    """One look at the table by a side; doing nothing is worth 0.

    Args:
        board: The board.
        table: The table as the seat sees it.
        side: The side of the seat, empty during an auction.
    """

    def __init__(self, board: Board, table: Table, side: Side) -> None:
        self.board = board
        self.table = table
        self.side = side

    def worth(self, command: Command) -> float:
        """Return how good a command looks."""
        match command:
            case commands.Bid(rps=rps):
                return -rps
            case commands.Move(origin=origin, to=to):
                return self._gain(origin, to)
            case commands.Buy(item=item):
                return self._price(item)
            case commands.Spend() | commands.Ambush() | commands.Launch():
                return 1.0
            case Pick(item=item):
                return -self._price(item.split()[0])
            case _:
                return 0.0

    def _gain(self, origin: PlaceId, to: PlaceId) -> float:
        """Return what a move is worth: a hostile zone that is empty, or a fight at good odds."""
        if to not in self.board.zones or is_friendly(self.table, to, self.side):
            return 0.0
        foe = next(side for side in self.board.bases if side != self.side)
        if not is_occupied(self.table, self.board, to, foe):
            return 2.0 + self.board.zones[to].rp
        mine = len(land(self.table, self.board, to, self.side)) + len(land(self.table, self.board, origin, self.side))
        return float(mine - len(land(self.table, self.board, to, foe)) - (self.side == ALLIES))

    def _price(self, item: str) -> float:
        kind = self.board.units.get(item)
        return 0.0 if kind is None else kind.cost or AIRCRAFT
