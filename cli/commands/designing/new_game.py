"""Writes the folder of a new game: Nim under another name, with its data and a test that passes."""

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from cli.schemas.games import NewGameShape
from cli.shell.context import Context
from cli.shell.exit_codes import input_output, usage
from core.registry.games import game_key, package_of, typed_key
from server.store.whole_file import make_folder

TEMPLATES = f"{__name__.removesuffix('commands.designing.new_game')}templates"
"""The package of templates; installed from a wheel it has a longer name."""

TEMPLATE = "nim"
KEY = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")


def new_game(context: Context, key: str, *, title: str, folder: str) -> None:
    """Write the folder.

    Args:
        context: Where to print.
        key: The key of the game.
        title: Its title; by default the key in capitals.
        folder: Where it is written; by default a folder of the key's name here.

    Raises:
        UserError: The key is no key, a game has it already, or something is in the folder.
    """
    if not KEY.fullmatch(key):
        raise usage(
            f"{key!r} cannot be the key of a game: use small letters, digits and hyphens, such as four-in-a-row"
        )
    if not all(letter.isprintable() and letter not in '"\\' for letter in title):
        raise usage(f"{title!r} cannot be a title: it is written between quotation marks")
    if package_of(game_key(key)):
        raise usage(f"there is a game {typed_key(key)} already; `wardiary games` lists all")
    target = Path(folder or typed_key(key)).expanduser()
    if target.is_file() or (target.is_dir() and any(target.iterdir())):
        raise input_output(f"{target} is not empty; name another folder with --into", "output_refused")
    package = f"{game_key(key)}_game"
    called = title or typed_key(key).replace("-", " ").title()
    written = []
    for path, text in _template(files(TEMPLATES).joinpath(TEMPLATE)):
        file = target / path.replace("nim_game", package)
        make_folder(file.parent)
        name = typed_key(key) if file.suffix == ".toml" and file.name == "pyproject.toml" else game_key(key)
        file.write_text(_renamed(text, package, name, called), encoding="utf-8")
        written.append(str(file))
    context.print_result(
        NewGameShape(game=game_key(key), package=package, files=tuple(written)), _lines(target, key, package)
    )


def _template(folder: Traversable, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each file of the template."""
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        name = f"{path}{entry.name}"
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _template(entry, f"{name}/")
        elif not entry.name.endswith(".pyc"):
            yield name, entry.read_text(encoding="utf-8")


def _renamed(text: str, package: str, key: str, title: str) -> str:
    """Return a text of the template with the names of another game."""
    renamed = re.sub(r"\bnim\b", key, text.replace("nim_game", package))
    return re.sub(r"\bNim\b", title, renamed)


def _lines(target: Path, key: str, package: str) -> Iterator[str]:
    yield f"{target} has a game that can be played: Nim, until you change {package}/__init__.py."
    yield f"Next: pip install -e {target}, then `wardiary check-game {typed_key(key)}` and `pytest {target}`."
