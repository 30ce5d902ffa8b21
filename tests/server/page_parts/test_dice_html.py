"""The number that dice need is told with the side on which they reach it."""

from events.ids import RuleId
from events.vocabulary import DiceRolled, Modifier
from server.page_parts.dice_html import needed
from tests.support.rows import each_row

RULE = RuleId("1")


@each_row(
    ("or_less", "modifiers", "words"),
    [
        (False, (), "Needed by each die: 4 or more; reached by 2 of 3."),
        (True, (), "Needed by each die: 4 or less; reached by 2 of 3."),
        (
            True,
            (Modifier(RULE, "Fortified", 1),),
            "Needed by each die: 5 or less (4, +1 Fortified); reached by 2 of 3.",
        ),
    ],
)
def test_dice_that_each_reach_a_number_are_told_with_it(
    modifiers: tuple[Modifier, ...], words: str, *, or_less: bool
) -> None:
    faces = (4, 4, 6) if or_less else (4, 5, 1)
    roll = DiceRolled(rule=RULE, faces=faces, purpose="fire", each=True, needed=4, or_less=or_less, modifiers=modifiers)

    assert needed(roll) == words
