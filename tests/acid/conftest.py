"""List the made-up games while their situations are tested."""

from collections.abc import Iterator

import pytest

from core.registry.games import GAMES
from events.ids import GameKey


@pytest.fixture(scope="module", autouse=True)
def _made_up() -> Iterator[None]:
    GAMES[GameKey("garrison")] = "tests.acid.selection_game"
    GAMES[GameKey("coalition")] = "tests.acid.sides_game"
    GAMES[GameKey("sally")] = "tests.acid.orders_game"
    try:
        yield
    finally:
        del GAMES[GameKey("garrison")]
        del GAMES[GameKey("coalition")]
        del GAMES[GameKey("sally")]
