"""The component file of this game."""

from core.components.component_file import ComponentFile
from core.games.axis_allies.components.board_model import build
from core.games.axis_allies.components.board_records import BoardFile
from core.games.axis_allies.ids import PACKAGE
from core.toml.findings import Findings


def _check(file: BoardFile, findings: Findings) -> None:
    from core.games.axis_allies.components.checks.board_checks import check_board

    check_board(file, findings)


BOARD_FILE = ComponentFile(PACKAGE, BoardFile, build, _check)
"""The boards, as the shipped file or an owner's has them."""
