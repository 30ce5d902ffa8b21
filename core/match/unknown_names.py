"""Tells a seat whose command is refused that the command names what is not in the game at all.

A game's own sentence says what is wrong with a unit or a place; of one that does not exist it may say too little. What is in the box
is known to everybody, so the answer discloses nothing.
"""

from collections.abc import Iterator
from functools import cache
from typing import get_args, get_type_hints

from core.engine.command import Command
from core.game.bound_game import BoundGame
from core.refusal import Refusal
from events.codec import replace
from events.ids import CardId, PieceId, PlaceId

KINDS: dict[object, str] = {PieceId: "piece", PlaceId: "place", CardId: "card"}
"""What the fields of commands name, by the type of their ids."""

CHARACTERS_MAX = 60
"""Characters of the longest unknown name that is quoted whole."""


def telling_unknown(game: BoundGame, command: Command, refusal: Refusal) -> Refusal:
    """Return a refusal whose sentence also says that a piece, place or card of the command does not exist, if one does not.

    Args:
        game: The game, with what is in its box. Of a game that does not declare it nothing is said.
        command: The refused command.
        refusal: Why it was refused.
    """
    unknown = next(((kind, name) for kind, name in _named(command) if name not in game.ids), None)
    if unknown is None or not game.ids:
        return refusal
    kind, name = unknown
    said, quoted = refusal.sentence, name if len(name) <= CHARACTERS_MAX else f"{name[:CHARACTERS_MAX]}…"
    if said.startswith("There is no") and repr(name) in said:
        return refusal
    told = f"There is no {kind} {quoted!r} in this game."
    return replace(refusal, sentence=told if said.startswith("There is no such ") else f"{said} {told}")


def _named(command: Command) -> Iterator[tuple[str, str]]:
    """Yield the ids that a command names, with what each would be."""
    for field, kind in _fields(type(command)):
        value = getattr(command, field)
        for name in value if isinstance(value, tuple) else (value,):
            if name:
                yield kind, name


@cache
def _fields(command: type[Command]) -> tuple[tuple[str, str], ...]:
    """Return the fields of a type of commands that hold ids, with what these name."""
    hints = get_type_hints(command)
    of = {field: {hints[field], *get_args(hints[field])} & KINDS.keys() for field in command.__struct_fields__}
    return tuple([(field, KINDS[next(iter(kinds))]) for field, kinds in of.items() if kinds])
