"""The policies of bots: generic ones, those of a game's record, and those of other distributions.

Another distribution names its policies as entry points of the group `wardiary.policies`: `battle.brave` is a policy for one game, `brave` one
for every game.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from core.bots.bot_port import Asked, Policy
from core.engine.command import Command
from core.errors import KernelError, UnknownName
from core.game.game_record import Game
from core.registry.games import game_key, typed_key
from core.suggestions import unknown
from events.ids import GameKey

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "wardiary.policies"

ANY = GameKey("")
"""The key of policies that play every game."""


class PolicyMissing(KernelError):
    """A policy of another distribution cannot be imported, or is not a policy."""


def choose_at_random(asked: Asked) -> Command:
    """Choose any option except taking back, all equally likely."""
    return asked.any_option()


USUAL = "greedy"

SEARCHING = "search"

LEVELS: Mapping[str, str] = {"recruit": "", "sergeant": "20", "general": "500"}
"""Levels of bots, from the weakest: the budget (playouts) of the one that searches; empty for the one that plays where nobody chooses."""

VERSION_DIGITS = 16
"""How many digits of a digest tell versions apart."""

GENERIC: Mapping[str, Policy] = {"random": choose_at_random}
"""Policies that work for every game."""


@cache
def _of_other_distributions() -> dict[tuple[GameKey, str], "EntryPoint"]:
    """Return the policies that other distributions bring, by game and name; looked up once, as that reads every distribution's files."""
    # It loads half of the standard library.
    from importlib.metadata import entry_points

    found: dict[tuple[GameKey, str], EntryPoint] = {}
    for point in entry_points(group=ENTRY_POINTS):
        game, _, name = point.name.rpartition(".")
        found[game_key(game), name] = point
    return found


def policy_names(game: Game) -> list[str]:
    """Return the names of all policies that can play a game, the game's own last."""
    others = sorted({name for key, name in _of_other_distributions() if key in (ANY, game.key)})
    return [*dict.fromkeys([*GENERIC, *[name for name in others if name not in game.policies], *game.policies])]


def usual_policy(names: Sequence[str]) -> str:
    """Return the policy that plays where nobody chooses one: `greedy`, which answers at once, else the last of the names."""
    return USUAL if USUAL in names else names[-1]


def levels(names: Sequence[str]) -> dict[str, str]:
    """Return the bot of each level, as a policy with its budget. Where nothing searches, all play alike.

    Args:
        names: Those of the policies of a game.
    """
    usual, searches = usual_policy(names), SEARCHING in names
    return {
        level: f"{SEARCHING}:{budget}" if budget and searches else usual
        for level, budget in LEVELS.items()
        if level not in names
    }


def leveled(text: str, names: Sequence[str]) -> str:
    """Return the bot that a text means: that of a level, or the text itself, a policy that may have a budget."""
    return levels(names).get(text, text)


def find_policy(game: Game, name: str) -> Policy:
    """Return a policy by its name; a game's own takes precedence, then a generic one.

    Raises:
        UnknownName: There is no policy of that name.
        PolicyMissing: It belongs to another distribution and cannot be loaded.
    """
    found = game.policies.get(name) or GENERIC.get(name)
    if found is not None:
        return found
    point = _of_others(game, name)
    if point is None:
        raise UnknownName(unknown(f"policy for {typed_key(game.key)}", name, policy_names(game)))
    return _loaded(point)


def policy_version(game: Game, name: str) -> str:
    """Return the version of a policy: two installations with one version choose the same for the same question, seed and budget in playouts.

    Raises:
        UnknownName: There is no policy of that name.
    """
    find_policy(game, name)
    point = _of_others(game, name) if name not in game.policies and name not in GENERIC else None
    of_others = "" if point is None or point.dist is None else f"+{point.dist.version}"
    return f"{game.bots_digest[:VERSION_DIGITS]}{of_others}"


def _of_others(game: Game, name: str) -> "EntryPoint | None":
    """Return the policy of another distribution, one for this game before one for all games."""
    others = _of_other_distributions()
    return others.get((game.key, name)) or others.get((ANY, name))


def _loaded(point: "EntryPoint") -> Policy:
    """Import a policy of another distribution."""
    try:
        policy: Policy = point.load()
    except Exception as error:
        raise PolicyMissing(
            f"the policy {point.name} cannot be loaded from {point.value}: {type(error).__name__}: {error}"
        ) from error
    if not callable(policy):
        raise PolicyMissing(f"the policy {point.name} is {point.value}, which is not a function")
    return policy
