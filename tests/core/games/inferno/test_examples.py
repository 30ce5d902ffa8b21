"""Worked examples: every step of every position file of this game, played with typed dice."""

from pathlib import Path

import pytest

from tests.core.test_positions import POSITIONS
from tests.core.test_positions import test_a_worked_example_has_its_stated_outcome as play

FILES = sorted((POSITIONS / "inferno").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_worked_example_of_this_game_has_its_stated_outcome(path: Path) -> None:
    play(path)
