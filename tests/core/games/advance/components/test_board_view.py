"""The board can be looked at before a match, with the provenance of its figures."""

from xml.etree import ElementTree

import pytest

from core.errors import SetupInvalid
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.view.map import make_report
from core.registry.games import load_game

SVG = "{http://www.w3.org/2000/svg}"


def test_the_sheet_shows_every_area_and_says_what_is_reconstructed() -> None:
    report = make_report(None)
    board = BOARD_FILE.load()
    # One shape holds the outlines of all Areas of a terrain.
    shapes = ElementTree.fromstring(report.svg).iter(f"{SVG}path")
    outlines = [one.attrib["d"].count("z") for one in shapes if one.get("class", "").endswith(" s-frame")]

    assert report.digest == board.source.digest
    assert len(report.map_lines) == len(board.areas) + 1
    assert sum("reconstructed" in line for line in report.doubtful) > 100
    assert report.provenance[0].startswith("in all: ")
    assert report.counts["reconstructed"] > 0 < len(report.words["reconstructed"])
    assert sum(outlines) == len(board.areas)


def test_the_sheet_of_an_owners_board_counts_what_the_owner_read() -> None:
    text = BOARD_FILE.shipped_bytes.decode().replace("x = 162, y = 513,", "x = 999, y = 513,", 1)
    own = make_report(text)

    assert own.digest != make_report(None).digest
    assert any("x 999" in line for line in own.doubtful)


def test_a_board_with_defects_has_no_report() -> None:
    with pytest.raises(SetupInvalid) as caught:
        make_report("schema = 1")

    assert caught.value.defects


def test_the_game_offers_its_report() -> None:
    offered = load_game("advance").make_report

    assert offered is not None
    assert offered(None, "") == make_report(None, "")
