"""The repository as data, for the tests of the project's own rules."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGES = ("events", "projections", "core", "server", "cli")
# Files left by a set-up, a test run or a build; all of them are in .gitignore.
LEFT_BEHIND = frozenset(
    (
        ".git",
        ".venv",
        ".hypothesis",
        ".import_linter_cache",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        "__pycache__",
        "build",
        "dist",
    )
)


class Source(NamedTuple):
    """One file of the repository: its path (relative to the root, with slashes) and its text."""

    path: str
    text: str

    def tree(self) -> ast.Module:
        """Return the syntax tree of the file, which callers must not change: all of them get the same one."""
        return _parsed(self)


@cache
def _parsed(source: Source) -> ast.Module:
    return ast.parse(source.text, source.path)


@cache
def walked(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return all nodes of a tree as `ast.walk` does, which takes seconds for all files: each tree is walked once."""
    return tuple(ast.walk(tree))


def _walk(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.name in LEFT_BEHIND:
            continue
        if entry.is_dir():
            yield from _walk(entry)
        else:
            yield entry


@cache
def tracked_files() -> tuple[Path, ...]:
    """List the files under version control, or all files if the folder is not a clone (an unpacked archive)."""
    if not (ROOT / ".git").exists():
        return tuple(_walk(ROOT))
    listing = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    return tuple(path for name in listing.split("\0") if name and (path := ROOT / name).is_file())


TEMPLATES = ROOT / "cli" / "templates" / "nim"
"""The game that `wardiary new-game` writes: it is data of the product, and the code of its author."""


@cache
def product_files(*packages: str, suffix: str = ".py") -> tuple[Source, ...]:
    """Read the product's files with this suffix, of the named packages or of all five."""
    return tuple(
        Source(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        for package in packages or PACKAGES
        for path in _walk(ROOT / package)
        if path.suffix == suffix and not path.is_relative_to(TEMPLATES)
    )


@cache
def games() -> tuple[str, ...]:
    """List the keys of the games: the folders under core/games. One that is being written has no record yet, and is left out."""
    inits = sorted((ROOT / "core" / "games").glob("*/__init__.py"))
    return tuple(init.parent.name for init in inits if "GAME = " in init.read_text(encoding="utf-8"))
