"""Repeats of a command: how often it can be played in a row, as for like pieces that go from one place to another."""

from collections.abc import Sequence

from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.selection import Choose, Done, Pick, Unpick
from core.legal.look_ahead import Ends, ahead_of, ended
from events.vocabulary import PieceMoved, PieceTurned
from projections.state.table import Open, Table


def repeats(rules: Rules, table: Table, command: Command, most: int) -> int:
    """Return how often a command can be played before anything else is decided, 1 to `most`; the last of several can be taken back like the others.

    Args:
        rules: The rules of the match.
        table: The table as its seat knows it.
        command: A legal command.
        most: As often as this is enough.
    """
    asked = table.top
    if asked is None or isinstance(command, Unpick | Choose | Done):
        return 1
    if isinstance(command, Pick) and not command.to:
        # Items that go nowhere are marked together in one choice.
        return 1
    draft = ahead_of(table)
    for count in range(1, most):
        if not draft.goes_on(rules, command) or ended(table, draft.table) is not Ends.NOTHING:
            return max(1, count - 1)
        if not _is_next(rules, draft.table, asked, command):
            return count
    return most


def in_turn(rules: Rules, table: Table, commands: Sequence[Command], most: int) -> tuple[int, ...]:
    """Return how often each of some commands can be played, one after the other, before anything else is decided; nothing if not each of them can, or not all of them can be taken back, or one of them ends what a piece could still do that another one moved.

    A piece that could not go on is turned at once where it is, as one that is Spent; one that is turned by the command of another piece could.

    Args:
        rules: The rules of the match.
        table: The table as its seat knows it.
        commands: Legal commands.
        most: How often all of them together are played at most.
    """
    asked = table.top
    # Items that go nowhere are marked together in one choice.
    if asked is None or any(
        isinstance(one, Unpick | Choose | Done) or (isinstance(one, Pick) and not one.to) for one in commands
    ):
        return ()
    draft, times = ahead_of(table), [0] * len(commands)
    for number, command in enumerate(commands):
        while sum(times) < most and _is_next(rules, draft.table, asked, command):
            told = len(draft.events)
            if not draft.goes_on(rules, command):
                return ()
            moved = {event.piece for event in draft.events[:told] if isinstance(event, PieceMoved)}
            if any(isinstance(event, PieceTurned) and event.piece in moved for event in draft.events[told:]):
                return ()
            times[number] += 1
    return tuple(times) if all(times) and ended(table, draft.table) is Ends.NOTHING else ()


def stays_open(rules: Rules, table: Table, command: Command) -> bool:
    """Return whether the same question is open after a command, so that several commands answer it; False if anything is left to chance.

    Args:
        rules: The rules of the match.
        table: The table as its seat knows it.
        command: A legal command.
    """
    draft = ahead_of(table)
    if not draft.goes_on(rules, command):
        return False
    asked, top = table.top, draft.table.top
    return asked is not None and top is not None and (top.kind, top.seat) == (asked.kind, asked.seat)


def _is_next(rules: Rules, table: Table, asked: Open, command: Command) -> bool:
    """Return whether the same question is open, and a command answers it."""
    top = table.top
    is_same = top is not None and (top.kind, top.seat, top.arguments) == (asked.kind, asked.seat, asked.arguments)
    return is_same and rules.refuse(table, asked.seat, command) is None
