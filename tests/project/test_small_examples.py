"""The small example games pass `check-game` and their own tests, as their authors would run them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.registry import games
from core.registry.games import load_game
from tests.cli.running import Terminal
from tests.project.tree import ROOT

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


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_passes_check_game(name: str, installed: Path, tmp_path: Path) -> None:
    ran = Terminal(tmp_path / "store.db")("check-game", name, "--matches", "4")

    assert (ran.code, ran.err) == (0, "")
    assert load_game(name).package == EXAMPLES[name]


@pytest.mark.parametrize("name", EXAMPLES)
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


def test_hex_with_a_bot_and_the_pie_rule_is_short() -> None:
    """It is what the short way to write a game is measured by."""
    lines = (ROOT / "docs" / "examples" / "hex" / "hex_game" / "__init__.py").read_text().splitlines()

    assert len(lines) <= HEX_LINES_MAX


def test_types_of_what_authors_import_are_known_in_the_checkout() -> None:
    """Without an installed wheel, the names of `wardiary.game` lead to the modules of the repository."""
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", os.devnull, "--strict", "hex_game"],
        cwd=ROOT / "docs" / "examples" / "hex",
        env={**os.environ, "MYPYPATH": f"{ROOT}:{ROOT / 'cli' / 'distribution'}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert ran.stdout.startswith("Success"), ran.stdout + ran.stderr
