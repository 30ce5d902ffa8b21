"""Golden matches are reproduced to the last event; `make golden` writes them again."""

from difflib import unified_diff

from core.registry.games import GAMES, load_game
from events.codec import decode_plain, encode
from tests.support.golden import MATCHES, kept, opened, replayed, stored, told
from tests.support.match_text import command_line, command_of, event_line, event_of
from tests.support.rows import each_row

SHOWN_MAX = 60


@each_row("name", MATCHES)
def test_a_golden_match_is_reproduced(name: str) -> None:
    desk = kept(name)
    difference = list(unified_diff(stored(name), told(desk), "golden", "now", lineterm="", n=1))

    assert difference == [], "\n".join(difference[:SHOWN_MAX])
    assert desk.table.ended is not None
    assert desk.audit().findings == ()


@each_row("name", ["advance/main", "axis_allies/race", "battle/standard", "inferno/standard"])
def test_the_line_of_an_event_holds_every_field(name: str) -> None:
    events = [event for commit in kept(name).commits for event in commit.events]

    assert [event_of(event_line(event)) for event in events] == [decode_plain(encode(event)) for event in events]


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


@each_row("name", MATCHES)
def test_a_golden_match_is_text_with_a_line_for_each_command_and_event(name: str) -> None:
    lines = stored(name)
    kinds = [event_of(line)["event"] for line in lines if command_of(line) is None]

    assert len(lines) > 500
    assert (kinds[0], kinds[-1]) == ("match-opened/1", "match-ended/1")


@each_row(
    "value",
    ["5", "true", "NaN", "", "two words", "a=b", '"', "[x]  [y]", "Ä–\n", 5, True, None, ["5", 5], {"a b": [{}]}],
)
def test_unlike_values_never_look_alike(value: object) -> None:
    command = {"do": "move", "first": value, "then": "5th/rifle", "last": value}
    line = command_line("red", command, 3)

    assert "\n" not in line
    assert command_of(line) == command


def test_a_changed_event_appears_in_the_difference() -> None:
    name = next(iter(MATCHES))
    expected = stored(name)
    place = next(number for number, line in enumerate(expected) if line.startswith("  track-moved/1"))
    expected[place] = expected[place].replace(" to=", " to=1")
    difference = list(unified_diff(expected, told(replayed(name, expected)), lineterm="", n=0))

    assert difference[3:] == [f"-{expected[place]}", f"+{stored(name)[place]}"]
