"""The list of games. A fifth game is a folder in `core/games` and one line here, or a package of another distribution.

Another distribution names its games as entry points of the group `wardiary.games`: the key of a game and the package that holds its
record. A key that is in the list here stays the list's. `docs/adding-a-game.md` builds such a game.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from core.errors import RulesetMissing, UnknownName
from core.suggestions import unknown
from events.ids import GameKey

if TYPE_CHECKING:
    from core.game.game_record import Game

_FOLDER = f"{__name__.removesuffix('registry.games')}games"

GAMES: dict[GameKey, str] = {
    GameKey("advance"): f"{_FOLDER}.advance",
    GameKey("axis_allies"): f"{_FOLDER}.axis_allies",
    GameKey("battle"): f"{_FOLDER}.battle",
    GameKey("inferno"): f"{_FOLDER}.inferno",
}
"""Each game's key and the package that holds its record, `GAME`. Packages are imported only when played."""


ENTRY_POINTS = "wardiary.games"


@cache
def _of_other_distributions() -> dict[GameKey, str]:
    """Return the packages of games that other distributions bring; looked up once, as that reads every distribution's files."""
    # It loads half of the standard library, and most matches are of a game of the list.
    from importlib.metadata import entry_points

    return {game_key(point.name): point.module for point in entry_points(group=ENTRY_POINTS)}


def game_key(name: str) -> GameKey:
    """Return the key of a game from its name as it may be typed: `-` and `_` are the same."""
    return GameKey(name.replace("-", "_"))


def typed_key(key: str) -> str:
    """Return the key of a game as people type and read it, with `-` for `_`."""
    return key.replace("_", "-")


def game_keys() -> list[GameKey]:
    """Return the keys of all games: those of the list in its order, then those of other distributions."""
    return [*GAMES, *sorted(_of_other_distributions().keys() - GAMES.keys())]


def package_of(key: GameKey) -> str:
    """Return the package of a game without importing it; empty for an unknown game."""
    return GAMES.get(key) or _of_other_distributions().get(key, "")


def packages() -> list[str]:
    """Return the packages of all games, in the order of their keys."""
    return [package_of(key) for key in game_keys()]


def load_game(key: str) -> "Game":
    """Return a game's record; `-` and `_` in the key are the same.

    Raises:
        UnknownName: There is no such game.
        RulesetMissing: Its package belongs to another distribution and cannot be imported, or has no record of this key.
    """
    wanted = game_key(key)
    package = package_of(wanted)
    if not package:
        raise UnknownName(unknown("game", key, [typed_key(known) for known in game_keys()]))
    if wanted in GAMES:
        game: Game = import_module(package).GAME
        return game
    try:
        foreign: Game = import_module(package).GAME
    except Exception as error:
        from core.registry.game_fault import told

        raise RulesetMissing(
            f"the game {wanted} cannot be loaded from the package {package}: {told(error, [package])}"
        ) from error
    if getattr(foreign, "key", None) != wanted:
        raise RulesetMissing(f"the package {package} calls its game {getattr(foreign, 'key', None)!r}, not {wanted!r}")
    return foreign
