"""Chapters of steps: each step that takes place leaves one fact, and what it asks leaves the stack with what follows."""

from core.chance import ManualChance
from core.draft import Draft
from events.codec import tag_of
from events.ids import TABLE
from events.vocabulary import Event, StepBegan
from projections.fold import fold
from projections.table import Table
from projections.table_codec import decode_table, encode_table
from tests.acid.sequences_game import HITS, CombatGame, No, Yes


def tags(events: list[Event]) -> list[str]:
    """Return what kinds of facts there are."""
    return [tag_of(type(event)).partition("/")[0] for event in events]


def stack(table: Table) -> list[tuple[str, str]]:
    """Return the elements of the stack with their steps."""
    return [(element.kind, element.step) for element in table.stack]


def test_a_step_changes_which_steps_follow() -> None:
    """ACID 21: a step is judged when it comes up; one that does not take place leaves no fact."""
    with_leader, without = CombatGame(), CombatGame()
    for game in (with_leader, without):
        game.begin("combat", 1)
        game.play(Yes())
    blitz = with_leader.play(Yes())
    none = without.play(No())

    assert [event.step for event in blitz if isinstance(event, StepBegan)] == ["blitz"]
    assert [event.step for event in none if isinstance(event, StepBegan)] == ["order"]


def test_the_match_ends_in_the_middle_of_a_step() -> None:
    """ACID 22: the draw, the end, nothing else, although the step would deal four cards."""
    game = CombatGame(("one", "two"))
    game.begin("combat", 1)
    game.play(Yes())
    events = game.play(No(), "one", "two")

    assert tags(events) == ["step-began", "card-drawn", "card-drawn", "match-ended"]
    assert game.table.stack == ()


def test_hits_wait_on_the_table_while_they_are_asked_for_one_by_one() -> None:
    """ACID 23: what is left over is an attribute of the step: a restart keeps it, and the next step begins without it."""
    game = CombatGame()
    game.begin("combat", 3)
    first = game.play(Yes())
    stored = decode_table(encode_table(game.table))
    second, third = game.play(Yes()), game.play(Yes())

    assert tags(first) == tags(second) == ["attribute-set", "decision-opened"]
    assert stored.attribute(TABLE, HITS) == 2
    assert tags(third) == ["attribute-set", "step-began", "decision-opened"]
    assert game.table.attribute(TABLE, HITS) is None
    assert fold([*first, *second, *third], Table()).seq == 7


def test_an_order_is_cancelled_and_its_chapter_stays_at_its_step() -> None:
    """ACID 24: only the order's own element ends, and the interrupted step is not carried out again."""
    game = CombatGame()
    game.begin("combat", 1)
    game.play(Yes())
    game.play(No())

    assert stack(game.table) == [("combat", "order"), ("order", "answer"), ("obey", "")]

    events = game.play(No())

    assert tags(events) == ["sequence-ended", "step-began", "decision-opened"]
    assert stack(game.table) == [("combat", "last"), ("last", "")]


def test_a_chapter_ends_with_one_fact_that_takes_its_last_question_along() -> None:
    """ACID 26: nothing of a loop or a chapter is left outside the table."""
    game = CombatGame()
    game.begin("combat", 1)
    for answer in (Yes(), No(), No()):
        game.play(answer)
    events = game.play(Yes())

    assert tags(events) == ["sequence-ended"]
    assert game.table.stack == ()
    assert game.table.attributes == {}


def test_a_sequence_none_of_whose_steps_takes_place_leaves_no_fact() -> None:
    """ACID 21: what follows it takes place all the same."""
    assert tags(CombatGame().begin("empty")) == ["marker-placed"]


def test_a_position_begins_a_sequence_at_a_later_step() -> None:
    """No fact tells of the steps before it, and one that does not take place is passed over."""
    game = CombatGame()
    draft = Draft(game.table, ManualChance())

    game.sequences["combat"].begin(draft, start="hits")

    assert stack(game.table) == [("combat", "capture"), ("capture", "")]
