"""A bot that plays sensibly for any seat, by rules of thumb and by what its own seat can see."""

from collections.abc import Mapping

from core.bots.bot_port import Answer, Asked, Policy
from core.bots.choices import best_choice
from core.engine.command import Command
from core.games.inferno.bots.german import GermanMind
from core.games.inferno.bots.soviet import SovietMind
from core.games.inferno.ids import GERMAN
from core.games.inferno.rules.commands import DeliberateAttack, HastyAttack, ShortMove
from core.games.inferno.rules.inferno_rules import InfernoRules


def greedy(asked: Asked) -> Answer:
    """Choose the option of the highest worth; among equals by chance."""
    assert isinstance(asked.rules, InfernoRules), "the rules of another game"
    board = asked.rules.board
    if asked.table.side_of(asked.seat) == GERMAN:
        return best_choice(asked, lambda ahead: GermanMind(board, ahead, asked.seat).worth)
    return best_choice(asked, lambda ahead: SovietMind(board, ahead, asked.options).worth)


def quick(asked: Asked) -> Answer:
    """Choose as `greedy` does, for playouts: but of the orders to parts of a Stack, or to some Stacks, that do the same only the largest."""
    options, largest = list[Command](), dict[tuple[object, ...], Command]()
    pieces = asked.table.pieces
    # They are listed from the smallest to the largest.
    for one in asked.options:
        if isinstance(one, HastyAttack):
            largest[pieces[one.units[0]].place, one.to, one.targets] = one
        elif isinstance(one, ShortMove):
            largest[pieces[one.units[0]].place, one.to] = one
        elif isinstance(one, DeliberateAttack):
            largest[one.targets] = one
        else:
            options.append(one)
    options += largest.values()
    return greedy(Asked(asked.rules, asked.table, asked.seat, options, asked.below))


POLICIES: Mapping[str, Policy] = {"quick": quick, "greedy": greedy}
"""The bots that know this game, by name."""
