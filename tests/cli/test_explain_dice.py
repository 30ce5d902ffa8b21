"""Explanations of dice: a sum with what is added to it, or dice each of which counts by itself."""

from cli.output.explanation import explained_lines
from cli.schemas.evidence import ExplainedShape, RollShape
from core.telling.cited_rules import RuleBooks
from core.telling.dice_text import Roll
from core.telling.names import IdsOnly, Names
from events.ids import PUBLIC, GameKey, MatchId, RuleId
from events.vocabulary import DiceRolled, Modifier
from projections.fork_points import ForkPoints

RULE = RuleId("match.position")


def explained(event: DiceRolled) -> list[str]:
    """Return the lines about the dice of an event."""
    roll = Roll(event)
    rolls = (
        RollShape(
            seq=1,
            purpose=event.purpose,
            faces=event.faces,
            counted=roll.counted,
            modifiers=event.modifiers,
            total=roll.total,
            needed=event.needed,
            each=event.each,
            or_less=event.or_less,
            words=roll.words(),
        ),
    )
    shape = ExplainedShape(
        match=MatchId("m"),
        seat=PUBLIC,
        at=0,
        seq=1,
        event=event,
        sentence="x",
        details=(),
        undone=False,
        rule=None,
        decided_by=(),
        options=(),
        command="",
        rolls=rolls,
        account=(),
        fork=ForkPoints(),
        parent=None,
    )
    books = RuleBooks(GameKey("none"))
    lines = list(explained_lines(shape, books, Names(IdsOnly(GameKey("skirmish"))), 1_000))
    return [line.split("match.position")[0].rstrip() for line in lines[4:]]


def test_dice_that_count_each_by_themselves_are_not_added_up() -> None:
    bonus = (Modifier(RULE, "bonus", 1),)
    event = DiceRolled(rule=RULE, faces=(5, 4, 1), purpose="fire", needed=5, modifiers=bonus, each=True)
    assert explained(event) == [
        "Event 1, dice for fire: 5, 4, 1",
        "  added to each die:",
        "    +1  bonus",
        "  needed: 5 by each die; reached by 2 of 3",
    ]


def test_dice_that_must_be_low_have_the_modifiers_added_to_the_number_needed() -> None:
    bonus = (Modifier(RULE, "bonus", 1),)
    event = DiceRolled(rule=RULE, faces=(4, 3, 1), purpose="fire", needed=2, modifiers=bonus, each=True, or_less=True)
    assert explained(event) == [
        "Event 1, dice for fire: 4, 3, 1",
        "  added to the number needed:",
        "    +1  bonus",
        "  needed: 3 (2 +1) or less by each die; reached by 2 of 3",
    ]


def test_other_dice_are_added_up() -> None:
    event = DiceRolled(rule=RULE, faces=(5, 4), purpose="assault", needed=8)
    assert explained(event) == [
        "Event 1, dice for assault: 5, 4",
        "    9  5 + 4  dice",
        "  = 9",
        "  needed: 8",
    ]
