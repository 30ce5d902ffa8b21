"""`check-game` finds what every game must keep, and what a game does not."""

import pytest

from cli.commands.check_game import _record_problems
from cli.conformance import map_problems
from core.ports import MapPlace
from events.codec import replace
from events.ids import PlaceId
from tests.cli.running import Terminal
from tests.support.skirmish import GAME


@pytest.mark.parametrize("game", ["advance", "battle", "tests.support.skirmish"])
def test_a_game_that_keeps_everything_passes(terminal: Terminal, game: str) -> None:
    checks = terminal.done("check-game", game, "--matches", "2", "--json").objects

    assert [one["check"] for one in checks] == ["record", "index of rules", "map", "matches"]
    assert [one["problems"] for one in checks] == [[], [], [], []]
    assert checks[-1]["count"] == 2


def test_a_planted_dead_end_is_found(terminal: Terminal) -> None:
    """With enough matches the options vary, and one of them plants faults."""
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "40")

    assert ran.code == 1
    assert "dead end at event" in ran.out
    assert "fails 1 of 4 checks" in ran.err


@pytest.mark.parametrize(
    ("package", "words"),
    [("no.such.package", "cannot be imported"), ("tests.support.desk", "has no record"), ("", "cannot be imported")],
)
def test_what_is_no_game_is_told(terminal: Terminal, package: str, words: str) -> None:
    ran = terminal("check-game", package)

    assert (ran.code, words in ran.err) == (2, True)


def test_a_record_with_defects_is_told() -> None:
    (bug, *others) = GAME.options
    wrong = replace(
        GAME, scenarios=GAME.scenarios * 2, options=(replace(bug, default="beetle", scenarios=("dawn",)), *others)
    )

    assert [problem.split(":")[0] for problem in _record_problems(wrong)] == [
        "the scenario field is there twice",
        "the scenario night is there twice",
        "the default of option bug is not allowed",
        "option bug names a scenario dawn that does not exist",
    ]


def test_a_map_with_defects_is_told() -> None:
    one, other = PlaceId("one"), PlaceId("other")
    places = [MapPlace(one, "One", "1", 0, 0, (other, PlaceId("none"))), MapPlace(other, "Other", "2", 0, 0)]

    assert list(map_problems(places)) == [
        "place one is not a neighbour of its neighbour other",
        "place one has a neighbour none that does not exist",
    ]
