"""Everything printed about random matches is in the words of the game, in both scenarios and modes, with and without optional rules."""

import pytest

from cli.output.table_text import decision_lines
from core.games.axis_allies.ids import AUCTION, RACE, STANDARD, URANUS
from core.games.axis_allies.options import OPTIONAL_RULES
from core.telling.names import Names
from events.ids import ARBITER, PUBLIC
from events.vocabulary import Value
from tests.cli.test_printed_words import drawn, told, wrong
from tests.support.axis_allies import NARRATION
from tests.support.playouts import Playout

LOOK_EVERY = 19


@pytest.mark.parametrize(
    ("scenario", "mode", "has_optional_rules"),
    [(RACE, AUCTION, True), (RACE, STANDARD, False), (URANUS, STANDARD, True), (URANUS, AUCTION, False)],
)
def test_printed_text_is_in_the_words_of_the_game(scenario: str, mode: str, *, has_optional_rules: bool) -> None:
    given: dict[str, Value] = {
        spec.key: has_optional_rules for spec in OPTIONAL_RULES if not spec.scenarios or scenario in spec.scenarios
    }
    playout = Playout("axis_allies", scenario, 4201, mode=mode, given=given)
    names = Names(NARRATION)
    lines: list[str] = []
    for number, _ in enumerate(playout.steps()):
        table = playout.desk.table
        lines += decision_lines(names, table)
        if number % LOOK_EVERY == 0 or table.ended is not None:
            said = [NARRATION.describe(table, option) for option in playout.desk.options()]
            assert len(set(said)) == len(said)
            lines += said
            for seat in (ARBITER, PUBLIC, *table.seats):
                lines += drawn(names, table if seat == ARBITER else playout.seen_by(seat))
    lines += told(names, playout.desk)

    assert len(set(lines)) > 200
    assert wrong(names, playout.desk.table, lines) == []
