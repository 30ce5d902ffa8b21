"""Games and positions that were read once are kept: by game, variant and text."""

from core.match.bound_games import bound_game, has_game, has_position, read_position
from events.ids import GameKey
from tests.support.skirmish import BOARD

SKIRMISH = GameKey("skirmish")
POSITION = 'format = "wardiary-position/1"\ngame = "skirmish"\n'


def test_the_shipped_board_is_always_there_and_another_one_once_it_was_read() -> None:
    own = BOARD + "# read once\n"
    before = has_game(SKIRMISH, own)
    game = bound_game(SKIRMISH, own)

    assert has_game(SKIRMISH, None)
    assert (before, has_game(SKIRMISH, own), has_game(SKIRMISH, own, "mine")) == (False, True, False)
    assert bound_game(SKIRMISH, own) is game


def test_a_variant_of_the_shipped_board_is_not_there() -> None:
    assert not has_game(SKIRMISH, None, "mine")


def test_a_position_is_there_once_it_was_read() -> None:
    text = POSITION + "# read once\n"
    before = has_position(text)
    position = read_position(text)

    assert has_position(None)
    assert (before, has_position(text)) == (False, True)
    assert read_position(text) is position
