"""A bot that plays sensibly for any seat, by rules of thumb and by what its own seat can see."""

from collections.abc import Mapping

from core.bots.bot_port import Answer, Asked, Policy
from core.bots.choices import best_choice
from core.games.inferno.bots.german import GermanMind
from core.games.inferno.bots.soviet import SovietMind
from core.games.inferno.ids import GERMAN
from core.games.inferno.rules.inferno_rules import InfernoRules


def greedy(asked: Asked) -> Answer:
    """Choose the option of the highest worth; among equals by chance."""
    assert isinstance(asked.rules, InfernoRules), "the rules of another game"
    board = asked.rules.board
    if asked.table.side_of(asked.seat) == GERMAN:
        return best_choice(asked, lambda ahead: GermanMind(board, ahead, asked.seat).worth)
    return best_choice(asked, lambda ahead: SovietMind(board, ahead, asked.options).worth)


POLICIES: Mapping[str, Policy] = {"greedy": greedy}
"""The bots that know this game, by name."""
