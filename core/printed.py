"""What sides, phases and tracks of the games are called in print, read from their data without loading their rules."""

import tomllib
from functools import lru_cache
from pathlib import Path

from core import games
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
    file = Path(games.__file__).parent / package.rpartition(".")[2] / "data" / "words.toml"
    if not file.is_file():
        return {}
    words = tomllib.loads(file.read_text(encoding="utf-8"))["words"]
    return {str(id_): str(said) for id_, said in words.items()}
