"""While the game is not in the list of games, its tests put it there."""

from collections.abc import Iterator

import pytest

from core.games import GAMES
from events.ids import GameKey

INFERNO = GameKey("inferno")


@pytest.fixture(scope="module", autouse=True)
def _listed() -> Iterator[None]:
    GAMES[INFERNO] = "tests.support.inferno"
    try:
        yield
    finally:
        del GAMES[INFERNO]
