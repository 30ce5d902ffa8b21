"""The board of a match: the packaged one, or an owner's own file after it has been checked.

The parts of a board are in `board_model`; what any owner's file must satisfy is in `checks`, which the packaged board
does not need: the tests have checked it.
"""

import tomllib
from functools import cache
from hashlib import sha256
from importlib.resources import files

from core.games.advance.components.board_loader import build_board
from core.games.advance.components.board_model import Board
from events.ids import Digest

BOARD_FILE = ("data", "board.toml")


def load_board(source: bytes | str | None = None) -> Board:
    """Return the packaged board, or that of an owner's file.

    Args:
        source: The file's exact bytes, or its text if it never was a file; None for the packaged board, read once.

    Raises:
        BoardInvalid: The file has defects; all of them are listed.
    """
    if source is None:
        return _packaged_board()
    # Play on the packaged board, the usual one, does without all that checks a file.
    from core.games.advance.components.checks.board_checks import checked_board

    return checked_board(source)


def board_digest(data: bytes) -> Digest:
    """Return the name under which a match records its board: the SHA-256 over the file's exact bytes."""
    return Digest(sha256(data).hexdigest())


@cache
def packaged_bytes() -> bytes:
    """Return the board file that ships with the game."""
    return files("core.games.advance").joinpath(*BOARD_FILE).read_bytes()


@cache
def _packaged_board() -> Board:
    # The tests have checked the packaged file, so that opening a match need not check it again.
    data = packaged_bytes()
    return build_board(tomllib.loads(data.decode()), board_digest(data), is_packaged=True)
