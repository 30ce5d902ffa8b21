"""A bot that plays sensibly for any seat, by rules of thumb and by what its own seat can see."""

from collections.abc import Callable, Mapping

from core.engine.command import Command
from core.engine.decision import Rules
from core.game.bound_game import Policy
from core.games.inferno.bots.german import GermanMind
from core.games.inferno.bots.soviet import SovietMind
from core.games.inferno.ids import GERMAN
from core.games.inferno.rules.inferno_rules import InfernoRules
from core.legal.bot_choices import best_choice
from events.ids import Seat
from projections.state.table import Table


def greedy(rules: Rules, table: Table, seat: Seat, options: list[Command], number: Callable[[int], int]) -> Command:
    """Choose the option of the highest worth; among equals by chance. See `core.game.bound_game.Policy`."""
    assert isinstance(rules, InfernoRules), "the rules of another game"
    board = rules.board
    if table.side_of(seat) == GERMAN:
        return best_choice(rules, table, options, lambda ahead: GermanMind(board, ahead, seat).worth, number)
    return best_choice(rules, table, options, lambda ahead: SovietMind(board, ahead, options).worth, number)


POLICIES: Mapping[str, Policy] = {"greedy": greedy}
"""The bots that know this game, by name."""
