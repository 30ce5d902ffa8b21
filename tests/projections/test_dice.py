"""Dice are counted by purpose and compared with fair dice."""

import math
from random import Random

from events.codec import replace
from events.ids import RuleId
from events.vocabulary import DiceRolled, MatchBegan
from projections.dice import DiceTally, chi_square_tail, dice_report
from tests.support.rows import each_row

RULE = RuleId("1")


def rolled(purpose: str, *faces: int, sides: int = 6) -> DiceRolled:
    return DiceRolled(rule=RULE, faces=faces, sides=sides, purpose=purpose)


def test_dice_of_one_kind_about_several_places_are_counted_together() -> None:
    compass = [replace(rolled(f"compass of {place}", face), about=place) for place, face in (("3", 6), ("42", 1))]
    report = dice_report([*compass, rolled("test of 3", 2)])

    assert [(one.purpose, one.rolls) for one in report.by_purpose] == [("compass", 2), ("test of 3", 1)]


def test_dice_are_counted_by_purpose_in_order_of_first_use() -> None:
    report = dice_report([rolled("supply", 1, 6), MatchBegan(rule=RULE), rolled("event", 3), rolled("supply", 6)])

    assert report.by_purpose == (
        DiceTally("supply", 6, 2, (1, 0, 0, 0, 0, 2)),
        DiceTally("event", 6, 1, (0, 0, 1, 0, 0, 0)),
    )


def test_dice_with_different_numbers_of_sides_are_counted_separately() -> None:
    report = dice_report([rolled("a", 1), rolled("a", 10, sides=10)])

    assert [(tally.sides, tally.dice) for tally in report.overall] == [(6, 1), (10, 1)]
    assert [(tally.purpose, tally.sides) for tally in report.by_purpose] == [("a", 6), ("a", 10)]


def test_mean_and_luck_compare_with_fair_dice() -> None:
    tally = DiceTally("x", 6, 1, (0, 0, 0, 0, 0, 2))

    assert (tally.total, tally.mean, tally.expected) == (12, 6.0, 3.5)
    assert math.isclose(tally.luck, 5 / math.sqrt(2 * 35 / 12))


def test_statistics_without_dice_are_neutral() -> None:
    tally = DiceTally("x", 6, 0, (0,) * 6)

    assert (tally.mean, tally.luck, tally.chi_square, tally.p_value) == (0.0, 0.0, 0.0, 1.0)


def test_dice_with_one_face_are_never_suspicious() -> None:
    tally = DiceTally("x", 1, 3, (3,))

    assert (tally.luck, tally.p_value) == (0.0, 1.0)


@each_row(
    ("value", "freedom", "tail"),
    # Critical values as printed in any table of the distribution.
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (7.815, 3, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (16.919, 9, 0.05)],
)
def test_the_tail_of_chi_square_agrees_with_the_printed_tables(value: float, freedom: int, tail: float) -> None:
    assert math.isclose(chi_square_tail(value, freedom), tail, rel_tol=2e-3)


@each_row("freedom", [1, 2, 3, 5, 9, 19])
def test_the_tail_falls_from_one_to_zero(freedom: int) -> None:
    tails = [chi_square_tail(value / 4, freedom) for value in range(400)]

    assert tails[0] == 1.0
    assert tails == sorted(tails, reverse=True)
    assert tails[-1] < 1e-6


def test_fair_dice_pass_and_loaded_dice_do_not() -> None:
    random = Random(1942)
    fair = dice_report([rolled("x", random.randint(1, 6)) for _ in range(6000)]).overall[0]
    loaded = dice_report([rolled("x", min(6, random.randint(1, 7))) for _ in range(6000)]).overall[0]

    assert fair.p_value > 0.01
    assert loaded.p_value < 1e-6
    assert loaded.luck > 5
