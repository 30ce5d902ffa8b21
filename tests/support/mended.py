"""A rule of the test game that is mended while its matches are under way."""

import pytest

from core.game.game_record import Game
from core.registry.games import load_game
from events.codec import replace

EDITION = "0.2"


def mend(patch: pytest.MonkeyPatch, goal: int = 12) -> Game:
    """Install a later edition of the test game, in which a lower score is the goal, and return it."""
    later = replace(load_game("skirmish"), edition=EDITION, deciding=("skirmish.py", "desk.py"))
    patch.setattr("tests.support.skirmish.GAME", later)
    patch.setattr("tests.support.skirmish.GOAL", goal)
    return later
