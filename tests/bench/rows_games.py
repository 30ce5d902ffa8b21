"""Rows about the sizes of each game: the longest list of options, and a whole match folded and audited."""

import random
import time
from collections.abc import Sequence

from core.audit.match_audit import audit_match
from core.engine.decision import Rules
from core.history.match_reader import events_of
from core.registry.games import game_keys, load_game
from events.ids import MatchId
from events.memory_log import MemoryLog
from projections.state.fold import fold
from projections.state.table import Table
from tests.bench import our_play
from tests.bench.harness import Contestant, Figures, Line, Plan, Row, alternate, anchor, our_figure, rate

PLAYED = 8
"""So many random matches are searched for the position with the most options."""
MATCH = MatchId("whole")


def largest(plan: Plan, game: str) -> tuple[Rules, Table, int]:
    """Return the position with the most options that random play meets, and their number."""
    playing = our_play.begun(MATCH, game=game)
    rules, best, most = playing.ruleset.rules, playing.table, 0
    for seed in range(PLAYED):
        playing, dice = our_play.begun(MATCH, str(seed), game), random.Random(seed)
        for _ in range(plan.commands):
            number = len(rules.options(playing.table))
            if number > most:
                best, most = playing.table.clone(), number
            if our_play.taken(playing, dice) is None:
                break
    return rules, best, most


def listing(plan: Plan, rules: Rules, table: Table) -> Contestant:
    """List the options of a position again and again."""

    def listed() -> Figures:
        times, began = 0, time.perf_counter()
        while time.perf_counter() - began < plan.slice_s:
            rules.options(table)
            times += 1
        return {"ms": (time.perf_counter() - began) / times * 1_000}

    return listed


def options_line(plan: Plan, game: str) -> Line:
    """Measure how long the most options take."""
    rules, table, number = largest(plan, game)
    figure, spread = our_figure(alternate({"ours": listing(plan, rules, table)}, plan.runs), "ms")
    title = f"the most options met in random play ({number:,}), {load_game(game).title}"
    return Line(f"games.{game}.options", title, "ms", more_is_better=False, ours=figure, spread=spread)


def match_lines(plan: Plan, game: str) -> Sequence[Line]:
    """Measure a whole random match, folded from its events and audited from its log."""
    log = MemoryLog()
    playing, dice = our_play.begun(MATCH, our_play.SEED, game, log), random.Random(our_play.SEED)
    for _ in range(plan.commands):
        if our_play.taken(playing, dice, log) is None:
            break
    events = events_of(log, MATCH)

    def audited() -> int:
        assert audit_match(log, MATCH).clean
        return len(events)

    samples = alternate(
        {"ours": rate(audited, plan.slice_s), "fold": rate(lambda: fold(events, Table()).seq, plan.slice_s)}, plan.runs
    )
    figure, spread = our_figure(samples, "rate")
    folded = samples["fold"]
    what = f"a random match of {len(events):,} events, {load_game(game).title}"
    return [
        Line(
            f"games.{game}.fold",
            f"fold of {what}",
            "events/s",
            more_is_better=True,
            ours=folded.median("rate"),
            spread=folded.spread("rate"),
        ),
        Line(
            f"games.{game}.audit",
            f"audit of {what}",
            "events/s",
            more_is_better=True,
            ours=figure,
            spread=spread,
            limit=anchor("its fold", samples, "fold", "rate"),
        ),
    ]


def games(plan: Plan) -> list[Line]:
    """Measure every game."""
    return [line for key in game_keys() for line in (options_line(plan, key), *match_lines(plan, key))]


ROWS = (Row("games", "the longest list of options, and a whole match folded and audited, of every game", games),)
