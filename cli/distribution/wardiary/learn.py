"""Learning environments: `from wardiary.learn import …`.

`seats_env` is for PettingZoo and `seat_env` for Gymnasium, with the extra `learn`; `spiel_games` is for OpenSpiel, with the extra `openspiel`.
`docs/learning.md` says what is observed, and what an action is.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.bots.bot_port import Policy
from core.environments.actions import ACTIONS, ActionIllegal, tokens_of
from core.environments.entities import COLUMNS, Names
from core.environments.episodes import COMMANDS_MOST, Episodes, Moment
from core.environments.layout import Component, Layout
from core.errors import KernelError
from core.extras import ExtraMissing, require
from core.match.match_creation import Opening
from core.registry.games import load_game
from events.vocabulary import Value

if TYPE_CHECKING:
    from core.environments.gymnasium_env import SeatEnv
    from core.environments.pettingzoo_env import SeatsEnv

__all__ = [
    "ACTIONS",
    "COLUMNS",
    "ActionIllegal",
    "Component",
    "Episodes",
    "ExtraMissing",
    "KernelError",
    "Layout",
    "Moment",
    "Names",
    "Opening",
    "episodes",
    "opening",
    "seat_env",
    "seats_env",
    "spiel_games",
    "tokens_of",
]

LIBRARIES = ("numpy", "gymnasium", "pettingzoo")
"""What the extra `learn` installs."""


def opening(
    game: str, scenario: str = "", *, mode: str = "", options: Mapping[str, Value] | None = None, position: str = ""
) -> Opening:
    """Return which game is played, and how.

    Args:
        game: The key of the game.
        scenario: One of its scenarios; by default the first.
        mode: A mode of the scenario; by default the first.
        options: Options of the scenario by key, typed or as text.
        position: The text of a position file to begin from; empty for the set-up of the scenario.

    Raises:
        UnknownName: There is no such game.
    """
    typed = load_game(game).typed_options(options or {})
    return Opening(game=game, scenario=scenario, mode=mode, options=typed, position=position or None)


def episodes(match: str | Opening) -> Episodes:
    """Return the episodes of a game, which need no extra: their layout, and how they are begun and played.

    Args:
        match: The key of the game, or its opening.

    Raises:
        UnknownName: There is no such game, scenario or mode.
        SetupInvalid: The options, the board or the position are wrong.
    """
    return Episodes(_opened(match))


def seats_env(
    match: str | Opening, *, most: int = COMMANDS_MOST, has_entities: bool = False, has_options: bool = False
) -> "SeatsEnv":
    """Return an environment of PettingZoo (AEC) with an agent for each seat.

    Args:
        match: The key of the game, or its opening.
        most: After so many commands an episode is cut short.
        has_entities: Whether the entity list is observed.
        has_options: Whether infos tell of the options.

    Raises:
        ExtraMissing: The extra `learn` is not installed.
        UnknownName: As `episodes`; so does SetupInvalid.
    """
    require("environments of PettingZoo", "learn", *LIBRARIES)
    from core.environments.pettingzoo_env import SeatsEnv

    return SeatsEnv(_opened(match), most=most, has_entities=has_entities, has_options=has_options)


def seat_env(
    match: str | Opening,
    seat: str = "",
    *,
    opponents: str | Policy = "random",
    most: int = COMMANDS_MOST,
    has_entities: bool = False,
    has_options: bool = False,
) -> "SeatEnv":
    """Return an environment of Gymnasium: one seat, against bots or alone.

    Args:
        match: The key of the game, or its opening.
        seat: The seat; by default the first.
        opponents: The bots of the other seats: a policy, or the name of one.
        most: After so many commands an episode is cut short.
        has_entities: Whether the entity list is observed.
        has_options: Whether infos tell of the options.

    Raises:
        ExtraMissing: The extra `learn` is not installed.
        UnknownName: As `episodes`, or there is no such seat or policy; so does SetupInvalid.
    """
    require("environments of Gymnasium", "learn", *LIBRARIES)
    from core.environments.gymnasium_env import SeatEnv

    return SeatEnv(
        _opened(match), seat, opponents=opponents, most=most, has_entities=has_entities, has_options=has_options
    )


def spiel_games() -> list[str]:
    """Make every installed game known to `pyspiel.load_game`, and return their names there, such as `wardiary_battle`.

    Raises:
        ExtraMissing: The extra `openspiel` is not installed.
    """
    require("games of OpenSpiel", "openspiel", "numpy", "pyspiel")
    from core.environments.openspiel_game import register

    return register()


def _opened(match: str | Opening) -> Opening:
    return match if isinstance(match, Opening) else opening(match)
