"""Lists the games with their scenarios, modes, options and bots."""

from collections.abc import Iterator

from cli.output.columns import in_columns
from cli.schemas.games import GameShape, ModeShape, OptionShape, ScenarioShape
from cli.shell.context import Context
from core.errors import RulesetMissing
from core.game.game_record import Game
from core.registry.bot_policies import policy_names
from core.registry.games import game_keys, load_game, typed_key
from core.telling.chosen_options import written


def list_games(context: Context, game: str) -> None:
    """List all games, or show one in full.

    Raises:
        UnknownName: There is no such game.
        RulesetMissing: The game cannot be loaded.
    """
    for key in [game] if game else game_keys():
        try:
            shape = game_shape(load_game(key))
        except RulesetMissing as error:
            if game:
                raise
            # A game of another distribution that is broken must not hide the others.
            context.echo_err(f"{key} is left out: {error}")
            continue
        context.print_result(
            shape,
            _game_lines(context, shape)
            if game
            else [f"{typed_key(shape.key)}  {shape.title} (edition {shape.edition})"],
        )


def game_shape(game: Game) -> GameShape:
    """Return the output shape of a game."""
    scenarios = [
        ScenarioShape(
            key=one.key,
            title=one.title,
            modes=tuple([ModeShape(key=mode.key, title=mode.title, seats=mode.seats) for mode in one.modes]),
            summary=one.summary,
        )
        for one in game.scenarios
    ]
    options = [
        OptionShape(
            key=one.key,
            title=one.title,
            rule=one.rule,
            default=one.default,
            choices=one.choices,
            low=one.low,
            high=one.high,
            scenarios=one.scenarios,
            modes=one.modes,
            needs=one.needs,
        )
        for one in game.options
    ]
    return GameShape(
        key=game.key,
        title=game.title,
        edition=game.edition,
        sides=game.sides,
        scenarios=tuple(scenarios),
        options=tuple(options),
        bots=tuple(policy_names(game)),
        rules_digest=game.rules_digest,
    )


def _game_lines(context: Context, game: GameShape) -> Iterator[str]:
    yield context.paint(game.title, "")
    yield f"Edition {game.edition}, rules {game.rules_digest[:12]}…"
    yield f"Sides: {', '.join(game.sides)}"
    yield ""
    yield "Scenarios"
    rows = [row for one in game.scenarios for row in _scenario_rows(one)]
    yield from in_columns(["", "Modes", "Seats", ""], rows, context.width)
    yield ""
    yield "Options"
    options = [
        [f"  {one.key}={written(one.default)}", f"{one.title}{_values(one)}{_limits(one)}"] for one in game.options
    ]
    yield from in_columns(["", ""], options, context.width)
    yield ""
    yield f"Bots: {', '.join(game.bots)}"


def _scenario_rows(scenario: ScenarioShape) -> Iterator[list[str]]:
    """Return a row for each mode of a scenario; the first describes the scenario."""
    first, *others = scenario.modes
    yield [f"  {scenario.key}", first.key, _seats(first), f"{scenario.title}. {scenario.summary}".rstrip()]
    for mode in others:
        yield ["", mode.key, _seats(mode), ""]


def _seats(mode: ModeShape) -> str:
    """List the seats of a mode, each with its side if that has another name."""
    named = [
        str(seat) if str(seat) == str(side) else f"{seat} ({side or 'side settled in play'})"
        for seat, side in mode.seats.items()
    ]
    return ", ".join(named)


def _limits(option: OptionShape) -> str:
    """Return the scenarios and modes that an option is limited to, and the option that it needs; empty if there is no limit."""
    only = (*option.scenarios, *option.modes)
    needs = f"; needs {option.needs}" if option.needs else ""
    return f"; only in {', '.join(only)}{needs}" if only else needs


def _values(option: OptionShape) -> str:
    """Return the allowed values of an option; empty for a switch."""
    if isinstance(option.default, bool):
        return ""
    if isinstance(option.default, int):
        return f" ({option.low} to {option.high})"
    return f" ({' '.join(option.choices)})" if option.choices else ""
