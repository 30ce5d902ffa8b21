"""The base of every command: what a seat asks to do. Each game has its own union of commands."""

from typing import ClassVar

from events.codec import Struct


class Command(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do", gc=False):
    """A command of a seat. Its tag names the action, its fields are the arguments.

    Attributes:
        is_of_a_row: Others of its type can follow it at the same question, such as the moves of one unit after the other, so that a client
            may offer several of them as one order.
    """

    is_of_a_row: ClassVar[bool] = False


class MatchOwnCommand(Command, frozen=True):
    """The base of the commands that all games share. The type of every command is compared with it."""
