"""Sorts of commands, as headings of options."""

from core.telling.names import Names
from events.codec import decode_plain

COMMAND = "command"
"""The printed headings of sorts of commands stand under `command:SORT`."""


def sort_of_command(command: bytes) -> str:
    """Return which sort of command this is, in the words of the command."""
    return _sort(command).replace("-", " ").title()


def heading_of(command: bytes, names: Names) -> str:
    """Return the heading of options of a sort: the printed one if the game has one, or else the words of the command."""
    key = f"{COMMAND}:{_sort(command)}"
    printed = names.narration.name(key)
    return sort_of_command(command) if printed == key else printed


def _sort(command: bytes) -> str:
    plain = decode_plain(command)
    assert isinstance(plain, dict), "a command is an object"
    return str(plain["do"]).rpartition(":")[2]
