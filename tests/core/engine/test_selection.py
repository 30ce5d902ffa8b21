"""The bounds of a selection decide which picks are offered, as long as a game says nothing else."""

from collections.abc import Mapping

import pytest

from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.selection import Pick, Selection, refuse_unsorted
from core.engine.steps import StepSequence
from core.refusal import Refusal
from events.ids import RuleId, Seat
from projections.state.table import Open, Table
from tests.support.rows import each_row

RULE = RuleId("1.choice")
NO = Refusal("item_must_be_candidate", RULE, "It cannot be chosen here.")
ASKED = Open("choose", Seat("red"), {})


def selection(low: int, high: int, excludes: Mapping[str, str], *, may_repeat: bool = False) -> Selection:
    """Return a choice among a, b and c, in which an item may exclude others."""

    def refuse_pick(table: Table, asked: Open, pick: Pick) -> Refusal | None:
        return NO if any(pick.item in excludes.get(picked, "") for picked in asked.picked) else None

    return Selection(
        lambda _: RULE,
        lambda *_: "abc",
        lambda *_: (low, high),
        lambda *_: None,
        refuse_pick=refuse_pick,
        may_repeat=may_repeat,
    )


CHOICES = {
    # What may be picked first, by minimum, maximum and what each item excludes.
    "items enough for each": (2, 3, {}, False, "abc"),
    "the minimum needs every item": (3, 3, {}, False, "abc"),
    "an item that leaves too few": (2, 3, {"a": "bc"}, False, "bc"),
    "an item that leaves just enough": (2, 3, {"a": "b", "b": "a"}, False, "abc"),
    "an item that leaves some, but too few": (3, 3, {"a": "b"}, False, "bc"),
    "an item that is enough alone": (1, 3, {"a": "bc", "b": "ac", "c": "ab"}, False, "abc"),
    "one item again and again": (3, 3, {"b": "abc"}, True, "ac"),
}


@each_row("name", CHOICES)
def test_a_pick_is_offered_if_items_enough_are_left_for_the_minimum(name: str) -> None:
    low, high, excludes, may_repeat, expected = CHOICES[name]
    chosen = selection(low, high, excludes, may_repeat=may_repeat)
    offered = [one.item for one in chosen.options(Table(), ASKED) if isinstance(one, Pick)]

    assert "".join(offered) == expected


@each_row("name", CHOICES)
def test_a_pick_is_accepted_if_and_only_if_it_is_offered(name: str) -> None:
    low, high, excludes, may_repeat, expected = CHOICES[name]
    chosen = selection(low, high, excludes, may_repeat=may_repeat)

    assert "".join(item for item in "abc" if chosen.refuse(Table(), ASKED, Pick(item)) is None) == expected


class _Rules(DecisionRules):
    """One choice, and a sequence."""

    def set_up(self, draft: Draft) -> None:
        """Do nothing."""

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Refuse nothing."""
        return None


@each_row(
    ("stack", "expected"),
    [((ASKED,), ((1, 2), True)), ((), (None, False)), ((ASKED, Open("steps", Seat(""))), (None, False))],
)
def test_only_an_open_choice_has_bounds_and_items_that_may_repeat(
    stack: tuple[Open, ...], expected: tuple[tuple[int, int] | None, bool]
) -> None:
    rules = _Rules({ASKED.kind: selection(1, 2, {}, may_repeat=True)}, sequences=(StepSequence("steps", RULE, ()),))
    table = Table(stack=stack)

    assert (rules.bounds(table), rules.may_repeat(table)) == expected
    assert bool(rules.options(table)) == expected[1]


def test_a_question_that_the_game_does_not_have_is_named_with_those_that_it_has() -> None:
    """A mistake in the rules of a game."""
    rules = _Rules({ASKED.kind: selection(1, 2, {})})

    with pytest.raises(LookupError, match="the rules ask a question 'chose'; the questions of this game are choose"):
        rules.options(Table(stack=(Open("chose", Seat("red")),)))


@each_row(
    ("items", "once", "repeated"), [("", True, True), ("abc", True, True), ("aab", False, True), ("ba", False, False)]
)
def test_a_list_names_a_choice_in_ascending_order(items: str, once: bool, repeated: bool) -> None:
    sorted_once, sorted_repeated = refuse_unsorted(items), refuse_unsorted(items, may_repeat=True)

    assert (sorted_once is None, sorted_repeated is None) == (once, repeated)
