"""The board can be looked at before a match, with the provenance of its figures."""

import pytest

from core.errors import SetupInvalid
from core.games import load_game
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.view.board_view import make_sheet


def test_the_sheet_shows_every_area_and_says_what_is_reconstructed() -> None:
    sheet = make_sheet(None)
    board = BOARD_FILE.load()

    assert sheet.digest == board.source.digest
    assert len(sheet.map_lines) == len(board.areas) + 1
    assert sum("reconstructed" in line for line in sheet.doubtful) > 100
    assert sheet.provenance[0].startswith("in all: ")
    assert sheet.counts["reconstructed"] > 0 < len(sheet.words["reconstructed"])
    assert sheet.svg.count("<circle") > len(board.areas)


def test_the_sheet_of_an_owners_board_counts_what_the_owner_read() -> None:
    text = BOARD_FILE.shipped_bytes.decode().replace("x = 175, y = 520,", "x = 176, y = 520,", 1)
    own = make_sheet(text)

    assert own.digest != make_sheet(None).digest
    assert any("x 176" in line for line in own.doubtful)


def test_a_board_with_defects_has_no_sheet() -> None:
    with pytest.raises(SetupInvalid) as caught:
        make_sheet("schema = 1")

    assert caught.value.defects


def test_the_game_offers_its_sheet() -> None:
    offered = load_game("advance").make_sheet

    assert offered is not None
    assert offered(None, "") == make_sheet(None, "")
