"""Reads the printed names of a game's sides, phases and tracks from its data, without importing the game."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Protocol, runtime_checkable


@runtime_checkable
class _Loader(Protocol):
    """A loader that reads data files beside the modules it loads."""

    def get_data(self, path: str) -> bytes:
        """Return the bytes of a file."""


@lru_cache(maxsize=16)
def printed_words(package: str) -> dict[str, str]:
    """Return the printed names of a game's sides, phases and tracks by their ids; empty for a game without such a file.

    Importing a game takes longer than replaying a long match, so its package is located but not imported.

    Args:
        package: The dotted name of the game's package, such as `core.games.advance`; empty for an unknown game.
    """
    return printed_tables(package, "words").get("words", {})


def printed_tables(package: str, name: str) -> dict[str, dict[str, str]]:
    """Return the tables of words in a data file of a game; empty for a game without such a file.

    Args:
        package: The dotted name of the game's package; empty for an unknown game.
        name: The name of the file without its ending, such as `sentences`.
    """
    spec = find_spec(package) if package else None
    if spec is None or not spec.submodule_search_locations:
        return {}
    try:
        text = _read(spec.loader, package, spec.submodule_search_locations[0], name)
    except OSError:
        return {}
    tables = tomllib.loads(text.decode())
    return {
        title: {str(id_): str(printed) for id_, printed in table.items()}
        for title, table in tables.items()
        if isinstance(table, dict)
    }


def _read(loader: object, package: str, folder: str, name: str) -> bytes:
    """Return the bytes of a data file; a package without `__init__` has no loader that reads it."""
    if isinstance(loader, _Loader):
        return loader.get_data(f"{folder}/data/{name}.toml")
    return files(package).joinpath("data").joinpath(f"{name}.toml").read_bytes()
