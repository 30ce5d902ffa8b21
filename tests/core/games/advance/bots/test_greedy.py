"""The bot: it plays whole matches by the rules under any options, and sensibly."""

import hashlib
from collections.abc import Callable
from random import Random

import pytest

from core.bots.bot_port import Asked
from core.chance.chance_sources import KeyedChance, ManualChance
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Done, onward
from core.games.advance.bots.greedy import greedy
from core.games.advance.bots.valuation import Adviser
from core.games.advance.ids import GERMAN, GERMAN_SEAT, SUPPLY
from core.games.advance.options import NORTHERN_SHOULDER, NORTHERN_SHOULDER_AREAS
from core.games.advance.rules.advance_rules import AdvanceRules
from core.games.advance.rules.commands import (
    Activate,
    BreakOff,
    Buy,
    DeclareAttack,
    Move,
    NameLead,
    PutOutOfAction,
    RetreatTo,
    ReturnUnit,
)
from core.games.advance.rules.queries import german_control_count, soviet_areas
from events.ids import PieceId, PlaceId
from events.vocabulary import Value
from projections.state.table import Table
from tests.support.advance import place_support, some_options
from tests.support.advance_rounds import BOARD, BREAK_OFF, SETUP, Scene, declare, give_up
from tests.support.rows import each_row

RULES = AdvanceRules(BOARD)
STEPS_MAX = 3_000

Choice = Callable[[Table, list[Command]], Command]


def first(count: int) -> int:
    """Stand in for a source of numbers; the bot needs none."""
    return 0


def by_greed(table: Table, options: list[Command]) -> Command:
    """Let the bot choose."""
    return greedy(Asked(RULES, table, GERMAN_SEAT, options, first))


def play(scenario: str, seed: int, options: dict[str, Value], choose: Choice) -> Table:
    """Play a match to its end."""
    table = Table(scenario=scenario, options=options, seats=(GERMAN_SEAT,), plays={GERMAN_SEAT: GERMAN}, began=True)
    draft = Draft(table, KeyedChance(hashlib.sha256(str(seed).encode()).digest(), scenario))
    RULES.set_up(draft)
    for _ in range(STEPS_MAX):
        if table.ended is not None:
            return table
        offered = RULES.options(table)
        command = choose(table, offered)
        assert RULES.refuse(table, GERMAN_SEAT, command) is None
        RULES.take(draft, command)
    raise AssertionError("the match has no end")


@each_row("scenario", ["main", "factory"])
@each_row("seed", range(1))
def test_the_bot_plays_to_the_end_under_any_options(scenario: str, seed: int) -> None:
    table = play(scenario, seed, some_options(Random(seed), scenario), by_greed)

    assert table.ended is not None
    assert table.ended.kind == "rules"


@each_row("reading", ["42-to-50", "42-to-47"])
def test_the_bot_keeps_units_in_the_north_by_either_reading_of_12_2(reading: str) -> None:
    options: dict[str, Value] = {NORTHERN_SHOULDER.key: True, NORTHERN_SHOULDER_AREAS.key: reading}

    assert play("main", 1, options, by_greed).ended is not None


@pytest.mark.long
def test_the_bot_plays_far_better_than_chance() -> None:
    rng = Random(1)
    counts: list[list[int]] = []
    for choose in (by_greed, lambda _, options: rng.choice(onward(options))):
        tables = [play("main", seed, {}, choose) for seed in range(2)]
        counts.append([german_control_count(table, BOARD) for table in tables])

    clever, blind = counts
    assert sum(clever) >= 2 * 28
    assert max(blind) < min(clever)


def test_the_bot_chooses_the_same_way_twice() -> None:
    tables = [play("factory", 5, {}, by_greed) for _ in range(2)]

    assert tables[0] == tables[1]


# Single decisions


def choice(scene: Scene) -> Command:
    """Let the bot answer the open question of a scene."""
    return greedy(Asked(RULES, scene.table, GERMAN_SEAT, scene.options, first))


def test_the_weakest_neighbour_is_attacked_first() -> None:
    scene = Scene({"8": "29/15 29/71 29/PZ 29/RCN"}, {"10": "H7", "7": "L1"}, support=(2, 0, 0))
    scene.activate("8")

    step = choice(scene)
    assert isinstance(step, Move)
    assert step.to == "7"


def test_a_hopeless_attack_is_left_alone() -> None:
    scene = Scene({"8": "94/274"}, {"10": "H7", "7": "H8", "9": "H9", "6": "H5"})

    assert choice(scene) == Done()


def test_reserves_are_brought_up() -> None:
    scene = Scene({"1": "24/26 24/PZ"}, {"10": "H7"})

    assert choice(scene) == Activate(PlaceId("1"))


def test_a_mandatory_attack_is_declared_when_no_other_unit_can_come() -> None:
    scene = Scene({"8": "29/PZ"}, {"10": "H7"})
    scene.activate("8")
    scene.play(Move(PieceId("29/PZ"), PlaceId("10")))

    assert choice(scene) == DeclareAttack(PlaceId("10"), (PieceId("29/PZ"),))


def test_of_equal_leads_the_one_that_is_cheaper_to_lose_goes_first() -> None:
    scene = Scene({"10": "60/120 244A"}, {"10": "H3"})
    scene.activate("10")
    scene.play(declare("10", "60/120 244A"))

    assert choice(scene) == NameLead(PieceId("60/120"))


def test_support_is_placed_where_it_changes_the_result() -> None:
    scene = Scene({"8": "29/RCN 29/PZ"}, {"7": "L9"}, support=(2, 0, 0))
    scene.activate("8")
    scene.move("29/RCN 29/PZ", "7")
    scene.attack("7", "29/RCN 29/PZ")
    scene.play(NameLead(PieceId("29/RCN")))

    assert choice(scene) == place_support(2, 0, 0)


def test_support_is_kept_where_the_attack_cannot_fail() -> None:
    scene = Scene({"27": "24/26 24/PZ 24/21 24/RCN"}, {"27": "C1"}, support=(8, 0, 0))
    scene.activate("27")
    scene.attack("27", "24/26 24/PZ 24/21 24/RCN")
    scene.play(NameLead(PieceId("24/RCN")))

    assert choice(scene) == place_support(0, 0, 0)


@each_row(("names", "answer"), [("29/RCN 29/PZ 29/15", give_up("29/15")), ("94/274", BREAK_OFF)])
def test_barrage_is_fought_through_only_where_it_pays(names: str, answer: PutOutOfAction | BreakOff) -> None:
    scene = Scene({"8": names}, {"7": "?"})
    scene.activate("8")
    scene.move(names, "7")
    scene.attack("7", names, counter="L3")

    assert choice(scene) == answer


def test_a_retreat_ends_near_the_front() -> None:
    scene = Scene({"6": "24/PZ 24/26 94/267", "8": "71/191 71/194 71/211"}, {"10": "H3", "11": "?", "7": "?"})
    scene.activate("6")
    scene.move("24/PZ 24/26", "8", "10")
    scene.move("94/267", "8")
    scene.attack("10", "24/26 24/PZ")
    scene.play(NameLead(PieceId("24/26")), dice=(1, 1, 6, 6))

    assert isinstance(choice(scene), RetreatTo)


def bought(points: int, morale: int, out: str = "") -> Command:
    """Let the bot choose its first purchase of a Supply Phase, with all support markers in the Used box."""
    scene = Scene({"1": "244A"}, {"10": "H3"}, out=out, morale=morale)
    draft = Draft(scene.table, ManualChance())
    draft.track(SUPPLY, points, SETUP)
    draft.ask("supply", GERMAN_SEAT, SETUP)
    return greedy(Asked(RULES, scene.table, GERMAN_SEAT, RULES.options(scene.table), first))


def test_supply_brings_lost_units_back_first() -> None:
    command = bought(10, 5, out="29/RCN 29/15")

    assert isinstance(command, ReturnUnit)
    assert command.unit == "29/RCN"


def test_supply_then_keeps_morale_strong() -> None:
    assert bought(10, 11) == Buy("morale")


def test_supply_then_goes_into_support() -> None:
    assert bought(10, 15) == Buy("artillery")


def test_without_points_nothing_is_bought() -> None:
    assert bought(0, 15) == Done()


def test_a_place_in_reach_of_the_enemy_beats_one_in_the_rear() -> None:
    scene = Scene({"3": "24/26"}, {"10": "H3"})
    adviser = Adviser(BOARD)
    unit = PieceId("24/26")
    near = adviser.distances(frozenset(soviet_areas(scene.table, BOARD)), None)

    standing = [adviser.standing(scene.table, near, unit, PlaceId(area)) for area in ("8", "6", "1")]
    assert standing == sorted(standing, reverse=True)
