"""The bot for playouts: it plays whole matches by the rules under any options, and much better than chance."""

from random import Random

import pytest

from core.bots.bot_port import Asked
from core.engine.command import Command
from core.engine.selection import onward
from core.games.advance.bots.quick import quick
from core.games.advance.ids import GERMAN_SEAT
from core.games.advance.rules.queries import german_control_count
from projections.state.table import Table
from tests.core.games.advance.bots.test_greedy import RULES, first, play
from tests.support.advance import some_options
from tests.support.advance_rounds import BOARD
from tests.support.rows import each_row


def quickly(table: Table, options: list[Command]) -> Command:
    """Let the bot choose."""
    return quick(Asked(RULES, table, GERMAN_SEAT, options, first))


@pytest.mark.long
@each_row("scenario", ["main", "factory"])
@each_row("seed", range(3))
def test_it_plays_to_the_end_and_holds_more_areas_than_a_random_player(scenario: str, seed: int) -> None:
    dice, options = Random(seed), some_options(Random(seed), scenario)
    held, by_chance = (
        german_control_count(play(scenario, seed, options, choose), BOARD)
        for choose in (quickly, lambda _, offered: dice.choice(onward(offered)))
    )

    assert held > by_chance + 4
