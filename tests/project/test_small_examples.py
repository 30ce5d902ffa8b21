"""The small example games pass `check-game` and their own tests, as their authors would run them."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.registry import games
from core.registry.games import load_game
from tests.cli.running import Terminal
from tests.project.tree import ROOT
from tests.support.rows import each_row
from tests.support.soak import few

EXAMPLES = {"hex": "hex_game", "liars_dice": "liars_dice"}
"""The folder of each example below `docs/examples`, and its package."""

HEX_LINES_MAX = 120


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the entry points of the examples, as their distributions would bring them; they are found while the tests run."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        for name, package in EXAMPLES.items():
            info = folder / f"wardiary_{name}-0.1.dist-info"
            info.mkdir()
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: wardiary-{name}\nVersion: 0.1\n")
            (info / "entry_points.txt").write_text(f"[wardiary.games]\n{name} = {package}\n")
            patch.syspath_prepend(str(ROOT / "docs" / "examples" / name))
        patch.syspath_prepend(str(folder))
        games._of_other_distributions.cache_clear()
        yield folder
        games._of_other_distributions.cache_clear()
        for module in [module for module in sys.modules if module.partition(".")[0] in EXAMPLES.values()]:
            del sys.modules[module]


@pytest.fixture(scope="module")
def known_types(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the type checker keeps what it has found about the modules of the repository."""
    return tmp_path_factory.mktemp("types")


@pytest.mark.parametrize("name", few(EXAMPLES))
def test_an_example_passes_check_game(name: str, installed: Path, tmp_path: Path) -> None:
    ran = Terminal(tmp_path / "store.db")("check-game", name, "--matches", "4")

    assert (ran.code, ran.err) == (0, "")
    assert load_game(name).package == EXAMPLES[name]


@pytest.mark.long
@each_row("name", EXAMPLES)
def test_the_tests_of_an_example_pass(name: str, installed: Path) -> None:
    """They run in a process of their own, with the packages of this repository under their installed names."""
    folder = ROOT / "docs" / "examples" / name
    paths = [installed, folder, ROOT / "cli" / "distribution", ROOT]
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--noconftest",
            "-c",
            os.devnull,
            folder / "tests",
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_new_game_passes_its_test_and_check_game(tmp_path: Path) -> None:
    """`wardiary new-game` writes it; its author installs it and goes on from there."""
    terminal = Terminal(tmp_path / "store.db")
    folder, site = tmp_path / "four-in-a-row", tmp_path / "site"
    said = terminal.done("new-game", "four-in-a-row", "--into", str(folder)).out

    assert "four_in_a_row_game/__init__.py" in said
    assert not any(re.search(r"\bnim\b", file.read_text()) for file in folder.rglob("*") if file.is_file())

    info = site / "four-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: four\nVersion: 0.1\n")
    entry_points = tomllib.loads((folder / "pyproject.toml").read_text())["project"]["entry-points"]["wardiary.games"]
    (info / "entry_points.txt").write_text(
        "[wardiary.games]\n" + "".join(f"{name} = {package}\n" for name, package in entry_points.items())
    )
    paths = [site, folder, ROOT / "cli" / "distribution", ROOT]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    for arguments in (
        ("pytest", "-q", "-p", "no:cacheprovider", "--noconftest", "-c", os.devnull, str(folder / "tests")),
        ("wardiary", "check-game", "four-in-a-row", "--matches", "2", "--quiet"),
    ):
        ran = subprocess.run(
            [sys.executable, "-m", *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

        assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("key", "code", "words"),
    [
        ("Four in a row", 2, "cannot be the key of a game"),
        ("battle", 2, "there is a game battle already"),
        ("axis-allies", 2, "there is a game axis-allies already"),
    ],
)
def test_a_key_that_no_new_game_can_have_is_refused(key: str, code: int, words: str, tmp_path: Path) -> None:
    ran = Terminal(tmp_path / "store.db")("new-game", key, "--into", str(tmp_path / "new"))

    assert (ran.code, words in ran.err) == (code, True)
    assert not (tmp_path / "new").exists()


def test_a_title_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """It stands between quotation marks in the files."""
    ran = Terminal(tmp_path / "store.db")("new-game", "four", "--title", 'The "Four"', "--into", str(tmp_path / "new"))

    assert (ran.code, "cannot be a title" in ran.err) == (2, True)


def test_a_new_game_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("kept")
    ran = Terminal(tmp_path / "store.db")("new-game", "four", "--into", str(tmp_path))

    assert (ran.code, "is not empty" in ran.err) == (3, True)


def test_hex_with_a_bot_and_the_pie_rule_is_short() -> None:
    """It is what the short way to write a game is measured by."""
    lines = (ROOT / "docs" / "examples" / "hex" / "hex_game" / "__init__.py").read_text().splitlines()

    assert len(lines) <= HEX_LINES_MAX


@pytest.mark.long
@each_row("folder", [*(ROOT / "docs" / "examples" / name for name in EXAMPLES), ROOT / "cli" / "templates" / "nim"])
def test_types_of_what_authors_import_are_known_in_the_checkout(folder: Path, known_types: Path) -> None:
    """Without an installed wheel, the names of `wardiary.game` lead to the modules of the repository; `make check` sees it with the project's types."""
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", os.devnull, "--cache-dir", known_types, "--strict", "."],
        cwd=folder,
        env={**os.environ, "MYPYPATH": f"{ROOT}:{ROOT / 'cli' / 'distribution'}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert ran.stdout.startswith("Success"), ran.stdout + ran.stderr
