"""Commands of a game: those that its module declares, and those of selections."""

from functools import reduce
from operator import or_
from types import ModuleType
from typing import get_args

from core.engine.command import Command
from core.engine.selection import SelectionCommand
from events.codec import Decoder


def commands_of(module: ModuleType) -> tuple[type[Command], ...]:
    """Return the commands of a game: those that a module declares, and those of selections."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Command)]
    return tuple(dict.fromkeys((*[kind for kind in kinds if kind is not Command], *get_args(SelectionCommand))))


def command_decoder(module: ModuleType) -> Decoder[Command]:
    """Return the decoder of `commands_of` a module."""
    return Decoder(reduce(or_, commands_of(module)))
