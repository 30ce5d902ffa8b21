"""The reinforcements of whole matches without a fight, chosen at random: every table holds only what is in the box."""

from random import Random

import pytest

from core.chance.chance_sources import KeyedChance
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.games.axis_allies.ids import ALLIES, AXIS, ORDER_DECK, RPC, SIDES, WINTER_STORM, order_card, round_space
from core.games.axis_allies.memory import in_play
from core.games.axis_allies.options import LUFTWAFFE_PRIORITIES
from core.games.axis_allies.rules.automatic_cards import WORKERS_CARD, work
from core.games.axis_allies.rules.queries import storm_round
from core.games.axis_allies.rules.reinforcement import Reinforcement
from core.games.axis_allies.rules.set_up import lay_out
from core.positions.inventory_checks import table_defects
from events.ids import Side
from projections.state.table import Table
from tests.support.axis_allies import BOARD, SCENE, opened

CHAPTER = Reinforcement(BOARD)
RULES = DecisionRules(CHAPTER.decisions, sequences=CHAPTER.sequences)
BOX = in_play(BOARD, "race", {})
STORM = 6
RICHES = 60
"""RPCs given to both sides in each round, so that they run out of pieces and tokens."""


def play(draft: Draft, side: Side, random: Random) -> int:
    """Play the Reinforcement phase of a side and return how many commands it took."""
    table = draft.table
    draft.begin_turn(side, SCENE)
    draft.begin_phase(f"{side}_reinforcement", SCENE)
    draft.track(RPC[side], RICHES, SCENE)
    CHAPTER.by_side[side].begin(draft)
    RULES.settle(draft)
    count = 0
    while table.stack:
        options = RULES.options(table)
        assert len(options) > 1, "a question with one answer only is not asked"
        top = table.stack[-1]
        command = random.choice(options)
        assert RULES.kinds[top.kind].refuse(table, top, command) is None
        RULES.take(draft, command)
        count += 1
    assert table_defects(BOX, table) == []
    assert min(table.track(RPC[one]) for one in SIDES) >= 0
    return count


def units_of(table: Table, side: Side) -> int:
    return sum(piece.side == side and piece.kind in BOARD.units for piece in table.pieces.values())


@pytest.mark.parametrize("scenario", ["race", "uranus"])
def test_random_reinforcements_leave_tables_without_defects(scenario: str) -> None:
    random = Random(scenario)
    start = opened(scenario, options={LUFTWAFFE_PRIORITIES.key: True})
    draft = Draft(start.table, KeyedChance(b"1" * 32, "playout"))
    lay_out(draft, BOARD)
    table = draft.table
    before = {side: units_of(table, side) for side in SIDES}
    commands = 0
    for number in range(BOARD.scenarios[scenario].first_round, BOARD.file.limits.rounds + 1):
        draft.begin_round(number, SCENE)
        if number == STORM:
            draft.mark(round_space(number), WINTER_STORM, SCENE)
        commands += play(draft, AXIS, random)
        if order_card(WORKERS_CARD) in table.pile(ORDER_DECK).cards:
            work(draft, BOARD)
        commands += play(draft, ALLIES, random)

    assert storm_round(table, BOARD)
    assert commands > 50
    assert all(units_of(table, side) > before[side] for side in SIDES)
