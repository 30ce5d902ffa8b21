"""Files that only their owner may read: stores hold seeds and hands, archives hold what every seat keeps secret."""

import os
import shlex
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

from events.codec import Decoder
from events.ids import MatchId, Seat

PRIVATE = 0o600
OTHERS = 0o077

OfServer = dict[MatchId, dict[Seat, str]]
"""The secrets of the seats on one server, by match and seat."""

SEAT_SECRETS: Decoder[dict[str, OfServer]] = Decoder(dict[str, OfServer])
"""Decodes a file of the secrets of seats, by server."""


def make_private(path: Path) -> None:
    """Create an empty file that only its owner may read, whatever the umask; leave an existing file alone.

    If it cannot be created, opening it later raises the reason.
    """
    with suppress(OSError), open_private(Path(os.path.realpath(path))):
        pass


def open_private(path: Path, mode: int = PRIVATE) -> BinaryIO:
    """Create a file with this mode, whatever the umask, and open it for writing.

    Raises:
        OSError: It cannot be created, or the name is in use.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode & PRIVATE)
    file = cast("BinaryIO", os.fdopen(descriptor, "wb"))
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, mode)
    return file


def open_to_others(paths: Iterable[Path]) -> str:
    """Return a warning to the owner of files that other users may read or write; empty if there are none.

    Other users get no warning, because only the owner can change the mode.
    """
    found = [path for path in paths if _is_open_to_others(path)]
    if not found:
        return ""
    files = " ".join(shlex.quote(str(path)) for path in found)
    return (
        f"{found[0]} can be read or written by other users, and it holds seeds and hidden cards: run chmod 600 {files}"
    )


def is_own(path: Path) -> bool:
    """Return whether a file exists and belongs to this user, who can change its mode."""
    return _own_mode(path) > 0


def _is_open_to_others(path: Path) -> bool:
    return bool(_own_mode(path) & OTHERS)


def _own_mode(path: Path) -> int:
    """Return the mode of this user's file, with its type; 0 if it is another user's or does not exist."""
    if os.name != "posix":
        return 0
    try:
        known = path.stat()
    except OSError:
        return 0
    return known.st_mode if known.st_uid == os.geteuid() else 0
