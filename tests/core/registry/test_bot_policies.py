"""A policy decides on what its seat may know; in no place where policies are called is it shown the seed of the dice."""

import gc
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from types import FunctionType, ModuleType

import pytest

from core.checking.simulated_match import Plan, SimulatedMatch, WentWrong
from core.engine.command import Command
from core.engine.decision import Rules
from core.game.bound_game import Policy
from core.game.game_record import Mode, Scenario
from core.registry.bot_policies import GENERIC, choose_at_random
from core.registry.games import game_keys, load_game
from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from projections.state.table import Table
from server.client.bots import run_bot
from server.client.client import Client
from server.client.library import open_match
from server.client.local import local_client

SEED = "the seed that no policy may see"
STEPS = 12

MODES = [
    pytest.param(key, scenario, mode, id=f"{key}-{scenario.key}-{mode.key}")
    for key in game_keys()
    for scenario in load_game(key).scenarios
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

    def spy(rules: Rules, table: Table, seat: Seat, options: list[Command], below: Callable[[int], int]) -> Command:
        tables.append(table)
        assert not holds_seed(rules, table, seat, options, below)
        return choose_at_random(rules, table, seat, options, below)

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
