"""The search: whole legal commands, within its budget, the same ones for the same numbers, and by what its seat knows."""

from random import Random

import pytest

from cli.commands.bots.arena_job import Contender, PairPlan, play_pair
from core.bots.bot_port import Answer, Asked, answer_of
from core.bots.budget import NO_BUDGET, Budget
from core.bots.search import PLAYOUTS, _candidates, _is_sure
from core.bots.seat_knowledge import SeatKnowledge
from core.engine.selection import Choose
from core.games.battle.bots.greedy import POLICIES, greedy
from events.codec import encode
from projections.state.fold import fold
from projections.state.view import seen_events
from tests.support.desk import Desk
from tests.support.rows import each_row

SEARCH = POLICIES["search"]


def asked(desk: Desk, budget: Budget, clock: "Clock | None" = None) -> Asked:
    """Ask the seat that is to decide."""
    ruleset, table = desk.match.ruleset, desk.table
    assert table.top is not None
    seen = list(seen_events(desk.events, table.top.seat))
    return Asked(
        ruleset.rules,
        fold(seen),
        table.top.seat,
        ruleset.rules.options(table),
        Random(1).randrange,
        budget=budget,
        knowledge=SeatKnowledge(seen).now,
        inventory=lambda: ruleset.game.inventory(table.scenario, table.options),
        clock=clock,
    )


class Clock:
    """A clock that goes on by 10 ms whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.01
        return self.now


def tried(answer: Answer) -> int:
    """Return how many playouts an answer rests on."""
    return sum(one.playouts for one in answer.considered)


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk.open("battle").play(42, Random(2))


def test_it_plays_whole_legal_commands() -> None:
    desk = Desk.open("battle")
    for _ in range(25):
        one = asked(desk, Budget(playouts=4))
        desk.accept(answer_of(SEARCH, one).command)

    assert len(desk.events) > 25


@each_row("playouts", [1, 10, 40])
def test_a_budget_of_playouts_is_kept_and_gives_the_same_answer(desk: Desk, playouts: int) -> None:
    first, second = [answer_of(SEARCH, asked(desk, Budget(playouts=playouts))) for _ in range(2)]

    assert first == second
    assert 2 <= tried(first) <= max(2, playouts)


def test_a_budget_of_time_ends_the_search(desk: Desk) -> None:
    clock = Clock()

    answer = answer_of(SEARCH, asked(desk, Budget(ms=100), clock))

    assert tried(answer) > len(answer.considered)
    assert 0.08 <= clock.now <= 0.13


def test_without_a_budget_some_dozen_playouts_are_enough(desk: Desk) -> None:
    assert 30 <= tried(answer_of(SEARCH, asked(desk, Budget()))) <= PLAYOUTS


@each_row(
    ("gains", "is_better"),
    [
        ([0.3], False),
        ([0.1, 0.1], True),
        ([0.0, 0.0, 0.0], False),
        ([0.9, -0.8, 0.1], False),
        ([0.4, 0.3, 0.5, 0.1], True),
        ([-0.4, -0.3, -0.5], False),
    ],
)
def test_another_choice_than_the_quick_bots_must_be_better_beyond_doubt(gains: list[float], *, is_better: bool) -> None:
    """By one standard error of the differences in the same worlds."""
    assert _is_sure(gains, 1.0) is is_better


def test_candidates_are_whole_choices_each_once_and_the_quick_bots_choice_is_the_first() -> None:
    desk, seen = Desk.open("battle"), 0
    for _ in range(60):
        one = asked(desk, Budget())
        found = answer_of(greedy, one)
        candidates = list(_candidates(found, one, greedy))
        seen += sum(isinstance(command, Choose) for command in candidates[1:])

        assert candidates[0] == found.command
        assert len({encode(command) for command in candidates}) == len(candidates)
        assert [one.rules.refuse(desk.table, one.seat, command) for command in candidates] == [None] * len(candidates)
        desk.accept(found.command)
    assert seen


def test_it_beats_its_quick_bot(budget: float) -> None:
    """A match takes some seconds; `wardiary arena` measures how strong it is."""
    half_points = [play_pair(pair(number)).half_points for number in range(1, round(budget / 10) + 1)]

    assert sum(half_points) >= 2 * len(half_points)


def pair(number: int) -> PairPlan:
    """Return a pair of matches between the search and its quick bot."""
    bots = (Contender("search", Budget(playouts=20)), Contender("greedy", NO_BUDGET))
    return PairPlan(number, "battle", "standard", "", {}, bots, f"soak/{number}", 20_000, 60.0)
