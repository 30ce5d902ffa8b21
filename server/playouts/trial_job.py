"""Trials of one alternative, in a process of their own."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from core.bots.sampler import Deals
from core.bots.world import bare
from core.engine.chance_port import Chance
from core.game.bound_game import BoundGame
from core.registry.bot_policies import find_policy
from core.registry.games import load_game
from core.secrets.knowledge import Hidden
from core.trials.trial import Outcome, Trials
from events.codec import Decoder
from events.ids import GameKey, Seat
from events.vocabulary import Event
from projections.state.table import Table

_EVENTS: Decoder[list[Event]] = Decoder(list[Event])
_KEPT: dict[tuple[object, ...], Trials] = {}
"""The trials of this process, which prepares their deals once."""
KEPT_MAX = 32
"""At how many positions they are kept."""


class TrialPlan(NamedTuple):
    """The position of trials, and all else on which they depend.

    `events` are those that the seat has seen, as JSON. `is_whole`: they are all of them, so that nothing is dealt.
    """

    game: GameKey
    bound: BoundGame
    events: bytes
    is_whole: bool
    policies: tuple[tuple[Seat, str], ...]
    seed: str
    until: str


class Batch(NamedTuple):
    """Trials `first` to `first + trials - 1` of an alternative, the JSON of its command; of the position itself if that is empty."""

    plan: TrialPlan
    command: bytes
    first: int
    trials: int


def run_batch(batch: Batch) -> list[Outcome]:
    """Return the outcomes of some trials; see `core.trials.trial.Trials.outcome` for errors."""
    plan = batch.plan
    key = (plan.events, plan.bound.board_digest, *plan[3:])
    if key not in _KEPT:
        if len(_KEPT) >= KEPT_MAX:
            _KEPT.clear()
        _KEPT[key] = _prepared(plan)
    command = plan.bound.rules.decode(batch.command) if batch.command else None
    return [_KEPT[key].outcome(command, number) for number in range(batch.first, batch.first + batch.trials)]


def _prepared(plan: TrialPlan) -> Trials:
    game, bound = load_game(plan.game), plan.bound
    return Trials(
        bound.rules,
        _dealer(bound, _EVENTS.decode(plan.events), is_whole=plan.is_whole),
        {seat: find_policy(game, name) for seat, name in plan.policies},
        lambda text: Random(text).randrange,  # noqa: S311 - Nothing of a trial is secret.
        seed=plan.seed,
        until=plan.until,
        places=[place.id for place in bound.narration.place_names()],
    )


def _dealer(bound: BoundGame, events: list[Event], *, is_whole: bool) -> Callable[[Chance], Table]:
    """Return what deals the table of a trial: anew what the seat does not know, or the true table each time."""
    hidden = Hidden(events)
    table = hidden.table
    if is_whole:
        return lambda _: bare(table)
    return Deals(bound.rules, bound.inventory(table.scenario, table.options), hidden).deal
