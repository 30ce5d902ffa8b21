"""Random commands of every kind of any game."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Literal, get_args, get_origin, get_type_hints

from core.checking.randomness import Randomness
from core.engine import game_commands
from core.engine.command import Command
from core.registry.games import GAMES, load_game
from events.codec import tag_of


@cache
def commands_of(game: str) -> tuple[type[Command], ...]:
    """Return every kind of command of a game: those of its module `rules.commands`."""
    record = load_game(game)
    is_own = record.package.startswith("core.games.")
    module = import_module(f"{record.package}.rules.commands" if is_own else GAMES[record.key])
    return game_commands.commands_of(module)


def wild(kind: type[Command], names: Sequence[str], rng: Randomness) -> dict[str, object]:
    """Return a command of a kind with random fields."""
    hints = get_type_hints(kind)
    return {"do": tag_of(kind), **{field: random_value(hints[field], names, rng) for field in kind.__struct_fields__}}


def random_value(hint: object, names: Sequence[str], rng: Randomness) -> object:
    """Return a random value of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return rng.choice(arguments)
    if origin is tuple:
        return [random_value(arguments[0], names, rng) for _ in range(rng.randrange(5))]
    if arguments:
        return random_value(rng.choice(arguments), names, rng)
    if hint is bool:
        return rng.random() < 0.5
    if hint is int:
        return rng.choice((-1, 0, 1, 2, 3, 4, 5, 9, 100))
    return None if hint is type(None) else rng.choice(names)
