"""Fits the evaluation of a searching bot to matches that its quick bot plays."""

import os
import random
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from typing_extensions import override

from cli.commands.playing.new import parse_options
from cli.schemas.arena import TunedShape
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.process_pool import in_order
from core.bots.bot_port import Asked, Policy, answer_of
from core.bots.evaluation import points
from core.bots.fitting import Sample, fit, log_loss
from core.bots.search import Search
from core.bots.world import turn_of
from core.checking.simulated_match import Plan, SimulatedMatch, WentWrong
from core.engine.command import Command
from core.game.game_record import Game
from core.registry.bot_policies import find_policy
from core.registry.games import load_game
from events.ids import Seat
from events.vocabulary import Value

MATCHES_MAX = 100_000
STEPS_MAX = 20_000

NOISE = 0.08
"""The share of decisions that are taken at random, so that matches differ and meet what the quick bot avoids."""

HELD_OUT = 5
"""Every fifth match is not fitted: on it the weights are judged."""


class Tune(NamedTuple):
    """The arguments of `tune`."""

    policy: str
    game: str
    scenario: str
    mode: str
    options: list[str]
    matches: int
    seed: str
    jobs: int


class TuningPlan(NamedTuple):
    """A match from which samples are taken."""

    policy: str
    game: str
    scenario: str
    mode: str
    options: dict[str, Value]
    seed: str
    number: int


class TuningMatch(SimulatedMatch):
    """A match between the quick bots of a search; at the beginning of each turn it is counted what each seat has.

    Args:
        plan: The match.
        search: The search.
    """

    def __init__(self, plan: Plan, search: Search) -> None:
        self._search = search
        super().__init__(plan, random.Random)
        self._chance = random.Random(f"{plan.seed}/noise")  # noqa: S311 - Nothing of it is secret.
        self._turn: tuple[object, ...] = ()
        self._counted: list[tuple[Seat, Mapping[str, float]]] = []

    @override
    def policy(self, name: str) -> Policy:
        return self._search.quick

    @override
    def choose(self, policy: Policy, asked: Asked) -> Command:
        table = self.match.table
        turn = turn_of(table)
        if turn != self._turn:
            self._turn = turn
            for seat in self.plan.bots:
                counts = self._search.evaluation.features(self.rules, table, table.side_of(seat))
                self._counted.append((seat, counts))
        if self._chance.random() < NOISE:
            return self._chance.choice(asked.options)
        return answer_of(policy, asked).command

    def samples(self) -> list[Sample]:
        """Return what was counted, with the points of the seat in the end."""
        ended = self.match.table.ended
        assert ended is not None, "the match has not ended"
        return [(counts, points(ended, seat, self.match.table.side_of(seat))) for seat, counts in self._counted]


def play_sampled(plan: TuningPlan) -> list[Sample]:
    """Play a match and return its samples; none if it has no end. Runs in a process of its own."""
    game = load_game(plan.game)
    bots = dict.fromkeys(game.scenario(plan.scenario).mode(plan.mode).seats, plan.policy)
    settings = (plan.number, plan.game, plan.scenario, plan.mode, plan.options, bots, f"{plan.seed}/{plan.number}")
    match = TuningMatch(
        Plan(*settings, steps_max=STEPS_MAX, is_audited=False, save_failures=""), _search_of(game, plan.policy)
    )
    try:
        match.play()
    except WentWrong:
        return []
    return match.samples()


def tune(context: Context, wish: Tune) -> None:
    """Play the matches, fit the weights, and print them with how well they foretell.

    Raises:
        UnknownName: There is no such game, scenario, mode, option or policy.
        UserError: The policy has no evaluation, or a number is out of range.
    """
    game = load_game(wish.game)
    _search_of(game, wish.policy)
    scenario = game.scenario(wish.scenario)
    mode = scenario.mode(wish.mode)
    options = game.full_options(scenario, mode, parse_options(game, wish.options))
    if not HELD_OUT <= wish.matches <= MATCHES_MAX or wish.jobs < 0:
        raise usage(f"--matches is {HELD_OUT} to {MATCHES_MAX}, --jobs 0 or more")
    plans = [
        TuningPlan(wish.policy, game.key, scenario.key, mode.key, options, wish.seed, number)
        for number in range(wish.matches)
    ]
    jobs = min(wish.jobs or os.cpu_count() or 1, len(plans))
    fitted: list[Sample] = []
    judged: list[Sample] = []
    with context.progress(f"matches of {game.title}", len(plans)) as progress:
        for plan, samples in zip(plans, in_order(play_sampled, plans, jobs, "the tuning"), strict=True):
            (fitted if plan.number % HELD_OUT else judged).extend(samples)
            progress.advance()
    if not fitted or not judged:
        raise usage(f"of {wish.matches} matches too few came to an end; more --matches are needed")
    weights = fit(fitted)
    shown = TunedShape(
        game=game.key,
        policy=wish.policy,
        matches=wish.matches,
        seed=wish.seed,
        samples=len(fitted) + len(judged),
        bias=round(weights.bias, 4),
        weights={name: round(weight, 4) for name, weight in weights.by_feature.items()},
        log_loss=round(log_loss(judged, weights), 4),
        log_loss_now=round(log_loss(judged, _search_of(game, wish.policy).evaluation.weights), 4),
    )
    context.print_result(shown, chain([context.paint(f"{game.title}: {wish.policy}", "")], _lines(shown)))


def _search_of(game: Game, policy: str) -> Search:
    found = find_policy(game, policy)
    if not isinstance(found, Search):
        raise usage(f"{policy} has no evaluation that could be fitted; a bot that searches has one, such as search")
    return found


def _lines(shown: TunedShape) -> Iterator[str]:
    yield f"{'bias':<16} {shown.bias:>9.4f}"
    for name, weight in shown.weights.items():
        yield f"{name:<16} {weight:>9.4f}"
    yield f"Log loss on matches held out: {shown.log_loss:.3f}, with the weights of today {shown.log_loss_now:.3f}; a coin has 0.693."
