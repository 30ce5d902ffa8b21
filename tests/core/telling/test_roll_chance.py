"""Chances of rolls that have fallen."""

from core.telling.roll_chance import chance_of, chance_words
from events.ids import RuleId
from events.vocabulary import DiceRolled, Modifier
from tests.support.rows import each_row

RULE = RuleId("match.position")


@each_row(
    ("event", "told"),
    [
        (DiceRolled(rule=RULE, faces=(5, 5), purpose="x"), "The chance of 10 or more was 17 %"),
        (
            DiceRolled(rule=RULE, faces=(1,), purpose="x", modifiers=(Modifier(RULE, "m", 2),)),
            "The chance of 3 or more was 100 %",
        ),
        (DiceRolled(rule=RULE, faces=(6, 6, 1), purpose="x", keep=2), "The chance of 12 or more was 7.4 %"),
        (
            DiceRolled(rule=RULE, faces=(6, 2), purpose="x", needed=5, each=True),
            "The chance of 1 of 2 or more was 56 %",
        ),
        (
            DiceRolled(rule=RULE, faces=(1, 1), purpose="x", needed=1, each=True, or_less=True),
            "The chance of 2 of 2 or more was 2.8 %",
        ),
        (DiceRolled(rule=RULE, faces=(6,), purpose="x", needed=9, each=True), ""),
    ],
)
def test_a_roll_is_told_with_the_chance_of_its_result_or_a_higher_one(event: DiceRolled, told: str) -> None:
    assert chance_words(event) == told


def test_dice_that_each_choose_something_have_no_chance() -> None:
    assert chance_of(DiceRolled(rule=RULE, faces=(6, 2), purpose="x", each=True)) is None
