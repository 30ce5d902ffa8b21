"""Everything printed about random matches is in the words of the game, in all modes, with and without the Designer's Way."""

import pytest

from cli.output.table_text import decision_lines
from core.game_files.printed_names import printed_words
from core.games.inferno.ids import CO_OP, ONE_VS_ONE, SOLO, TWO_VS_ONE
from core.games.inferno.options import DESIGNERS_WAY
from core.telling.names import Names
from events.ids import ARBITER, PUBLIC
from tests.cli.test_printed_words import drawn, told, wrong
from tests.support.inferno import NARRATION, RULES
from tests.support.playouts import Playout

LOOK_EVERY = 17


@pytest.mark.parametrize(
    ("mode", "level"), [(SOLO, "random"), (CO_OP, "off"), (ONE_VS_ONE, "hard"), (TWO_VS_ONE, "off"), (SOLO, "german")]
)
def test_printed_text_is_in_the_words_of_the_game(mode: str, level: str) -> None:
    playout = Playout("inferno", "standard", 4200, mode=mode, given={DESIGNERS_WAY.key: level})
    names = Names(NARRATION)
    lines: list[str] = []
    for number, _ in enumerate(playout.steps()):
        table = playout.desk.table
        lines += decision_lines(names, table)
        if number % LOOK_EVERY == 0 or table.ended is not None:
            lines += [NARRATION.describe(table, option) for option in playout.desk.options()]
            for seat in (ARBITER, PUBLIC, *table.seats):
                lines += drawn(names, table if seat == ARBITER else playout.seen_by(seat))
    sentences = list(told(names, playout.desk))
    lines += sentences

    assert [said for said in sentences if said[0].islower()] == []
    assert len(set(lines)) > 200
    assert wrong(names, playout.desk.table, lines) == []


def test_sequences_and_their_steps_have_names() -> None:
    """`log -v` tells them; an id would be read as a word of the program."""
    ids = {f"sequence:{kind}" for kind in RULES.sequences}
    ids |= {f"{kind}:{step.name}" for kind, found in RULES.sequences.items() for step in found.steps}

    assert {id_ for id_ in printed_words("core.games.inferno") if ":" in id_} == ids
    assert not any("_" in NARRATION.name(id_) for id_ in ids)
