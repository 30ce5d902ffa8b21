"""The list of games. A fifth game is a folder beside the others and one line here."""

from importlib import import_module
from typing import TYPE_CHECKING

from core.errors import UnknownName
from core.suggestions import unknown
from events.ids import GameKey

if TYPE_CHECKING:
    from core.game import Game

GAMES: dict[GameKey, str] = {
    GameKey("advance"): "core.games.advance",
    GameKey("battle"): "core.games.battle",
}
"""Each game's key and the package that holds its record, `GAME`. Packages are imported only when played."""


def game_keys() -> list[GameKey]:
    """Return the keys of all games, in the order of the list."""
    return list(GAMES)


def package_of(key: GameKey) -> str:
    """Return the package of a game without importing it; empty for an unknown game."""
    return GAMES.get(key, "")


def load_game(key: str) -> "Game":
    """Return a game's record; `-` and `_` in the key are the same.

    Raises:
        UnknownName: There is no such game.
    """
    package = GAMES.get(GameKey(key.replace("-", "_")))
    if package is None:
        raise UnknownName(unknown("game", key, [str(known) for known in GAMES]))
    game: Game = import_module(package).GAME
    return game
