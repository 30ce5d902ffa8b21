"""What any board file must satisfy: `board_schema` (form and printed figures), then what several places say together."""

from core.board_file import BoardInvalid, Findings
from core.games.advance.components.board import board_digest, packaged_bytes
from core.games.advance.components.board_loader import build_board
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_rows import read_rows
from core.games.advance.components.checks.board_schema import BOARD_FORM
from core.games.advance.components.checks.map_constraints import check_map
from core.games.advance.components.checks.piece_constraints import check_pieces
from core.games.advance.components.checks.table_constraints import check_tables
from core.outside_toml import TextDefect, outside_bytes, read_outside


def checked_board(source: bytes | str) -> Board:
    """Return the board of an owner's file.

    Raises:
        BoardInvalid: The file has defects; all of them are listed.
    """
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
