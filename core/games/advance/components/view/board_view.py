"""The board as a reader sees it before a match: the map, and where its figures come from."""

from core.board_svg import draw_svg
from core.components.board_report import make_board_report
from core.game import BoardReport
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.view.map import LEGEND, map_lines, map_places, map_remark, printed_looks

TITLE = "Stalingrad: Advance to the Volga, 1942"


def make_report(text: str | None, variant: str = "") -> BoardReport:
    """Show the shipped board, or another.

    Raises:
        BoardInvalid: The board file has defects; all of them are listed.
    """
    board = BOARD_FILE.load(text, variant)
    svg = draw_svg(TITLE, map_places(board), printed_looks(board), LEGEND, map_remark(board))
    return make_board_report(BOARD_FILE, text, variant, map_lines(board), svg)
