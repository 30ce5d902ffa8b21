"""Matches of bots, each of which sees what its seat sees."""

from collections.abc import Callable
from random import Random

from core.engine.command import Command
from core.engine.selection import onward
from events.ids import Seat
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.desk import Desk

Choice = Callable[[Table, Seat, list[Command]], Command]


class Views:
    """What each seat has seen of a match so far."""

    def __init__(self, desk: Desk) -> None:
        self.tables = {seat: fold(seen_events(desk.events, seat)) for seat in desk.table.seats}

    def accept(self, desk: Desk, command: Command) -> None:
        """Play a command, and show every seat what it may see of it."""
        done = desk.accept(command)
        for seat, table in self.tables.items():
            fold(seen_events(done.commit.events, seat), table)


def by_chance(rng: Random) -> Choice:
    """Choose anything."""
    return lambda _table, _seat, options: rng.choice(onward(options))
