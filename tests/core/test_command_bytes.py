"""Commands are stored in the log as they were sent, so every command ever accepted must stay readable.

Every match command and every command of each game has its bytes in `fixtures/commands`. A failing test here says that a shipped
command was changed: an audit of old matches would fail. Add a command with another tag instead.
"""

from core.engine.command import MATCH_TAGS, Command
from core.match.bound_games import bound_game
from core.match.match_commands import MATCH_COMMAND_DECODER, MatchCommand
from core.registry.games import GAMES
from events.codec import encode, tag_of
from events.ids import GameKey
from tests.project.tree import ROOT
from tests.support.rows import each_row
from tests.support.wishes import commands_of

COMMANDS = ROOT / "fixtures" / "commands"
MATCH = "match"


def kinds(key: str) -> dict[str, type[Command]]:
    """Return the commands of a game, or match commands, by the names of their files."""
    types = MatchCommand.__args__ if key == MATCH else commands_of(key)
    return {tag_of(kind).removeprefix(MATCH_TAGS): kind for kind in types}


KEYS = [MATCH, *GAMES]
CASES = [(key, name) for key in KEYS for name in kinds(key)]


@each_row("key", KEYS)
def test_every_command_has_its_bytes_and_no_bytes_are_without_a_command(key: str) -> None:
    assert sorted(path.stem for path in (COMMANDS / key).glob("*.json")) == sorted(kinds(key))


@each_row(("key", "name"), CASES)
def test_the_bytes_of_a_command_are_read_and_written_the_same(key: str, name: str) -> None:
    line = (COMMANDS / key / f"{name}.json").read_bytes().rstrip(b"\n")
    decode = MATCH_COMMAND_DECODER.decode if key == MATCH else bound_game(GameKey(key), None).rules.decode
    command = decode(line)

    assert type(command) is kinds(key)[name]
    assert encode(command) == line


@each_row(("key", "name"), CASES)
def test_the_bytes_of_a_command_contain_every_field(key: str, name: str) -> None:
    """A field with its default value would not be tested."""
    text = (COMMANDS / key / f"{name}.json").read_text(encoding="utf-8")

    assert [field for field in kinds(key)[name].__struct_fields__ if f'"{field}":' not in text] == []
