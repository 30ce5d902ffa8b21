"""The options of a match in words: which differ from the defaults, which are on by default, and which bear on a rule."""

from collections.abc import Mapping, Sequence

from core.errors import RulesetMissing, UnknownName
from core.game.game_record import Game
from core.registry.games import load_game, typed_key
from core.telling.phrases import spoken
from core.wording import capital
from events.codec import Struct
from events.ids import GameKey, RuleId
from events.vocabulary import Value


class ChosenOption(Struct, frozen=True, kw_only=True):
    """The `value` of an option in a match, beside its `default`; `rule` is the rule or ruling that it switches."""

    key: str
    title: str
    value: Value
    default: Value
    rule: RuleId

    @property
    def is_default(self) -> bool:
        """Whether the match has what it would have without a choice."""
        return self.value == self.default

    @property
    def words(self) -> str:
        """The title; of all but a switch that is on with the value."""
        if self.value is True:
            return self.title
        said = spoken(written(self.value))
        return f"{self.title}: {said if said in ('off', 'none') else capital(said)}"


def written(value: Value) -> str:
    """Write an option's value as it is typed."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _game(game: GameKey) -> Game | None:
    try:
        return load_game(game)
    except (UnknownName, RulesetMissing):
        return None


def title_of(game: GameKey) -> str:
    """Return the title of a game, or its key as it is typed if the game is not installed."""
    known = _game(game)
    return typed_key(game) if known is None else known.title


def called(game: GameKey) -> str:
    """Return the short title of a game, for lists, or its key as it is typed if the game is not installed."""
    known = _game(game)
    return typed_key(game) if known is None else known.called


def has_dice(game: GameKey) -> bool:
    """Return whether a game has dice, as one does that is not installed as far as anybody knows."""
    known = _game(game)
    return known is None or known.has_dice


def chance_noun(game: GameKey) -> str:
    """Return what chance gives in a game, in the plural: dice or draws."""
    return "dice" if has_dice(game) else "draws"


def played_titles(game: GameKey, scenario: str, mode: str) -> tuple[str, str]:
    """Return the titles of a scenario and of its mode, which is empty if there is one only; their keys if the game is not installed."""
    known = _game(game)
    found = next((one for one in (() if known is None else known.scenarios) if one.key == scenario), None)
    if found is None:
        return scenario, mode
    title = next((one.title for one in found.modes if one.key == mode and len(found.modes) > 1), "")
    return found.title, title


def played_title(game: GameKey, scenario: str, mode: str) -> str:
    """Return the titles of a scenario and of its mode in one text; see `played_titles`."""
    return ", ".join(filter(None, played_titles(game, scenario, mode)))


def chosen_options(game: GameKey, values: Mapping[str, Value]) -> tuple[ChosenOption, ...]:
    """Return the options of a match in the game's order; none if the game is not installed."""
    known = _game(game)
    return tuple(
        ChosenOption(key=spec.key, title=spec.title, value=values[spec.key], default=spec.default, rule=spec.rule)
        for spec in (() if known is None else known.options)
        if spec.key in values
    )


def options_words(options: Sequence[ChosenOption]) -> list[str]:
    """Return what differs from the defaults, and which switches are on by default, one sentence each."""
    other = [option.words for option in options if not option.is_default]
    usual = [option.words for option in options if option.is_default and option.value is True]
    said = [f"Options: {'; '.join(other)}."] if other else []
    return [*said, *([f"By default: {'; '.join(usual)}."] if usual else [])]
