"""The made-up game is in the list of games while its situations are tested."""

from collections.abc import Iterator

import pytest

from core.games import GAMES
from events.ids import GameKey


@pytest.fixture(scope="module", autouse=True)
def _garrison() -> Iterator[None]:
    GAMES[GameKey("garrison")] = "tests.acid.selection_game"
    try:
        yield
    finally:
        del GAMES[GameKey("garrison")]
