"""The board as a reader sees it before a match: the map, and where its figures come from."""

from core.board_svg import draw_svg
from core.components.sheet import make_board_sheet
from core.game import BoardSheet
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.view.map import LEGEND, map_lines, map_places, map_remark, printed_looks

TITLE = "Stalingrad: Advance to the Volga, 1942"


def make_sheet(text: str | None, variant: str = "") -> BoardSheet:
    """Show the shipped board, or another.

    Raises:
        BoardInvalid: The board file has defects; all of them are listed.
    """
    board = BOARD_FILE.load(text, variant)
    svg = draw_svg(TITLE, map_places(board), printed_looks(board), LEGEND, map_remark(board))
    return make_board_sheet(BOARD_FILE, text, variant, map_lines(board), svg)
