"""Position files as TOML: every position of the worked examples is written as a text that is the same position."""

from core.position_files.position_line import position_line, text_of_line
from core.position_files.position_toml import position_text
from core.positions.position import parse_position
from core.toml.outside_toml import LINE_CHARACTERS_MAX
from tests.core.test_positions import FILES, position_of
from tests.project.tree import games
from tests.support.rows import each_row


@each_row("game", games())
def test_a_position_that_was_written_by_hand_is_written_again_as_it_is(game: str) -> None:
    files = [path for path in FILES if path.parent.name == game]

    assert files
    for path in files:
        position = position_of(path)
        text = position_text(position)

        assert parse_position(text) == position, path
        assert text_of_line(position_line(position)) == text
        assert max(map(len, text.splitlines())) <= LINE_CHARACTERS_MAX
