"""The board as a reader sees it before a match: the map, and where its figures come from."""

from core.board_svg import draw_svg
from core.components.board_report import make_board_report
from core.game import BoardReport
from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.components.view.map import LEGEND, drawn_places, map_lines, map_remark, printed_looks

TITLE = "Stalingrad: Inferno on the Volga"


def make_report(text: str | None, variant: str = "") -> BoardReport:
    """Show the shipped board, or another.

    Raises:
        BoardInvalid: The board file has defects; all of them are listed.
    """
    board = BOARD_FILE.load(text, variant)
    svg = draw_svg(TITLE, drawn_places(board), printed_looks(board), LEGEND, map_remark(board))
    return make_board_report(BOARD_FILE, text, variant, map_lines(board), svg)
