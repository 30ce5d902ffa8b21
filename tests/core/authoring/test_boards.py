"""Boards of hexes and squares have neighbours both ways, and labels of their own."""

from core.authoring.boards import hex_board, square_board
from core.checking.conformance import map_problems
from core.narration.render_model import MapPlace
from tests.support.rows import each_row


@each_row("board", [hex_board(1), hex_board(4), hex_board(26), square_board(8, 8), square_board(3, 1)])
def test_a_board_is_a_sound_map(board: tuple[MapPlace, ...]) -> None:
    assert list(map_problems(board)) == []
    assert len({place.id for place in board}) == len(board)
    assert all(0 <= place.x <= 1000 and 0 <= place.y <= 1000 for place in board)


@each_row(
    ("board", "place", "near"),
    [
        (hex_board(3), "b2", {"b1", "c1", "c2", "b3", "a3", "a2"}),
        (hex_board(3), "a1", {"b1", "a2"}),
        (hex_board(3), "c1", {"b1", "b2", "c2"}),
        (square_board(3, 3), "b2", {"a2", "c2", "b1", "b3"}),
        (square_board(3, 3), "a1", {"a2", "b1"}),
    ],
)
def test_a_place_touches_its_neighbours(board: tuple[MapPlace, ...], place: str, near: set[str]) -> None:
    assert {*next(one.neighbours for one in board if one.id == place)} == near
