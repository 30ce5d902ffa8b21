"""Luck and fairness are counted as by hand: chances of results, deviations, bands, and the tests of all dice."""

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

from core.match.bound_games import bound_game
from core.telling.roll_chance import ways_of
from events.codec import replace
from events.ids import NO_SIDE, GameKey, MatchId, PieceId, PlaceId, RuleId, Seat, Side
from events.vocabulary import ChanceScheme, DiceRolled, Event, MatchForked, Modifier, PiecePlaced, RoundBegan, TurnBegan
from projections.state.fold import fold
from projections.state.table import Table
from server.report.luck import FairnessTest, RollLuck, fairness, luck_by_side, luck_over_time, rolls_of
from tests.support.rows import each_row

RULE = RuleId("1")
RED = Side("red")


def rolled(*faces: int, **more: object) -> DiceRolled:
    return DiceRolled(rule=RULE, faces=faces, purpose="x", **more)  # type: ignore[arg-type]


def judged(*events: Event, side: Side = RED) -> list[RollLuck]:
    return rolls_of(events, lambda *_: side)


PLUS = (Modifier(RULE, "bonus", 1),)


@each_row(
    ("roll", "result", "of", "at_least"),
    [
        (rolled(4), 4, 6, 3),
        (rolled(5, 4), 9, 36, 10),
        (rolled(5, 4, modifiers=PLUS), 10, 36, 10),
        (rolled(5, 4, needed=8), 9, 36, 10),
        # Two of six faces hit: 4 of 9 ways miss with both dice.
        (rolled(5, 1, needed=5, each=True), 1, 36, 20),
        (rolled(5, 5, needed=5, each=True), 2, 36, 4),
        # With the bonus half of the faces hit.
        (rolled(4, 1, needed=5, each=True, modifiers=PLUS), 1, 36, 27),
        (rolled(1, 6, needed=1, each=True, or_less=True), 1, 36, 11),
        (rolled(1, 2, needed=1, each=True, or_less=True, modifiers=PLUS), 2, 36, 4),
        # The highest two of three dice: 12 with three sixes, or two of them and one of 15 other orders.
        (rolled(6, 6, 1, keep=2), 12, 216, 16),
        (rolled(10, sides=10), 10, 10, 1),
    ],
)
def test_the_chance_of_a_result_or_a_higher_one_is_counted_exactly(
    roll: DiceRolled, result: int, of: int, at_least: int
) -> None:
    ways = ways_of(roll)

    assert ways is not None
    assert sum(ways.values()) == of
    assert sum(count for value, count in ways.items() if value >= result) == at_least
    (one,) = judged(roll)
    assert (one.result, one.chance) == (result, at_least / of)


def test_dice_of_which_each_chooses_something_have_no_result() -> None:
    (one,) = judged(rolled(1, 5, 6, each=True))

    assert (one.result, one.chance, one.deviation) == (None, None, None)


@each_row(
    ("roll", "is_count"),
    [(rolled(5, 1, needed=5, each=True), True), (rolled(5, 1, needed=5), False), (rolled(5, 1, each=True), False)],
)
def test_a_result_is_a_count_only_where_each_die_needs_a_number(roll: DiceRolled, is_count: bool) -> None:
    (one,) = judged(roll)

    assert one.is_count == is_count


def test_a_deviation_is_in_standard_deviations_of_the_roll() -> None:
    (one,) = judged(rolled(6))

    assert one.mean == 3.5
    assert math.isclose(one.deviation or 0, 2.5 / math.sqrt(35 / 12))


@each_row(
    "roll",
    [
        rolled(1, 1, 1),
        rolled(1, 1, modifiers=PLUS, needed=7),
        rolled(1, 1, 1, keep=2),
        rolled(1, 1, 1, needed=5, each=True),
        rolled(1, 1, needed=2, each=True, or_less=True, modifiers=PLUS),
        rolled(1, 1, sides=4),
    ],
)
def test_over_all_ways_the_deviations_have_the_mean_0_and_the_variance_1(roll: DiceRolled) -> None:
    """The band rests on nothing else; and the chance is the share of the ways with the result or a higher one."""
    every = list(product(range(1, roll.sides + 1), repeat=len(roll.faces)))
    found = judged(*(replace(roll, faces=faces) for faces in every))
    deviations = [one.deviation for one in found if one.deviation is not None]
    results = [one.result for one in found if one.result is not None]

    assert len(deviations) == len(every)
    assert math.isclose(sum(deviations), 0, abs_tol=1e-9)
    assert math.isclose(sum(one**2 for one in deviations), len(every))
    for one in found[:: len(every) // 7]:
        assert one.chance is not None
        assert one.result is not None
        assert math.isclose(one.chance, sum(other >= one.result for other in results) / len(every))


def test_a_result_that_had_to_come_deviates_from_nothing() -> None:
    (one,) = judged(rolled(1, 2, needed=1, each=True))

    assert (one.chance, one.deviation) == (1.0, None)
    assert luck_by_side([one]) == ()


@each_row("roll", [rolled(*[1] * 101), rolled(*[1] * 9, keep=2), rolled(3, sides=10**9), rolled()])
def test_more_dice_than_any_game_has_are_not_counted(roll: DiceRolled) -> None:
    assert ways_of(roll) is None
    assert judged(roll)[0].chance is None


def test_a_face_that_no_die_has_has_no_chance() -> None:
    (one,) = judged(rolled(9))

    assert (one.chance, one.deviation) == (None, None)
    assert fairness([one]) == ()


def test_the_luck_of_a_side_is_the_sum_of_its_deviations_with_a_band_of_95_percent() -> None:
    rolls = judged(rolled(6), rolled(6), rolled(1))
    (side,) = luck_by_side(rolls)
    unit = 2.5 / math.sqrt(35 / 12)

    assert (side.side, side.rolls) == (RED, 3)
    assert math.isclose(side.luck, unit)
    assert math.isclose(side.band, 1.96 * math.sqrt(3))
    assert side.is_usual
    assert [(number, round(one.luck / unit)) for number, one in luck_over_time(rolls)] == [(1, 1), (2, 2), (3, 1)]
    assert not luck_by_side(judged(*[rolled(6)] * 4))[0].is_usual


def test_dice_that_are_better_for_neither_side_are_nobodys_luck() -> None:
    assert luck_by_side(judged(rolled(6), side=NO_SIDE)) == ()


def test_faces_that_a_fork_chose_are_no_luck_and_prove_nothing() -> None:
    fork = MatchForked(
        rule=RULE,
        parent=MatchId("p"),
        at=0,
        chance=ChanceScheme(scheme="manual/1"),
        seat=Seat("red"),
        faces=(6, 6),
        hidden="truth",
    )
    chosen, thrown = judged(fork, rolled(6, 6), rolled(2))

    assert (chosen.is_chosen, chosen.chance, chosen.deviation) == (True, None, None)
    assert (thrown.is_chosen, thrown.chance) == (False, 5 / 6)
    assert [one.dice for one in fairness([chosen, thrown]) if one.test == "faces"] == [1]


def results(faces: Sequence[int]) -> dict[str, FairnessTest]:
    return {one.test: one for one in fairness(judged(rolled(*faces[:90]), *(rolled(face) for face in faces[90:])))}


def test_the_faces_are_tested_by_chi_square() -> None:
    even = results([1, 2, 3, 4, 5, 6] * 5)["faces"]
    # Twenty ones and eight of each other face: (10² + 5 · 2²) / 10 = 12, which with 5 degrees of freedom has p = 0.0348.
    odd = results([1] * 20 + [2, 3, 4, 5, 6] * 8)["faces"]

    assert (even.statistic, even.p_value, even.is_enough) == (0.0, 1.0, True)
    assert odd.dice == 60
    assert math.isclose(odd.statistic, 12)
    assert math.isclose(odd.p_value, 0.0348, abs_tol=5e-5)


def test_the_sum_is_tested_by_the_normal_distribution() -> None:
    high = results([6] * 20 + [1] * 10)["sum"]
    # 130 instead of 105, with the variance 30 · 35/12 = 87.5.
    assert math.isclose(high.statistic, 25 / math.sqrt(87.5))
    assert math.isclose(high.p_value, math.erfc(25 / math.sqrt(175)))


def test_streaks_are_tested_by_runs() -> None:
    # Ten high and ten low dice in two runs: 11 are expected, with the variance 200 · 180 / (400 · 19).
    streaks = results([6] * 10 + [1] * 10)["runs"]

    assert math.isclose(streaks.statistic, -9 / math.sqrt(36000 / 7600))
    assert streaks.p_value < 0.001
    assert streaks.is_enough


def test_too_few_dice_prove_nothing() -> None:
    assert [one.is_enough for one in results([1, 6] * 9).values()] == [False, False, False]
    assert results([6] * 29)["sum"].is_enough is False
    assert results([6] * 30)["faces"].is_enough is True
    assert results([6] * 40)["runs"].is_enough is False


# What the games say

GERMAN, SOVIET = Side("german"), Side("soviet")
AXIS, ALLIES = Side("axis"), Side("allies")


def favoured(game: str, turn: Side, roll: DiceRolled, *before: Event) -> Side:
    events = [RoundBegan(rule=RULE, number=1, was=0), TurnBegan(rule=RULE, side=turn, was=NO_SIDE), *before]
    return bound_game(GameKey(game), None).narration.favours(fold(events, Table()), roll)


@each_row(
    ("game", "turn", "purpose", "side"),
    [
        ("advance", GERMAN, "attack", GERMAN),
        ("advance", GERMAN, "defense", SOVIET),
        ("advance", GERMAN, "air support", GERMAN),
        ("advance", GERMAN, "supply", GERMAN),
        ("advance", GERMAN, "Bloody Streets", SOVIET),
        ("advance", GERMAN, "Random Event", NO_SIDE),
        ("axis_allies", AXIS, "attack", AXIS),
        ("axis_allies", ALLIES, "attack", ALLIES),
        ("axis_allies", AXIS, "defense", ALLIES),
        ("axis_allies", AXIS, "attack on a Volga Crossing", AXIS),
        ("axis_allies", AXIS, "Air Defense", ALLIES),
        ("axis_allies", AXIS, "ambush", ALLIES),
        ("axis_allies", AXIS, "Bombardment", ALLIES),
        ("axis_allies", AXIS, "weather", NO_SIDE),
        ("battle", GERMAN, "anything", NO_SIDE),
        ("inferno", GERMAN, "german Advantages", GERMAN),
        ("inferno", SOVIET, "soviet Advantages", SOVIET),
        ("inferno", GERMAN, "Reinforcements", NO_SIDE),
        ("inferno", SOVIET, "compass of 3", NO_SIDE),
    ],
)
def test_a_game_knows_for_whom_a_high_roll_is_better(game: str, turn: Side, purpose: str, side: Side) -> None:
    assert favoured(game, turn, DiceRolled(rule=RULE, faces=(3,), purpose=purpose)) == side


@each_row("side", [GERMAN, SOVIET])
def test_the_fire_of_a_block_is_better_for_its_side(side: Side) -> None:
    unit = PiecePlaced(rule=RULE, piece=PieceId("one"), kind="infantry", side=side, to=PlaceId("1"))
    fire = DiceRolled(rule=RULE, faces=(3,), purpose="Close Combat", about="one", needed=5, each=True)

    assert favoured("inferno", GERMAN, fire, unit) == side


def test_the_fire_of_cards_of_hexes_and_rubble_is_told_apart() -> None:
    cards = {card.title.name: card for card in inferno_cards()}

    def fire(about: str, rule: str = "1", *, each: bool = True) -> Side:
        roll = DiceRolled(rule=RuleId(rule), faces=(3,), purpose="x", about=about, needed=5, each=each)
        return favoured("inferno", GERMAN, roll)

    assert fire(cards["Stuka"].id) == GERMAN
    assert fire(cards["Tommy Gunner"].id) == SOVIET
    assert fire("3") == SOVIET
    assert fire("3", "rubble.roll.when", each=False) == GERMAN


def inferno_cards() -> list[Any]:
    narration = bound_game(GameKey("inferno"), None).narration
    return list(narration.board.cards.values())  # type: ignore[attr-defined]
