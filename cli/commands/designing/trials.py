"""Tries options out: each is played on many times by bots, on all cores, until the trials tell which one is best."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from cli.commands.playing.legal import key_of, open_decision
from cli.commands.playing.odds import wanted_option
from cli.commands.records.study import TryingPlace, trying_place, write_trials
from cli.output.columns import in_columns
from cli.output.table_text import decision_lines
from cli.schemas.matches import ChoiceShape, LegalShape
from cli.schemas.trials import TrialsShape, TriedShape
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.process_pool import in_order
from cli.views.match_view import MatchView
from cli.views.stored_match import StoredMatch
from core.game.game_record import Game
from core.registry.bot_policies import policy_names, usual_policy
from core.registry.games import typed_key
from core.suggestions import unknown
from core.trials.comparison import is_settled, score, tried, verdict
from core.trials.trial import HORIZONS, Outcome
from core.trials.trial_words import count_words, number, percent_of, verdict_words
from core.wording import counted, joined
from events.codec import encode
from events.commit import decode_commit
from events.ids import ARBITER
from events.studies.study_entry import OptionsTried, OptionWins
from server.playouts.trial_job import Batch, TrialPlan, run_batch

BATCH_MAX = 10
"""The most trials of an alternative in a row, before its turn comes again."""

TURNS = 16
"""How often its turn comes at least, where it is tried as often: the processes end at about the same time."""

TIMES_MAX = 100_000
OPTIONS_MAX = 12
"""The most options that are tried unless they are named."""


class Trying(NamedTuple):
    """The arguments: options by their numbers (empty for all), how often, by which policy, to where, with which seed, on how many processes."""

    options: str
    is_all: bool
    times: int
    policy: str
    until: str
    seed: str
    jobs: int

    def check(self) -> None:
        """Refuse numbers and words that cannot be.

        Raises:
            UserError: There is one.
        """
        if self.options and self.is_all:
            raise usage("--options and --all exclude each other")
        if not 1 <= self.times <= TIMES_MAX:
            raise usage(f"--times is 1 to {TIMES_MAX}, not {self.times}")
        if self.until not in HORIZONS:
            raise usage(f"--until is {joined(HORIZONS, 'or')}, not {self.until!r}")
        if self.jobs < 0:
            raise usage(f"--jobs is 0 (one per core) or more, not {self.jobs}")


def try_options(context: Context, point: str, seat: str, asked: Trying, name: str = "") -> None:
    """Try options of an open decision, and print what came of each; at a point of a study write it there, too.

    Raises:
        UserError: An argument is wrong, or nothing is to be decided by the seat that asks.
    """
    asked.check()
    kept = trying_place(context, point, seat) if "/" in point else None
    if kept is not None and asked.until != "end":
        raise usage("a study keeps how often options win: try them to the end, without --until")
    if kept is None and name:
        raise usage("--name says who writes in a study: name one as MATCH/STUDY@SEQ")
    shape, reader = open_decision(context, *((point, seat) if kept is None else kept[:2]))
    wanted_option(shape, reader, "")
    table = reader.table()
    asked = asked._replace(policy=policy_of(reader.game, asked.policy))
    chosen = [shape.options[index] for index in _chosen(shape, reader, asked)]
    plan = TrialPlan(
        game=table.game,
        bound=reader.bound,
        events=encode(list(reader.events(0, shape.seq))),
        is_whole=reader.seat == ARBITER,
        policies=tuple([(one, asked.policy) for one in table.seats]),
        seed=asked.seed,
        until=asked.until,
    )
    won = partial(score, seat=shape.seat, side=table.side_of(shape.seat))
    outcomes = _outcomes(context, plan, chosen, won, asked)
    result = _result(shape, asked, chosen, outcomes, won)
    context.print_result(result, _lines(context, reader, result, {one.number: key_of(one) for one in chosen}))
    if kept is not None:
        write_trials(context, kept, _tried(context, kept, reader, result, chosen), seat, name)


def _tried(
    context: Context, kept: TryingPlace, reader: MatchView, result: TrialsShape, chosen: Sequence[ChoiceShape]
) -> OptionsTried:
    """Return what a study keeps of trials. On a store the option that was played in the match is marked."""
    played = b""
    if isinstance(reader, StoredMatch):
        end = reader.end_of_command(result.seq)
        after = context.log.read(result.match, end, end + 1)
        played = next((bytes(decode_commit(one.body).command) for one in after), b"")
    return OptionsTried(
        at=kept.place.at or 0,
        policy=result.policy,
        seed=result.seed,
        times=result.times,
        options=tuple(
            [
                OptionWins(one.words, round(2 * one.won.count), was_played=bytes(choice.command) == played)
                for one, choice in zip(result.options, chosen, strict=True)
                if one.won is not None
            ]
        ),
    )


def policy_of(game: Game, name: str) -> str:
    """Return the name of the policy that plays on.

    Raises:
        UserError: There is none of that name.
    """
    names = policy_names(game)
    if name and name not in names:
        raise usage(unknown(f"policy for {typed_key(game.key)}", name, names), "unknown_name")
    return name or usual_policy(names)


def _result(
    shape: LegalShape,
    asked: Trying,
    chosen: Sequence[ChoiceShape],
    outcomes: Sequence[Sequence[Outcome]],
    won: Callable[[Outcome], float],
) -> TrialsShape:
    ended = all(outcome.ended is not None for one in outcomes for outcome in one)
    found = [(one, tried(each, won)) for one, each in zip(chosen, outcomes, strict=True)]
    return TrialsShape(
        match=shape.match,
        seq=shape.seq,
        seat=shape.seat,
        decision=shape.decision,
        policy=asked.policy,
        until=asked.until,
        seed=asked.seed,
        times=len(outcomes[0]),
        options=tuple(
            [
                TriedShape(
                    number=one.number,
                    words=one.words,
                    won=came.won if ended else None,
                    results=came.results,
                    counts=came.counts,
                )
                for one, came in found
            ]
        ),
        verdict=verdict([list(map(won, each)) for each in outcomes]) if ended else None,
    )


def _chosen(shape: LegalShape, reader: MatchView, asked: Trying) -> list[int]:
    """Return the indexes of the options to be tried.

    Raises:
        UserError: There is no such option, or there are too many.
    """
    if asked.options:
        named = [wanted_option(shape, reader, text.strip())[0] for text in asked.options.split(",")]
        return [index for index, one in enumerate(shape.options) if one.number in named]
    if len(shape.options) > OPTIONS_MAX and not asked.is_all:
        raise usage(f"there are {len(shape.options)} options: name some with --options 3,5,7, or give --all")
    return list(range(len(shape.options)))


def _outcomes(
    context: Context,
    plan: TrialPlan,
    chosen: Sequence[ChoiceShape],
    won: Callable[[Outcome], float],
    asked: Trying,
) -> list[list[Outcome]]:
    """Return the outcomes of each option: of equally many trials, fewer than asked for if the question is settled before."""
    outcomes: list[list[Outcome]] = [[] for _ in chosen]
    commands, times = [bytes(one.command) for one in chosen], asked.times
    size = min(BATCH_MAX, times // TURNS or 1)
    batches = [
        Batch(plan, command, first, min(size, times - first)) for first in range(0, times, size) for command in commands
    ]
    jobs = min(asked.jobs or os.cpu_count() or 1, len(batches))
    with context.progress("trials", times * len(commands)) as bar:
        results = in_order(run_batch, batches, jobs, "the trials")
        for place, found in enumerate(results):
            outcomes[place % len(commands)] += found
            bar.advance(len(found))
            is_even = place % len(commands) == len(commands) - 1
            if not is_even or plan.until != "end":
                continue
            if is_settled([list(map(won, each)) for each in outcomes]):
                results.close()
                break
    return outcomes


def _lines(context: Context, reader: MatchView, result: TrialsShape, keys: Mapping[int, int]) -> Iterator[str]:
    table = reader.table()
    names = reader.names.on(table)
    yield from decision_lines(names, table)
    yield ""
    counts = [one for one in result.options[0].counts if len({option.counts[one] for option in result.options}) > 1]
    won = [] if result.options[0].won is None else ["Wins"]
    rows = [
        [
            str(keys[one.number]),
            one.words,
            *([] if one.won is None else [percent_of(one.won)]),
            *[number(one.counts[count]) for count in counts],
        ]
        for one in result.options
    ]
    heads = ["", "Option", *won, *[count_words(names, one) for one in counts]]
    yield from in_columns(heads, rows, max(context.width, 100), right=(0,))
    yield ""
    if not (won or counts):
        yield "Nothing that is counted came out differently up to there; with --until end the trials tell who wins."
    if result.verdict is not None:
        yield verdict_words([keys[one.number] for one in result.options], result.verdict)
    until = "the end of the match" if result.until == "end" else f"the next {result.until}"
    yield f"{counted(result.times, 'trial')} of each option, in which {result.policy} played on to {until} (seed {result.seed})."
