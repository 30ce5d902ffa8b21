"""The running match among the samples goes on, whatever the finished one was like."""

import pytest

from core.registry.games import game_keys
from events.ids import ARBITER, GameKey
from events.memory_log import MemoryLog
from server.client.local import local_client
from tests.support.sample_matches import COMMANDS_MAX, play, running
from tests.support.soak import few


@pytest.mark.parametrize("game", few([key for key in game_keys() if key in ("battle", "advance")]))
def test_the_running_match_is_not_over(game: GameKey) -> None:
    client = local_client(MemoryLog())
    opened = client.open(game, dice="seeded", seed="3")
    for seat in opened.seats:
        client.take_seat(opened.match, seat)
    play(client, game, opened.match, COMMANDS_MAX)
    line = running(client, game, opened.match)

    assert not client.legal(opened.match).to_move
    assert client.legal(line).to_move
    assert client.state(line, ARBITER).table.ended is None
