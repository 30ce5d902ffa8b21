"""Bots by rule of thumb: they choose the option that is worth most."""

from collections.abc import Callable

from core.engine.command import Command
from core.engine.decision import Rules
from core.game.bound_game import Policy
from events.ids import Seat
from projections.state.table import Table

Worth = Callable[[Table, Seat, Command], float]
"""Returns how good an option looks to a seat, by the table as it sees it."""


def by_worth(worth: Worth) -> Policy:
    """Return a bot that chooses the option that is worth most, among equals by chance."""

    def choose(rules: Rules, table: Table, seat: Seat, options: list[Command], below: Callable[[int], int]) -> Command:
        worths = [worth(table, seat, option) for option in options]
        best = [option for option, one in zip(options, worths, strict=True) if one == max(worths)]
        return best[below(len(best))]

    return choose
