"""The boards as a reader sees them before a match: the maps, and where their figures come from."""

from core.components.board_report import make_board_report
from core.drawing.picture_svg import draw_picture
from core.game import BoardReport
from core.games.axis_allies.components.board_model import BOARD_FILE
from core.games.axis_allies.components.view.map import map_lines, sheet


def make_report(text: str | None, variant: str = "") -> BoardReport:
    """Show the shipped boards, or others.

    Raises:
        BoardInvalid: The board file has defects; all of them are listed.
    """
    board = BOARD_FILE.load(text, variant)
    return make_board_report(BOARD_FILE, text, variant, map_lines(board), draw_picture(sheet(board)))
