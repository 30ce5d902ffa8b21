"""Wishes nobody offered: legal commands that were bent, and commands of every kind filled at random. For any game."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import Literal, get_args, get_origin, get_type_hints

from core.command import Command
from core.games import GAMES, load_game
from core.match import Match
from events.codec import DecodeError, decode_plain, encode, tag_of
from projections.table import Table

NONSENSE = ("", "0", "nobody", "No Such Thing", "soviet/", "-1", "10 ", "é")


@cache
def commands_of(game: str) -> tuple[type[Command], ...]:
    """Return every kind of command of a game: those of its module `rules.commands`."""
    package = GAMES[load_game(game).key]
    module = import_module(f"{package}.rules.commands" if package.startswith("core.games.") else package)
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Command)]
    return tuple(kind for kind in kinds if kind is not Command)


def names_on(table: Table) -> list[str]:
    """Return every name that a table holds, and some that mean nothing."""
    found = {*table.pieces, *table.at, *table.control, *table.markers, *table.piles, *table.seats, *NONSENSE}
    for pile in table.piles.values():
        found.update(pile.cards)
    for piece in table.pieces.values():
        found.update((piece.kind, piece.face))
    return sorted(str(name) for name in found)


def bent(command: Command, names: Sequence[str], rng: Random) -> Iterator[dict[str, object]]:
    """Yield a legal command with each of its fields changed in one way or another."""
    plain = decode_plain(encode(command))
    assert isinstance(plain, dict)
    for field, value in plain.items():
        if field != "do":
            yield {**plain, field: other_value(value, names, rng)}
    for field in type(command).__struct_fields__:
        if field not in plain:
            yield {**plain, field: other_value(getattr(command, field), names, rng)}


def other_value(value: object, names: Sequence[str], rng: Random) -> object:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-2, -1, 1, 2, 10**6, -(10**12)))
    if isinstance(value, list | tuple):
        return other_list(list(value), names, rng)
    if isinstance(value, dict):
        return {rng.choice(names): other_value(entry, names, rng) for entry in value.values()}
    return rng.choice(names)


def other_list(value: list[object], names: Sequence[str], rng: Random) -> list[object]:
    """Return a list with a member more, less, twice or replaced, or in another order."""
    place = rng.randrange(len(value)) if value else 0
    changed: list[object]
    match rng.randrange(5):
        case 0:
            changed = [*value, rng.choice(names)]
        case 1:
            changed = value[:place] + value[place + 1 :]
        case 2:
            changed = [*value, *value[place : place + 1]]
        case 3:
            changed = [*value[:place], rng.choice(names), *value[place + 1 :]]
        case _:
            changed = value[::-1]
    return changed


def wild(kind: type[Command], names: Sequence[str], rng: Random) -> dict[str, object]:
    """Return a command of a kind, filled at random."""
    hints = get_type_hints(kind)
    return {"do": tag_of(kind), **{field: random_value(hints[field], names, rng) for field in kind.__struct_fields__}}


def random_value(hint: object, names: Sequence[str], rng: Random) -> object:
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


def unasked(match: Match, game: str, options: Sequence[Command], rng: Random, count: int) -> Iterator[Command]:
    """Yield about `count` commands that might be legal but most likely are not, as a client's bytes would give them."""
    names = names_on(match.table)
    wishes: list[dict[str, object]] = []
    for option in rng.sample(options, min(len(options), count // 4 + 1)):
        wishes += bent(option, names, rng)
    kinds = commands_of(game)
    wishes += [wild(rng.choice(kinds), names, rng) for _ in range(count // 2)]
    for wish in wishes:
        try:
            yield match.decode(encode(wish))
        except DecodeError:
            continue
