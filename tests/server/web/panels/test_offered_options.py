"""A page offers what its question allows, also if the match has gone on to another question while the page was made."""

import pytest

from core.match.bound_games import bound_game
from core.telling.names import Names
from events.ids import GameKey
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.page_parts.story import Story
from server.protocol.replies import LegalReply
from server.web.panels.offered_options import offered_options, with_repeats
from server.web.panels.option_filter import OptionSubjects
from server.web.panels.page_model import Decision, PageModel
from tests.support.browsing import play_on, played


@pytest.mark.parametrize("game", ["advance", "inferno"])
def test_no_option_of_an_earlier_question_is_tried_on_the_table_of_a_later_one(game: str) -> None:
    log = MemoryLog()
    match, bound = played(log, game, 0), bound_game(GameKey(game), None)
    client = local_client(log)
    seat = client.legal(match).to_move
    story = Story(match, seat, Names(bound.narration), bound.narration)
    subjects = OptionSubjects(story, bound)
    before: LegalReply | None = None
    found = []
    for seed in range(40):
        for slice_ in client.log(match, seat, story.last):
            story.take(slice_)
        if before is not None:
            model = PageModel(story, before.seq, bound=bound, decision=Decision(before))
            found.append(with_repeats(model, offered_options(model, subjects, before)).repeats)
        legal = client.legal(match, seat)
        before = legal if legal.to_move == seat else None
        play_on(client, match, 1, str(seed))

    assert len(found) > 20
    assert found == [{}] * len(found)
