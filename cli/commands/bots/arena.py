"""Plays two bots against each other until it is clear which is stronger, in pairs of matches with the same dice and seats swapped."""

import os
from collections.abc import Sequence
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from cli.commands.bots.arena_job import NEVER, Agreement, Contender, PairPlan, play_pair
from cli.commands.bots.arena_ledger import Ledger
from cli.commands.bots.arena_page import arena_page
from cli.commands.bots.arena_standing import Standing
from cli.commands.playing.new import parse_options
from cli.schemas.arena import ArenaShape
from cli.shell.child_bot import check_bot_exists, parse_bot
from cli.shell.context import Context
from cli.shell.exit_codes import check_failed, usage
from cli.shell.process_pool import in_order
from core.game.game_record import Game
from core.registry.bot_policies import leveled, policy_names
from core.registry.games import load_game
from server.store.whole_file import check_output, write_whole

PAIRS_MAX = 1_000_000
TIMES_MAX = 1_000
PAGES = "pages"


class Arena(NamedTuple):
    """The arguments of `arena`."""

    bots: tuple[str, str]
    game: str
    scenario: str
    mode: str
    options: list[str]
    pairs: int
    sprt: str
    seed: str
    jobs: int
    steps_max: int
    stall_ms: int
    file: str
    adjudicate: str = ""
    page: str = ""
    is_forced: bool = False


def play_arena(context: Context, wish: Arena) -> None:
    """Play the pairs, and tell the strength.

    Raises:
        UnknownName: There is no such game, scenario, mode, option or bot.
        BudgetInvalid: A budget cannot be read.
        SetupInvalid: An option has another value than it allows.
        UserError: A number is out of range, the file holds another arena, or a bot has lost every match by its own fault.
        OutputRefused: What is in place of the page stays.
    """
    game = load_game(wish.game)
    bots = (_contender(game, wish.bots[0]), _contender(game, wish.bots[1]))
    scenario = game.scenario(wish.scenario)
    mode = scenario.mode(wish.mode)
    options = game.full_options(scenario, mode, parse_options(game, wish.options))
    bounds, agreement = _bounds(wish.sprt), _agreement(wish.adjudicate)
    if not 1 <= wish.pairs <= PAIRS_MAX or wish.steps_max < 1 or wish.jobs < 0 or wish.stall_ms < 1:
        raise usage(f"--pairs is 1 to {PAIRS_MAX}, --steps 1 or more, --jobs 0 or more, --stall longer than nothing")
    settings = ArenaShape(
        game=game.key,
        scenario=scenario.key,
        mode=mode.key,
        options=options,
        rules=game.rules_digest,
        bots=(bots[0].title, bots[1].title),
        seed=wish.seed,
        steps_max=wish.steps_max,
        stall_s=wish.stall_ms / 1_000,
        sure=agreement.sure,
        times=agreement.times,
    )
    if wish.page:
        check_output(Path(wish.page), PAGES, may_replace=wish.is_forced)
    standing = Standing(settings, bounds)
    with Ledger(wish.file, settings) as ledger:
        try:
            _play(context, wish, ledger, standing, _plans(settings, bots, wish.pairs, shows_errors=context.is_verbose))
        finally:
            # Finished pairs count even if the arena is interrupted.
            if standing.pairs:
                title = context.paint(f"{game.title}: {settings.bots[0]} against {settings.bots[1]}", "")
                context.print_result(standing.strength(), chain([title], standing.lines()))
                context.flush()
                _write_page(wish, settings, standing)
    if failure := standing.failure():
        raise check_failed(failure, "bot_failed")


def _write_page(wish: Arena, settings: ArenaShape, standing: Standing) -> None:
    """Write the page that was wished for."""
    if wish.page:
        page = arena_page(settings, standing).encode()
        write_whole(Path(wish.page), [page], PAGES, may_replace=wish.is_forced)


def _plans(
    settings: ArenaShape, bots: tuple[Contender, Contender], pairs: int, *, shows_errors: bool
) -> list[PairPlan]:
    return [
        PairPlan(
            number=number,
            game=settings.game,
            scenario=settings.scenario,
            mode=settings.mode,
            options=settings.options,
            bots=bots,
            seed=f"{settings.seed}/{number}",
            steps_max=settings.steps_max,
            stall_s=settings.stall_s,
            shows_errors=shows_errors,
            agreement=Agreement(settings.sure, settings.times),
        )
        for number in range(1, pairs + 1)
    ]


def _play(context: Context, wish: Arena, ledger: Ledger, standing: Standing, plans: Sequence[PairPlan]) -> None:
    """Play pair after pair until there are enough, or the sequential test ends."""
    known, left = ledger.pairs[: len(plans)], plans[len(ledger.pairs) :]
    jobs = min(wish.jobs or os.cpu_count() or 1, max(1, len(left)))
    with context.progress(f"{wish.bots[0]} against {wish.bots[1]}", len(plans)) as progress:
        for pair in chain(known, in_order(play_pair, left, jobs, "the arena")):
            standing.add(pair)
            ledger.keep(pair)
            progress.advance()
            if context.is_json:
                context.print_json(pair)
                context.flush()
            if standing.is_decided:
                return


def _contender(game: Game, text: str) -> Contender:
    """Return a bot with its budget."""
    contender = Contender(*parse_bot(leveled(text, policy_names(game))))
    check_bot_exists(game, contender.policy)
    return contender


def _bounds(text: str) -> tuple[float, float] | None:
    """Return the Elo of both hypotheses of a sequential test, or None without one."""
    if not text:
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low, high = 0.0, 0.0
    if not (isfinite(low) and isfinite(high) and -1_000 <= low < high <= 1_000):
        raise usage(f"--sprt names two differences of Elo, the lower first, as in 0,20, not {text!r}")
    return low, high


def _agreement(text: str) -> Agreement:
    """Return when a match is adjudicated, as typed; never without a text."""
    if not text:
        return NEVER
    chance, _, times = text.partition(",")
    try:
        found = Agreement(float(chance), int(times))
    except ValueError:
        found = NEVER
    if not (0.5 < found.sure < 1.0 and 1 <= found.times <= TIMES_MAX):
        raise usage(
            f"--adjudicate names a chance between 0.5 and 1, and how often in a row, as in 0.98,6, not {text!r}"
        )
    return found
