"""The bounds of a selection decide which picks are offered, as long as a game says nothing else."""

from collections.abc import Mapping

import pytest

from core.engine.selection import Pick, Selection
from core.refusal import Refusal
from events.ids import RuleId, Seat
from projections.state.table import Open, Table

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
    "an item that is enough alone": (1, 3, {"a": "bc", "b": "ac", "c": "ab"}, False, "abc"),
    "one item again and again": (3, 3, {"b": "abc"}, True, "ac"),
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_pick_is_offered_if_items_enough_are_left_for_the_minimum(name: str) -> None:
    low, high, excludes, may_repeat, expected = CHOICES[name]
    chosen = selection(low, high, excludes, may_repeat=may_repeat)
    offered = [one.item for one in chosen.options(Table(), ASKED) if isinstance(one, Pick)]

    assert "".join(offered) == expected


@pytest.mark.parametrize("name", CHOICES)
def test_a_pick_is_accepted_if_and_only_if_it_is_offered(name: str) -> None:
    low, high, excludes, may_repeat, expected = CHOICES[name]
    chosen = selection(low, high, excludes, may_repeat=may_repeat)

    assert "".join(item for item in "abc" if chosen.refuse(Table(), ASKED, Pick(item)) is None) == expected
