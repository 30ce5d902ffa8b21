"""Sorts of commands, as headings of options."""

from core.engine.command import Command
from core.telling.names import Names
from events.codec import decode_plain, tag_of

COMMAND = "command"
"""The printed headings of sorts of commands stand under `command:SORT`."""


def sort_of_command(command: bytes) -> str:
    """Return which sort of command this is, in the words of the command."""
    return _in_words(sort_in(command))


def heading_of(command: bytes, names: Names) -> str:
    """Return the heading of options of a sort: the printed one if the game has one, or else the words of the command."""
    return heading_of_sort(sort_in(command), names)


def heading_of_sort(sort: str, names: Names) -> str:
    """Return the heading of a sort; see `heading_of`."""
    key = f"{COMMAND}:{sort}"
    printed = names.narration.name(key)
    return _in_words(sort) if printed == key else printed


def sort_of(command: Command | type[Command]) -> str:
    """Return the sort of a command, or of a type of commands."""
    return tag_of(command if isinstance(command, type) else type(command)).rpartition(":")[2]


def sort_in(command: bytes) -> str:
    """Return the sort of a command that is JSON."""
    plain = decode_plain(command)
    assert isinstance(plain, dict), "a command is an object"
    return str(plain["do"]).rpartition(":")[2]


def _in_words(sort: str) -> str:
    return sort.replace("-", " ").title()
