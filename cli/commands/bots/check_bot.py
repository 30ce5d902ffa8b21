"""Checks that a bot that is a child process can play: a few decisions of every game, at every seat."""

from typing import NamedTuple

from cli.commands.bots.arena_job import ArenaMatch, Forfeit
from cli.schemas.arena import BotCheckShape
from cli.shell.child_bot import END_S, EXEC, program_of
from cli.shell.context import Context
from cli.shell.exit_codes import check_failed, usage
from core.checking.simulated_match import Plan, WentWrong
from core.game.game_record import Game
from core.registry.games import game_keys, load_game
from core.wording import counted


class BotToCheck(NamedTuple):
    """The arguments of `check-bot`."""

    command: str
    game: str
    decisions: int
    seed: str
    stall_ms: int


def check_bot(context: Context, wish: BotToCheck) -> None:
    """Let the bot play the beginning of a match of each game with itself, and report what it does wrong.

    Raises:
        UnknownName: There is no such game.
        UserError: There is no such program, a number is out of range, or the bot has done something wrong.
    """
    if wish.decisions < 1 or wish.stall_ms < 1:
        raise usage("--decisions is 1 or more, --stall longer than nothing")
    program_of(f"{EXEC}{wish.command}")
    games = [load_game(wish.game)] if wish.game else [load_game(key) for key in game_keys()]
    checked = []
    for game in games:
        found = _checked(game, wish, shows_errors=context.is_verbose)
        checked.append(found)
        context.print_result(found, [f"{game.title}: {found.problem or counted(found.decisions, 'decision')}"])
        context.flush()
    failed = [found for found in checked if found.problem]
    if failed:
        raise check_failed(
            f"the bot fails in {len(failed)} of {counted(len(checked), 'game')}; the first: {failed[0].problem}"
        )


def _checked(game: Game, wish: BotToCheck, *, shows_errors: bool) -> BotCheckShape:
    scenario = game.scenario("")
    mode = scenario.mode("")
    bots = dict.fromkeys(mode.seats, f"{EXEC}{wish.command}")
    options = game.full_options(scenario, mode, {})
    plan = Plan(1, game.key, scenario.key, mode.key, options, bots, wish.seed, wish.decisions, False, "")
    match = ArenaMatch(plan, {}, wish.stall_ms / 1_000, shows_errors=shows_errors)
    problem, are_ended = "", True
    try:
        match.play()
    except WentWrong:
        if match.steps < wish.decisions:
            raise
    except Forfeit as forfeit:
        problem = f"as {forfeit.seat}, in decision {match.steps + 1}, it {forfeit}"
    finally:
        are_ended = match.end()
    if not problem and not are_ended:
        problem = f"it does not end within {END_S:g} s of the end of its input"
    return BotCheckShape(game=game.key, decisions=match.steps, problem=problem)
