"""A position to try commands on: a table without a log, seed, credentials or way back, and chance of its own."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from typing_extensions import override

from core.engine.chance_port import Chance
from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.engine.option_by_chance import Below
from core.errors import KernelError
from core.refusal import Refusal
from events.ids import NO_SEAT, Seat, Side
from events.vocabulary import Event
from projections.state.table import Ended, Table

OF_THE_MATCH = (
    "seq",
    "game",
    "edition",
    "scenario",
    "mode",
    "options",
    "sides",
    "seats",
    "rules",
    "board",
    "variant",
    "began",
    "ended",
    "chosen_faces",
)
"""The fields of a table that a world keeps besides the state of the game."""


class NotLegal(KernelError):
    """A command that the rules do not allow in a world, with the refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code}: {refusal.sentence} ({refusal.rule})")
        self.refusal = refusal


class RandomChance(Chance):
    """Dice and draws of a random source. Unlike the dice of a match they are bound to no number of an event.

    Args:
        below: The source.
    """

    __slots__ = ("_below",)

    def __init__(self, below: Below) -> None:
        self._below = below

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll dice; see `Chance.dice`."""
        return tuple([self._below(sides) + 1 for _ in range(count)])

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose a candidate; see `Chance.pick`."""
        return self._below(len(candidates))

    @override
    def reveal(self) -> str:
        """Return an empty text: there is no seed."""
        return ""


class World:
    """A position on which programs list options and play commands; nothing of it reaches a match.

    Attributes:
        rules: The rules of the match.
        table: The whole table, not to be changed.

    Args:
        rules: The rules of the match.
        table: A table of its own (`bare`), of which nothing is hidden.
        chance: Decides dice and draws.
        listed: The legal commands, as far as they are known.
    """

    __slots__ = ("_chance", "_listed", "rules", "table")

    def __init__(self, rules: Rules, table: Table, chance: Chance, listed: Sequence[Command] = ()) -> None:
        self.rules = rules
        self.table = table
        self._chance = chance
        self._listed = listed

    def copy(self, below: Below | None = None) -> "World":
        """Return an independent copy, with its own random source or the same one."""
        chance = self._chance if below is None else RandomChance(below)
        return World(self.rules, self.table.clone(), chance, self._listed)

    @property
    def seat_to_move(self) -> Seat | None:
        """The seat that is to decide, or None."""
        top = self.table.top
        return None if top is None or not top.seat else top.seat

    @property
    def ended(self) -> Ended | None:
        """How the match ended here, or None while it runs."""
        return self.table.ended

    def options(self) -> list[Command]:
        """Return the legal commands of the seat that is to decide; empty if none is."""
        found = self.rules.options(self.table)
        self._listed = found
        return found.copy()

    def any_option(self, below: Below) -> Command | None:
        """Return one of the legal commands that take no pick back, each equally likely, or None if no seat is to decide.

        It takes less time than to list them.
        """
        found = self.rules.any_option(self.table, below)
        if found is not None and found not in self._listed:
            self._listed = (found,)
        return found

    def play(self, command: Command) -> list[Event]:
        """Play a command of the seat that is to decide, and return its events.

        Raises:
            NotLegal: The rules do not allow it; nothing has changed.
        """
        if command not in self._listed:
            refusal = self.rules.refuse(self.table, self.seat_to_move or NO_SEAT, command)
            if refusal is not None:
                raise NotLegal(refusal)
        draft = Draft(self.table.clone(), self._chance)
        with suppress(MatchOver):
            self.rules.take(draft, command)
        self.table = draft.table
        self._listed = ()
        return draft.events

    def play_on(self, choose: Callable[[Seat], Command], is_over: Callable[[Table], bool], most: int) -> bool:
        """Play on until the match is over, nobody is to decide, or a point is reached; return whether it came to that.

        Args:
            choose: Returns the command of the seat that is to decide.
            is_over: Returns whether a table is beyond the point.
            most: The most commands that are played.
        """
        for _ in range(most):
            seat = self.seat_to_move
            if seat is None or self.ended is not None or is_over(self.table):
                return True
            self.play(choose(seat))
        return False


def turn_of(table: Table) -> tuple[int, Side, Seat]:
    """Return whose turn of which round it is: what changes when a turn ends."""
    return (table.round, table.turn, table.turn_seat)


def bare(table: Table) -> Table:
    """Return a copy of a table with the state of the game and what its rules need of the match, and nothing else."""
    found = Table()
    found.restore(table)
    for name in OF_THE_MATCH:
        setattr(found, name, getattr(table, name))
    return found
