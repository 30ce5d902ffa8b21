"""The board of a match: the packaged one, or an owner's own file after it has been checked.

The parts of a board are in `board_model`; what any board must satisfy is in `board_form` (form and printed figures),
`board_map`, `board_pieces` and `board_tables` (what several places of a file say together).
"""

import tomllib
from functools import cache
from hashlib import sha256
from importlib.resources import files

from core.board_file import BoardInvalid, Findings
from core.games.advance.components.board_loader import build_board
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_rows import read_rows
from core.games.advance.components.checks.board_schema import BOARD_FORM
from core.games.advance.components.checks.map_constraints import check_map
from core.games.advance.components.checks.piece_constraints import check_pieces
from core.games.advance.components.checks.table_constraints import check_tables
from core.outside_toml import TextDefect, outside_bytes, read_outside
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
    board = read_board(outside_bytes(source))
    if not isinstance(board, Board):
        raise BoardInvalid(board)
    return board


def read_board(data: bytes) -> Board | tuple[TextDefect, ...]:
    """Check a board file and build its board; never raises.

    Args:
        data: Anything.

    Returns:
        The board, or every defect of the file, in the order of their lines, at least one.
    """
    text = read_outside(data)
    if isinstance(text, TextDefect):
        return (text,)
    findings = Findings(text)
    BOARD_FORM.check(text.plain, (), findings)
    rows = read_rows(text.plain, list(findings.paths))
    check_map(text.plain, rows, findings)
    check_pieces(text.plain, rows, findings)
    check_tables(text.plain, rows, findings)
    defects = findings.defects()
    if defects:
        return defects
    return build_board(text.plain, board_digest(data), is_packaged=data == packaged_bytes())


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
