"""What sides, phases and tracks of the games are called in print, read from their data without loading their rules."""

import tomllib
from functools import lru_cache
from pkgutil import get_data

from core.games import GAMES
from events.ids import GameKey


@lru_cache(maxsize=16)
def printed_words(game: GameKey) -> dict[str, str]:
    """Return the printed names of a game's sides, phases and tracks by their ids; none for a game that keeps no such file.

    To import a game's package takes longer than to replay a long match, so the file is looked up beside the list of games.
    """
    package = GAMES.get(game, "")
    if not package.startswith("core.games."):
        return {}
    try:
        text = get_data("core.games", f"{package.rpartition('.')[2]}/data/words.toml") or b""
    except FileNotFoundError:
        return {}
    words = tomllib.loads(text.decode()).get("words", {})
    return {str(id_): str(said) for id_, said in words.items()}
