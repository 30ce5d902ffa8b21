"""The shipped board: every statement of the rulebook's text about map, blocks and cards holds on it."""

from core.components.file_checks import checked_file
from core.games.inferno.components.board import BOARD_FILE
from events.ids import CardId, PlaceId

BOARD = BOARD_FILE.load()


def test_the_shipped_file_has_no_defects() -> None:
    checked = checked_file(BOARD_FILE, BOARD_FILE.shipped_bytes)

    assert (checked.differences, checked.contradictions) == ((), ())


def test_the_compass_leads_to_the_hexes_of_the_examples() -> None:
    """C16, C17, C21."""
    assert BOARD.hexes[PlaceId("7")].next_hex(6) == "6"
    assert BOARD.hexes[PlaceId("25")].next_hex(5) == "24"
    assert BOARD.hexes[PlaceId("9")].next_hex(1) is None


def test_decks_have_26_and_28_cards() -> None:
    """C66; with the fifth Pioneer card 27."""
    german, soviet = BOARD.titles

    assert [len(BOARD.deck(german)), len(BOARD.deck(german, has_extra=True)), len(BOARD.deck(soviet))] == [26, 27, 28]


def test_a_block_without_dots_on_top_is_set_to_its_lowest_edge() -> None:
    """T1."""
    block = BOARD.blocks[CardId("20-destroyer")]

    assert block.edge("edge-4").strength == 0
    assert block.edge(block.lowest_face).strength == 1
