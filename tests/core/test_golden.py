"""Golden matches are reproduced to the last event; `python -m tests.support.golden` writes them again."""

from difflib import unified_diff

import pytest

from core.games import GAMES, load_game
from events.codec import decode_plain
from tests.support.golden import MATCHES, opened, replayed, stored, told

SHOWN_MAX = 60


@pytest.mark.parametrize("name", MATCHES)
def test_a_golden_match_is_reproduced(name: str) -> None:
    expected = stored(name)
    desk = replayed(name, expected)
    difference = list(unified_diff(expected, told(desk), "golden", "now", lineterm="", n=1))

    assert difference[:SHOWN_MAX] == []
    assert desk.table.ended is not None
    assert desk.audit().findings == ()


def test_every_mode_of_every_game_has_a_golden_match() -> None:
    games = [load_game(key) for key in GAMES if key != "skirmish"]
    modes = {
        (game.key, scenario.key, mode.key) for game in games for scenario in game.scenarios for mode in scenario.modes
    }

    assert (
        modes
        - {(match.game, match.scenario, opened(name, "manual").desk.table.mode) for name, match in MATCHES.items()}
        == set()
    )


@pytest.mark.parametrize("name", MATCHES)
def test_a_golden_match_is_readable_text(name: str) -> None:
    lines = [decode_plain(line) for line in stored(name)]

    assert len(lines) > 500
    assert all(isinstance(line, dict) and ("event" in line or "command" in line) for line in lines)


def test_a_changed_event_appears_in_the_difference() -> None:
    name = next(iter(MATCHES))
    expected = stored(name)
    place = next(number for number, line in enumerate(expected) if '"event":"track-moved/1"' in line)
    expected[place] = expected[place].replace('"to":', '"to":1')
    difference = list(unified_diff(expected, told(replayed(name, expected)), lineterm="", n=0))

    assert difference[3:] == [f"-{expected[place]}", f"+{stored(name)[place]}"]
