"""The report of the board: the map, and where its figures come from."""

from core.components.board_report import make_board_report
from core.drawing.picture_svg import draw_picture
from core.game import BoardReport
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.view.map import map_lines, sheet


def make_report(text: str | None, variant: str = "") -> BoardReport:
    """Return the report of the shipped board, or of another.

    Raises:
        BoardInvalid: The board file has defects; all of them are listed.
    """
    board = BOARD_FILE.load(text, variant)
    return make_board_report(BOARD_FILE, text, variant, map_lines(board), draw_picture(sheet(board)))
