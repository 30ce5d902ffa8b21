"""Bots by rule of thumb: they choose the option that is worth most."""

from collections.abc import Callable

from core.bots.bot_port import Answer, Asked, Policy
from core.bots.choices import best_choice
from core.engine.command import Command
from events.ids import Seat
from projections.state.table import Table

Worth = Callable[[Table, Seat, Command], float]
"""Returns how good an option looks to a seat, by the table as it sees it."""


def by_worth(worth: Worth) -> Policy:
    """Return a bot that chooses the option that is worth most, among equals by chance; of a selection the whole choice of its best picks."""

    def choose(asked: Asked) -> Answer:
        return best_choice(asked, lambda ahead: lambda option: worth(ahead, asked.seat, option))

    return choose
