"""The policies of bots: generic ones, and those of a game's record."""

from collections.abc import Callable, Mapping

from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.selection import onward
from core.errors import UnknownName
from core.game.bound_game import Policy
from core.game.game_record import Game
from core.registry.games import typed_key
from core.suggestions import unknown
from events.codec import replace
from events.ids import Seat
from projections.state.table import Table


def choose_at_random(
    rules: Rules, table: Table, seat: Seat, options: list[Command], below: Callable[[int], int]
) -> Command:
    """Choose any option except taking back, all equally likely; see `core.game.game_record.Policy`."""
    onwards = onward(options)
    return onwards[below(len(onwards))]


GENERIC: Mapping[str, Policy] = {"random": choose_at_random}
"""Policies that work for every game."""


def policy_names(game: Game) -> list[str]:
    """Return the names of all policies that can play a game."""
    return [*GENERIC, *(name for name in game.policies if name not in GENERIC)]


def find_policy(game: Game, name: str) -> Policy:
    """Return a policy by its name; a game's own takes precedence. It is shown tables without the seed of the dice.

    Raises:
        UnknownName: There is no policy of that name.
    """
    found = game.policies.get(name) or GENERIC.get(name)
    if found is None:
        raise UnknownName(unknown(f"policy for {typed_key(game.key)}", name, policy_names(game)))
    return _without_seed(found)


def _without_seed(policy: Policy) -> Policy:
    """Return a policy that chooses on tables without the seed of seeded dice, from which every later result could be computed."""

    def choose(rules: Rules, table: Table, seat: Seat, options: list[Command], below: Callable[[int], int]) -> Command:
        if table.chance.seed:
            table = replace(table, chance=replace(table.chance, seed=""))
        return policy(rules, table, seat, options, below)

    return choose
