"""A bot that plays sensibly for any seat, by rules of thumb and by what its own seat can see."""

from collections.abc import Callable, Mapping

from core.bot_choices import best_choice
from core.command import Command
from core.decision import Rules
from core.games.axis_allies.bots.mind import Mind
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.games.axis_allies.rules.commands import Move
from core.ports import Policy
from events.ids import Seat
from projections.table import Table


def greedy(rules: Rules, table: Table, seat: Seat, options: list[Command], number: Callable[[int], int]) -> Command:
    """Choose the option of the highest worth; among equals by chance. See `core.ports.Policy`."""
    assert isinstance(rules, AxisAlliesRules), "the rules of another game"
    mind = Mind(rules, table, seat, options)

    def judge(ahead: Table) -> Callable[[Command], float]:
        return (mind if ahead is table else Mind(rules, ahead, seat, options)).worth

    command = best_choice(rules, table, options, judge, number)
    return mind.marches.together(command) if isinstance(command, Move) else command


POLICIES: Mapping[str, Policy] = {"greedy": greedy}
"""The bots that know this game, by name."""
