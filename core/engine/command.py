"""The base of every command: what a seat asks to do. Each game has its own union of commands."""

from events.codec import Struct


class Command(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do", gc=False):
    """A command of a seat. Its tag names the action, its fields are the arguments."""


MATCH_TAGS = "match:"
"""How the tags of the commands that all games share begin."""


class MatchOwnCommand(Command, frozen=True):
    """The base of the commands that all games share. The type of every command is compared with it."""
