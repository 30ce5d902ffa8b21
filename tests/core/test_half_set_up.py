"""A table can be looked at after every event, also in the middle of its set-up, when most of it is not there yet."""

import pytest

from core.drawing.drawing import drawing_of, panels_of, spread_of
from core.history.match_reader import events_of
from core.match.bound_games import bound_game
from core.registry.games import game_keys
from events.ids import GameKey, MatchId
from events.memory_log import MemoryLog
from projections.state.fold import fold
from projections.state.table import Table
from tests.bench import our_play
from tests.support.soak import few

MATCH = MatchId("opened")


@pytest.mark.parametrize("game", few(game_keys(), 2))
def test_a_table_can_be_drawn_after_every_event_of_the_set_up(game: GameKey) -> None:
    log = MemoryLog()
    our_play.begun(MATCH, game=game, log=log)
    narration, table = bound_game(game, None).narration, Table()
    for event in events_of(log, MATCH):
        before = table.clone()
        fold([event], table)
        drawing = drawing_of(narration, table, "Title")
        assert spread_of(drawing, narration, table, before).stacks.keys() == {
            place.id for place in drawing.sheet.places
        }
        assert all(panel.title or panel.lines or panel.rows for panel in panels_of(narration, table))
