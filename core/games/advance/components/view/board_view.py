"""The report of the board: the map, and where its figures come from."""

from core.board_svg import draw_svg
from core.components.board_report import make_board_report, source_remark
from core.game import BoardReport
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.view.map import LEGEND, REMARK, map_lines, map_places, printed_looks


def make_report(text: str | None, variant: str = "") -> BoardReport:
    """Return the report of the shipped board, or of another.

    Raises:
        BoardInvalid: The board file has defects; all of them are listed.
    """
    board = BOARD_FILE.load(text, variant)
    remark = source_remark(board.source, REMARK)
    svg = draw_svg("Stalingrad: Advance to the Volga, 1942", map_places(board), printed_looks(board), LEGEND, remark)
    return make_board_report(BOARD_FILE, text, variant, map_lines(board), svg)
