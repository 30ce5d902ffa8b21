"""The rules digest: the hash of everything that the outcomes of a match depend on, and of nothing else; and that of a game's bots.

Two installations with one digest give the same events for the same commands and the same chance. Changes of bots, narration,
pictures and checks of files do not change the rules of a match.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from events.ids import Digest

TOP = "wardiary."
"""The prefix of all packages when installed from a wheel; in the repository they have none."""

_PREFIX = __name__.removesuffix("core.game_files.rules_digest")
_INSTALLED_IMPORT = f"from {TOP}".encode()

KERNEL: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "core",
        (
            "wording.py",
            "authoring",
            "chance",
            "components",
            "engine",
            "game",
            "geometry",
            "match",
            "match/arbitration",
            "positions",
            "secrets",
        ),
    ),
    ("projections", ("state",)),
)
"""The folders that decide in every game, by package: the kernel's deciding code, the fold, and the seats' views, on which a
fork's new deal depends; and the words of recorded texts. A test lists all others with the reason why they do not decide."""

BOTS = "bots"
"""The folder of a game with its bots."""

CHOOSING = ("bots", "legal")
"""The folders of `core` whose code chooses for bots, beside what decides."""


@lru_cache
def rules_digest(package: str, deciding: tuple[str, ...], edition: str) -> Digest:
    """Return the SHA-256 over the edition, the kernel's deciding code and a game's, by name and content.

    The edition counts although it decides nothing: a match says both, and an audit compares both.

    Args:
        package: The game's package.
        deciding: The files that outcomes depend on, as in `core.game.game_record.Game.deciding`.
        edition: What readers call this state of the rules.
    """
    kernel = [(f"{_PREFIX}{name}", paths) for name, paths in KERNEL]
    return _digest(f"edition {edition}\n", (*kernel, (package, deciding)))


@lru_cache
def bots_digest(package: str, rules: Digest) -> Digest:
    """Return the SHA-256 over the digest of a game's rules, and over the code that chooses for bots: that of all games and the game's own.

    Two installations with one digest give the same choices for the same questions, seeds and budgets in playouts.

    Args:
        package: The game's package.
        rules: The digest of its rules.
    """
    has_own = files(package).joinpath(BOTS).is_dir()
    choosing = ((f"{_PREFIX}core", CHOOSING), *(((package, (BOTS,)),) if has_own else ()))
    return _digest(f"rules {rules}\n", choosing)


def _digest(beginning: str, choosing: Iterable[tuple[str, Sequence[str]]]) -> Digest:
    digest = hashlib.sha256(beginning.encode())
    for name, paths in choosing:
        for path, content in _sources(name, paths):
            digest.update(f"{name.removeprefix(TOP)}/{path} {len(content)}\n".encode())
            digest.update(content)
    return Digest(digest.hexdigest())


def deciding_files(package: str, deciding: Sequence[str]) -> list[str]:
    """Return the paths of a game's deciding files below its package, in the order in which they are hashed."""
    return [path for path, _ in _sources(package, deciding)]


def _sources(package: str, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the listed files, and the files directly in listed folders, with their paths."""
    for path in paths:
        entry = files(package).joinpath(*path.split("/"))
        if entry.is_dir():
            inside = sorted(filter(_is_source, entry.iterdir()), key=lambda item: item.name)
            yield from ((f"{path}/{item.name}", _content(item)) for item in inside)
        else:
            yield path, _content(entry)


def _content(entry: Traversable) -> bytes:
    """Return a file as it is in the repository; an installed one imports from below `TOP`."""
    return entry.read_bytes().replace(_INSTALLED_IMPORT, b"from ")


def _is_source(entry: Traversable) -> bool:
    return entry.is_file() and entry.name.endswith((".py", ".toml"))
