"""A whole choice beside the listed commands that it stands for, carried out on copies of a table with the same dice and draws."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from typing import NamedTuple, Protocol

from typing_extensions import override

from core.chance.chance_sources import KeyedChance
from core.engine.chance_port import Chance
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from events.vocabulary import Event
from projections.state.table import Table

_OF_THE_GAME = (
    "stack",
    "pieces",
    "at",
    "control",
    "markers",
    "attributes",
    "terms",
    "tracks",
    "piles",
    "turn",
    "phase",
)
"""The parts of the table that a whole choice and its smaller commands must leave equal."""


class DecidingRules(Protocol):
    """The part of the rules port needed to follow commands."""

    def options(self, table: Table) -> list[Command]:
        """List the legal commands."""

    def expand(self, table: Table, command: Command) -> tuple[Command, ...]:
        """Return the smaller commands that a whole choice stands for."""

    def take(self, draft: Draft, command: Command) -> None:
        """Execute a legal command."""


class SteadyChance(Chance):
    """Dice and draws that depend only on those before them. No match is played with them."""

    def __init__(self) -> None:
        self._source = KeyedChance(b"", "both ways")
        self._numbers = count(1)

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll."""
        return self._source.dice(next(self._numbers), count, sides, "")

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Draw."""
        return self._source.pick(next(self._numbers), candidates, "")

    @override
    def reveal(self) -> str:
        """Return no seed."""
        return ""


class BothWays(NamedTuple):
    """The events of a whole choice, the events of the listed commands that it stands for, and whether the tables are equal."""

    whole: tuple[Event, ...]
    small: tuple[Event, ...]
    are_same: bool


def both_ways(rules: DecidingRules, table: Table, wish: Command) -> BothWays | None:
    """Carry out a legal command that is not listed, and the listed commands for which it stands; None if there are none.

    Args:
        rules: The rules.
        table: The table, which stays as it is.
        wish: The command.
    """
    if rules.expand(table, wish) == (wish,):
        return None
    whole, small = table.clone(), table.clone()
    told = _carried_out(rules, whole, wish, SteadyChance())
    chance, left, found = SteadyChance(), [wish], list[Event]()
    while left:
        step = left.pop(0)
        if step in rules.options(small):
            found += _carried_out(rules, small, step, chance)
            continue
        steps = rules.expand(small, step)
        if steps == (step,):
            return None
        left = [*steps, *left]
    are_same = all(getattr(whole, part) == getattr(small, part) for part in _OF_THE_GAME)
    return BothWays(tuple(told), tuple(found), are_same)


def makes_a_whole(rules: DecidingRules, table: Table, wish: Command) -> bool:
    """Return whether an unlisted legal command has the same result as a series of listed commands."""
    ways = both_ways(rules, table, wish)
    return ways is not None and ways.are_same


def _carried_out(rules: DecidingRules, table: Table, command: Command, chance: SteadyChance) -> list[Event]:
    draft = Draft(table, chance)
    with suppress(MatchOver):
        rules.take(draft, command)
    return draft.events
