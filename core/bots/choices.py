"""The best option of a question, or the whole choice to which the best picks lead. Knows no game."""

from collections.abc import Callable
from typing import Protocol

from core.bots.bot_port import Answer, Asked, Considered
from core.engine.command import Command
from core.engine.selection import Choose, Pick, Unpick, after_pick
from projections.state.table import Table


class SelectingRules(Protocol):
    """The part of the rules port needed for selections."""

    def options(self, table: Table) -> list[Command]:
        """List the legal commands of the topmost decision."""

    def bounds(self, table: Table) -> tuple[int, int] | None:
        """Return how many items answer the topmost decision."""

    def may_repeat(self, table: Table) -> bool:
        """Return whether one item may be picked more than once."""


def whole_choice(
    rules: SelectingRules, table: Table, options: list[Command], best: Callable[[Table, list[Command]], Command]
) -> Command:
    """Return the option that a bot prefers, or of a selection the whole choice to which its picks lead; what is picked already stays picked.

    Args:
        rules: The rules of the match.
        table: The table as the bot's seat sees it.
        options: The legal commands.
        best: Returns the best of some options on a table with the picks made so far.
    """
    if table.stack[-1].picked:
        # What others picked before, as in a trial of that pick.
        options = _onward(rules, table, options)
    command = best(table, options)
    if not isinstance(command, Pick) or rules.bounds(table) == (1, 1):
        return command
    ahead = table
    while isinstance(command, Pick):
        ahead = after_pick(ahead, command)
        command = best(ahead, _onward(rules, ahead, rules.options(ahead)))
    return Choose(ahead.stack[-1].picked, ahead.stack[-1].places)


def best_choice(asked: Asked, judge: Callable[[Table], Callable[[Command], float]]) -> Answer:
    """Return the option of the highest worth, by chance among equals; of a selection the whole choice to which its best picks lead.

    Args:
        asked: The decision.
        judge: Returns for a table with the picks made so far what an option is worth.
    """
    looked: list[tuple[Considered, ...]] = []

    def best(ahead: Table, found: list[Command]) -> Command:
        worths = list(map(judge(ahead), found))
        highest = max(worths)
        chosen = [option for option, worth in zip(found, worths, strict=True) if worth == highest]
        looked.append(tuple(map(Considered, found, map(float, worths))))
        return chosen[asked.below(len(chosen))]

    return Answer(whole_choice(asked.rules, asked.table, asked.options, best), looked[0])


def _onward(rules: SelectingRules, table: Table, options: list[Command]) -> list[Command]:
    """Return the options that neither take a pick back nor move it to another place."""
    asked = table.stack[-1]
    fixed = () if not asked.places or rules.may_repeat(table) else asked.picked
    return [
        option
        for option in options
        if not (isinstance(option, Unpick) or (isinstance(option, Pick) and option.item in fixed))
    ]
