"""What a small game need not say has a default: names, words, positions, deciding files, and the helpers of its tests."""

import pickle
import re
import sys
from collections.abc import Iterator
from importlib import import_module

import pytest

import wardiary
from core.drawing.drawing import draw_table
from core.errors import SetupInvalid
from core.game.game_record import Game
from core.narration.game_rolls import NO_ROLLS
from core.registry.games import GAMES
from events.ids import GameKey
from tests.project.tree import ROOT
from tests.support.rows import each_row
from wardiary.testing import opened, refusal, same_view, where

KEY = GameKey("nim")


@pytest.fixture(scope="module", autouse=True)
def nim() -> Iterator[Game]:
    """The game that `wardiary new-game` writes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "cli" / "templates" / "nim"))
        patch.setitem(GAMES, KEY, "nim_game")
        record = import_module("nim_game").GAME
        assert isinstance(record, Game)
        yield record
        del sys.modules["nim_game"]


def test_the_record_has_one_scenario_and_lists_what_decides(nim: Game) -> None:
    assert [(one.key, [mode.key for mode in one.modes]) for one in nim.scenarios] == [("standard", [""])]
    assert nim.deciding == ("__init__.py", "data/refusals.toml")
    assert nim.sides == ("first", "second")


def test_a_small_game_says_of_its_rolls_what_its_record_says(nim: Game) -> None:
    assert nim.bind(None).rolls is NO_ROLLS


def test_a_small_game_has_no_other_boards(nim: Game) -> None:
    with pytest.raises(SetupInvalid, match="Nim has no other boards and no variants"):
        nim.bind("board")


def test_a_bound_game_can_be_sent_to_another_process(nim: Game) -> None:
    bound = pickle.loads(pickle.dumps(nim.bind(None)))

    assert bound.narration.name("first") == "First Player"
    assert [*bound.rules.kinds] == ["turn"]


@each_row(
    ("line", "problem"),
    [
        ("tracks = { heap = 99 }", "heap"),
        ('control = { hill = "first" }', "hill"),
        ('turn = "third"', "third"),
        ('decision = { kind = "trun" }', "did you mean turn"),
    ],
)
def test_a_position_is_checked_by_the_inventory(line: str, problem: str) -> None:
    text = f'format = "wardiary-position/1"\ngame = "nim"\n{line}\n'
    with pytest.raises(wardiary.RequestFailed, match=problem):
        opened("nim", text, seed="1")


def test_the_helpers_of_tests_see_refusals_places_and_views() -> None:
    one, other = opened("nim", seed="1"), opened("nim", seed="1")

    assert (where(one), same_view(one, other)) == ({}, True)
    assert refusal(one, {"do": "done"}) == "malformed"
    assert refusal(one, {"do": "take", "count": 1}, seat="second") == "seat_must_be_asked"

    one.play({"do": "take", "count": 1})

    assert not same_view(one, other)
    with pytest.raises(AssertionError, match="is accepted"):
        refusal(one, {"do": "take", "count": 1})


def test_a_game_without_a_map_is_drawn_with_its_tracks() -> None:
    match = opened("nim", seed="1")
    drawn = draw_table(match.game.narration, match.table(), "Nim")

    assert re.search(r'viewBox="0 0 9\d\d \d+"', drawn)
    assert {">Heap<", ">15<"} <= {*re.findall(r">[^<>]+<", drawn)}
