"""The board for people who look at it before a match: the map, and where its figures come from."""

from core.board_file import BoardInvalid
from core.board_provenance import provenance_lines
from core.board_svg import draw_svg
from core.game import BoardSheet
from core.games.advance.components.board import load_board, packaged_bytes
from core.games.advance.components.checks.provenance import report_provenance
from core.games.advance.components.view.map import LEGEND, map_lines, map_places, map_remark, printed_looks
from core.outside_toml import TextDefect, read_outside


def make_sheet(text: str | None) -> BoardSheet:
    """Show the packaged board, or an owner's.

    Raises:
        BoardInvalid: The board file has defects; all of them are listed.
    """
    board = load_board(text)
    plain = read_outside(packaged_bytes() if text is None else text.encode())
    if isinstance(plain, TextDefect):
        raise BoardInvalid((plain,))
    report = report_provenance(plain)
    lines = provenance_lines(report)
    summary = 1 + len(report.sections)
    title = "Stalingrad: Advance to the Volga, 1942"
    return BoardSheet(
        digest=board.digest,
        map_lines=map_lines(board),
        svg=draw_svg(title, map_places(board), printed_looks(board), LEGEND, map_remark(board)),
        counts=report.counts,
        words={**report.words, **report.sources},
        provenance=lines[:summary],
        doubtful=lines[summary:],
    )
