"""Whole matches at random, by all chapters together: what is listed is accepted, and each match ends by the rules."""

from contextlib import suppress
from random import Random

import pytest

from core.chance.chance_sources import seeded
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.games.axis_allies.ids import AUCTION, RACE, STANDARD, URANUS
from core.games.axis_allies.memory import in_play
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.positions.inventory_checks import table_defects
from tests.support.axis_allies import BOARD, opened
from tests.support.soak import sampled

RULES = AxisAlliesRules(BOARD)
STEPS_MAX = 4_000
OPTIONS = ("bad_weather_sorties", "luftwaffe_priorities", "heroes", "interdiction", "interceptors")
RACE_OPTIONS = ("factory_placement", "alternative_deployment")


@pytest.mark.parametrize(
    ("scenario", "mode"), sampled([(RACE, AUCTION), (URANUS, STANDARD)], lambda scenario, _: scenario == URANUS)
)
def test_a_random_match_ends_by_the_rules(scenario: str, mode: str) -> None:
    """sequence.rounds, order.14.final-round, victory.minor, optional.selection"""
    choose, chance = Random(scenario), seeded("1942")
    options = dict.fromkeys((*OPTIONS, *RACE_OPTIONS) if scenario == RACE else OPTIONS, True)
    table = opened(scenario, mode, options).table
    RULES.set_up(Draft(table, chance))
    box = in_play(BOARD, scenario, table.options)
    rounds, steps = 0, 0

    while table.ended is None and steps < STEPS_MAX:
        top, steps = table.top, steps + 1
        assert top is not None
        command = choose.choice(RULES.options(table))
        assert RULES.refuse(table, top.seat, command) is None
        with suppress(MatchOver):
            RULES.take(Draft(table, chance), command)
        if table.round > rounds:
            rounds = table.round
            assert not table_defects(box, table)

    assert table.ended is not None
    assert "Victory" in table.ended.result
