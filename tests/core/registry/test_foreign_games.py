"""Games of other distributions are found by the entry point `wardiary.games`."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import RulesetMissing, UnknownName
from core.registry import games
from core.registry.games import game_keys, load_game, package_of
from events.ids import GameKey

RECORD = """
from core.games.battle import GAME as BATTLE
from events.codec import replace
GAME = replace(BATTLE, key={key!r})
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of distributions on the import path; the cache of found games is cleared before and after."""
    monkeypatch.syspath_prepend(str(tmp_path))
    games._of_other_distributions.cache_clear()
    yield tmp_path
    games._of_other_distributions.cache_clear()
    for name in [name for name in sys.modules if name.startswith("strange_")]:
        del sys.modules[name]


def install(folder: Path, name: str, package: str, code: str) -> None:
    """Install a distribution with one game."""
    (folder / f"{package}.py").write_text(code)
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[wardiary.games]\n{name} = {package}\n")


def test_a_game_of_another_distribution_is_listed_last_and_loaded(installed: Path) -> None:
    install(installed, "stalin-grad", "strange_game", RECORD.format(key="stalin_grad"))

    assert game_keys()[-1] == "stalin_grad"
    assert package_of(GameKey("stalin_grad")) == "strange_game"
    assert load_game("stalin-grad").key == "stalin_grad"


def test_another_distribution_cannot_replace_a_key_of_ours(installed: Path) -> None:
    install(installed, "battle", "strange_battle", "raise RuntimeError('taken over')")

    assert game_keys().count(GameKey("battle")) == 1
    assert load_game("battle").package == "core.games.battle"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise RuntimeError('out of order')", "out of order"),
        ("GAMES = ()", "has no attribute 'GAME'"),
        (RECORD.format(key="other"), "calls its game 'other'"),
    ],
)
def test_a_game_that_cannot_be_loaded_is_reported(installed: Path, code: str, words: str) -> None:
    install(installed, "odd", "strange_odd", code)

    with pytest.raises(RulesetMissing, match=words):
        load_game("odd")


def test_the_error_for_an_unknown_game_lists_all_games(installed: Path) -> None:
    install(installed, "whist", "strange_whist", RECORD.format(key="whist"))

    with pytest.raises(UnknownName, match="did you mean whist"):
        load_game("whisk")
