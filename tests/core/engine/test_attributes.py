"""Declared attributes: values have the declared type, end as declared, and are checked if they come from outside."""

import pytest

from core.chance.chance_sources import ManualChance
from core.engine.attributes import Attribute, Declared, Number
from core.engine.draft import Draft
from events.ids import TABLE, RuleId, Seat, Side
from events.vocabulary import Value
from projections.state.table import Table
from tests.support.rows import each_row

RULE = RuleId("1")
RED = Seat("red")
LEFT: Attribute[int] = Attribute("left", int, until="turn")
MOVED: Attribute[bool] = Attribute("moved", bool, within=("act",))
CAME_FROM: Attribute[str] = Attribute("came_from", str)
UNITS: Attribute[tuple[str, ...]] = Attribute("units", tuple, within=("attack", "raid"))
ORDER: Attribute[tuple[str, ...]] = Attribute("order", tuple, is_ordered=True)
STATE: Attribute[str] = Attribute("state", str, words=("ready", "spent"))

SCORE = Number("score", may_be_negative=True)


def drafting(*kinds: str) -> Draft:
    """Return a draft over an empty table with these questions on its stack."""
    draft = Draft(Table(), ManualChance())
    for kind in kinds:
        draft.ask(kind, RED, RULE)
    return draft


def test_a_value_is_read_as_it_was_set_and_0_is_a_value() -> None:
    draft = drafting("act")
    LEFT.set(draft, "tank", 0, RULE)
    MOVED.set(draft, "tank", value=True, rule=RULE)
    ORDER.set(draft, TABLE, ("b", "a"), RULE)

    assert (LEFT.of(draft.table, "tank"), LEFT.of(draft.table, "gun"), ORDER.of(draft.table)) == (0, None, ("b", "a"))
    assert (LEFT.on(draft.table), MOVED.on(draft.table), UNITS.on(draft.table)) == (["tank"], ["tank"], [])

    draft.answered(RULE)
    draft.close()
    draft.begin_turn(Side("reds"), RULE)

    assert draft.table.attributes == {TABLE: {ORDER.key: ("b", "a")}}


def test_a_number_is_0_until_it_is_added_to() -> None:
    draft = drafting()
    before = SCORE.of(draft.table)
    SCORE.add(draft, TABLE, RULE)
    SCORE.add(draft, TABLE, RULE, -3)

    assert (before, SCORE.of(draft.table), SCORE.of(draft.table, "tank")) == (0, -2, 0)


def test_an_attribute_ends_with_the_topmost_of_its_owners() -> None:
    draft = drafting("attack", "raid")
    UNITS.set(draft, "hill", ("tank",), RULE)
    draft.answered(RULE)
    draft.close()

    assert UNITS.of(draft.table, "hill") is None


def test_an_attribute_is_not_set_if_nothing_would_end_it() -> None:
    with pytest.raises(AssertionError, match="units is set within attack or raid, which is not on the stack"):
        UNITS.set(drafting("act"), "hill", ("tank",), RULE)


@each_row(
    ("declared", "value", "fits"),
    [
        (LEFT, 0, True),
        (LEFT, True, False),
        (LEFT, "0", False),
        (MOVED, True, True),
        (MOVED, False, False),
        (MOVED, 1, False),
        (CAME_FROM, "hill", True),
        (CAME_FROM, ("hill",), False),
        (UNITS, ("a", "b"), True),
        (UNITS, ("b", "a"), False),
        (UNITS, ("a", "a"), False),
        (UNITS, "a", False),
        (ORDER, ("b", "a"), True),
        (ORDER, ("b", "b"), False),
        (STATE, "ready", True),
        (STATE, "weary", False),
    ],
)
def test_a_value_must_be_of_the_declared_type(declared: Declared, value: Value, fits: bool) -> None:
    assert declared.accepts(value) is fits
    if not fits:
        with pytest.raises(AssertionError, match="cannot be"):
            declared.put(drafting("act", "attack"), "x", value, RULE)
