"""Plays many matches on all cores, and sums the results up."""

import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from cli.commands.designing.rules_comparison import Other, compared, comparison_lines, other_rules
from cli.commands.designing.simulation_job import Outcome, play_planned
from cli.commands.playing.new import parse_options
from cli.output.columns import in_columns
from cli.schemas.server import SimulatedShape, SummaryShape
from cli.shell.arguments import shown_file
from cli.shell.context import PATIENCE_S, Context
from cli.shell.exit_codes import check_failed, usage
from cli.shell.input_files import read_position_text, read_text
from cli.shell.process_pool import in_order
from core.checking.simulated_match import Files, Plan, SimulatedMatch
from core.checking.simulation_plan import plans
from core.game.game_record import Game, Mode, Scenario
from core.match.bound_games import bound_game, read_position
from core.match.match_creation import Opening, setting_of
from core.registry.bot_policies import find_policy
from core.registry.games import load_game, typed_key
from core.suggestions import unknown
from core.telling.names import IdsOnly, Names
from core.wording import counted
from events.archive_reader import Archive, store_archive
from events.ids import GameKey
from events.log import Log
from server.store.opening import is_file, open_log, shown
from server.store.whole_file import make_folder


class Simulation(NamedTuple):
    """The arguments of `simulate`."""

    game: str
    board: str
    variant: str
    matches: int
    bots: str
    scenario: str
    mode: str
    options: list[str]
    is_swept: bool
    jobs: int
    seed: str
    is_audited: bool
    save_failures: str
    steps_max: int
    position: str = ""
    save: str = ""
    is_forced: bool = False
    against: Other = Other()


def simulate(context: Context, wish: Simulation) -> None:
    """Play, audit and report.

    Raises:
        UnknownName: There is no such game, scenario, mode, option or bot.
        SetupInvalid: The board has defects, or the game no such variant.
        UserError: A number is out of range, or a match failed.
    """
    game = load_game(wish.game)
    board = read_text(wish.board) if wish.board else None
    position = read_position_text(wish.position) if wish.position else None
    files = Files(board, wish.variant, position)
    # Here, so that a board or a position with defects is one error and not one of every match.
    bound_game(game.key, board, wish.variant)
    jobs = wish.jobs or os.cpu_count() or 1
    if any(wish.against):
        # Options that vary by themselves would blur what is compared.
        wish = wish._replace(is_swept=False)
    planned = list(_plans(game, wish, position))
    if position is not None:
        SimulatedMatch(planned[0], Random, files)
    other = other_rules(game, wish.against, files, planned[0])
    wanted = (
        [(plan, files) for plan in planned]
        if other is None
        else [one for plan in planned for one in other.planned(plan, files)]
    )
    if wish.save_failures:
        make_folder(Path(wish.save_failures))
    began = time.perf_counter()
    outcomes: list[Outcome] = []
    saving = _Saving(wish.save)
    work = partial(play_planned, folder=saving.folder, is_stored=saving.is_store, is_forced=wish.is_forced)
    try:
        with saving, context.progress(f"simulating {typed_key(game.key)}", len(wanted)) as progress:
            for outcome in in_order(work, wanted, min(jobs, len(wanted)), "the simulation"):
                outcomes.append(saving.keep(outcome))
                progress.advance()
                if context.is_json:
                    context.print_json(_shape(outcome))
                    context.flush()
    finally:
        # Finished matches count even if the simulation is interrupted.
        seconds = time.perf_counter() - began
        if outcomes:
            summary = _summary(game, wish, outcomes, seconds)
            context.print_result(summary, _lines(context, game, outcomes, summary, min(jobs, len(wanted))))
            if other is not None:
                _compare(context, game, outcomes, wish.against)
            context.flush()
            if wish.save:
                context.echo_err(saving.told(len(outcomes)))
    for outcome in outcomes if context.is_verbose else ():
        for line in outcome.trace.splitlines():
            context.echo_err(line)
    wrong = [outcome for outcome in outcomes if outcome.problem]
    if wrong:
        raise check_failed(
            f"{len(wrong)} of {len(outcomes)} matches failed; number {wrong[0].plan.number}: {wrong[0].problem}"
        )


def _compare(context: Context, game: Game, outcomes: list[Outcome], other: Other) -> None:
    """Print how the matches of both rules compare."""
    found = compared(outcomes, other)
    if found is not None:
        names = Names(bound_game(game.key, None).narration)
        context.print_result(found, ["", *comparison_lines(context, names, found)])


class _Saving:
    """Saves matches to a folder, an archive each, or to a store, as each is finished; or does nothing.

    Args:
        place: A folder, or a store: a file, a name that ends in `.db`, or the address of one on other machines; empty to save nothing.
    """

    def __init__(self, place: str) -> None:
        path = Path(place).expanduser()
        self._place = str(path) if is_file(place) else place
        self.is_store = not is_file(place) or path.is_file() or path.suffix == ".db"
        self.folder = self._place if place and not self.is_store else ""
        self._log: Log | None = None
        self._opened = ExitStack()
        self._known = 0

    def __enter__(self) -> None:
        """Make the folder, or open the store.

        Raises:
            OSError: The folder cannot be made.
            StoreUnavailable: The store cannot be written.
        """
        if self.folder:
            make_folder(Path(self.folder))
        if self.is_store:
            self._log = self._opened.enter_context(open_log(self._place, timeout_s=PATIENCE_S))

    def __exit__(self, *_: object) -> None:
        """Close the store."""
        self._opened.close()

    def keep(self, outcome: Outcome) -> Outcome:
        """Store a match, whole or not at all, and return its outcome without its commits.

        Raises:
            OtherMatch: The store has another match of that id.
        """
        if self._log is not None:
            archive = Archive(outcome.match, GameKey(outcome.plan.game), dict(outcome.attachments), outcome.commits)
            self._known += store_archive(archive, self._log).new_commits == 0
        return outcome._replace(commits=(), attachments={})

    def told(self, count: int) -> str:
        """Return where matches were saved, and how to look at them."""
        place = shown_file(shown(self._place))
        known = f" ({self._known} of them were there already)" if self._known else ""
        how = f"--store {place} list" if self.is_store else f"find {place}"
        return f"{counted(count, 'match', 'matches')} saved in {place}{known}: `wardiary {how}`"


def _plans(game: Game, wish: Simulation, position: str | None = None) -> Iterator[Plan]:
    if wish.matches < 1 or wish.jobs < 0 or wish.steps_max < 1:
        raise usage("--matches and --steps must be 1 or more, --jobs 0 or more")
    bots = [bot.strip() for bot in wish.bots.split(",") if bot.strip()]
    if not bots:
        raise usage("--bots names at least one bot")
    for bot in bots:
        find_policy(game, bot)
    named = parse_options(game, wish.options)
    if position is not None:
        # What the position does not name is not varied, because it may not fit the position.
        begins = read_position(position)
        asked = Opening(game=game.key, scenario=wish.scenario, mode=wish.mode, options=named)
        setting = setting_of(game, asked, begins)
        named = {**begins.options, **named}
        wish = wish._replace(scenario=setting.scenario.key, mode=setting.mode.key, is_swept=False)
    scenarios = _scenarios(game, wish)
    for scenario, mode in scenarios:
        known = {spec.key for spec in game.options if spec.is_for(scenario, mode)}
        game.full_options(scenario, mode, {key: value for key, value in named.items() if key in known or wish.scenario})
    return plans(
        game,
        matches=wish.matches,
        bots=bots,
        scenarios=scenarios,
        named=named,
        is_swept=wish.is_swept,
        seed=wish.seed,
        steps_max=wish.steps_max,
        is_audited=wish.is_audited,
        save_failures=wish.save_failures,
        make_randomness=Random,
    )


def _scenarios(game: Game, wish: Simulation) -> list[tuple[Scenario, Mode]]:
    """Return the scenarios to be played, with a mode each."""
    varies = wish.is_swept and not wish.scenario
    found = list(game.scenarios) if varies else [game.scenario(wish.scenario)]
    modes = [(scenario, mode) for scenario in found for mode in scenario.modes if wish.mode in ("", mode.key)]
    if not modes:
        raise usage(
            unknown("mode", wish.mode, [mode.key for scenario in found for mode in scenario.modes]), "unknown_mode"
        )
    return modes if wish.is_swept else modes[:1]


def _shape(outcome: Outcome) -> SimulatedShape:
    plan = outcome.plan
    return SimulatedShape(
        number=plan.number,
        scenario=plan.scenario,
        mode=plan.mode,
        options=plan.options,
        bots=plan.bots,
        seed=plan.seed,
        steps=outcome.steps,
        events=outcome.events,
        rounds=outcome.rounds,
        result=outcome.result,
        winners=outcome.winners,
        winning_seats=outcome.winning_seats,
        audited=plan.is_audited and not outcome.problem,
        problem=outcome.problem,
        file=outcome.file,
        match=outcome.match,
        counts=dict(outcome.counts),
    )


def _summary(game: Game, wish: Simulation, outcomes: list[Outcome], seconds: float) -> SummaryShape:
    steps = sum(outcome.steps for outcome in outcomes)
    sound = [outcome for outcome in outcomes if not outcome.problem]
    return SummaryShape(
        game=game.key,
        variant=wish.variant,
        matches=len(outcomes),
        ended=sum(1 for outcome in outcomes if outcome.result),
        dead_ends=sum(1 for outcome in outcomes if outcome.problem.startswith("dead end")),
        problems=len(outcomes) - len(sound),
        audited=len(sound) if wish.is_audited else 0,
        steps=steps,
        events=sum(outcome.events for outcome in outcomes),
        seconds=round(seconds, 3),
        steps_per_second=round(steps / seconds, 1),
        results=dict(Counter(outcome.result for outcome in outcomes if outcome.result).most_common()),
    )


def _lines(context: Context, game: Game, outcomes: list[Outcome], summary: SummaryShape, jobs: int) -> Iterator[str]:
    yield context.paint(f"{game.title}, variant {summary.variant}" if summary.variant else game.title, "")
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        bots = ", ".join(outcome.plan.bots.values())
        groups.setdefault((f"{outcome.plan.scenario} {outcome.plan.mode}".strip(), bots), []).append(outcome)
    rows = [_row(scenario, bots, group) for (scenario, bots), group in sorted(groups.items())]
    titles = ["Scenario", "Bots", "Matches", "Commands", "Events", f"{Names(IdsOnly(game.key)).round}s", "Results"]
    yield from in_columns(titles, rows, context.width, right=[2, 3, 4, 5])
    yield ""
    audits = f", {summary.audited} audits clean" if summary.audited else ""
    yield (
        f"{summary.matches} matches: {summary.ended} ended, {summary.dead_ends} dead ends, "
        f"{summary.problems} failed{audits}."
    )
    yield (
        f"{summary.steps} commands, {summary.events} events in {summary.seconds:.1f} s: "
        f"{summary.steps_per_second:.0f} commands per second in {jobs} process{'' if jobs == 1 else 'es'}."
    )
    for outcome in outcomes:
        if outcome.problem:
            saved = f" (saved as {outcome.file})" if outcome.file else ""
            yield f"Match {outcome.plan.number}, seed {outcome.plan.seed}: {outcome.problem}{saved}"


def _row(scenario: str, bots: str, group: list[Outcome]) -> list[str]:
    """Return the totals of one scenario and one line-up: means, and how often each result occurred."""
    count = len(group)
    results = Counter(outcome.result or "no end" for outcome in group).most_common()
    return [
        scenario,
        bots,
        str(count),
        f"{sum(outcome.steps for outcome in group) / count:.0f}",
        f"{sum(outcome.events for outcome in group) / count:.0f}",
        f"{sum(outcome.rounds for outcome in group) / count:.1f}",
        "; ".join(f"{result} {times}" for result, times in results),
    ]
