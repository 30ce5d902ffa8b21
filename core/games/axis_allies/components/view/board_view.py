"""The boards as a reader sees them before a match: the maps, and where their figures come from."""

from core.board_svg import draw_svg
from core.components.board_report import make_board_report
from core.game import BoardReport
from core.games.axis_allies.components.board import BOARD_FILE
from core.games.axis_allies.components.view.map import LEGEND, STYLE, map_lines, map_places, map_remark, printed_looks

TITLE = "Axis & Allies: Stalingrad"


def make_report(text: str | None, variant: str = "") -> BoardReport:
    """Show the shipped boards, or others.

    Raises:
        BoardInvalid: The board file has defects; all of them are listed.
    """
    board = BOARD_FILE.load(text, variant)
    svg = draw_svg(TITLE, map_places(board), printed_looks(board), LEGEND, map_remark(board), style=STYLE)
    return make_board_report(BOARD_FILE, text, variant, map_lines(board), svg)
