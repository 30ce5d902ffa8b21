"""The program that learns can be copied: it runs, its weights move, and it tells in one line what is wrong."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest

from core.errors import UnknownName
from tests.project.tree import ROOT

TINY = ("--minutes", "0.00001", "--batch", "2", "--matches", "2", "--most", "30", "--processes", "1", "--json")


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = spec_from_file_location("learn_example", ROOT / "docs" / "examples" / "learning" / "learn.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def learned(example: ModuleType, patch: pytest.MonkeyPatch, *words: str) -> None:
    """Run the program in this process."""
    patch.setattr(example, "ProcessPoolExecutor", ThreadPoolExecutor)
    patch.setattr(sys, "argv", ["learn.py", *TINY, *words])
    example.learn(example.asked())


def test_the_example_learns_from_matches(
    example: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learned(example, monkeypatch)
    told = json.loads(capsys.readouterr().out)

    assert told["matches"] == 2
    assert all(
        0 <= told[when]["least"] <= told[when]["share"] <= told[when]["most"] <= 1 for when in ("before", "after")
    )


def test_weights_of_what_was_followed_by_more_than_usual_grow(example: ModuleType) -> None:
    setting = example.Setting("battle", "", "", (), "", "random", 60)
    match = example.play(setting, example.np.zeros(example.WEIGHTS), (1,))
    rewards, gradient = example.taught(setting, example.np.zeros(example.WEIGHTS), [(1,)])

    assert rewards == [match.reward]
    assert len(match.followed) == len(match.tokens) > 20
    assert gradient[0] == 0
    assert gradient.any()


def test_a_game_that_does_not_exist_is_told(example: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownName, match="no game is called 'chess'"):
        learned(example, monkeypatch, "--game", "chess")
