"""Commands are stored in the log as they were sent: the bytes of every command of this game are read and written the same."""

from pathlib import Path

import pytest

from events.codec import encode, tag_of
from tests.core.test_command_bytes import COMMANDS
from tests.support.inferno import RULES
from tests.support.wishes import commands_of

FOLDER = COMMANDS / "inferno"


def test_every_command_has_its_bytes() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == sorted(map(tag_of, commands_of("inferno")))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_the_bytes_of_a_command_are_read_and_written_the_same(path: Path) -> None:
    line = path.read_bytes().rstrip(b"\n")
    command = RULES.decode(line)

    assert encode(command) == line
    assert [field for field in command.__struct_fields__ if f'"{field}":' not in line.decode()] == []
