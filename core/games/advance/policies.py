"""How bots choose in this game: at random, or by a simple look at what an option is worth."""

from collections.abc import Callable, Mapping

from core.command import Command
from core.game import BoundRules, Policy
from events.ids import Seat
from projections.table import Table


def choose_at_random(
    rules: BoundRules, table: Table, seat: Seat, options: list[Command], number: Callable[[int], int]
) -> Command:
    """Take any option, each equally likely."""
    return options[number(len(options))]


POLICIES: Mapping[str, Policy] = {"random": choose_at_random}
"""The bots of this game by name."""
