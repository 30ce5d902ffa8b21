"""Checks the requirements on every game: its record, its index of rules, its map, and matches under watch."""

import re
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from random import Random
from typing import NamedTuple

from cli.commands.designing.hash_seeds import order_problem
from cli.schemas.server import CheckShape
from cli.shell.context import Context
from cli.shell.exit_codes import check_failed, usage
from core.authoring.small_game import SmallRules
from core.bots.budget import Budget
from core.checking.answer_watch import AnswerWatch
from core.checking.audience_watch import AudienceWatch
from core.checking.checked_forks import forks_of
from core.checking.choice_watch import ChoiceWatch
from core.checking.conformance import (
    FoldWatch,
    LegalityWatch,
    NarrationWatch,
    NotConforming,
    RuleWatch,
    Watch,
    map_problems,
    place_name_problems,
    port_problems,
    question_watch,
    side_watch,
    view_watch,
)
from core.checking.inventory_watch import InventoryWatch
from core.checking.sentence_watch import SentenceWatch
from core.checking.simulated_match import Plan, SimulatedMatch, WentWrong
from core.checking.simulation_plan import plans
from core.engine.decision import Rules
from core.errors import SetupInvalid
from core.game.bound_game import BoundGame, Positions
from core.game.game_record import Game, Scenario, option_defect
from core.game_files.printed_names import printed_words
from core.game_files.rulebook import Rulebook, RulebookInvalid, load_match_rulebook, load_rulebook
from core.game_files.rules_digest import deciding_files
from core.narration.narration_port import Narration
from core.registry.game_fault import told, traceback_of
from core.registry.games import GAMES, game_key, load_game, package_of, packages, typed_key
from events.ids import ARBITER, NO_SEAT, PUBLIC

THOUGHT = Budget(playouts=1)
"""How much bots think: one that searches finds faults of the rules as well with little."""

STEPS_MAX = 20_000
OPTIONAL = "optional parts"


class Checked(NamedTuple):
    """One check: what was checked, how many things, what is wrong with them, and what a game may have and this one has not.

    `traces` are the tracebacks of errors that the game's code raised.
    """

    name: str
    looked_at: int
    problems: tuple[str, ...]
    missing: tuple[str, ...] = ()
    traces: tuple[str, ...] = ()


def check_game(context: Context, package: str, *, matches: int, seed: str) -> None:
    """Run every check on a game and report.

    Args:
        context: Where to print.
        package: The dotted name of the game's package, or the key of a game that is installed.
        matches: How many matches are played under watch.
        seed: The same seed plays the same matches.

    Raises:
        UserError: There is no such package or it has no record, a number is out of range, or a check failed.
    """
    if matches < 1:
        raise usage("--matches must be 1 or more")
    game = _record(package)
    if not package_of(game.key):
        GAMES[game.key] = package
    done: list[Checked] = []
    with context.progress(f"checking {typed_key(game.key)}", 4 + 2 * matches) as progress:
        for check in _checks(game, matches, seed):
            done.append(check)
            progress.advance()
    merged = _merged(done)
    for check in merged:
        shape = CheckShape(
            game=game.key, check=check.name, count=check.looked_at, problems=check.problems, missing=check.missing
        )
        context.print_result(shape, _lines(check))
    for line in "".join([one for check in merged for one in check.traces]).splitlines() if context.is_verbose else ():
        context.echo_err(line)
    failed = [check for check in merged if check.problems]
    if failed:
        raise check_failed(
            f"{game.title} fails {len(failed)} of {len(merged)} checks; the first: {failed[0].problems[0]}"
        )


def _record(package: str) -> Game:
    """Return the record of a game by its key or its package.

    Raises:
        UserError: There is no such game or package.
    """
    key = game_key(package)
    if package_of(key):
        return load_game(key)
    try:
        record = getattr(import_module(package), "GAME", None)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - Foreign code may raise anything.
        # Whatever the code of a package does while it is imported is the package's fault, even if it ends the program.
        reason = (
            str(error) if isinstance(error, ModuleNotFoundError) and error.name == package else told(error, [package])
        )
        raise usage(f"the package {package!r} cannot be imported: {reason}", "unknown_game") from None
    if not isinstance(record, Game):
        raise usage(
            f"the package {package!r} has no record: its GAME must be a core.game.game_record.Game", "unknown_game"
        )
    return record


def _checks(game: Game, matches: int, seed: str) -> Iterator[Checked]:
    undigested = tuple(_digest_problems(game))
    yield Checked("record", 1 + len(game.options), (*_record_problems(game), *undigested))
    book, problem = _book(game)
    yield Checked("index of rules", len(book.rules) if book else 0, tuple(problem))
    try:
        bound = game.bind(None)
    except SetupInvalid as error:
        yield Checked("board", 1, error.defects)
        return
    if not undigested and not _lists_rules(game, bound):
        yield Checked("record", 0, (f"deciding must list {type(bound.rules).__module__}, which has the rules",))
    yield Checked("words", len(game.sides) + len(game.seats), tuple(_word_problems(game)))
    narration = bound.narration
    ports = ((Rules, bound.rules), (Narration, narration), (Positions, bound.positions))
    lacking = tuple(problem for port, made in ports for problem in port_problems(port, made))
    yield Checked("ports", len(ports), lacking)
    if lacking:
        return
    places = narration.places()
    yield Checked("map", len(places), (*place_name_problems(narration), *map_problems(places)))
    has_picture, answered = False, AnswerWatch()
    planned = plans(
        game,
        matches=matches,
        bots=["random", *game.policies],
        scenarios=[(scenario, mode) for scenario in game.scenarios for mode in scenario.modes],
        named={},
        is_swept=True,
        seed=seed,
        steps_max=STEPS_MAX,
        is_audited=True,
        save_failures="",
        make_randomness=Random,
    )
    for plan in planned:
        if plan.number == 1:
            bots = dict.fromkeys(plan.bots, "random")
            order = order_problem(package_of(game.key), plan._replace(bots=bots))
            yield Checked("order of options", 1, (order,) if order else ())
        narrated = NarrationWatch()
        answered.begin()
        yield from _played(plan, book, seed, (narrated, answered))
        has_picture = has_picture or narrated.has_picture
    yield Checked("matches", 0, answered.problems())
    yield Checked(OPTIONAL, 3, (), tuple(_missing(game, has_picture=has_picture)))


def _played(plan: Plan, book: Rulebook | None, seed: str, others: Sequence[Watch]) -> Iterator[Checked]:
    """Play a match under watch, also that of `others`, then forks of it."""
    watches: list[Watch] = [FoldWatch(), InventoryWatch(), *_book_watches(book, seed, plan.number), *others]
    choices = Random(f"{seed}/{plan.number}/choices")  # noqa: S311 - The choices to try are no secret.
    others_chance = Random(f"{seed}/{plan.number}/audiences")  # noqa: S311 - Nor is this.
    watches += [ChoiceWatch(choices, share=0.05, bends=3), SentenceWatch(), AudienceWatch(others_chance, share=0.02)]
    watches += [view_watch, question_watch, side_watch]
    opened: list[SimulatedMatch] = []

    def play() -> None:
        opened.append(SimulatedMatch(plan, Random))
        opened[0].budgets = dict.fromkeys(plan.bots, THOUGHT)
        opened[0].play(watches)
        opened[0].check()

    where = f"match {plan.number} ({' '.join(filter(None, (plan.scenario, plan.mode)))}, seed {plan.seed})"
    wrong, traces = _problem(play)
    seq = opened[0].match.head.seq if opened else 0
    yield Checked("matches", 1, (f"{where}, event {seq}: {wrong}",) if wrong else (), traces=traces)
    rng = Random(f"{seed}/{plan.number}/forks")  # noqa: S311 - Where forks leave a match is no secret.
    for match in opened:
        for fork in forks_of(match.log, match.id, rng):
            wrong, traces = _problem(fork.check)
            yield Checked("forks", 1, (f"{where}, {fork.name}: {wrong}",) if wrong else (), traces=traces)


def _problem(check: Callable[[], None]) -> tuple[str, tuple[str, ...]]:
    """Return what a check finds, or what it trips over with its traceback; empty if nothing."""
    try:
        check()
    except (NotConforming, WentWrong) as error:
        return str(error), ()
    except Exception as error:  # noqa: BLE001 - Any exception of a game is a finding.
        return told(error, packages()), (traceback_of(error),)
    return "", ()


def _book_watches(book: Rulebook | None, seed: str, number: int) -> list[RuleWatch | LegalityWatch]:
    if book is None:
        return []
    rng = Random(f"{seed}/{number}")  # noqa: S311 - The choice of commands to try is not secret.
    return [RuleWatch(book, load_match_rulebook()), LegalityWatch(book, rng, share=0.05, wishes=40)]


def _missing(game: Game, *, has_picture: bool) -> Iterator[str]:
    """Yield what a game need not have and this one has not."""
    if not game.policies:
        yield "bots: only the random one can play it"
    if not has_picture:
        yield "pictures: its tables are drawn as any table is"
    if game.make_report is None:
        yield "board report: `wardiary board` has nothing to show"


def _record_problems(game: Game) -> Iterator[str]:
    """Yield the defects of a game's record."""
    if not game.scenarios:
        yield "the game has no scenario"
    for kind, keys in (
        ("scenario", [scenario.key for scenario in game.scenarios]),
        ("option", [option.key for option in game.options]),
    ):
        yield from (f"the {kind} {key} is there twice" for key in sorted({key for key in keys if keys.count(key) > 1}))
    for option in game.options:
        defect = option_defect(option, option.default)
        if defect:
            yield f"the default of option {option.key} is not allowed: {defect}"
        for scenario in option.scenarios:
            if scenario not in {one.key for one in game.scenarios}:
                yield f"option {option.key} names a scenario {scenario} that does not exist"
        for mode in option.modes:
            if mode not in {one.key for scenario in game.scenarios for one in scenario.modes}:
                yield f"option {option.key} names a mode {mode} that does not exist"
        if option.needs and option.needs not in {one.key for one in game.options}:
            yield f"option {option.key} needs an option {option.needs} that does not exist"
    yield from _mode_problems(game)


def _word_problems(game: Game) -> Iterator[str]:
    """Yield the sides and seats without a word: lists and replays, which load no game, could only print their ids."""
    words = printed_words(game.package)
    for what, ids in (("side", game.sides), ("seat", game.seats)):
        for id_ in ids:
            if id_ not in words:
                yield f'the {what} {id_} has no word: add `{id_} = "…"` to [words] in data/words.toml of {game.package}'


def _digest_problems(game: Game) -> Iterator[str]:
    """Yield why the rules digest cannot be taken."""
    try:
        deciding_files(game.package, game.deciding)
    except OSError as error:
        yield f"deciding lists what cannot be read: {error}"


def _lists_rules(game: Game, bound: BoundGame) -> bool:
    """Return whether the module of the rules is among the files that outcomes depend on; those of the kernel always are."""
    if type(bound.rules).__module__ == SmallRules.__module__:
        return True
    module = type(bound.rules).__module__.removeprefix(game.package).strip(".").replace(".", "/")
    listed = deciding_files(game.package, game.deciding)
    return bool({f"{module}.py", f"{module}/__init__.py".lstrip("/")} & {*listed})


def _mode_problems(game: Game) -> Iterator[str]:
    """Yield the defects of the modes of a game's scenarios, their seats and sides."""
    for scenario in game.scenarios:
        keys = [mode.key for mode in scenario.modes]
        if not keys:
            yield f"the scenario {scenario.key} has no mode"
        yield from (f"{_mode_named(key, scenario)} is there twice" for key in sorted({*keys}) if keys.count(key) > 1)
        for mode in scenario.modes:
            where = _mode_named(mode.key, scenario)
            if not mode.seats:
                yield f"{where} has no seat"
            for seat, side in mode.seats.items():
                if seat in (PUBLIC, ARBITER, NO_SEAT):
                    yield f"{where} has a seat {seat!r}, which cannot be played"
                if side and side not in game.sides:
                    yield f"{where} lets {seat} play a side {side} that does not exist"


def _mode_named(key: str, scenario: Scenario) -> str:
    """Name a mode in a problem; the only mode of a scenario may have no key."""
    return f"the mode {key or 'without a key'} of {scenario.key}"


def _book(game: Game) -> tuple[Rulebook | None, list[str]]:
    """Return a game's index of rules, and its defects."""
    try:
        book = load_rulebook(game.package)
    except RulebookInvalid as error:
        return None, [str(error)]
    known = {*book.rules, *book.rulings}
    return book, [
        *(
            f"option {option.key} switches {option.rule}, which is not in the index"
            for option in game.options
            if option.rule not in known
        ),
        *(
            f"the refusal {refusal.code} names the rule {refusal.rule}, which is not in the index"
            for refusal in book.refusals
            if refusal.rule is not None and refusal.rule not in known
        ),
    ]


def _merged(done: list[Checked]) -> list[Checked]:
    """Merge the checks of one name."""
    names = dict.fromkeys(check.name for check in done)
    return [
        Checked(
            name,
            sum(check.looked_at for check in done if check.name == name),
            _once([problem for check in done if check.name == name for problem in check.problems]),
            tuple(part for check in done if check.name == name for part in check.missing),
            tuple(dict.fromkeys(trace for check in done if check.name == name for trace in check.traces)),
        )
        for name in names
    ]


COMMAND = re.compile(r", on \{.*\}\)")
"""The command on which a fault arose."""


def _once(problems: Sequence[str]) -> tuple[str, ...]:
    """Return each problem once, where it was found first, with how many times more; the command may be another one."""
    found: dict[str, list[str]] = {}
    for problem in problems:
        what = problem.partition(": ")[2] if problem.startswith("match ") else problem
        found.setdefault(COMMAND.sub(")", what), []).append(problem)
    return tuple(f"{first} (and {len(more)} times more)" if more else first for first, *more in found.values())


def _lines(check: Checked) -> Iterator[str]:
    if check.name == OPTIONAL:
        found = f"{len(check.missing)} missing, which a game need not have" if check.missing else "all there"
    else:
        found = f"{len(check.problems)} defective" if check.problems else "no defects"
    yield f"{check.name}: {check.looked_at} checked, {found}"
    yield from (f"  {problem}" for problem in (*check.problems, *check.missing))
