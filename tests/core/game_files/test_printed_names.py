"""Printed names are read from a game's data without importing the game."""

import subprocess
import sys
import zipfile
from pathlib import Path

from core.game_files.printed_names import printed_words
from core.registry.games import GAMES, load_game, package_of
from events.ids import GameKey
from tests.support.rows import each_row


@each_row("game", list(GAMES))
def test_a_games_words_are_read_by_its_package(game: str) -> None:
    words = printed_words(package_of(GameKey(game)))

    assert words
    assert all(id_ and isinstance(printed, str) for id_, printed in words.items())


@each_row("game", list(GAMES))
def test_a_mode_has_one_name_in_lists_and_in_sentences(game: str) -> None:
    words, scenarios = printed_words(package_of(GameKey(game))), load_game(GameKey(game)).scenarios
    modes = {mode.key: mode.title for scenario in scenarios for mode in scenario.modes if mode.key}

    assert {key: words.get(key, title) for key, title in modes.items()} == modes


@each_row("package", ["", "core", "core.game.game_record", "core.games.nothing", "tests.cli"])
def test_a_package_without_words_has_no_printed_names(package: str) -> None:
    assert printed_words(package) == {}


def test_an_unknown_game_has_no_package() -> None:
    assert package_of(GameKey("chess")) == ""


def test_words_are_read_without_importing_the_game_even_from_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "strangers.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("strangers/__init__.py", "")
        file.writestr("strangers/whist/__init__.py", "raise RuntimeError('the game was imported')")
        file.writestr("strangers/whist/data/words.toml", '[words]\ntrump = "Trump"\n')
    code = (
        "import sys; from core.game_files.printed_names import printed_words; print(printed_words('strangers.whist'))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(archive)!r}); {code}"],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )

    assert ran.stdout == "{'trump': 'Trump'}\n"


def test_the_kernel_reads_words_without_the_list_of_games() -> None:
    """A game reads its words by its own package name, so the kernel does not import the list of games."""
    source = (Path(__file__).parents[3] / "core" / "game_files" / "printed_names.py").read_text(encoding="utf-8")

    assert "core.games" not in source.replace("such as `core.games.advance`", "")


def test_a_package_without_init_has_its_words_as_well() -> None:
    assert printed_words("tests.support") == {"red": "Red", "blue": "Blue"}
