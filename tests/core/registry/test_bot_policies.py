"""A policy decides on what its seat may know; in no place where policies are called is it shown the seed of the dice."""

import gc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from types import FunctionType, ModuleType

import pytest

from core.bots.bot_port import Asked, Policy
from core.bots.budget import Budget
from core.checking.simulated_match import Plan, SimulatedMatch, WentWrong
from core.engine.command import Command
from core.game.game_record import Mode, Scenario
from core.registry import bot_policies
from core.registry.bot_policies import (
    GENERIC,
    PolicyMissing,
    choose_at_random,
    find_policy,
    leveled,
    policy_names,
    usual_policy,
)
from core.registry.games import game_keys, load_game
from events.ids import MatchId
from events.memory_log import MemoryLog
from projections.state.table import Table
from server.client.bots import run_bot
from server.client.client import Client
from server.client.library import open_match
from server.client.local import local_client
from tests.support.rows import each_row

SEED = "the seed that no policy may see"
STEPS = 12

MODES = [
    pytest.param(
        key,
        scenario,
        mode,
        id=f"{key}-{scenario.key}-{mode.key}",
        marks=() if scenario == scenes[0] else pytest.mark.long,
    )
    for key in game_keys()
    for scenes in [load_game(key).scenarios]
    for scenario in scenes
    for mode in scenario.modes
]


def reachable(*roots: object) -> Iterator[object]:
    """Yield everything that can be reached from some objects, but for code and what code reaches."""
    seen: set[int] = set()
    waiting: list[object] = [*roots]
    while waiting:
        found = waiting.pop()
        if id(found) in seen or isinstance(found, type | FunctionType | ModuleType):
            continue
        seen.add(id(found))
        yield found
        waiting += gc.get_referents(found)
        # The garbage collector does not follow structs that are never part of a cycle.
        waiting += [getattr(found, name) for name in getattr(type(found), "__struct_fields__", ())]


def holds_seed(*roots: object) -> bool:
    """Return whether the seed can be reached from some objects."""
    return any(isinstance(one, str | bytes) and SEED in str(one) for one in reachable(*roots))


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Table]:
    """The tables that the policy `spy` was shown; it fails if anything that it is given leads to the seed."""
    tables: list[Table] = []

    def spy(asked: Asked) -> Command:
        tables.append(asked.table)
        assert not holds_seed(asked.rules, asked.table, asked.seat, asked.options, asked.below)
        assert not holds_seed(asked.imagine())
        return choose_at_random(asked)

    policies: dict[str, Policy] = {**GENERIC, "spy": spy}
    monkeypatch.setattr("core.registry.bot_policies.GENERIC", policies)
    return tables


def seated(game: str, scenario: Scenario, mode: Mode) -> tuple[Client, MatchId]:
    """Open a match with seeded dice and take its seats."""
    client = local_client(MemoryLog())
    match = client.open(game, scenario.key, mode=mode.key, dice="seeded", seed=SEED).match
    for seat in mode.seats:
        client.take_seat(match, seat, share=False)
    return client, match


@pytest.mark.parametrize(("game", "scenario", "mode"), MODES)
def test_no_policy_is_shown_the_seed(game: str, scenario: Scenario, mode: Mode, shown: list[Table]) -> None:
    plan = Plan(1, game, scenario.key, mode.key, {}, dict.fromkeys(mode.seats, "spy"), SEED, STEPS, False, "")
    simulated = SimulatedMatch(plan, Random)
    with suppress(WentWrong):
        simulated.play()

    assert simulated.steps == STEPS
    assert holds_seed(simulated.players[0].table)

    client, match = seated(game, scenario, mode)
    mover = client.legal(match).to_move
    run_bot(client, match, mover, "spy", commands_max=1)

    assert holds_seed(client.state(match, mover).table)

    library = open_match(game, scenario.key, mode=mode.key, dice="seeded", seed=SEED)
    library.suggest("spy")

    assert len(shown) == STEPS + 2
    assert {table.chance.scheme for table in shown} == {"seeded/1"}


BRAVE = '''
"""Bots of another distribution."""

from core.bots.bot_port import Answer, Considered

NUMBER = 7


def brave(asked):
    """Count the pieces after each option in imagined worlds."""
    worlds = asked.imagine()
    positions = [next(worlds) for _ in range(asked.budget.playouts or 2)]
    found = []
    for option in asked.options[:4]:
        copies = [world.copy() for world in positions]
        found.append(Considered(option, sum(len(copy.play(option)) for copy in copies), len(copies)))
    return Answer(found[-1].command, tuple(found))
'''
POINTS = "[wardiary.policies]\nbattle.brave = my_bots:brave\nsteady = my_bots:brave\nodd = my_bots:NUMBER\ngone = no_bots:brave\nbattle.greedy = my_bots:brave\n"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a small distribution with policies in a folder."""
    (tmp_path / "my_bots.py").write_text(BRAVE, encoding="utf-8")
    record = tmp_path / "my_bots-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: my-bots\nVersion: 1.0\n", encoding="utf-8")
    (record / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    of_others = bot_policies._of_other_distributions
    of_others.cache_clear()
    yield
    of_others.cache_clear()


@pytest.mark.usefixtures("installed")
def test_a_policy_of_another_distribution_plays_a_shipped_game() -> None:
    battle, advance = load_game("battle"), load_game("advance")
    match = open_match("battle", dice="seeded", seed="1")
    answer = match.consider("brave", budget="3")
    match.play(answer.command)
    for _ in range(10):
        match.play(match.suggest("brave"))

    assert policy_names(battle) == ["random", "brave", "gone", "odd", "steady", "greedy", "search"]
    assert policy_names(advance) == ["random", "gone", "odd", "steady", "quick", "greedy"]
    assert [one.playouts for one in answer.considered] == [3] * len(answer.considered)
    assert find_policy(battle, "greedy") is battle.policies["greedy"]
    assert open_match("advance").consider("steady").considered


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("odd", "the policy odd is my_bots:NUMBER, which is not a function"),
        ("gone", "the policy gone cannot be loaded from no_bots:brave: ModuleNotFoundError: No module named 'no_bots'"),
    ],
)
def test_a_policy_that_cannot_be_loaded_says_why(name: str, problem: str) -> None:
    with pytest.raises(PolicyMissing, match=problem):
        find_policy(load_game("battle"), name)


@pytest.mark.usefixtures("installed")
def test_a_bot_over_the_protocol_imagines_too() -> None:
    client, match = seated("battle", load_game("battle").scenario(""), load_game("battle").scenario("").mode(""))
    report = run_bot(client, match, client.legal(match).to_move, "brave", budget=Budget(playouts=1), commands_max=3)

    assert report.commands == 3


@each_row(
    ("names", "usual"),
    [(["random", "greedy", "search"], "greedy"), (["random", "careful"], "careful"), (["random"], "random")],
)
def test_where_nobody_chooses_a_bot_that_answers_at_once_plays(names: list[str], usual: str) -> None:
    assert usual_policy(names) == usual


@each_row(
    ("text", "names", "bot"),
    [
        ("recruit", ["random", "greedy", "search"], "greedy"),
        ("sergeant", ["random", "greedy", "search"], "search:20"),
        ("general", ["random", "greedy", "search"], "search:500"),
        ("general", ["random", "greedy"], "greedy"),
        ("general", ["random", "greedy", "search", "general"], "general"),
        ("search:7", ["random", "greedy", "search"], "search:7"),
        ("marshal", ["random", "greedy", "search"], "marshal"),
        ("", ["random", "greedy", "search"], ""),
    ],
)
def test_a_level_is_the_bot_that_searches_with_a_budget_unless_a_policy_has_its_name(
    text: str, names: list[str], bot: str
) -> None:
    assert leveled(text, names) == bot
